// argmax and scatter_max: static and ragged dimensions, both, the batch; packed orders that are not the
// logical one; builtin tensors; ties, NaN, empty groups; over all length vectors.
// RUN: %run_all_lengths %s
// RUN: %run_all_lengths --target=emulated %s

!x = !ragged.tensor<[n, m, 5], f32>
func.func @ragged_dims(%x: !x) -> (!ragged.tensor<[m, 5], i64>, !ragged.tensor<[n, 1, 5], i64>, !ragged.tensor<[5], i64>, !ragged.tensor<[n], i64>, !ragged.tensor<[], i64>) {
  %0 = ragged.argmax %x dims = [0] : !x -> !ragged.tensor<[m, 5], i64>
  %1 = ragged.argmax %x dims = [1] keep_dims : !x -> !ragged.tensor<[n, 1, 5], i64>
  %2 = ragged.argmax %x dims = [1, 0] : !x -> !ragged.tensor<[5], i64>
  %3 = ragged.argmax %x dims = [2, 1] : !x -> !ragged.tensor<[n], i64>
  %4 = ragged.argmax %x dims = [0, 1, 2] : !x -> !ragged.tensor<[], i64>
  return %0, %1, %2, %3, %4 : !ragged.tensor<[m, 5], i64>, !ragged.tensor<[n, 1, 5], i64>, !ragged.tensor<[5], i64>, !ragged.tensor<[n], i64>, !ragged.tensor<[], i64>
}

// In two steps: rows of 8 numbers and more, three axes, another order, ties, the batch.
!big = !ragged.tensor<[n, 9, m], bf16, order = [2, 0, 1]>
!cube = !ragged.tensor<[n, m, k, 8], f32>
func.func @steps(%x: !ragged.tensor<[n, m, 33], f32>, %o: !big, %c: !cube, %i: !ragged.tensor<[m, n, 8], i64>)
    -> (!ragged.tensor<[33], i64>, !ragged.tensor<[1, 1, 1], i64>, !ragged.tensor<[9], i64>, !ragged.tensor<[m, 8], i64>, !ragged.tensor<[8], i64>, tensor<8xi64>, tensor<i64>, tensor<8xi64>, tensor<1x9x1xi64>) {
  %0 = ragged.argmax %x dims = [0, 1] : !ragged.tensor<[n, m, 33], f32> -> !ragged.tensor<[33], i64>
  %1 = ragged.argmax %x dims = [2, 1, 0] keep_dims : !ragged.tensor<[n, m, 33], f32> -> !ragged.tensor<[1, 1, 1], i64>
  %r = ragged.relu %o : !big -> !big
  %2 = ragged.argmax %r dims = [0, 2] : !big -> !ragged.tensor<[9], i64>
  %3 = ragged.argmax %c dims = [0, 2] : !cube -> !ragged.tensor<[m, 8], i64>
  %4 = ragged.argmax %c dims = [0, 1, 2] : !cube -> !ragged.tensor<[8], i64>
  %5 = ragged.argmax %c dims = [0, 1, 2] batch : !cube -> tensor<8xi64>
  %6 = ragged.argmax %x dims = [0, 1, 2] batch : !ragged.tensor<[n, m, 33], f32> -> tensor<i64>
  %7 = ragged.argmax %i dims = [1, 0] batch : !ragged.tensor<[m, n, 8], i64> -> tensor<8xi64>
  %8 = ragged.argmax %r dims = [2, 0] keep_dims batch : !big -> tensor<1x9x1xi64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : !ragged.tensor<[33], i64>, !ragged.tensor<[1, 1, 1], i64>, !ragged.tensor<[9], i64>, !ragged.tensor<[m, 8], i64>, !ragged.tensor<[8], i64>, tensor<8xi64>, tensor<i64>, tensor<8xi64>, tensor<1x9x1xi64>
}

// A NaN in the first or a later step: the first one.
func.func @nan_steps(%x: !ragged.tensor<[n, m, 8], f32>) -> (!ragged.tensor<[8], i64>, tensor<i64>) {
  %r = ragged.sqrt %x : !ragged.tensor<[n, m, 8], f32> -> !ragged.tensor<[n, m, 8], f32>
  %0 = ragged.argmax %r dims = [0, 1] : !ragged.tensor<[n, m, 8], f32> -> !ragged.tensor<[8], i64>
  %1 = ragged.argmax %r dims = [0, 1, 2] batch : !ragged.tensor<[n, m, 8], f32> -> tensor<i64>
  return %0, %1 : !ragged.tensor<[8], i64>, tensor<i64>
}

