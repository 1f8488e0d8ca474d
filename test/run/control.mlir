// Control flow, calls, constants, scalars and results of all kinds, over all length vectors.
// RUN: %run_all_lengths %s
// RUN: %run_all_lengths --target=emulated %s

!x = !ragged.tensor<[n, 3], f32>

// ---- scf ---------------------------------------------------------------------------------------

func.func @if_else(%x: !x, %y: !x, %c: i64) -> (!x, !x) {
  %k = arith.constant 4 : i64
  %is = arith.cmpi slt, %c, %k : i64
  %no = arith.cmpi sge, %c, %k : i64
  %r:2 = scf.if %is -> (!x, !x) {
    %a = ragged.add %x, %y : !x, !x -> !x
    scf.yield %a, %x : !x, !x
  } else {
    %a = ragged.mul %x, %y : !x, !x -> !x
    scf.yield %x, %a : !x, !x
  }
  %s:2 = scf.if %no -> (!x, !x) {
    scf.yield %r#0, %r#0 : !x, !x
  } else {
    %a = ragged.exp %r#1 : !x -> !x
    scf.yield %a, %r#1 : !x, !x
  }
  %t = ragged.sub %s#0, %s#1 : !x, !x -> !x
  return %t, %s#1 : !x, !x
}

func.func @if_only_yields(%x: !x, %y: !x, %c: i64) -> !x {
  %k = arith.constant 2 : i64
  %is = arith.cmpi slt, %c, %k : i64
  %r = scf.if %is -> (!x) {
    scf.yield %x : !x
  } else {
    scf.yield %y : !x
  }
  return %r : !x
}

// The loop starts with what its body reads, too.
func.func @for_reads_its_start(%x: !x, %y: !x) -> !x {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %start = ragged.maximum %x, %y : !x, !x -> !x
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %start) -> (!x) {
    %b = ragged.mul %a, %start : !x, !x -> !x
    scf.yield %b : !x
  }
  return %r : !x
}

func.func @for_loop(%x: !x, %y: !x, %s: f32) -> (!x, !x) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %x, %b = %y) -> (!x, !x) {
    %d = ragged.mul %a, %s : !x, f32 -> !x
    %e = ragged.add %d, %b : !x, !x -> !x
    scf.yield %e, %a : !x, !x
  }
  %t = ragged.add %r#0, %x : !x, !x -> !x
  return %t, %r#1 : !x, !x
}

// Numbers without a sign: turns at 0, 70 and 140.
func.func @for_unsigned(%x: !x) -> (!x, i64) {
  %c0 = arith.constant 0 : i8
  %c70 = arith.constant 70 : i8
  %c200 = arith.constant 200 : i8
  %zero = arith.constant 0 : i64
  %r:2 = scf.for unsigned %i = %c0 to %c200 step %c70 iter_args(%a = %x, %sum = %zero) -> (!x, i64) : i8 {
    %b = ragged.sigmoid %a : !x -> !x
    %k = arith.extui %i : i8 to i64
    %more = arith.addi %sum, %k : i64
    scf.yield %b, %more : !x, i64
  }
  return %r#0, %r#1 : !x, i64
}

// The same value starts two carried ones; they swap; nothing is computed; no iteration.
func.func @for_swaps(%x: !x, %y: !x) -> (!x, !x, !x) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:3 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %y, %c = %x) -> (!x, !x, !x) {
    scf.yield %b, %a, %a : !x, !x, !x
  }
  %z:2 = scf.for %i = %c0 to %c0 step %c1 iter_args(%a = %r#0, %b = %r#0) -> (!x, !x) {
    %d = ragged.exp %a : !x -> !x
    scf.yield %d, %d : !x, !x
  }
  return %r#1, %r#2, %z#1 : !x, !x, !x
}

// A carried value that nobody reads, and one from outside that only the loop reads.
func.func @for_unused(%x: !x, %y: !x) -> !x {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %o = ragged.sigmoid %y : !x -> !x
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %x) -> (!x, !x) {
    %d = ragged.add %a, %o : !x, !x -> !x
    %e = ragged.mul %b, %o : !x, !x -> !x
    scf.yield %d, %e : !x, !x
  }
  return %r#0 : !x
}

