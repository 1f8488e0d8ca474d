// RUN: ragged-opt %s --ragged-propagate-schemas --allow-unregistered-dialect --verify-diagnostics --split-input-file

!unknown = !ragged.tensor<*, f32>

// What verification could not see: a square pair state and a rectangular one.
func.func @square_and_rectangular(%p: !ragged.tensor<[n, n, 8], f32>, %q: !ragged.tensor<[n, m, 8], f32>) -> !unknown {
  // expected-note @below {{operand #0 is defined here}}
  %0 = ragged.exp %p : !ragged.tensor<[n, n, 8], f32> -> !unknown
  %1 = ragged.exp %q : !ragged.tensor<[n, m, 8], f32> -> !unknown
  // expected-error @below {{'ragged.add' op operand #1 has axis m in dimension 1, expected n as in operand #0}}
  %2 = ragged.add %0, %1 : !unknown, !unknown -> !unknown
  return %2 : !unknown
}

// -----

!unknown = !ragged.tensor<*, f32>

func.func @loop(%k: index, %x: !ragged.tensor<[n, 4], f32>) {
  %init = ragged.schema_cast %x : !ragged.tensor<[n, 4], f32> -> !unknown
  // expected-error @below {{'scf.for' op carries value #0 in as !ragged.tensor<[n, 4], f32>, but an iteration hands on !ragged.tensor<[n], f32>; a loop-carried schema must be invariant}}
  %0 = scf.for %i = %k to %k step %k iter_args(%y = %init) -> !unknown {
    %1 = ragged.sum %x dims = [1] : !ragged.tensor<[n, 4], f32> -> !unknown
    // expected-note @below {{it is handed on here}}
    scf.yield %1 : !unknown
  }
  return
}

// -----

!unknown = !ragged.tensor<*, f32>

func.func @while(%c: i1, %x: !ragged.tensor<[n, 4], f32>) {
  %init = ragged.schema_cast %x : !ragged.tensor<[n, 4], f32> -> !unknown
  // expected-error @below {{'scf.while' op carries value #0 in as !ragged.tensor<[n, 4], f32>, but an iteration hands on !ragged.tensor<[n], f32>}}
  %0 = scf.while (%y = %init) : (!unknown) -> !unknown {
    %1 = ragged.sum %y dims = [1] : !unknown -> !unknown
    scf.condition(%c) %1 : !unknown
  } do {
  ^bb0(%s: !unknown):
    // expected-note @below {{it is handed on here}}
    scf.yield %s : !unknown
  }
  return
}

// -----

!unknown = !ragged.tensor<*, f32>

func.func @branches(%c: i1, %x: !ragged.tensor<[n, 4], f32>, %y: !ragged.tensor<[m, 4], f32>) {
  // expected-error @below {{'scf.if' op result #0 is !ragged.tensor<[n, 4], f32> in one branch and !ragged.tensor<[m, 4], f32> in the other}}
  %0 = scf.if %c -> !unknown {
    %1 = ragged.exp %x : !ragged.tensor<[n, 4], f32> -> !unknown
    scf.yield %1 : !unknown
  } else {
    %1 = ragged.exp %y : !ragged.tensor<[m, 4], f32> -> !unknown
    // expected-note @below {{the other branch yields here}}
    scf.yield %1 : !unknown
  }
  return
}

// -----

// expected-error @below {{'func.func' op argument #1 is !ragged.tensor<*, f32>; the schema of a function's argument is never inferred}}
func.func @argument(%x: !ragged.tensor<[n, 4], f32>, %y: !ragged.tensor<*, f32>) {
  return
}

// -----

// expected-error @below {{'func.func' op result #0 is !ragged.tensor<*, f32>, and a declaration has no body to infer it from}}
func.func private @declaration(!ragged.tensor<[n, 4], f32>) -> !ragged.tensor<*, f32>

// -----

!unknown = !ragged.tensor<*, f32>

func.func @self(%x: !ragged.tensor<[n, 4], f32>) -> !unknown {
  // expected-error @below {{'ragged.call' op result #0 has an unknown schema, and recursion through @self leaves it open}}
  %0 = ragged.call @self(%x) : (!ragged.tensor<[n, 4], f32>) -> !unknown
  return %0 : !unknown
}

// -----

!unknown = !ragged.tensor<*, f32>

func.func @even(%x: !ragged.tensor<[n, 4], f32>) -> !unknown {
  %0 = func.call @odd(%x) : (!ragged.tensor<[n, 4], f32>) -> !unknown
  return %0 : !unknown
}
func.func @odd(%x: !ragged.tensor<[n, 4], f32>) -> !unknown {
  // expected-error @below {{'func.call' op result #0 has an unknown schema, and recursion through @even leaves it open}}
  %0 = func.call @even(%x) : (!ragged.tensor<[n, 4], f32>) -> !unknown
  return %0 : !unknown
}

// -----

// A cast that the inferred schema contradicts.
func.func @cast(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-note @below {{operand #0 is defined here}}
  %0 = ragged.exp %x : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, f32>
  // expected-error-re @below {{'ragged.schema_cast' op {{.*}}}}
  %1 = ragged.schema_cast %0 : !ragged.tensor<*, f32> -> !ragged.tensor<[n, 5], f32>
  return
}

// -----

// A declared result that the inferred schema contradicts.
func.func @declared(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-note @below {{operand #0 is defined here}}
  %0 = ragged.exp %x : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, f32>
  // expected-error @below {{'ragged.exp' op result #0 is !ragged.tensor<[m, 4], f32>, expected !ragged.tensor<[n, 4], f32>}}
  %1 = ragged.exp %0 : !ragged.tensor<*, f32> -> !ragged.tensor<[m, 4], f32>
  return
}

// -----

func.func @other_dialect(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'other.op' op result #0 is still !ragged.tensor<*, f32>: schemas are not inferred through this op}}
  %0 = "other.op"(%x) : (!ragged.tensor<[n, 4], f32>) -> !ragged.tensor<*, f32>
  return
}

// -----

func.func @other_region(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'other.op' op region argument #0 is still !ragged.tensor<*, f32>}}
  "other.op"(%x) ({
  ^bb0(%y: !ragged.tensor<*, f32>):
    "other.end"() : () -> ()
  }) : (!ragged.tensor<[n, 4], f32>) -> ()
  return
}

// -----

// expected-error @below {{'func.func' op @blocks has several blocks}}
func.func @blocks(%c: i1) {
  cf.cond_br %c, ^a, ^a
^a:
  return
}