// Long rows: more than shared memory holds of maxima.
func.func @long_rows(%x: !ragged.tensor<[n, 700], f32>, %y: !ragged.tensor<[n, m, 2, 130], f64>)
    -> (!ragged.tensor<[700], i64>, !ragged.tensor<[], i64>, !ragged.tensor<[m, 130], i64>, tensor<2xi64>) {
  %0 = ragged.argmax %x dims = [0] : !ragged.tensor<[n, 700], f32> -> !ragged.tensor<[700], i64>
  %1 = ragged.argmax %x dims = [1, 0] : !ragged.tensor<[n, 700], f32> -> !ragged.tensor<[], i64>
  %r = ragged.relu %y : !ragged.tensor<[n, m, 2, 130], f64> -> !ragged.tensor<[n, m, 2, 130], f64>
  %2 = ragged.argmax %r dims = [0, 2] : !ragged.tensor<[n, m, 2, 130], f64> -> !ragged.tensor<[m, 130], i64>
  %3 = ragged.argmax %r dims = [0, 1, 3] batch : !ragged.tensor<[n, m, 2, 130], f64> -> tensor<2xi64>
  return %0, %1, %2, %3 : !ragged.tensor<[700], i64>, !ragged.tensor<[], i64>, !ragged.tensor<[m, 130], i64>, tensor<2xi64>
}

// Rows without numbers.
func.func @empty_rows(%o: !ragged.tensor<[n, 0], f32>, %p: !ragged.tensor<[n, 0, 2], f32>, %q: !ragged.tensor<[n, m, 0], f32>) -> (!ragged.tensor<[], i64>, !ragged.tensor<[0], i64>, !ragged.tensor<[2], i64>, tensor<i64>, !ragged.tensor<[0, 2], i64>, !ragged.tensor<[m], i64>, tensor<0xi64>) {
  %0 = ragged.argmax %o dims = [0, 1] : !ragged.tensor<[n, 0], f32> -> !ragged.tensor<[], i64>
  %1 = ragged.argmax %o dims = [0] : !ragged.tensor<[n, 0], f32> -> !ragged.tensor<[0], i64>
  %2 = ragged.argmax %p dims = [0, 1] : !ragged.tensor<[n, 0, 2], f32> -> !ragged.tensor<[2], i64>
  %3 = ragged.argmax %q dims = [0, 1, 2] batch : !ragged.tensor<[n, m, 0], f32> -> tensor<i64>
  %4 = ragged.argmax %p dims = [0] : !ragged.tensor<[n, 0, 2], f32> -> !ragged.tensor<[0, 2], i64>
  %5 = ragged.argmax %q dims = [0, 2] : !ragged.tensor<[n, m, 0], f32> -> !ragged.tensor<[m], i64>
  %6 = ragged.argmax %q dims = [0, 1] batch : !ragged.tensor<[n, m, 0], f32> -> tensor<0xi64>
  return %0, %1, %2, %3, %4, %5, %6 : !ragged.tensor<[], i64>, !ragged.tensor<[0], i64>, !ragged.tensor<[2], i64>, tensor<i64>, !ragged.tensor<[0, 2], i64>, !ragged.tensor<[m], i64>, tensor<0xi64>
}

// Static dimensions stay in the rows' kernel; nothing reduced is position 0.
!s = !ragged.tensor<[n, 3, 4], f32>
func.func @static_dims(%x: !s, %e: !ragged.tensor<[n, 0], f32>, %t: !ragged.tensor<[7], f64>, %u: !ragged.tensor<[8], f32>)
    -> (!ragged.tensor<[1], i64>, !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 3, 1], i64>, !ragged.tensor<[n], i64>, !ragged.tensor<[n, 3, 4], i64>, !ragged.tensor<[n], i64>, !ragged.tensor<[], i64>) {
  %0 = ragged.argmax %x dims = [1] : !s -> !ragged.tensor<[n, 4], i64>
  %1 = ragged.argmax %x dims = [2] keep_dims : !s -> !ragged.tensor<[n, 3, 1], i64>
  %2 = ragged.argmax %x dims = [1, 2] : !s -> !ragged.tensor<[n], i64>
  %3 = ragged.argmax %x dims = [] : !s -> !ragged.tensor<[n, 3, 4], i64>
  %4 = ragged.argmax %e dims = [1] : !ragged.tensor<[n, 0], f32> -> !ragged.tensor<[n], i64>
  %5 = ragged.argmax %t dims = [0] : !ragged.tensor<[7], f64> -> !ragged.tensor<[], i64>
  // Eight f32 fill vectors that hold four positions.
  %6 = ragged.argmax %u dims = [0] keep_dims : !ragged.tensor<[8], f32> -> !ragged.tensor<[1], i64>
  return %6, %0, %1, %2, %3, %4, %5 : !ragged.tensor<[1], i64>, !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 3, 1], i64>, !ragged.tensor<[n], i64>, !ragged.tensor<[n, 3, 4], i64>, !ragged.tensor<[n], i64>, !ragged.tensor<[], i64>
}

