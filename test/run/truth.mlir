// Truth values over all length vectors: comparisons, choices, and what moves, counts and converts them.
// RUN: %run_all_lengths %s
// RUN: %run_all_lengths --target=emulated %s

!x = !ragged.tensor<[n, 3], f32>
!t = !ragged.tensor<[n, 3], i1>

// ---- Comparisons ---------------------------------------------------------------------------------

func.func @compare_f32(%x: !x, %y: !ragged.tensor<[n, 1], f32>, %s: f32)
    -> (!t, !t, !t, !t, !t, !t, !t) {
  %a = ragged.equal %x, %x : !x, !x -> !t
  %b = ragged.not_equal %x, %x : !x, !x -> !t
  %c = ragged.less %x, %y : !x, !ragged.tensor<[n, 1], f32> -> !t
  %d = ragged.less_equal %y, %x : !ragged.tensor<[n, 1], f32>, !x -> !t
  %e = ragged.greater %x, %s : !x, f32 -> !t
  %f = ragged.greater_equal %s, %x : f32, !x -> !t
  %g = ragged.less %x, %x : !x, !x -> !t
  return %a, %b, %c, %d, %e, %f, %g : !t, !t, !t, !t, !t, !t, !t
}

!d = !ragged.tensor<[n], f64>
!b = !ragged.tensor<[n, 33], bf16>
!i = !ragged.tensor<[n, 2], i64>
func.func @compare_others(%d: !d, %e: !d, %b: !b, %c: !b, %i: !i, %j: !i, %p: !t, %q: !t)
    -> (!ragged.tensor<[n], i1>, !ragged.tensor<[n, 33], i1>, !ragged.tensor<[n, 2], i1>,
        !ragged.tensor<[n, 2], i1>, !t, !t, !t) {
  %0 = ragged.less %d, %e : !d, !d -> !ragged.tensor<[n], i1>
  %1 = ragged.greater %b, %c : !b, !b -> !ragged.tensor<[n, 33], i1>
  %2 = ragged.equal %i, %j : !i, !i -> !ragged.tensor<[n, 2], i1>
  %3 = ragged.less_equal %i, %j : !i, !i -> !ragged.tensor<[n, 2], i1>
  %4 = ragged.not_equal %p, %q : !t, !t -> !t
  %5 = ragged.less %p, %q : !t, !t -> !t
  %6 = ragged.greater_equal %p, %q : !t, !t -> !t
  return %0, %1, %2, %3, %4, %5, %6
      : !ragged.tensor<[n], i1>, !ragged.tensor<[n, 33], i1>, !ragged.tensor<[n, 2], i1>,
        !ragged.tensor<[n, 2], i1>, !t, !t, !t
}

func.func @compare_pairs(%u: !ragged.tensor<[n, 1], i64>, %v: !ragged.tensor<[1, m], i64>)
    -> (!ragged.tensor<[n, m], i1>, !ragged.tensor<[m, n], i1>) {
  %a = ragged.less %u, %v : !ragged.tensor<[n, 1], i64>, !ragged.tensor<[1, m], i64>
      -> !ragged.tensor<[n, m], i1>
  %b = ragged.transpose %a permutation = [1, 0] : !ragged.tensor<[n, m], i1>
      -> !ragged.tensor<[m, n], i1, order = [1, 0]>
  %c = ragged.reorder %b order = [0, 1] : !ragged.tensor<[m, n], i1, order = [1, 0]>
      -> !ragged.tensor<[m, n], i1>
  return %a, %c : !ragged.tensor<[n, m], i1>, !ragged.tensor<[m, n], i1>
}

// ---- Choices -------------------------------------------------------------------------------------

// What is not chosen is not computed with.
func.func @unchosen(%c: !t, %x: !x, %d: !ragged.tensor<[n, 3], f64>) -> (!x, !x, !ragged.tensor<[n, 3], f64>) {
  %nan = arith.constant 0x7FC00000 : f32
  %infinity = arith.constant 0x7FF0000000000000 : f64
  %0 = ragged.where %c, %x, %nan : !t, !x, f32 -> !x
  %1 = ragged.where %c, %nan, %x : !t, f32, !x -> !x
  %2 = ragged.where %c, %infinity, %d : !t, f64, !ragged.tensor<[n, 3], f64> -> !ragged.tensor<[n, 3], f64>
  return %0, %1, %2 : !x, !x, !ragged.tensor<[n, 3], f64>
}

func.func @choose(%c: !t, %k: i1, %x: !x, %y: !ragged.tensor<[n, 1], f32>, %s: f32)
    -> (!x, !x, !x, !x, !t) {
  %a = ragged.where %c, %x, %y : !t, !x, !ragged.tensor<[n, 1], f32> -> !x
  %b = ragged.where %c, %s, %x : !t, f32, !x -> !x
  %d = ragged.where %k, %x, %a : i1, !x, !x -> !x
  %e = ragged.where %c, %s, %s : !t, f32, f32 -> !x
  %f = ragged.where %c, %k, %c : !t, i1, !t -> !t
  return %a, %b, %d, %e, %f : !x, !x, !x, !x, !t
}

