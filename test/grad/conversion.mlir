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
  %0 = ragged.assume_same_axis %x from = "n" to = "n" like %x : !n4, !n4 -> !n4
  %1 = ragged.mul %0, %x : !n4, !n4 -> !n4
  return %1 : !n4
}