// Halves until the number is small; carries a ragged value, a scalar and an integer.
func.func @while_loop(%x: !x, %s: f32) -> (!x, f32, i64) {
  %half = arith.constant 0.5 : f32
  %least = arith.constant 0.01 : f32
  %most = arith.constant 20 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r:3 = scf.while (%a = %x, %t = %s, %k = %zero) : (!x, f32, i64) -> (!x, f32, i64) {
    %big = arith.cmpf ogt, %t, %least : f32
    %few = arith.cmpi slt, %k, %most : i64
    %go = arith.andi %big, %few : i1
    scf.condition(%go) %a, %t, %k : !x, f32, i64
  } do {
  ^bb0(%a: !x, %t: f32, %k: i64):
    %b = ragged.mul %a, %t : !x, f32 -> !x
    %c = ragged.add %b, %x : !x, !x -> !x
    %u = arith.mulf %t, %half : f32
    %l = arith.addi %k, %one : i64
    scf.yield %c, %u, %l : !x, f32, i64
  }
  return %r#0, %r#1, %r#2 : !x, f32, i64
}

// What the first region computes is what comes out.
func.func @while_computes_before(%x: !x) -> (!x, !x) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %r:3 = scf.while (%a = %x, %k = %zero) : (!x, i64) -> (!x, !x, i64) {
    %b = ragged.gelu %a : !x -> !x
    %go = arith.cmpi slt, %k, %three : i64
    scf.condition(%go) %b, %a, %k : !x, !x, i64
  } do {
  ^bb0(%b: !x, %a: !x, %k: i64):
    %c = ragged.sub %b, %a : !x, !x -> !x
    %l = arith.addi %k, %one : i64
    scf.yield %c, %l : !x, i64
  }
  return %r#0, %r#1 : !x, !x
}

func.func @nested(%x: !x, %y: !x) -> !x {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> (!x) {
    %odd = arith.remui %i, %c2 : index
    %is = arith.cmpi eq, %odd, %c1 : index
    %b = scf.if %is -> (!x) {
      %d = scf.for %j = %c0 to %i step %c1 iter_args(%e = %a) -> (!x) {
        %f = ragged.sub %e, %y : !x, !x -> !x
        scf.yield %f : !x
      }
      scf.yield %d : !x
    } else {
      %g = ragged.mul %a, %y : !x, !x -> !x
      %h = ragged.add %g, %a : !x, !x -> !x
      scf.yield %h : !x
    }
    scf.yield %b : !x
  }
  return %r : !x
}

// Views go in and out of regions; axes are made inside.
func.func @views_across(%x: !ragged.tensor<[n, m, 3], f32>, %c: i64) -> !ragged.tensor<[m, n, 3], f32, order = [1, 0, 2]> {
  %k = arith.constant 4 : i64
  %is = arith.cmpi slt, %c, %k : i64
  %t = ragged.transpose %x permutation = [1, 0, 2] : !ragged.tensor<[n, m, 3], f32> -> !ragged.tensor<[m, n, 3], f32, order = [1, 0, 2]>
  %r = scf.if %is -> (!ragged.tensor<[m, n, 3], f32, order = [1, 0, 2]>) {
    %s = ragged.sum %t dims = [0] keep_dims : !ragged.tensor<[m, n, 3], f32, order = [1, 0, 2]> -> !ragged.tensor<[1, n, 3], f32>
    %u = ragged.sub %t, %s : !ragged.tensor<[m, n, 3], f32, order = [1, 0, 2]>, !ragged.tensor<[1, n, 3], f32> -> !ragged.tensor<[m, n, 3], f32, order = [1, 0, 2]>
    scf.yield %u : !ragged.tensor<[m, n, 3], f32, order = [1, 0, 2]>
  } else {
    %e = ragged.exp %x : !ragged.tensor<[n, m, 3], f32> -> !ragged.tensor<[n, m, 3], f32>
    %v = ragged.transpose %e permutation = [1, 0, 2] : !ragged.tensor<[n, m, 3], f32> -> !ragged.tensor<[m, n, 3], f32, order = [1, 0, 2]>
    scf.yield %v : !ragged.tensor<[m, n, 3], f32, order = [1, 0, 2]>
  }
  return %r : !ragged.tensor<[m, n, 3], f32, order = [1, 0, 2]>
}