func.func @choose_others(%c: !ragged.tensor<[n, 1], i1>, %d: !ragged.tensor<[n, 8], f64>,
                         %e: !ragged.tensor<[n, 8], f64>, %b: !b, %i: !i, %j: !i)
    -> (!ragged.tensor<[n, 8], f64>, !b, !i) {
  %0 = ragged.where %c, %d, %e
      : !ragged.tensor<[n, 1], i1>, !ragged.tensor<[n, 8], f64>, !ragged.tensor<[n, 8], f64>
      -> !ragged.tensor<[n, 8], f64>
  %one = arith.constant 1.0 : bf16
  %1 = ragged.where %c, %b, %one : !ragged.tensor<[n, 1], i1>, !b, bf16 -> !b
  %2 = ragged.where %c, %i, %j : !ragged.tensor<[n, 1], i1>, !i, !i -> !i
  return %0, %1, %2 : !ragged.tensor<[n, 8], f64>, !b, !i
}

// The mask of a maximum, as a derivative makes it: compared and chosen in one kernel.
func.func @mask(%x: !x, %y: !x, %g: !x) -> (!x, !x) {
  %zero = arith.constant 0.0 : f32
  %c = ragged.greater_equal %x, %y : !x, !x -> !t
  %a = ragged.where %c, %g, %zero : !t, !x, f32 -> !x
  %b = ragged.where %c, %zero, %g : !t, f32, !x -> !x
  return %a, %b : !x, !x
}

func.func @clamp(%x: !x, %low: !ragged.tensor<[n, 1], f32>, %high: !x, %s: f32, %b: !b, %i: !i, %j: !i, %k: i64)
    -> (!x, !x, !b, !i) {
  %0 = ragged.clamp %x, %low, %high : !x, !ragged.tensor<[n, 1], f32>, !x -> !x
  %1 = ragged.clamp %s, %x, %s : f32, !x, f32 -> !x
  %quarter = arith.constant 0.25 : bf16
  %half = arith.constant 0.5 : bf16
  %2 = ragged.clamp %b, %quarter, %half : !b, bf16, bf16 -> !b
  %3 = ragged.clamp %i, %j, %k : !i, !i, i64 -> !i
  return %0, %1, %2, %3 : !x, !x, !b, !i
}

// ---- What moves truth values ---------------------------------------------------------------------

func.func @move(%c: !ragged.tensor<[n, 8], i1>, %row: tensor<8xi1>, %k: i1, %p: !ragged.tensor<[n, n, 4], i1>)
    -> (!ragged.tensor<[n, 1, 8], i1>, !ragged.tensor<[n, 8], i1>, !ragged.tensor<[n, 8], i1>,
        !ragged.tensor<[n, n, 4], i1, order = [1, 0, 2]>, i1) {
  %0 = ragged.expand_dims %c dim = 1 : !ragged.tensor<[n, 8], i1> -> !ragged.tensor<[n, 1, 8], i1>
  %1 = ragged.broadcast %row dims = [1] like %c : tensor<8xi1>, !ragged.tensor<[n, 8], i1>
      -> !ragged.tensor<[n, 8], i1>
  %2 = ragged.broadcast %k dims = [] like %c : i1, !ragged.tensor<[n, 8], i1> -> !ragged.tensor<[n, 8], i1>
  %3 = ragged.reorder %p order = [1, 0, 2] : !ragged.tensor<[n, n, 4], i1>
      -> !ragged.tensor<[n, n, 4], i1, order = [1, 0, 2]>
  return %0, %1, %2, %3, %k
      : !ragged.tensor<[n, 1, 8], i1>, !ragged.tensor<[n, 8], i1>, !ragged.tensor<[n, 8], i1>,
        !ragged.tensor<[n, n, 4], i1, order = [1, 0, 2]>, i1
}

func.func @create(%v: tensor<?x3xi1>, %l: tensor<?xi64>, %box: tensor<?x?x2xi1>, %w: tensor<?xi64>)
    -> (tensor<?x3xi1>, !ragged.tensor<[k, 2], i1>) {
  %0 = ragged.from_values %v, %l axes = ["j"] : tensor<?x3xi1>, tensor<?xi64> -> !ragged.tensor<[j, 3], i1>
  %1 = ragged.values %0 : !ragged.tensor<[j, 3], i1> -> tensor<?x3xi1>
  %2 = ragged.pack %box, %w axes = ["k"] : tensor<?x?x2xi1>, tensor<?xi64> -> !ragged.tensor<[k, 2], i1>
  return %1, %2 : tensor<?x3xi1>, !ragged.tensor<[k, 2], i1>
}

