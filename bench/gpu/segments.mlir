// Segments of 100,000 rows and none: what adds up over a ragged axis or the batch, and what goes row by
// row. Run by bench/gpu.sh against the reference.

func.func @sum_f32(%x: !ragged.tensor<[n], f32>) -> !ragged.tensor<[], f32> {
  %r = ragged.sum %x dims = [0] : !ragged.tensor<[n], f32> -> !ragged.tensor<[], f32>
  return %r : !ragged.tensor<[], f32>
}

func.func @max_f32(%x: !ragged.tensor<[n], f32>) -> !ragged.tensor<[1], f32> {
  %r = ragged.max %x dims = [0] keep_dims : !ragged.tensor<[n], f32> -> !ragged.tensor<[1], f32>
  return %r : !ragged.tensor<[1], f32>
}

func.func @mean_f32(%x: !ragged.tensor<[n], f32>) -> !ragged.tensor<[], f32> {
  %r = ragged.mean %x dims = [0] empty = zero : !ragged.tensor<[n], f32> -> !ragged.tensor<[], f32>
  return %r : !ragged.tensor<[], f32>
}

func.func @batch_sum_f32(%x: !ragged.tensor<[n], f32>) -> tensor<f32> {
  %r = ragged.sum %x dims = [0] batch : !ragged.tensor<[n], f32> -> tensor<f32>
  return %r : tensor<f32>
}

func.func @wide_sum_f32(%x: !ragged.tensor<[n, 4], f32>) -> (!ragged.tensor<[4], f32>, tensor<4xf32>) {
  %r = ragged.sum %x dims = [0] : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[4], f32>
  %b = ragged.max %x dims = [0] batch : !ragged.tensor<[n, 4], f32> -> tensor<4xf32>
  return %r, %b : !ragged.tensor<[4], f32>, tensor<4xf32>
}

func.func @rows_f32(%x: !ragged.tensor<[n, 4], f32>, %g: tensor<4xf32>) -> !ragged.tensor<[n, 4], f32> {
  %n = ragged.layer_norm %x, %g dims = [1] eps = 1.0e-5 : !ragged.tensor<[n, 4], f32>, tensor<4xf32> -> !ragged.tensor<[n, 4], f32>
  %s = ragged.softmax %n dim = 1 : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  return %s : !ragged.tensor<[n, 4], f32>
}

func.func @sum_bf16(%x: !ragged.tensor<[n], bf16>) -> !ragged.tensor<[], bf16> {
  %r = ragged.sum %x dims = [0] : !ragged.tensor<[n], bf16> -> !ragged.tensor<[], bf16>
  return %r : !ragged.tensor<[], bf16>
}

func.func @max_bf16(%x: !ragged.tensor<[n], bf16>) -> !ragged.tensor<[1], bf16> {
  %r = ragged.max %x dims = [0] keep_dims : !ragged.tensor<[n], bf16> -> !ragged.tensor<[1], bf16>
  return %r : !ragged.tensor<[1], bf16>
}

func.func @mean_bf16(%x: !ragged.tensor<[n], bf16>) -> !ragged.tensor<[], bf16> {
  %r = ragged.mean %x dims = [0] empty = zero : !ragged.tensor<[n], bf16> -> !ragged.tensor<[], bf16>
  return %r : !ragged.tensor<[], bf16>
}

func.func @batch_sum_bf16(%x: !ragged.tensor<[n], bf16>) -> tensor<bf16> {
  %r = ragged.sum %x dims = [0] batch : !ragged.tensor<[n], bf16> -> tensor<bf16>
  return %r : tensor<bf16>
}

func.func @wide_sum_bf16(%x: !ragged.tensor<[n, 4], bf16>) -> (!ragged.tensor<[4], bf16>, tensor<4xbf16>) {
  %r = ragged.sum %x dims = [0] : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[4], bf16>
  %b = ragged.max %x dims = [0] batch : !ragged.tensor<[n, 4], bf16> -> tensor<4xbf16>
  return %r, %b : !ragged.tensor<[4], bf16>, tensor<4xbf16>
}

func.func @rows_bf16(%x: !ragged.tensor<[n, 4], bf16>, %g: tensor<4xbf16>) -> !ragged.tensor<[n, 4], bf16> {
  %n = ragged.layer_norm %x, %g dims = [1] eps = 1.0e-5 : !ragged.tensor<[n, 4], bf16>, tensor<4xbf16> -> !ragged.tensor<[n, 4], bf16>
  %s = ragged.softmax %n dim = 1 : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  return %s : !ragged.tensor<[n, 4], bf16>
}

func.func @sum_f64(%x: !ragged.tensor<[n], f64>) -> !ragged.tensor<[], f64> {
  %r = ragged.sum %x dims = [0] : !ragged.tensor<[n], f64> -> !ragged.tensor<[], f64>
  return %r : !ragged.tensor<[], f64>
}

func.func @max_f64(%x: !ragged.tensor<[n], f64>) -> !ragged.tensor<[1], f64> {
  %r = ragged.max %x dims = [0] keep_dims : !ragged.tensor<[n], f64> -> !ragged.tensor<[1], f64>
  return %r : !ragged.tensor<[1], f64>
}

func.func @mean_f64(%x: !ragged.tensor<[n], f64>) -> !ragged.tensor<[], f64> {
  %r = ragged.mean %x dims = [0] empty = zero : !ragged.tensor<[n], f64> -> !ragged.tensor<[], f64>
  return %r : !ragged.tensor<[], f64>
}

func.func @batch_sum_f64(%x: !ragged.tensor<[n], f64>) -> tensor<f64> {
  %r = ragged.sum %x dims = [0] batch : !ragged.tensor<[n], f64> -> tensor<f64>
  return %r : tensor<f64>
}

func.func @wide_sum_f64(%x: !ragged.tensor<[n, 4], f64>) -> (!ragged.tensor<[4], f64>, tensor<4xf64>) {
  %r = ragged.sum %x dims = [0] : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[4], f64>
  %b = ragged.max %x dims = [0] batch : !ragged.tensor<[n, 4], f64> -> tensor<4xf64>
  return %r, %b : !ragged.tensor<[4], f64>, tensor<4xf64>
}

func.func @rows_f64(%x: !ragged.tensor<[n, 4], f64>, %g: tensor<4xf64>) -> !ragged.tensor<[n, 4], f64> {
  %n = ragged.layer_norm %x, %g dims = [1] eps = 1.0e-5 : !ragged.tensor<[n, 4], f64>, tensor<4xf64> -> !ragged.tensor<[n, 4], f64>
  %s = ragged.softmax %n dim = 1 : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  return %s : !ragged.tensor<[n, 4], f64>
}

func.func @sum_i64(%x: !ragged.tensor<[n], i64>) -> !ragged.tensor<[], i64> {
  %r = ragged.sum %x dims = [0] : !ragged.tensor<[n], i64> -> !ragged.tensor<[], i64>
  return %r : !ragged.tensor<[], i64>
}

func.func @max_i64(%x: !ragged.tensor<[n], i64>) -> !ragged.tensor<[1], i64> {
  %r = ragged.max %x dims = [0] keep_dims : !ragged.tensor<[n], i64> -> !ragged.tensor<[1], i64>
  return %r : !ragged.tensor<[1], i64>
}

func.func @batch_sum_i64(%x: !ragged.tensor<[n], i64>) -> tensor<i64> {
  %r = ragged.sum %x dims = [0] batch : !ragged.tensor<[n], i64> -> tensor<i64>
  return %r : tensor<i64>
}
