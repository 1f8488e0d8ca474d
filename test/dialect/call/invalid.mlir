// What calls refuse. Each case calls @g.
// RUN: ragged-opt %s --split-input-file --verify-diagnostics

// C1: no function of that name.
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.call' op calls a function that the module does not have}}
  %0 = ragged.call @g(%x) : (!ragged.tensor<[n, 4], f32>) -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// C1: a symbol that is no function.
// expected-note @below {{the callee is defined here}}
module @g {}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.call' op calls builtin.module, expected a func.func}}
  %0 = ragged.call @g(%x) : (!ragged.tensor<[n, 4], f32>) -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// C1: another kind of function.
// expected-note @below {{the callee is defined here}}
llvm.func @g()
func.func @f() {
  // expected-error @below {{'ragged.call' op calls llvm.func, expected a func.func}}
  ragged.call @g() : () -> ()
  return
}

// -----

// C2: fewer operands than arguments.
// expected-note @below {{the callee is defined here}}
func.func private @g(!ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32>)
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.call' op has 1 operands, expected 2 as in the callee}}
  ragged.call @g(%x) : (!ragged.tensor<[n, 4], f32>) -> ()
  return
}

// -----

// C2: more operands than arguments.
// expected-note @below {{the callee is defined here}}
func.func private @g()
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.call' op has 1 operands, expected 0 as in the callee}}
  ragged.call @g(%x) : (!ragged.tensor<[n, 4], f32>) -> ()
  return
}

// -----

// C2: another kind of type.
// expected-note @below {{the callee is defined here}}
func.func private @g(!ragged.tensor<[n, 4], f32>)
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'ragged.call' op operand #0 is tensor<4xf32>, expected !ragged.tensor<[n, 4], f32> as in the callee}}
  ragged.call @g(%x) : (tensor<4xf32>) -> ()
  return
}

// -----

// C2: another kind of type.
// expected-note @below {{the callee is defined here}}
func.func private @g(tensor<4xf32>)
func.func @f(%x: tensor<?xf32>) {
  // expected-error @below {{'ragged.call' op operand #0 is tensor<?xf32>, expected tensor<4xf32> as in the callee}}
  ragged.call @g(%x) : (tensor<?xf32>) -> ()
  return
}

// -----

// C2: another kind of type.
// expected-note @below {{the callee is defined here}}
func.func private @g(tensor<4xf32>)
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.call' op operand #0 is !ragged.tensor<[n, 4], f32>, expected tensor<4xf32> as in the callee}}
  ragged.call @g(%x) : (!ragged.tensor<[n, 4], f32>) -> ()
  return
}

// -----

// C2: another kind of type.
// expected-note @below {{the callee is defined here}}
func.func private @g(i64)
func.func @f(%x: f32) {
  // expected-error @below {{'ragged.call' op operand #0 is f32, expected i64 as in the callee}}
  ragged.call @g(%x) : (f32) -> ()
  return
}

// -----

// C2: another kind of type.
// expected-note @below {{the callee is defined here}}
func.func private @g(tensor<4xf32>)
func.func @f(%x: !ragged.tensor<*, f32>) {
  // expected-error @below {{'ragged.call' op operand #0 is !ragged.tensor<*, f32>, expected tensor<4xf32> as in the callee}}
  ragged.call @g(%x) : (!ragged.tensor<*, f32>) -> ()
  return
}

// -----

// C2: another kind of type.
// expected-note @below {{the callee is defined here}}
func.func private @g(!ragged.tensor<*, f32>)
func.func @f(%x: !ragged.tensor<[n], f64>) {
  // expected-error @below {{'ragged.call' op operand #0 is !ragged.tensor<[n], f64>, expected !ragged.tensor<*, f32> as in the callee}}
  ragged.call @g(%x) : (!ragged.tensor<[n], f64>) -> ()
  return
}

// -----

// C2: another kind of type.
// expected-note @below {{the callee is defined here}}
func.func private @g(!ragged.tensor<[n], f32>)
func.func @f(%x: !ragged.tensor<*, f64>) {
  // expected-error @below {{'ragged.call' op operand #0 is !ragged.tensor<*, f64>, expected !ragged.tensor<[n], f32> as in the callee}}
  ragged.call @g(%x) : (!ragged.tensor<*, f64>) -> ()
  return
}

// -----

// C2: types that differ in more than axes.
// expected-note @below {{the callee is defined here}}
func.func private @g(!ragged.tensor<[n, 4], f32>)
func.func @f(%x: !ragged.tensor<[a], f32>) {
  // expected-error @below {{'ragged.call' op operand #0 has rank 1, expected 2 as in the callee}}
  ragged.call @g(%x) : (!ragged.tensor<[a], f32>) -> ()
  return
}

// -----

// C2: types that differ in more than axes.
// expected-note @below {{the callee is defined here}}
func.func private @g(!ragged.tensor<[n, 4], f32>)
func.func @f(%x: !ragged.tensor<[a, 4], f64>) {
  // expected-error @below {{'ragged.call' op operand #0 has element type f64, expected f32 as in the callee}}
  ragged.call @g(%x) : (!ragged.tensor<[a, 4], f64>) -> ()
  return
}