func.func @batch_box(%c: !t) -> (tensor<?x?x3xi1>, tensor<?x?x3xi1>) {
  %0 = ragged.unpack %c : !t -> tensor<?x?x3xi1>
  %1 = ragged.unpack %c fill = 1.0 : !t -> tensor<?x?x3xi1>
  return %0, %1 : tensor<?x?x3xi1>, tensor<?x?x3xi1>
}

// ---- Sums count ----------------------------------------------------------------------------------

func.func @count(%c: !ragged.tensor<[n, n, 33], i1>)
    -> (!ragged.tensor<[n, 33], i64>, !ragged.tensor<[n, n, 1], i64>, !ragged.tensor<[], i64>) {
  %0 = ragged.sum %c dims = [1] : !ragged.tensor<[n, n, 33], i1> -> !ragged.tensor<[n, 33], i64>
  %1 = ragged.sum %c dims = [2] keep_dims : !ragged.tensor<[n, n, 33], i1> -> !ragged.tensor<[n, n, 1], i64>
  %2 = ragged.sum %c dims = [0, 1, 2] : !ragged.tensor<[n, n, 33], i1> -> !ragged.tensor<[], i64>
  return %0, %1, %2 : !ragged.tensor<[n, 33], i64>, !ragged.tensor<[n, n, 1], i64>, !ragged.tensor<[], i64>
}

func.func @batch_count(%c: !t) -> (tensor<3xi64>, tensor<i64>) {
  %0 = ragged.sum %c dims = [0] batch : !t -> tensor<3xi64>
  %1 = ragged.sum %c dims = [0, 1] batch : !t -> tensor<i64>
  return %0, %1 : tensor<3xi64>, tensor<i64>
}

// ---- Builtin tensors and scalars -----------------------------------------------------------------

func.func @builtin(%x: tensor<3x5xf32>, %y: tensor<3x5xf32>, %c: tensor<3x5xi1>, %s: f32, %r: f32, %k: i1)
    -> (tensor<3x5xi1>, tensor<3x5xf32>, tensor<3x5xf32>, i1, f32, tensor<3x5xi64>, i1, f32) {
  %mask = arith.constant dense<[true, false, true]> : tensor<3xi1>
  %0 = ragged.less %x, %y : tensor<3x5xf32>, tensor<3x5xf32> -> tensor<3x5xi1>
  %1 = ragged.where %c, %x, %s : tensor<3x5xi1>, tensor<3x5xf32>, f32 -> tensor<3x5xf32>
  %2 = ragged.where %k, %x, %y : i1, tensor<3x5xf32>, tensor<3x5xf32> -> tensor<3x5xf32>
  %3 = ragged.less %s, %r : f32, f32 -> i1
  %4 = ragged.where %3, %s, %r : i1, f32, f32 -> f32
  %5 = ragged.cast %0 : tensor<3x5xi1> -> tensor<3x5xi64>
  %6 = ragged.cast %s : f32 -> i1
  %7 = ragged.cast %k : i1 -> f32
  return %0, %1, %2, %3, %4, %5, %6, %7
      : tensor<3x5xi1>, tensor<3x5xf32>, tensor<3x5xf32>, i1, f32, tensor<3x5xi64>, i1, f32
}

func.func @constants(%x: !x) -> (!x, !t) {
  %mask = arith.constant dense<[true, false, true]> : tensor<3xi1>
  %splat = arith.constant dense<true> : tensor<3xi1>
  %zero = arith.constant 0.0 : f32
  %a = ragged.broadcast %mask dims = [1] like %x : tensor<3xi1>, !x -> !t
  %b = ragged.broadcast %splat dims = [1] like %x : tensor<3xi1>, !x -> !t
  %c = ragged.where %a, %x, %zero : !t, !x, f32 -> !x
  return %c, %b : !x, !t
}

func.func @branch(%x: !x, %k: i1) -> !x {
  %r = scf.if %k -> !x {
    %a = ragged.neg %x : !x -> !x
    scf.yield %a : !x
  } else {
    scf.yield %x : !x
  }
  return %r : !x
}

// ---- One number everywhere -----------------------------------------------------------------------

func.func @full(%x: !x, %p: !ragged.tensor<[n, n, 8], bf16>, %s: f64, %k: i1)
    -> (!ragged.tensor<[n, 3], f64>, !ragged.tensor<[n, n, 8], i64>, !t, !x) {
  %two = arith.constant 2 : i64
  %0 = ragged.full %s like %x : f64, !x -> !ragged.tensor<[n, 3], f64>
  %1 = ragged.full %two like %p : i64, !ragged.tensor<[n, n, 8], bf16> -> !ragged.tensor<[n, n, 8], i64>
  %2 = ragged.full %k like %x : i1, !x -> !t
  %e = ragged.exp %x : !x -> !x
  %one = arith.constant 1.0 : f32
  %3 = ragged.full %one like %e : f32, !x -> !x
  %4 = ragged.add %3, %x : !x, !x -> !x
  return %0, %1, %2, %4 : !ragged.tensor<[n, 3], f64>, !ragged.tensor<[n, n, 8], i64>, !t, !x
}
