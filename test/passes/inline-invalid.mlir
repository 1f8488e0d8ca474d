// RUN: ragged-opt %s --ragged-inline --verify-diagnostics --split-input-file

func.func @self(%x: !ragged.tensor<[n], f32>) -> !ragged.tensor<[n], f32> {
  // expected-error @below {{'ragged.call' op is recursive and cannot be inlined: @self -> @self}}
  %0 = ragged.call @self(%x) : (!ragged.tensor<[n], f32>) -> !ragged.tensor<[n], f32>
  return %0 : !ragged.tensor<[n], f32>
}

// -----

func.func @enter() {
  func.call @a() : () -> ()
  return
}
func.func private @a() {
  // expected-error @below {{'func.call' op is recursive and cannot be inlined: @a -> @b -> @c -> @a}}
  func.call @b() : () -> ()
  return
}
func.func private @b() {
  func.call @c() : () -> ()
  return
}
func.func private @c() {
  func.call @a() : () -> ()
  return
}

// -----

// expected-error @below {{'func.func' op @blocks has several blocks}}
func.func private @blocks(%c: i1) {
  cf.cond_br %c, ^a, ^a
^a:
  return
}
func.func @calls(%c: i1) {
  func.call @blocks(%c) : (i1) -> ()
  return
}

// -----

func.func private @unknown(%x: !ragged.tensor<[n], f32>) -> !ragged.tensor<*, f32> {
  %0 = ragged.exp %x : !ragged.tensor<[n], f32> -> !ragged.tensor<*, f32>
  return %0 : !ragged.tensor<*, f32>
}
func.func @unknown_signature(%x: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.call' op cannot be inlined: an operand, or the signature of @unknown, has an unknown schema; run --ragged-propagate-schemas first}}
  %0 = ragged.call @unknown(%x) : (!ragged.tensor<[n], f32>) -> !ragged.tensor<*, f32>
  return
}