func.func @axis_in_region(%v: tensor<?x3xf32>, %l: tensor<?xi64>, %c: i64) -> tensor<?x3xf32> {
  %k = arith.constant 4 : i64
  %is = arith.cmpi slt, %c, %k : i64
  %o = ragged.from_values %v, %l axes = ["o"] : tensor<?x3xf32>, tensor<?xi64> -> !ragged.tensor<[o, 3], f32>
  %w = ragged.values %o : !ragged.tensor<[o, 3], f32> -> tensor<?x3xf32>
  %r = scf.if %is -> (tensor<?x3xf32>) {
    %x = ragged.from_values %w, %l axes = ["a"] : tensor<?x3xf32>, tensor<?xi64> -> !ragged.tensor<[a, 3], f32>
    %s = ragged.sum %x dims = [0] keep_dims : !ragged.tensor<[a, 3], f32> -> !ragged.tensor<[1, 3], f32>
    %y = ragged.mul %x, %s : !ragged.tensor<[a, 3], f32>, !ragged.tensor<[1, 3], f32> -> !ragged.tensor<[a, 3], f32>
    %z = ragged.values %y : !ragged.tensor<[a, 3], f32> -> tensor<?x3xf32>
    scf.yield %z : tensor<?x3xf32>
  } else {
    scf.yield %w : tensor<?x3xf32>
  }
  return %r : tensor<?x3xf32>
}

// Dense values in loops: a weight that changes.
func.func @dense_carried(%x: !x, %w: tensor<3x3xf32>, %s: f32) -> (!x, tensor<3x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %v = %w) -> (!x, tensor<3x3xf32>) {
    %b = ragged.linear %a, %v dim = 1 : !x, tensor<3x3xf32> -> !x
    %u = ragged.mul %v, %s : tensor<3x3xf32>, f32 -> tensor<3x3xf32>
    scf.yield %b, %u : !x, tensor<3x3xf32>
  }
  return %r#0, %r#1 : !x, tensor<3x3xf32>
}

// ---- Calls -------------------------------------------------------------------------------------

func.func private @layer(%x: !ragged.tensor<[t, 3], f32>, %w: tensor<3x3xf32>) -> !ragged.tensor<[t, 3], f32> {
  %a = ragged.linear %x, %w dim = 1 : !ragged.tensor<[t, 3], f32>, tensor<3x3xf32> -> !ragged.tensor<[t, 3], f32>
  %b = ragged.relu %a : !ragged.tensor<[t, 3], f32> -> !ragged.tensor<[t, 3], f32>
  return %b : !ragged.tensor<[t, 3], f32>
}

func.func private @centre(%x: !x) -> (!x, !ragged.tensor<[1, 3], f32>) {
  %m = ragged.mean %x dims = [0] keep_dims empty = zero : !x -> !ragged.tensor<[1, 3], f32>
  %y = ragged.sub %x, %m : !x, !ragged.tensor<[1, 3], f32> -> !x
  return %y, %m : !x, !ragged.tensor<[1, 3], f32>
}

func.func private @identity(%x: !x) -> (!x, !x) {
  return %x, %x : !x, !x
}