// relu makes ties: the first of them, in every type and in orders that pack the last dimension first.
!o = !ragged.tensor<[3, n, m], bf16, order = [2, 1, 0]>
func.func @ties(%a: !o, %b: !ragged.tensor<[n, 33], f64>, %c: !ragged.tensor<[n, 3], i64>)
    -> (!ragged.tensor<[n], i64>, !ragged.tensor<[], i64>, !ragged.tensor<[3], i64>, !ragged.tensor<[n], i64>, !ragged.tensor<[], i64>, !ragged.tensor<[3], i64>) {
  %ra = ragged.relu %a : !o -> !o
  %0 = ragged.argmax %ra dims = [0, 2] : !o -> !ragged.tensor<[n], i64>
  %1 = ragged.argmax %ra dims = [0, 1, 2] : !o -> !ragged.tensor<[], i64>
  %2 = ragged.argmax %ra dims = [2, 1] : !o -> !ragged.tensor<[3], i64>
  %rb = ragged.relu %b : !ragged.tensor<[n, 33], f64> -> !ragged.tensor<[n, 33], f64>
  %3 = ragged.argmax %rb dims = [1] : !ragged.tensor<[n, 33], f64> -> !ragged.tensor<[n], i64>
  %4 = ragged.argmax %rb dims = [0, 1] : !ragged.tensor<[n, 33], f64> -> !ragged.tensor<[], i64>
  %5 = ragged.argmax %c dims = [0] : !ragged.tensor<[n, 3], i64> -> !ragged.tensor<[3], i64>
  return %0, %1, %2, %3, %4, %5 : !ragged.tensor<[n], i64>, !ragged.tensor<[], i64>, !ragged.tensor<[3], i64>, !ragged.tensor<[n], i64>, !ragged.tensor<[], i64>, !ragged.tensor<[3], i64>
}

func.func @batch(%x: !x, %o: !o, %s: !ragged.tensor<[4], f32>, %i: !ragged.tensor<[n, 3], i64>) -> (tensor<5xi64>, tensor<i64>, tensor<1x1x1xi64>, tensor<3xi64>, tensor<4xi64>, tensor<i64>, tensor<3xi64>) {
  %0 = ragged.argmax %x dims = [0, 1] batch : !x -> tensor<5xi64>
  %1 = ragged.argmax %x dims = [2, 1, 0] batch : !x -> tensor<i64>
  %ro = ragged.relu %o : !o -> !o
  %2 = ragged.argmax %ro dims = [0, 1, 2] keep_dims batch : !o -> tensor<1x1x1xi64>
  %3 = ragged.argmax %ro dims = [2, 1] batch : !o -> tensor<3xi64>
  %4 = ragged.argmax %s dims = [] batch : !ragged.tensor<[4], f32> -> tensor<4xi64>
  %5 = ragged.argmax %s dims = [0] batch : !ragged.tensor<[4], f32> -> tensor<i64>
  %6 = ragged.argmax %i dims = [0] batch : !ragged.tensor<[n, 3], i64> -> tensor<3xi64>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<5xi64>, tensor<i64>, tensor<1x1x1xi64>, tensor<3xi64>, tensor<4xi64>, tensor<i64>, tensor<3xi64>
}