// -----

// C2: types that differ in more than axes.
// expected-note @below {{the callee is defined here}}
func.func private @g(!ragged.tensor<[n, 4], f32>)
func.func @f(%x: !ragged.tensor<[a, 5], f32>) {
  // expected-error @below {{'ragged.call' op operand #0 has extent 5 in dimension 1, expected 4 as in the callee}}
  ragged.call @g(%x) : (!ragged.tensor<[a, 5], f32>) -> ()
  return
}

// -----

// C2: types that differ in more than axes.
// expected-note @below {{the callee is defined here}}
func.func private @g(!ragged.tensor<[n, 4], f32>)
func.func @f(%x: !ragged.tensor<[4, 4], f32>) {
  // expected-error @below {{'ragged.call' op operand #0 has extent 4 in dimension 0, expected axis n as in the callee}}
  ragged.call @g(%x) : (!ragged.tensor<[4, 4], f32>) -> ()
  return
}

// -----

// C2: types that differ in more than axes.
// expected-note @below {{the callee is defined here}}
func.func private @g(!ragged.tensor<[n, 4], f32>)
func.func @f(%x: !ragged.tensor<[a, a], f32>) {
  // expected-error @below {{'ragged.call' op operand #0 has axis a in dimension 1, expected extent 4 as in the callee}}
  ragged.call @g(%x) : (!ragged.tensor<[a, a], f32>) -> ()
  return
}

// -----

// C2: types that differ in more than axes.
// expected-note @below {{the callee is defined here}}
func.func private @g(!ragged.tensor<[n, m], f32>)
func.func @f(%x: !ragged.tensor<[a, b], f32, order = [1, 0]>) {
  // expected-error @below {{'ragged.call' op operand #0 packs dimension 1 at position 0, expected dimension 0 as in the callee's order}}
  ragged.call @g(%x) : (!ragged.tensor<[a, b], f32, order = [1, 0]>) -> ()
  return
}

// -----

// C3: one axis of the callee, two of the caller.
func.func private @g(!ragged.tensor<[n], f32>, !ragged.tensor<[n], f32>)
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[a], f32>, %y: !ragged.tensor<[b], f32>) {
  // expected-error @below {{'ragged.call' op axis n of the callee is b in operand #1, expected a as in operand #0}}
  ragged.call @g(%x, %y) : (!ragged.tensor<[a], f32>, !ragged.tensor<[b], f32>) -> ()
  return
}

// -----

// C3: twice in one argument.
func.func private @g(!ragged.tensor<[n, n], f32>)
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[a, b], f32>) {
  // expected-error @below {{'ragged.call' op axis n of the callee is b in operand #0, expected a as in operand #0}}
  ragged.call @g(%x) : (!ragged.tensor<[a, b], f32>) -> ()
  return
}

// -----

// C3: an expression that does not come out.
// expected-note @below {{the callee is defined here}}
func.func private @g(!ragged.tensor<[n], f32>, !ragged.tensor<[n + 1], f32>)
func.func @f(%x: !ragged.tensor<[a], f32>, %y: !ragged.tensor<[b], f32>) {
  // expected-error @below {{'ragged.call' op operand #1 has axis b in dimension 0, expected a + 1 (n + 1 in the callee)}}
  ragged.call @g(%x, %y) : (!ragged.tensor<[a], f32>, !ragged.tensor<[b], f32>) -> ()
  return
}

// -----

// C3: an expression of names that no argument gives.
// expected-note @below {{the callee is defined here}}
func.func private @g(!ragged.tensor<[n + 1], f32>)
func.func @f(%x: !ragged.tensor<[a + 1], f32>) {
  // expected-error @below {{'ragged.call' op axis n of the callee is bound by no operand and given by no name of the call}}
  ragged.call @g(%x) : (!ragged.tensor<[a + 1], f32>) -> ()
  return
}

// -----

// C3: an axis that would be the same for all samples.
// expected-note @below {{the callee is defined here}}
func.func private @g(!ragged.tensor<[n], f32>, !ragged.tensor<[m], f32>) -> !ragged.tensor<[n - m], f32>
func.func @f(%x: !ragged.tensor<[a], f32>) {
  // expected-error @below {{'ragged.call' op axis expression "-m + n": it is 0 for every sample, expected an axis that varies}}
  %0 = ragged.call @g(%x, %x) : (!ragged.tensor<[a], f32>, !ragged.tensor<[a], f32>) -> !ragged.tensor<*, f32>
  return
}

// -----

// C4: a name is missing.
// expected-note @below {{the callee is defined here}}
func.func private @g(!ragged.tensor<[n], f32>) -> !ragged.tensor<[k, l], f32>
func.func @f(%x: !ragged.tensor<[a], f32>) {
  // expected-error @below {{'ragged.call' op 'axes' has 1 names, but the callee creates 2 axes, the next of them l}}
  %0 = ragged.call @g(%x) axes = ["p"] : (!ragged.tensor<[a], f32>) -> !ragged.tensor<[p, q], f32>
  return
}

