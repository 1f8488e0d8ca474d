// RUN: ragged-opt %s --ragged-verify-axes --allow-unregistered-dialect --verify-diagnostics --split-input-file

func.func @two_creators(%p: tensor<?x?x4xf32>, %l: tensor<?xi64>) {
  // expected-note @below {{it is created here}}
  %0 = ragged.pack %p, %l axes = ["n"] : tensor<?x?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  // expected-error @below {{'ragged.pack' op creates axis n, which another op creates}}
  %1 = ragged.pack %p, %l axes = ["n"] : tensor<?x?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// Also in regions that exclude each other.
func.func @two_branches(%c: i1, %p: tensor<?x?x4xf32>, %l: tensor<?xi64>) {
  scf.if %c {
    // expected-note @below {{it is created here}}
    %0 = ragged.pack %p, %l axes = ["n"] : tensor<?x?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  } else {
    // expected-error @below {{creates axis n, which another op creates}}
    %0 = ragged.pack %p, %l axes = ["n"] : tensor<?x?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  }
  return
}

// -----

// expected-note @below {{argument #1 bears it here}}
func.func @argument_and_creator(%p: tensor<?x?x4xf32>, %x: !ragged.tensor<[n, 4], f32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.pack' op creates axis n, which argument #1 bears}}
  %0 = ragged.pack %p, %l axes = ["n"] : tensor<?x?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// expected-error @below {{'func.func' op argument #0 has axis m inside an expression, which neither an argument nor an op introduces}}
func.func @expression_only(%x: !ragged.tensor<[n, n + m, 4], f32>) {
  return
}

// -----

func.func @select_of_ragged(%x: !ragged.tensor<[n, 4], f32>) {
  %c = arith.constant true
  // expected-error @below {{'arith.select' op works on !ragged.tensor<[n, 4], f32>}}
  %0 = arith.select %c, %x, %x : !ragged.tensor<[n, 4], f32>
  return
}

// -----

// expected-note @below {{the callee is defined here}}
func.func private @pack(%p: tensor<?x?x4xf32>, %l: tensor<?xi64>) -> !ragged.tensor<[n, 4], f32> {
  %0 = ragged.pack %p, %l axes = ["n"] : tensor<?x?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return %0 : !ragged.tensor<[n, 4], f32>
}
func.func @call_of_creator(%p: tensor<?x?x4xf32>, %l: tensor<?xi64>, %x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'func.call' op calls @pack, which creates axis n; use ragged.call, which names it}}
  %0 = func.call @pack(%p, %l) : (tensor<?x?x4xf32>, tensor<?xi64>) -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

func.func @born_in_region(%c: i1, %y: !ragged.tensor<*, f32>, %p: tensor<?x?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'scf.if' op result #0 has axis k, which is born inside a region of the op and is local to it}}
  %0 = scf.if %c -> !ragged.tensor<[k, 4], f32> {
    // expected-note @below {{it is created here}}
    %1 = ragged.pack %p, %l axes = ["k"] : tensor<?x?x4xf32>, tensor<?xi64> -> !ragged.tensor<[k, 4], f32>
    scf.yield %1 : !ragged.tensor<[k, 4], f32>
  } else {
    %2 = ragged.schema_cast %y : !ragged.tensor<*, f32> -> !ragged.tensor<[k, 4], f32>
    scf.yield %2 : !ragged.tensor<[k, 4], f32>
  }
  return
}

// -----

// What leaves a loop may not have an axis that an iteration makes.
func.func private @make(%x: !ragged.tensor<[n, 4], f32>) -> !ragged.tensor<[k, 4], f32>
func.func @born_in_loop(%x: !ragged.tensor<[n, 4], f32>, %c: i1) {
  // expected-error @below {{'scf.while' op result #0 has axis k, which is born inside a region of the op}}
  %0 = scf.while : () -> !ragged.tensor<[k, 4], f32> {
    // expected-note @below {{it is created here}}
    %1 = ragged.call @make(%x) axes = ["k"] : (!ragged.tensor<[n, 4], f32>) -> !ragged.tensor<[k, 4], f32>
    scf.condition(%c) %1 : !ragged.tensor<[k, 4], f32>
  } do {
  ^bb0(%1: !ragged.tensor<[k, 4], f32>):
    scf.yield
  }
  return
}

// -----

// A use that comes before the creator, which only a cast can make.
func.func @too_early(%y: !ragged.tensor<*, f32>, %p: tensor<?x?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.schema_cast' op result #0 has axis k, which is not in scope here}}
  %0 = ragged.schema_cast %y : !ragged.tensor<*, f32> -> !ragged.tensor<[k, 4], f32>
  // expected-note @below {{it is created here}}
  %1 = ragged.pack %p, %l axes = ["k"] : tensor<?x?x4xf32>, tensor<?xi64> -> !ragged.tensor<[k, 4], f32>
  return
}

// -----

func.func @after_region(%c: i1, %y: !ragged.tensor<*, f32>, %p: tensor<?x?x4xf32>, %l: tensor<?xi64>) {
  scf.if %c {
    // expected-note @below {{it is created here}}
    %1 = ragged.pack %p, %l axes = ["k"] : tensor<?x?x4xf32>, tensor<?xi64> -> !ragged.tensor<[k, 4], f32>
  }
  // expected-error @below {{'ragged.schema_cast' op result #0 has axis k inside an expression, which is not in scope here}}
  %0 = ragged.schema_cast %y : !ragged.tensor<*, f32> -> !ragged.tensor<[k + 1, 4], f32>
  return
}

// -----

func.func @nowhere(%y: !ragged.tensor<*, f32>) -> !ragged.tensor<[k, 4], f32> {
  // expected-error @below {{'ragged.schema_cast' op result #0 has axis k, which neither an argument nor an op introduces}}
  %0 = ragged.schema_cast %y : !ragged.tensor<*, f32> -> !ragged.tensor<[k, 4], f32>
  return %0 : !ragged.tensor<[k, 4], f32>
}

// -----

// expected-error @below {{'func.func' op @blocks has several blocks, expected one with structured control flow (scf)}}
func.func @blocks(%c: i1) {
  cf.cond_br %c, ^a, ^a
^a:
  return
}

// -----

func.func @tensor_op(%x: tensor<4xf32>, %i: index) {
  // expected-error @below {{'tensor.empty' op has no place in a ragged program, which is made of ragged ops, func.call and func.return, scf.if, scf.for and scf.while, arith on scalars and indices, dense constants, and tensor.extract of rank 0}}
  %0 = tensor.empty() : tensor<4xf32>
  return
}

// -----

func.func @element(%x: tensor<4xf32>, %i: index) {
  // expected-error @below {{'tensor.extract' op reads an element of a tensor of rank 1; in a ragged program it reads the number in a tensor of rank 0}}
  %0 = tensor.extract %x[%i] : tensor<4xf32>
  return
}

// -----

func.func @arith_on_tensors(%x: tensor<4xf32>) {
  // expected-error @below {{'arith.addf' op works on tensor<4xf32>; in a ragged program arith is for integers, indices and scalars of f64, f32 and bf16, and its constants}}
  %0 = arith.addf %x, %x : tensor<4xf32>
  return
}

// -----

func.func @arith_on_other_floats(%x: f32) {
  // expected-error @below {{'arith.truncf' op works on f16; in a ragged program arith is for integers, indices and scalars of f64, f32 and bf16, and its constants}}
  %0 = arith.truncf %x : f32 to f16
  return
}

// -----

func.func @other_scf(%i: index) {
  // expected-error @below {{'scf.execute_region' op has no place in a ragged program}}
  scf.execute_region {
    scf.yield
  }
  return
}

// -----

// expected-error @below {{'func.func' op argument #0 is memref<4xf32>, which a ragged program cannot hold}}
func.func @memref(%m: memref<4xf32>) {
  return
}

// -----

func.func @unregistered(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'other.op' op has no place in a ragged program}}
  %0 = "other.op"(%x) : (!ragged.tensor<[n, 4], f32>) -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

func.func @no_step(%x: !ragged.tensor<[n, 4], f32>) -> !ragged.tensor<[n, 4], f32> {
  %zero = arith.constant 0 : i64
  %five = arith.constant 5 : i64
  // expected-error @below {{'scf.for' op has a step of 0, expected 1 or more}}
  %0 = scf.for %i = %zero to %five step %zero iter_args(%a = %x) -> (!ragged.tensor<[n, 4], f32>) : i64 {
    scf.yield %a : !ragged.tensor<[n, 4], f32>
  }
  return %0 : !ragged.tensor<[n, 4], f32>
}

// -----

// 200 is a step of 200 without a sign, and of -56 with one.
func.func @step_with_sign() {
  %zero = arith.constant 0 : i8
  %step = arith.constant 200 : i8
  scf.for unsigned %i = %zero to %step step %step : i8 {
  }
  // expected-error @below {{'scf.for' op has a step of -56, expected 1 or more}}
  scf.for %i = %zero to %step step %step : i8 {
  }
  return
}

// -----

func.func @counts_in_i1(%n: i1) {
  // expected-error @below {{'scf.for' op counts in i1, expected index or an integer of 2 to 64 bits}}
  scf.for %i = %n to %n step %n : i1 {
  }
  return
}