// The derivative of max: where it came from, and nothing anywhere else.
func.func @derivatives(%x: !x, %a: !ragged.tensor<[m, 5], f32>, %b: !ragged.tensor<[n, 1, 5], f64>, %c: !ragged.tensor<[n, m], bf16>, %d: !ragged.tensor<[], i64>)
    -> (!x, !ragged.tensor<[n, m, 5], f64>, !ragged.tensor<[n, m, 5], bf16>, !ragged.tensor<[n, m, 5], i64>) {
  %r = ragged.relu %x : !x -> !x
  %0 = ragged.argmax %r dims = [0] : !x -> !ragged.tensor<[m, 5], i64>
  %1 = ragged.scatter_max %a, %0 dims = [0] like %x : !ragged.tensor<[m, 5], f32>, !ragged.tensor<[m, 5], i64>, !x -> !x
  %2 = ragged.argmax %x dims = [1] keep_dims : !x -> !ragged.tensor<[n, 1, 5], i64>
  %3 = ragged.scatter_max %b, %2 dims = [1] keep_dims like %x : !ragged.tensor<[n, 1, 5], f64>, !ragged.tensor<[n, 1, 5], i64>, !x -> !ragged.tensor<[n, m, 5], f64>
  %4 = ragged.argmax %r dims = [2] : !x -> !ragged.tensor<[n, m], i64>
  %5 = ragged.scatter_max %c, %4 dims = [2] like %x : !ragged.tensor<[n, m], bf16>, !ragged.tensor<[n, m], i64>, !x -> !ragged.tensor<[n, m, 5], bf16>
  %6 = ragged.argmax %x dims = [2, 0, 1] : !x -> !ragged.tensor<[], i64>
  %7 = ragged.scatter_max %d, %6 dims = [2, 0, 1] like %x : !ragged.tensor<[], i64>, !ragged.tensor<[], i64>, !x -> !ragged.tensor<[n, m, 5], i64>
  return %1, %3, %5, %7 : !x, !ragged.tensor<[n, m, 5], f64>, !ragged.tensor<[n, m, 5], bf16>, !ragged.tensor<[n, m, 5], i64>
}

func.func @batch_derivatives(%o: !o, %s: !ragged.tensor<[4], f32>, %a: tensor<bf16>, %b: tensor<3x1x1xf32>, %c: tensor<4xf32>, %d: tensor<f32>)
    -> (!o, !ragged.tensor<*, f32>, !ragged.tensor<[4], f32>, !ragged.tensor<[4], f32>) {
  %0 = ragged.argmax %o dims = [0, 1, 2] batch : !o -> tensor<i64>
  %1 = ragged.scatter_max %a, %0 dims = [0, 1, 2] batch like %o : tensor<bf16>, tensor<i64>, !o -> !o
  %2 = ragged.argmax %o dims = [1, 2] keep_dims batch : !o -> tensor<3x1x1xi64>
  %3 = ragged.scatter_max %b, %2 dims = [1, 2] keep_dims batch like %o : tensor<3x1x1xf32>, tensor<3x1x1xi64>, !o -> !ragged.tensor<*, f32>
  %4 = ragged.argmax %s dims = [] batch : !ragged.tensor<[4], f32> -> tensor<4xi64>
  %5 = ragged.scatter_max %c, %4 dims = [] batch like %s : tensor<4xf32>, tensor<4xi64>, !ragged.tensor<[4], f32> -> !ragged.tensor<[4], f32>
  %6 = ragged.argmax %s dims = [0] batch : !ragged.tensor<[4], f32> -> tensor<i64>
  %7 = ragged.scatter_max %d, %6 dims = [0] batch like %s : tensor<f32>, tensor<i64>, !ragged.tensor<[4], f32> -> !ragged.tensor<[4], f32>
  return %1, %3, %5, %7 : !o, !ragged.tensor<*, f32>, !ragged.tensor<[4], f32>, !ragged.tensor<[4], f32>
}

// In one kernel with what makes dy and what reads the result; the schema is of a value that is not stored.
func.func @fused(%x: !s, %g: !s) -> !s {
  %r = ragged.relu %x : !s -> !s
  %p = ragged.argmax %r dims = [2] : !s -> !ragged.tensor<[n, 3], i64>
  %h = ragged.relu %g : !s -> !s
  %q = ragged.max %h dims = [2] : !s -> !ragged.tensor<[n, 3], f32>
  %0 = ragged.scatter_max %q, %p dims = [2] like %h : !ragged.tensor<[n, 3], f32>, !ragged.tensor<[n, 3], i64>, !s -> !s
  %1 = ragged.sub %0, %g : !s, !s -> !s
  return %1 : !s
}

// ---- Builtin tensors ---------------------------------------------------------------------------

