// Derivatives of the conversions between builtin tensors and ragged ones. What is not read (rows beyond
// the last, padding) is NaN in these runs and gets exactly 0.
// RUN: %check_gradients %s
// RUN: %check_gradients --print %s > %t.mlir
// RUN: %run_all_lengths %t.mlir
// RUN: %run_all_lengths --target=emulated %t.mlir

!n4 = !ragged.tensor<[n, 4], f32>
!pair = !ragged.tensor<[n, n, 2], f32>

func.func @from_values(%v: tensor<?x4xf32>, %n: tensor<?xi64>) -> !n4 {
  %0 = ragged.from_values %v, %n axes = ["n"] : tensor<?x4xf32>, tensor<?xi64> -> !n4
  %1 = ragged.mul %0, %0 : !n4, !n4 -> !n4
  return %1 : !n4
}

func.func @from_values_square(%v: tensor<?x2xf32>, %n: tensor<?xi64>) -> !pair {
  %0 = ragged.from_values %v, %n axes = ["n"] : tensor<?x2xf32>, tensor<?xi64> -> !pair
  %1 = ragged.mul %0, %0 : !pair, !pair -> !pair
  return %1 : !pair
}

func.func @from_offsets(%v: tensor<?x4xf32>, %o: tensor<?xi64>) -> !n4 {
  %0 = ragged.from_offsets %v, %o axes = ["n"] : tensor<?x4xf32>, tensor<?xi64> -> !n4
  %1 = ragged.exp %0 : !n4 -> !n4
  return %1 : !n4
}

func.func @batch_values(%x: !n4) -> tensor<?x4xf32> {
  %0 = ragged.mul %x, %x : !n4, !n4 -> !n4
  %1 = ragged.values %0 : !n4 -> tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

func.func @with_values(%v: tensor<?x4xf32>, %n: tensor<?xi64>) -> !n4 {
  %0 = ragged.from_values %v, %n axes = ["n"] : tensor<?x4xf32>, tensor<?xi64> -> !n4
  %1 = ragged.values %0 : !n4 -> tensor<?x4xf32>
  %2 = ragged.with_values %1 like %0 : tensor<?x4xf32>, !n4 -> !n4
  %3 = ragged.mul %2, %0 : !n4, !n4 -> !n4
  return %3 : !n4
}

func.func @pack(%p: tensor<?x?x4xf32>, %n: tensor<?xi64>) -> !n4 {
  %0 = ragged.pack %p, %n axes = ["n"] : tensor<?x?x4xf32>, tensor<?xi64> -> !n4
  %1 = ragged.mul %0, %0 : !n4, !n4 -> !n4
  return %1 : !n4
}

func.func @pack_sequence_first(%p: tensor<?x?x4xf32>, %n: tensor<?xi64>) -> !n4 {
  %0 = ragged.pack %p, %n axes = ["n"] batch = 1 : tensor<?x?x4xf32>, tensor<?xi64> -> !n4
  %1 = ragged.mul %0, %0 : !n4, !n4 -> !n4
  return %1 : !n4
}

func.func @batch_unpack(%x: !pair) -> (tensor<?x?x?x2xf32>, tensor<?x?x?x2xf32>) {
  %0 = ragged.mul %x, %x : !pair, !pair -> !pair
  %1 = ragged.unpack %0 fill = 7.0 : !pair -> tensor<?x?x?x2xf32>
  %2 = ragged.unpack %0 batch = 2 : !pair -> tensor<?x?x?x2xf32>
  return %1, %2 : tensor<?x?x?x2xf32>, tensor<?x?x?x2xf32>
}

// Lengths and sizes are integers: nothing is handed back through them.
func.func @sizes(%x: !n4) -> !n4 {
  %0 = ragged.size %x dims = [0] : !n4 -> !ragged.tensor<[], i64>
  %1 = ragged.cast %0 : !ragged.tensor<[], i64> -> !ragged.tensor<[], f32>
  %2 = ragged.broadcast %1 dims = [] like %x : !ragged.tensor<[], f32>, !n4 -> !n4
  %3 = ragged.mul %x, %2 : !n4, !n4 -> !n4
  return %3 : !n4
}

func.func @assume_same_axis(%x: !ragged.tensor<[n, 4], f32>) -> !n4 {
  %0 = ragged.assume_same_axis %x dims = [0] to = "n" like %x : !n4, !n4 -> !n4
  %1 = ragged.mul %0, %x : !n4, !n4 -> !n4
  return %1 : !n4
}

// One of two dimensions along an axis; `p` and `q` are one axis of the caller.
func.func private @rename_columns(%x: !ragged.tensor<[p, q, 2], f32>, %like: !ragged.tensor<[t], i64>)
    -> !ragged.tensor<[p, t, 2], f32> {
  %0 = ragged.assume_same_axis %x dims = [1] to = "t" like %like
      : !ragged.tensor<[p, q, 2], f32>, !ragged.tensor<[t], i64> -> !ragged.tensor<[p, t, 2], f32>
  return %0 : !ragged.tensor<[p, t, 2], f32>
}
func.func @assume_one_of_two(%x: !pair, %y: !ragged.tensor<[n], i64>) -> !pair {
  %e = ragged.extents %y dim = 0 : !ragged.tensor<[n], i64> -> tensor<?xi64>
  %v = ragged.values %y : !ragged.tensor<[n], i64> -> tensor<?xi64>
  %l = ragged.from_values %v, %e axes = ["b"] : tensor<?xi64>, tensor<?xi64> -> !ragged.tensor<[b], i64>
  %c = ragged.call @rename_columns(%x, %l) : (!pair, !ragged.tensor<[b], i64>) -> !ragged.tensor<[n, b, 2], f32>
  %s = ragged.mul %c, %c : !ragged.tensor<[n, b, 2], f32>, !ragged.tensor<[n, b, 2], f32> -> !ragged.tensor<[n, b, 2], f32>
  %t = ragged.transpose %s permutation = [1, 0, 2] : !ragged.tensor<[n, b, 2], f32> -> !ragged.tensor<[b, n, 2], f32, order = [1, 0, 2]>
  %r = ragged.reorder %t order = [0, 1, 2] : !ragged.tensor<[b, n, 2], f32, order = [1, 0, 2]> -> !ragged.tensor<[b, n, 2], f32>
  %both = ragged.assume_same_axis %r dims = [0] to = "n" like %y
      : !ragged.tensor<[b, n, 2], f32>, !ragged.tensor<[n], i64> -> !pair
  %m = ragged.mul %x, %both : !pair, !pair -> !pair
  return %m : !pair
}
