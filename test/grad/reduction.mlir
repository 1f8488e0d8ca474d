// Derivatives of the reductions.
// RUN: %check_gradients %s
// RUN: %check_gradients --print %s > %t.mlir
// RUN: %run_all_lengths %t.mlir
// RUN: %run_all_lengths --target=emulated %t.mlir

!pair = !ragged.tensor<[n, m, 3], f32>
!turned = !ragged.tensor<[n, m, 3], f32, order = [1, 0, 2]>
!narrow = !ragged.tensor<[n, 4], bf16>

func.func @sum(%x: !turned)
    -> (!ragged.tensor<[n, 3], f32>, !ragged.tensor<[n, m, 1], f32, order = [1, 0, 2]>,
        !ragged.tensor<[], f32>) {
  %y = ragged.mul %x, %x : !turned, !turned -> !turned
  %0 = ragged.sum %y dims = [1] : !turned -> !ragged.tensor<[n, 3], f32>
  %1 = ragged.sum %y dims = [2] keep_dims : !turned -> !ragged.tensor<[n, m, 1], f32, order = [1, 0, 2]>
  %2 = ragged.sum %y dims = [0, 1, 2] : !turned -> !ragged.tensor<[], f32>
  return %0, %1, %2 : !ragged.tensor<[n, 3], f32>,
      !ragged.tensor<[n, m, 1], f32, order = [1, 0, 2]>, !ragged.tensor<[], f32>
}

func.func @batch_sum(%x: !pair) -> (tensor<3xf32>, tensor<1x1x3xf32>, tensor<f32>) {
  %y = ragged.exp %x : !pair -> !pair
  %0 = ragged.sum %y dims = [0, 1] batch : !pair -> tensor<3xf32>
  %1 = ragged.sum %y dims = [1, 0] keep_dims batch : !pair -> tensor<1x1x3xf32>
  %2 = ragged.sum %y dims = [0, 1, 2] batch : !pair -> tensor<f32>
  return %0, %1, %2 : tensor<3xf32>, tensor<1x1x3xf32>, tensor<f32>
}

func.func @mean(%x: !pair)
    -> (!ragged.tensor<[n, 3], f32>, !ragged.tensor<[n, m], f32>, !ragged.tensor<[1, m, 1], f32>) {
  %y = ragged.mul %x, %x : !pair, !pair -> !pair
  %0 = ragged.mean %y dims = [1] empty = zero : !pair -> !ragged.tensor<[n, 3], f32>
  %1 = ragged.mean %y dims = [2] : !pair -> !ragged.tensor<[n, m], f32>
  %2 = ragged.mean %y dims = [0, 2] keep_dims empty = zero : !pair -> !ragged.tensor<[1, m, 1], f32>
  return %0, %1, %2 : !ragged.tensor<[n, 3], f32>, !ragged.tensor<[n, m], f32>,
      !ragged.tensor<[1, m, 1], f32>
}

func.func @batch_mean(%x: !pair) -> (tensor<3xf32>, tensor<f32>) {
  %y = ragged.mul %x, %x : !pair, !pair -> !pair
  %0 = ragged.mean %y dims = [0, 1] batch empty = zero : !pair -> tensor<3xf32>
  %1 = ragged.mean %y dims = [0, 1, 2] batch empty = zero : !pair -> tensor<f32>
  return %0, %1 : tensor<3xf32>, tensor<f32>
}

func.func @mean_bf16(%x: !narrow) -> !ragged.tensor<[4], bf16> {
  %y = ragged.mul %x, %x : !narrow, !narrow -> !narrow
  %0 = ragged.mean %y dims = [0] empty = zero : !narrow -> !ragged.tensor<[4], bf16>
  return %0 : !ragged.tensor<[4], bf16>
}

func.func @twice_mean(%x: !pair) -> !ragged.tensor<[n, 3], f32> {
  %y = ragged.exp %x : !pair -> !pair
  %0 = ragged.mean %y dims = [1] empty = zero : !pair -> !ragged.tensor<[n, 3], f32>
  %1 = ragged.mul %0, %0 : !ragged.tensor<[n, 3], f32>, !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
  return %1 : !ragged.tensor<[n, 3], f32>
}

// Groups of nothing, whatever the lengths: the size that a derivative divides by is 1.
func.func @twice_mean_none(%x: !ragged.tensor<[n, 0, 3], f32>) -> !ragged.tensor<[n, 3], f32> {
  %0 = ragged.mean %x dims = [1] empty = zero : !ragged.tensor<[n, 0, 3], f32> -> !ragged.tensor<[n, 3], f32>
  %1 = ragged.mul %0, %0 : !ragged.tensor<[n, 3], f32>, !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
  return %1 : !ragged.tensor<[n, 3], f32>
}

// To the first largest entry only.
func.func @max(%x: !turned)
    -> (!ragged.tensor<[n, 3], f32>, !ragged.tensor<[n, m, 1], f32, order = [1, 0, 2]>,
        !ragged.tensor<[], f32>) {
  %y = ragged.exp %x : !turned -> !turned
  %0 = ragged.max %y dims = [1] : !turned -> !ragged.tensor<[n, 3], f32>
  %1 = ragged.max %y dims = [2] keep_dims : !turned -> !ragged.tensor<[n, m, 1], f32, order = [1, 0, 2]>
  %2 = ragged.max %y dims = [0, 1, 2] : !turned -> !ragged.tensor<[], f32>
  return %0, %1, %2 : !ragged.tensor<[n, 3], f32>,
      !ragged.tensor<[n, m, 1], f32, order = [1, 0, 2]>, !ragged.tensor<[], f32>
}