// Dimensions that join, a row, neither; ties by relu.
!t = tensor<6x5x4xf32>
func.func @dense(%x: !t, %h: tensor<7x9xbf16>, %i: tensor<9xi64>, %u: tensor<1x1xf64>, %z: tensor<f32>)
    -> (tensor<5x4xi64>, tensor<6x1x4xi64>, tensor<6x5xi64>, tensor<5xi64>, tensor<4xi64>, tensor<6xi64>, tensor<i64>, tensor<6x5x4xi64>, tensor<9xi64>, tensor<i64>, tensor<1xi64>, tensor<i64>) {
  %r = ragged.relu %x : !t -> !t
  %0 = ragged.argmax %r dims = [0] : !t -> tensor<5x4xi64>
  %1 = ragged.argmax %x dims = [1] keep_dims : !t -> tensor<6x1x4xi64>
  %2 = ragged.argmax %r dims = [2] : !t -> tensor<6x5xi64>
  %3 = ragged.argmax %x dims = [2, 0] : !t -> tensor<5xi64>
  %4 = ragged.argmax %x dims = [0, 1] : !t -> tensor<4xi64>
  %5 = ragged.argmax %r dims = [1, 2] : !t -> tensor<6xi64>
  %6 = ragged.argmax %x dims = [0, 1, 2] : !t -> tensor<i64>
  %7 = ragged.argmax %x dims = [] : !t -> tensor<6x5x4xi64>
  %8 = ragged.argmax %h dims = [0] : tensor<7x9xbf16> -> tensor<9xi64>
  %9 = ragged.argmax %i dims = [0] : tensor<9xi64> -> tensor<i64>
  %10 = ragged.argmax %u dims = [1] : tensor<1x1xf64> -> tensor<1xi64>
  %11 = ragged.argmax %z dims = [] : tensor<f32> -> tensor<i64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<5x4xi64>, tensor<6x1x4xi64>, tensor<6x5xi64>, tensor<5xi64>, tensor<4xi64>, tensor<6xi64>, tensor<i64>, tensor<6x5x4xi64>, tensor<9xi64>, tensor<i64>, tensor<1xi64>, tensor<i64>
}

// In parts; another dimension is reduced behind one that is left, and one that no row holds.
func.func @dense_parts(%x: tensor<700x3xf32>, %y: tensor<300x2x3xf64>, %z: tensor<3000xi64>, %w: tensor<70x1100xbf16>, %e: tensor<0x3xf32>)
    -> (tensor<3xi64>, tensor<i64>, tensor<2xi64>, tensor<i64>, tensor<1100xi64>, tensor<i64>, tensor<3xi64>, tensor<i64>) {
  %r = ragged.relu %x : tensor<700x3xf32> -> tensor<700x3xf32>
  %m = ragged.mul %r, %r : tensor<700x3xf32>, tensor<700x3xf32> -> tensor<700x3xf32>
  %0 = ragged.argmax %x dims = [0] : tensor<700x3xf32> -> tensor<3xi64>
  %1 = ragged.argmax %m dims = [0, 1] : tensor<700x3xf32> -> tensor<i64>
  %2 = ragged.argmax %y dims = [2, 0] : tensor<300x2x3xf64> -> tensor<2xi64>
  %3 = ragged.argmax %z dims = [0] : tensor<3000xi64> -> tensor<i64>
  %4 = ragged.argmax %w dims = [0] : tensor<70x1100xbf16> -> tensor<1100xi64>
  %5 = ragged.argmax %w dims = [0, 1] : tensor<70x1100xbf16> -> tensor<i64>
  %6 = ragged.argmax %e dims = [0] : tensor<0x3xf32> -> tensor<3xi64>
  %7 = ragged.argmax %e dims = [1, 0] : tensor<0x3xf32> -> tensor<i64>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<3xi64>, tensor<i64>, tensor<2xi64>, tensor<i64>, tensor<1100xi64>, tensor<i64>, tensor<3xi64>, tensor<i64>
}

