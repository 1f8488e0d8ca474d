// Derivatives of calls and structured control flow.
// RUN: %check_gradients %s
// RUN: %check_gradients --print %s > %t.mlir
// RUN: %run_all_lengths %t.mlir
// RUN: %run_all_lengths --target=emulated %t.mlir

!t = !ragged.tensor<[n, 4], f32>
!m = !ragged.tensor<[m, 4], f32>

func.func private @layer(%x: !ragged.tensor<[a, 4], f32>, %w: tensor<4x4xf32>)
    -> !ragged.tensor<[a, 4], f32> {
  %0 = ragged.linear %x, %w dim = 1
      : !ragged.tensor<[a, 4], f32>, tensor<4x4xf32> -> !ragged.tensor<[a, 4], f32>
  %1 = ragged.sigmoid %0 : !ragged.tensor<[a, 4], f32> -> !ragged.tensor<[a, 4], f32>
  return %1 : !ragged.tensor<[a, 4], f32>
}

// One weight in two calls under two axes.
func.func @calls(%x: !t, %y: !m, %w: tensor<4x4xf32>) -> (!t, !m) {
  %0 = ragged.call @layer(%x, %w) : (!t, tensor<4x4xf32>) -> !t
  %1 = ragged.call @layer(%y, %w) : (!m, tensor<4x4xf32>) -> !m
  return %0, %1 : !t, !m
}

func.func @branches(%x: !t, %y: !t, %c: i1) -> !t {
  %0 = scf.if %c -> (!t) {
    %1 = ragged.mul %x, %y : !t, !t -> !t
    %2 = ragged.exp %1 : !t -> !t
    scf.yield %2 : !t
  } else {
    %1 = ragged.mul %x, %x : !t, !t -> !t
    scf.yield %1 : !t
  }
  %3 = ragged.mul %0, %0 : !t, !t -> !t
  return %3 : !t
}

// A branch that hands on what it found; two results, one of them an integer.
func.func @branch_of_two(%x: !t, %y: !t, %c: i1) -> (!t, i64) {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %0:2 = scf.if %c -> (!t, i64) {
    scf.yield %x, %one : !t, i64
  } else {
    %1 = ragged.mul %y, %y : !t, !t -> !t
    scf.yield %1, %two : !t, i64
  }
  return %0#0, %0#1 : !t, i64
}

// A constant number of turns: unrolled.
func.func @constant_loop(%x: !t, %w: tensor<4x4xf32>) -> !t {
  %lower = arith.constant 2 : index
  %upper = arith.constant 7 : index
  %step = arith.constant 2 : index
  %0 = scf.for %i = %lower to %upper step %step iter_args(%a = %x) -> (!t) {
    %1 = ragged.linear %a, %w dim = 1 : !t, tensor<4x4xf32> -> !t
    %2 = ragged.sigmoid %1 : !t -> !t
    %3 = ragged.add %a, %2 : !t, !t -> !t
    scf.yield %3 : !t
  }
  return %0 : !t
}

// A number of turns that only the call knows.
func.func @turns_given(%x: !t, %y: !t, %w: tensor<4x4xf32>, %turns: i64) -> (!t, !t) {
  %zero = arith.constant 0 : i64
  %step = arith.constant 1 : i64
  %0:3 = scf.for %i = %zero to %turns step %step iter_args(%a = %x, %k = %zero, %b = %y)
      -> (!t, i64, !t) : i64 {
    %1 = ragged.linear %a, %w dim = 1 : !t, tensor<4x4xf32> -> !t
    %2 = ragged.sigmoid %1 : !t -> !t
    %3 = ragged.mul %2, %b : !t, !t -> !t
    %4 = arith.addi %k, %i : i64
    scf.yield %3, %4, %2 : !t, i64, !t
  }
  return %0#0, %0#2 : !t, !t
}

// Control flow in control flow.
func.func @turns_of_branches(%x: !t, %y: !t, %turns: i64) -> !t {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %0 = scf.for %i = %zero to %turns step %one iter_args(%a = %x) -> (!t) : i64 {
    %rest = arith.remsi %i, %two : i64
    %even = arith.cmpi eq, %rest, %zero : i64
    %1 = scf.if %even -> (!t) {
      %2 = ragged.sigmoid %a : !t -> !t
      scf.yield %2 : !t
    } else {
      %2 = ragged.mul %a, %y : !t, !t -> !t
      scf.yield %2 : !t
    }
    scf.yield %1 : !t
  }
  return %0 : !t
}

// A loop that reads two values from outside, one of them in vain.
func.func @turns_that_read_two(%x: !t, %turns: i64, %u: !t) -> !t {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %0 = scf.for %i = %zero to %turns step %one iter_args(%a = %x) -> (!t) : i64 {
    %1 = ragged.mul %u, %u : !t, !t -> !t
    %2 = ragged.add %a, %x : !t, !t -> !t
    scf.yield %2 : !t
  }
  return %0 : !t
}