// -----

// C4: all names are missing.
// expected-note @below {{the callee is defined here}}
func.func private @g() -> !ragged.tensor<[k], f32>
func.func @f() {
  // expected-error @below {{'ragged.call' op 'axes' has 0 names, but the callee creates 1 axes, the next of them k}}
  %0 = ragged.call @g() : () -> !ragged.tensor<[k], f32>
  return
}

// -----

// C4: a name too many.
// expected-note @below {{the callee is defined here}}
func.func private @g(!ragged.tensor<[n], f32>) -> !ragged.tensor<[n], f32>
func.func @f(%x: !ragged.tensor<[a], f32>) {
  // expected-error @below {{'ragged.call' op 'axes' has 1 names, but the callee creates 0 axes}}
  %0 = ragged.call @g(%x) axes = ["p"] : (!ragged.tensor<[a], f32>) -> !ragged.tensor<[a], f32>
  return
}

// -----

// C4: no axis name.
func.func private @g() -> !ragged.tensor<[k], f32>
func.func @f() {
  // expected-error @below {{'ragged.call' op 'axes' entry 0 is "n + m", which is no axis name}}
  %0 = ragged.call @g() axes = ["n + m"] : () -> !ragged.tensor<*, f32>
  return
}

// -----

// C4: no axis name.
func.func private @g() -> !ragged.tensor<[k], f32>
func.func @f() {
  // expected-error @below {{'ragged.call' op 'axes' entry 0 is "", which is no axis name}}
  %0 = ragged.call @g() axes = [""] : () -> !ragged.tensor<*, f32>
  return
}

// -----

// C4: no axis name.
func.func private @g() -> !ragged.tensor<[k], f32>
func.func @f() {
  // expected-error @below {{'ragged.call' op 'axes' entry 0 is "min", which is no axis name}}
  %0 = ragged.call @g() axes = ["min"] : () -> !ragged.tensor<*, f32>
  return
}

// -----

// C4: a name twice.
func.func private @g() -> !ragged.tensor<[k, l], f32>
func.func @f() {
  // expected-error @below {{'ragged.call' op 'axes' names p twice}}
  %0 = ragged.call @g() axes = ["p", "p"] : () -> !ragged.tensor<[p, p], f32>
  return
}

// -----

// C4: a name that an operand bears, if only in an expression.
func.func private @g(!ragged.tensor<[n], f32>) -> !ragged.tensor<[k], f32>
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[a + 1], f32>) {
  // expected-error @below {{'ragged.call' op 'axes' names a, which operand #0 bears already}}
  %0 = ragged.call @g(%x) axes = ["a"] : (!ragged.tensor<[a + 1], f32>) -> !ragged.tensor<[a], f32>
  return
}

// -----

// C5: another number of results.
// expected-note @below {{the callee is defined here}}
func.func private @g(!ragged.tensor<[n], f32>) -> !ragged.tensor<[n], f32>
func.func @f(%x: !ragged.tensor<[a], f32>) {
  // expected-error @below {{'ragged.call' op has 0 results, expected 1 as in the callee}}
  ragged.call @g(%x) : (!ragged.tensor<[a], f32>) -> ()
  return
}

// -----

// C5: the callee's name in place of the caller's.
// expected-note @below {{the callee is defined here}}
func.func private @g(!ragged.tensor<[n], f32>) -> !ragged.tensor<[n], f32>
func.func @f(%x: !ragged.tensor<[a], f32>) {
  // expected-error @below {{'ragged.call' op result #0 is !ragged.tensor<[n], f32>, expected !ragged.tensor<[a], f32>}}
  %0 = ragged.call @g(%x) : (!ragged.tensor<[a], f32>) -> !ragged.tensor<[n], f32>
  return
}

// -----

// C5: names in another order.
// expected-note @below {{the callee is defined here}}
func.func private @g() -> !ragged.tensor<[k, l], f32>
func.func @f() {
  // expected-error @below {{'ragged.call' op result #0 is !ragged.tensor<[q, p], f32>, expected !ragged.tensor<[p, q], f32>}}
  %0 = ragged.call @g() axes = ["p", "q"] : () -> !ragged.tensor<[q, p], f32>
  return
}

// -----

// C5: another builtin type.
// expected-note @below {{the callee is defined here}}
func.func private @g() -> i64
func.func @f() {
  // expected-error @below {{'ragged.call' op result #0 is f32, expected i64}}
  %0 = ragged.call @g() : () -> f32
  return
}

// -----

// C5: `*` of another element type.
// expected-note @below {{the callee is defined here}}
func.func private @g(!ragged.tensor<[n], f32>) -> !ragged.tensor<[n], f32>
func.func @f(%x: !ragged.tensor<[a], f32>) {
  // expected-error @below {{'ragged.call' op result #0 is !ragged.tensor<*, f64>, expected !ragged.tensor<[a], f32>}}
  %0 = ragged.call @g(%x) : (!ragged.tensor<[a], f32>) -> !ragged.tensor<*, f64>
  return
}