// The first of equal numbers, the first of NaN, in another part than the first.
func.func @dense_ties(%x: tensor<700x3xf32>) -> (tensor<3xi64>, tensor<i64>, tensor<3xi64>, tensor<700xi64>) {
  %r = ragged.relu %x : tensor<700x3xf32> -> tensor<700x3xf32>
  %s = ragged.neg %r : tensor<700x3xf32> -> tensor<700x3xf32>
  %0 = ragged.argmax %s dims = [0] : tensor<700x3xf32> -> tensor<3xi64>
  %1 = ragged.argmax %s dims = [1, 0] : tensor<700x3xf32> -> tensor<i64>
  %n = ragged.sqrt %x : tensor<700x3xf32> -> tensor<700x3xf32>
  %2 = ragged.argmax %n dims = [0] : tensor<700x3xf32> -> tensor<3xi64>
  %3 = ragged.argmax %n dims = [1] : tensor<700x3xf32> -> tensor<700xi64>
  return %0, %1, %2, %3 : tensor<3xi64>, tensor<i64>, tensor<3xi64>, tensor<700xi64>
}

// Extents that no type says.
func.func @open(%x: !ragged.tensor<[n, 3], f32>, %y: !ragged.tensor<[n, m], i64>)
    -> (tensor<3xi64>, tensor<?xi64>, tensor<i64>, tensor<?x?xi64>, tensor<?xi64>, tensor<?x3xf64>, tensor<?x?x?xi64>, tensor<?x?x?xi64>) {
  %v = ragged.values %x : !ragged.tensor<[n, 3], f32> -> tensor<?x3xf32>
  %0 = ragged.argmax %v dims = [0] : tensor<?x3xf32> -> tensor<3xi64>
  %1 = ragged.argmax %v dims = [1] : tensor<?x3xf32> -> tensor<?xi64>
  %2 = ragged.argmax %v dims = [0, 1] : tensor<?x3xf32> -> tensor<i64>
  %u = ragged.unpack %y : !ragged.tensor<[n, m], i64> -> tensor<?x?x?xi64>
  %3 = ragged.argmax %u dims = [1] : tensor<?x?x?xi64> -> tensor<?x?xi64>
  %4 = ragged.argmax %u dims = [2, 0] : tensor<?x?x?xi64> -> tensor<?xi64>
  %c = ragged.cast %0 : tensor<3xi64> -> tensor<3xf64>
  %5 = ragged.scatter_max %c, %0 dims = [0] like %v : tensor<3xf64>, tensor<3xi64>, tensor<?x3xf32> -> tensor<?x3xf64>
  %6 = ragged.scatter_max %3, %3 dims = [1] like %u : tensor<?x?xi64>, tensor<?x?xi64>, tensor<?x?x?xi64> -> tensor<?x?x?xi64>
  %7 = ragged.scatter_max %4, %4 dims = [2, 0] like %u : tensor<?xi64>, tensor<?xi64>, tensor<?x?x?xi64> -> tensor<?x?x?xi64>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<3xi64>, tensor<?xi64>, tensor<i64>, tensor<?x?xi64>, tensor<?xi64>, tensor<?x3xf64>, tensor<?x?x?xi64>, tensor<?x?x?xi64>
}

// Between elements of one shape: what makes dy, and what reads the result.
func.func @dense_derivative(%x: tensor<6x5xf32>, %g: tensor<5xf32>, %k: tensor<6x1xbf16>, %s: tensor<f32>)
    -> (tensor<6x5xf32>, tensor<6x5xbf16>, tensor<6x5xf32>) {
  %r = ragged.relu %x : tensor<6x5xf32> -> tensor<6x5xf32>
  %p = ragged.argmax %r dims = [0] : tensor<6x5xf32> -> tensor<5xi64>
  %h = ragged.exp %g : tensor<5xf32> -> tensor<5xf32>
  %0 = ragged.scatter_max %h, %p dims = [0] like %r : tensor<5xf32>, tensor<5xi64>, tensor<6x5xf32> -> tensor<6x5xf32>
  %1 = ragged.sub %0, %r : tensor<6x5xf32>, tensor<6x5xf32> -> tensor<6x5xf32>
  %q = ragged.argmax %1 dims = [1] keep_dims : tensor<6x5xf32> -> tensor<6x1xi64>
  %2 = ragged.scatter_max %k, %q dims = [1] keep_dims like %x : tensor<6x1xbf16>, tensor<6x1xi64>, tensor<6x5xf32> -> tensor<6x5xbf16>
  %a = ragged.argmax %x dims = [1, 0] : tensor<6x5xf32> -> tensor<i64>
  %3 = ragged.scatter_max %s, %a dims = [1, 0] like %x : tensor<f32>, tensor<i64>, tensor<6x5xf32> -> tensor<6x5xf32>
  return %1, %2, %3 : tensor<6x5xf32>, tensor<6x5xbf16>, tensor<6x5xf32>
}