func.func @calls(%x: !x, %z: !ragged.tensor<[m, 3], f32>, %w: tensor<3x3xf32>) -> (!x, !ragged.tensor<[m, 3], f32>, !ragged.tensor<[1, 3], f32>, !x) {
  %a = ragged.call @layer(%x, %w) : (!x, tensor<3x3xf32>) -> !x
  %b = ragged.call @layer(%a, %w) : (!x, tensor<3x3xf32>) -> !x
  %c = ragged.call @layer(%z, %w) : (!ragged.tensor<[m, 3], f32>, tensor<3x3xf32>) -> !ragged.tensor<[m, 3], f32>
  %d:2 = func.call @centre(%b) : (!x) -> (!x, !ragged.tensor<[1, 3], f32>)
  %e:2 = func.call @identity(%d#0) : (!x) -> (!x, !x)
  return %e#0, %c, %d#1, %e#1 : !x, !ragged.tensor<[m, 3], f32>, !ragged.tensor<[1, 3], f32>, !x
}

// ---- Constants, scalars, results ----------------------------------------------------------------

func.func @constants(%x: !x) -> (!x, tensor<3xf32>, f32, i64, tensor<2xi64>, tensor<0xf32>) {
  %w = arith.constant dense<[[1.0, 2.0, 3.0], [0.5, -1.0, 0.25], [0.0, 4.0, 1.0]]> : tensor<3x3xf32>
  %b = arith.constant dense<[1.0, -2.0, 0.5]> : tensor<3xf32>
  %s = arith.constant 1.5 : f32
  %k = arith.constant 7 : i64
  %i = arith.constant dense<[3, 4]> : tensor<2xi64>
  %e = arith.constant dense<> : tensor<0xf32>
  %y = ragged.linear %x, %w, %b dim = 1 : !x, tensor<3x3xf32>, tensor<3xf32> -> !x
  %z = ragged.mul %y, %s : !x, f32 -> !x
  return %z, %b, %s, %k, %i, %e : !x, tensor<3xf32>, f32, i64, tensor<2xi64>, tensor<0xf32>
}

func.func @scalar_arithmetic(%x: !x, %s: f32, %t: f32, %k: i64) -> (!x, f32, i64, f32) {
  %a = arith.mulf %s, %t : f32
  %b = arith.subf %a, %s : f32
  %two = arith.constant 2 : i64
  %l = arith.muli %k, %two : i64
  %f = arith.sitofp %l : i64 to f32
  %y = ragged.add %x, %b : !x, f32 -> !x
  %z = ragged.mul %y, %f : !x, f32 -> !x
  %e = ragged.exp %b : f32 -> f32
  return %z, %b, %l, %e : !x, f32, i64, f32
}

func.func @same_value_twice(%x: !x, %s: f32) -> (!x, !x, !x, !x, f32, f32) {
  %y = ragged.exp %x : !x -> !x
  return %y, %x, %y, %x, %s, %s : !x, !x, !x, !x, f32, f32
}

func.func @arguments_only(%x: !x, %w: tensor<3x3xbf16>, %k: i64, %s: !ragged.tensor<[], f64>) -> (!ragged.tensor<[], f64>, i64, !x, tensor<3x3xbf16>) {
  return %s, %k, %x, %w : !ragged.tensor<[], f64>, i64, !x, tensor<3x3xbf16>
}

func.func @no_results(%x: !x) {
  %y = ragged.exp %x : !x -> !x
  return
}

func.func @no_arguments() -> (tensor<2xf32>, f32) {
  %w = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s = arith.constant 3.0 : f32
  %v = ragged.add %w, %s : tensor<2xf32>, f32 -> tensor<2xf32>
  %t = ragged.exp %s : f32 -> f32
  return %v, %t : tensor<2xf32>, f32
}

// A dense value that was reduced from the batch goes back into rows, and an optimiser step.
func.func @batch_step(%x: !x, %w: tensor<3xf32>, %rate: f32) -> (!x, tensor<3xf32>) {
  %m = ragged.mean %x dims = [0] batch empty = zero : !x -> tensor<3xf32>
  %g = ragged.mul %m, %rate : tensor<3xf32>, f32 -> tensor<3xf32>
  %v = ragged.sub %w, %g : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  %b = ragged.broadcast %v dims = [1] like %x : tensor<3xf32>, !x -> !x
  %y = ragged.add %x, %b : !x, !x -> !x
  return %y, %v : !x, tensor<3xf32>
}