// Ways from bound to bound that are longer than the counter's type, and more turns than half of its numbers.
func.func @turns_in_i8(%x: !t, %n: i64) -> !t {
  %one = arith.constant 1 : i64
  %least = arith.constant -100 : i8
  %upper = arith.constant 100 : i8
  %step = arith.constant 50 : i8
  %scale = arith.constant 0.01 : f32
  %odd = arith.andi %n, %one : i64
  %more = arith.trunci %odd : i64 to i8
  %lower = arith.addi %least, %more : i8
  %0 = scf.for %i = %lower to %upper step %step iter_args(%a = %x) -> (!t) : i8 {
    %1 = arith.sitofp %i : i8 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = ragged.mul %a, %x : !t, !t -> !t
    %4 = ragged.add %3, %2 : !t, f32 -> !t
    scf.yield %4 : !t
  }
  return %0 : !t
}

func.func @turns_in_i64(%x: !t, %n: i64) -> !t {
  %one = arith.constant 1 : i64
  %least = arith.constant -6000000000000000000 : i64
  %upper = arith.constant 6000000000000000000 : i64
  %step = arith.constant 3000000000000000000 : i64
  %scale = arith.constant 1.0e-18 : f32
  %odd = arith.andi %n, %one : i64
  %lower = arith.addi %least, %odd : i64
  %0 = scf.for %i = %lower to %upper step %step iter_args(%a = %x) -> (!t) : i64 {
    %1 = arith.sitofp %i : i64 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = ragged.mul %a, %x : !t, !t -> !t
    %4 = ragged.add %3, %2 : !t, f32 -> !t
    scf.yield %4 : !t
  }
  return %0 : !t
}

func.func @turns_without_sign(%x: tensor<4xf32>, %n: i64) -> tensor<4xf32> {
  %one = arith.constant 1 : i64
  %upper = arith.constant 130 : i8
  %step = arith.constant 1 : i8
  %scale = arith.constant 0.01 : f32
  %odd = arith.andi %n, %one : i64
  %lower = arith.trunci %odd : i64 to i8
  %0 = scf.for unsigned %i = %lower to %upper step %step iter_args(%a = %x) -> (tensor<4xf32>) : i8 {
    %1 = arith.uitofp %i : i8 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = ragged.mul %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    %4 = ragged.mul %3, %2 : tensor<4xf32>, f32 -> tensor<4xf32>
    %5 = ragged.add %a, %4 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    scf.yield %5 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// A constant number of turns in a branch: unrolled there.
func.func @constant_loop_in_branch(%x: !t, %y: !t, %c: i1) -> !t {
  %zero = arith.constant 0 : index
  %three = arith.constant 3 : index
  %one = arith.constant 1 : index
  %0 = scf.if %c -> (!t) {
    %1 = scf.for %i = %zero to %three step %one iter_args(%a = %x) -> (!t) {
      %2 = ragged.mul %a, %y : !t, !t -> !t
      %3 = ragged.sigmoid %2 : !t -> !t
      scf.yield %3 : !t
    }
    scf.yield %1 : !t
  } else {
    scf.yield %y : !t
  }
  return %0 : !t
}

// Scalars: arith on floats.
func.func @scalars_positive(%x: !t, %s: f32, %r: f32) -> !t {
  %0 = arith.mulf %s, %r : f32
  %1 = arith.divf %0, %s : f32
  %2 = arith.addf %1, %s : f32
  %3 = arith.negf %2 : f32
  %4 = arith.subf %r, %3 : f32
  %5 = ragged.mul %x, %4 : !t, f32 -> !t
  return %5 : !t
}

// An axis that is born in a branch is born again, under another name, wherever the branch runs again.
func.func @axis_in_branch(%x: !t, %c: i1) -> !t {
  %0 = scf.if %c -> (!t) {
    %v = ragged.values %x : !t -> tensor<?x4xf32>
    %o = ragged.offsets %x : !t -> tensor<?xi64>
    %k = ragged.from_offsets %v, %o axes = ["k"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[k, 4], f32>
    %s = ragged.exp %k : !ragged.tensor<[k, 4], f32> -> !ragged.tensor<[k, 4], f32>
    %w = ragged.values %s : !ragged.tensor<[k, 4], f32> -> tensor<?x4xf32>
    %y = ragged.with_values %w like %x : tensor<?x4xf32>, !t -> !t
    scf.yield %y : !t
  } else {
    %y = ragged.exp %x : !t -> !t
    scf.yield %y : !t
  }
  %1 = ragged.mul %0, %0 : !t, !t -> !t
  return %1 : !t
}

// Two choices, one of what the other gave: ops of the first that nobody reads go while the second is still
// to be walked.
!w = !ragged.tensor<[1, m], bf16>
func.func @chosen_again(%a: i64, %b: i64, %x: !w, %y: !w, %z: !w) -> !w {
  %zero = arith.constant 0 : i64
  %0 = arith.cmpi sgt, %a, %zero : i64
  %1 = scf.if %0 -> (!w) {
    %2 = ragged.product_over_rows %x, %z dims = [0, 0] : !w, !w -> tensor<1x1xbf16>
    %3 = arith.constant 0.5 : bf16
    %4 = ragged.mul %y, %3 : !w, bf16 -> !w
    %5 = arith.constant 0.75 : bf16
    scf.yield %4 : !w
  } else {
    %2 = arith.constant 0.75 : f64
    scf.yield %y : !w
  }
  %6 = arith.cmpi sgt, %b, %zero : i64
  %7 = scf.if %6 -> (!w) {
    %8 = arith.constant 0.5 : f64
    scf.yield %1 : !w
  } else {
    %8 = ragged.softmax %1 dim = 0 : !w -> !w
    scf.yield %8 : !w
  }
  return %7 : !w
}