func.func @batch_max(%x: !pair) -> (tensor<3xf32>, tensor<f32>) {
  %0 = ragged.max %x dims = [0, 1] batch : !pair -> tensor<3xf32>
  %1 = ragged.max %x dims = [0, 1, 2] batch : !pair -> tensor<f32>
  return %0, %1 : tensor<3xf32>, tensor<f32>
}

func.func @twice_max(%x: !pair) -> !ragged.tensor<[n, 3], f32> {
  %y = ragged.exp %x : !pair -> !pair
  %0 = ragged.max %y dims = [1] : !pair -> !ragged.tensor<[n, 3], f32>
  %1 = ragged.sigmoid %0 : !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
  return %1 : !ragged.tensor<[n, 3], f32>
}

// ---- Builtin tensors ---------------------------------------------------------------------------

func.func @max_dense(%x: tensor<6x5x4xf32>, %l: tensor<140x3xf32>)
    -> (tensor<5x4xf32>, tensor<6x1x4xf32>, tensor<5xf32>, tensor<f32>, tensor<3xf32>, tensor<f32>) {
  %y = ragged.exp %x : tensor<6x5x4xf32> -> tensor<6x5x4xf32>
  %0 = ragged.max %y dims = [0] : tensor<6x5x4xf32> -> tensor<5x4xf32>
  %1 = ragged.max %y dims = [1] keep_dims : tensor<6x5x4xf32> -> tensor<6x1x4xf32>
  %2 = ragged.max %y dims = [2, 0] : tensor<6x5x4xf32> -> tensor<5xf32>
  %3 = ragged.max %y dims = [0, 1, 2] : tensor<6x5x4xf32> -> tensor<f32>
  %4 = ragged.max %l dims = [0] : tensor<140x3xf32> -> tensor<3xf32>
  %5 = ragged.max %l dims = [1, 0] : tensor<140x3xf32> -> tensor<f32>
  return %0, %1, %2, %3, %4, %5 : tensor<5x4xf32>, tensor<6x1x4xf32>, tensor<5xf32>, tensor<f32>,
      tensor<3xf32>, tensor<f32>
}

func.func @batch_max_open(%x: !ragged.tensor<[n, 3], f32>) -> (tensor<3xf32>, !ragged.tensor<[n], f32>) {
  %v = ragged.values %x : !ragged.tensor<[n, 3], f32> -> tensor<?x3xf32>
  %y = ragged.exp %v : tensor<?x3xf32> -> tensor<?x3xf32>
  %0 = ragged.max %y dims = [0] : tensor<?x3xf32> -> tensor<3xf32>
  %m = ragged.max %y dims = [1] : tensor<?x3xf32> -> tensor<?xf32>
  %k = ragged.max %x dims = [1] : !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n], f32>
  %1 = ragged.with_values %m like %k : tensor<?xf32>, !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
  return %0, %1 : tensor<3xf32>, !ragged.tensor<[n], f32>
}

func.func @batch_mean_open(%x: !ragged.tensor<[n, 3], f32>, %p: !pair)
    -> (tensor<3xf32>, tensor<f32>, tensor<3xf32>) {
  %v = ragged.values %x : !ragged.tensor<[n, 3], f32> -> tensor<?x3xf32>
  %y = ragged.mul %v, %v : tensor<?x3xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
  %0 = ragged.mean %y dims = [0] empty = zero : tensor<?x3xf32> -> tensor<3xf32>
  %1 = ragged.mean %y dims = [1, 0] empty = zero : tensor<?x3xf32> -> tensor<f32>
  %u = ragged.unpack %p : !pair -> tensor<?x?x?x3xf32>
  %m = ragged.mean %u dims = [2] empty = zero : tensor<?x?x?x3xf32> -> tensor<?x?x3xf32>
  %s = ragged.mul %m, %m : tensor<?x?x3xf32>, tensor<?x?x3xf32> -> tensor<?x?x3xf32>
  %2 = ragged.sum %s dims = [0, 1] : tensor<?x?x3xf32> -> tensor<3xf32>
  return %0, %1, %2 : tensor<3xf32>, tensor<f32>, tensor<3xf32>
}

func.func @twice_max_dense(%x: tensor<140x3xf32>) -> (tensor<3xf32>, tensor<140xf32>) {
  %y = ragged.exp %x : tensor<140x3xf32> -> tensor<140x3xf32>
  %m = ragged.max %y dims = [0] : tensor<140x3xf32> -> tensor<3xf32>
  %0 = ragged.sigmoid %m : tensor<3xf32> -> tensor<3xf32>
  %n = ragged.max %y dims = [1] : tensor<140x3xf32> -> tensor<140xf32>
  %1 = ragged.mul %n, %n : tensor<140xf32>, tensor<140xf32> -> tensor<140xf32>
  return %0, %1 : tensor<3xf32>, tensor<140xf32>
}
