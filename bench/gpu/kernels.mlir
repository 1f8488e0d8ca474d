// One function for each kind of kernel that is timed. Rows have 128 features; bench/gpu/timed.c says on
// which lengths they run. Called by bench/gpu.sh.

func.func @add_f32(%x: !ragged.tensor<[n, 128], f32>, %y: !ragged.tensor<[n, 128], f32>) -> !ragged.tensor<[n, 128], f32> {
  %r = ragged.add %x, %y : !ragged.tensor<[n, 128], f32>, !ragged.tensor<[n, 128], f32> -> !ragged.tensor<[n, 128], f32>
  return %r : !ragged.tensor<[n, 128], f32>
}

func.func @segment_sum_f32(%x: !ragged.tensor<[n, 128], f32>) -> !ragged.tensor<[128], f32> {
  %r = ragged.sum %x dims = [0] : !ragged.tensor<[n, 128], f32> -> !ragged.tensor<[128], f32>
  return %r : !ragged.tensor<[128], f32>
}

func.func @gelu_f32(%x: !ragged.tensor<[n, 128], f32>) -> !ragged.tensor<[n, 128], f32> {
  %r = ragged.gelu %x : !ragged.tensor<[n, 128], f32> -> !ragged.tensor<[n, 128], f32>
  return %r : !ragged.tensor<[n, 128], f32>
}

func.func @layer_norm_f32(%x: !ragged.tensor<[n, 128], f32>, %g: tensor<128xf32>, %b: tensor<128xf32>) -> !ragged.tensor<[n, 128], f32> {
  %r = ragged.layer_norm %x, %g, %b dims = [1] eps = 1.0e-5 : !ragged.tensor<[n, 128], f32>, tensor<128xf32>, tensor<128xf32> -> !ragged.tensor<[n, 128], f32>
  return %r : !ragged.tensor<[n, 128], f32>
}

func.func @softmax_f32(%x: !ragged.tensor<[n, 128], f32>) -> !ragged.tensor<[n, 128], f32> {
  %r = ragged.softmax %x dim = 1 : !ragged.tensor<[n, 128], f32> -> !ragged.tensor<[n, 128], f32>
  return %r : !ragged.tensor<[n, 128], f32>
}

func.func @linear_f32(%x: !ragged.tensor<[n, 128], f32>, %w: tensor<512x128xf32>, %b: tensor<512xf32>) -> !ragged.tensor<[n, 512], f32> {
  %r = ragged.linear %x, %w, %b dim = 1 : !ragged.tensor<[n, 128], f32>, tensor<512x128xf32>, tensor<512xf32> -> !ragged.tensor<[n, 512], f32>
  return %r : !ragged.tensor<[n, 512], f32>
}

func.func @add_bf16(%x: !ragged.tensor<[n, 128], bf16>, %y: !ragged.tensor<[n, 128], bf16>) -> !ragged.tensor<[n, 128], bf16> {
  %r = ragged.add %x, %y : !ragged.tensor<[n, 128], bf16>, !ragged.tensor<[n, 128], bf16> -> !ragged.tensor<[n, 128], bf16>
  return %r : !ragged.tensor<[n, 128], bf16>
}

func.func @segment_sum_bf16(%x: !ragged.tensor<[n, 128], bf16>) -> !ragged.tensor<[128], bf16> {
  %r = ragged.sum %x dims = [0] : !ragged.tensor<[n, 128], bf16> -> !ragged.tensor<[128], bf16>
  return %r : !ragged.tensor<[128], bf16>
}

func.func @gelu_bf16(%x: !ragged.tensor<[n, 128], bf16>) -> !ragged.tensor<[n, 128], bf16> {
  %r = ragged.gelu %x : !ragged.tensor<[n, 128], bf16> -> !ragged.tensor<[n, 128], bf16>
  return %r : !ragged.tensor<[n, 128], bf16>
}

func.func @layer_norm_bf16(%x: !ragged.tensor<[n, 128], bf16>, %g: tensor<128xbf16>, %b: tensor<128xbf16>) -> !ragged.tensor<[n, 128], bf16> {
  %r = ragged.layer_norm %x, %g, %b dims = [1] eps = 1.0e-5 : !ragged.tensor<[n, 128], bf16>, tensor<128xbf16>, tensor<128xbf16> -> !ragged.tensor<[n, 128], bf16>
  return %r : !ragged.tensor<[n, 128], bf16>
}

func.func @softmax_bf16(%x: !ragged.tensor<[n, 128], bf16>) -> !ragged.tensor<[n, 128], bf16> {
  %r = ragged.softmax %x dim = 1 : !ragged.tensor<[n, 128], bf16> -> !ragged.tensor<[n, 128], bf16>
  return %r : !ragged.tensor<[n, 128], bf16>
}

func.func @linear_bf16(%x: !ragged.tensor<[n, 128], bf16>, %w: tensor<512x128xbf16>, %b: tensor<512xbf16>) -> !ragged.tensor<[n, 512], bf16> {
  %r = ragged.linear %x, %w, %b dim = 1 : !ragged.tensor<[n, 128], bf16>, tensor<512x128xbf16>, tensor<512xbf16> -> !ragged.tensor<[n, 512], bf16>
  return %r : !ragged.tensor<[n, 512], bf16>
}

func.func @add_f64(%x: !ragged.tensor<[n, 128], f64>, %y: !ragged.tensor<[n, 128], f64>) -> !ragged.tensor<[n, 128], f64> {
  %r = ragged.add %x, %y : !ragged.tensor<[n, 128], f64>, !ragged.tensor<[n, 128], f64> -> !ragged.tensor<[n, 128], f64>
  return %r : !ragged.tensor<[n, 128], f64>
}

func.func @segment_sum_f64(%x: !ragged.tensor<[n, 128], f64>) -> !ragged.tensor<[128], f64> {
  %r = ragged.sum %x dims = [0] : !ragged.tensor<[n, 128], f64> -> !ragged.tensor<[128], f64>
  return %r : !ragged.tensor<[128], f64>
}

func.func @linear_f64(%x: !ragged.tensor<[n, 128], f64>, %w: tensor<512x128xf64>, %b: tensor<512xf64>) -> !ragged.tensor<[n, 512], f64> {
  %r = ragged.linear %x, %w, %b dim = 1 : !ragged.tensor<[n, 128], f64>, tensor<512x128xf64>, tensor<512xf64> -> !ragged.tensor<[n, 512], f64>
  return %r : !ragged.tensor<[n, 512], f64>
}

func.func @add_i64(%x: !ragged.tensor<[n, 128], i64>, %y: !ragged.tensor<[n, 128], i64>) -> !ragged.tensor<[n, 128], i64> {
  %r = ragged.add %x, %y : !ragged.tensor<[n, 128], i64>, !ragged.tensor<[n, 128], i64> -> !ragged.tensor<[n, 128], i64>
  return %r : !ragged.tensor<[n, 128], i64>
}

func.func @segment_sum_i64(%x: !ragged.tensor<[n, 128], i64>) -> !ragged.tensor<[128], i64> {
  %r = ragged.sum %x dims = [0] : !ragged.tensor<[n, 128], i64> -> !ragged.tensor<[128], i64>
  return %r : !ragged.tensor<[128], i64>
}

func.func @segment_max_f32(%x: !ragged.tensor<[n, 128], f32>) -> !ragged.tensor<[128], f32> {
  %r = ragged.max %x dims = [0] : !ragged.tensor<[n, 128], f32> -> !ragged.tensor<[128], f32>
  return %r : !ragged.tensor<[128], f32>
}

func.func @segment_mean_f32(%x: !ragged.tensor<[n, 128], f32>) -> !ragged.tensor<[128], f32> {
  %r = ragged.mean %x dims = [0] empty = zero : !ragged.tensor<[n, 128], f32> -> !ragged.tensor<[128], f32>
  return %r : !ragged.tensor<[128], f32>
}

func.func @batch_sum_f32(%x: !ragged.tensor<[n, 128], f32>) -> tensor<128xf32> {
  %r = ragged.sum %x dims = [0] batch : !ragged.tensor<[n, 128], f32> -> tensor<128xf32>
  return %r : tensor<128xf32>
}

func.func @row_sum_f32(%x: !ragged.tensor<[n, 128], f32>) -> !ragged.tensor<[n], f32> {
  %r = ragged.sum %x dims = [1] : !ragged.tensor<[n, 128], f32> -> !ragged.tensor<[n], f32>
  return %r : !ragged.tensor<[n], f32>
}

func.func @narrow_sum_f32(%x: !ragged.tensor<[n], f32>) -> !ragged.tensor<[], f32> {
  %r = ragged.sum %x dims = [0] : !ragged.tensor<[n], f32> -> !ragged.tensor<[], f32>
  return %r : !ragged.tensor<[], f32>
}

func.func @pair_broadcast_f32(%x: !ragged.tensor<[n, 128], f32>, %y: !ragged.tensor<[n, 128], f32>) -> !ragged.tensor<[n, n, 128], f32> {
  %a = ragged.expand_dims %x dim = 1 : !ragged.tensor<[n, 128], f32> -> !ragged.tensor<[n, 1, 128], f32>
  %b = ragged.expand_dims %y dim = 0 : !ragged.tensor<[n, 128], f32> -> !ragged.tensor<[1, n, 128], f32>
  %r = ragged.add %a, %b : !ragged.tensor<[n, 1, 128], f32>, !ragged.tensor<[1, n, 128], f32> -> !ragged.tensor<[n, n, 128], f32>
  return %r : !ragged.tensor<[n, n, 128], f32>
}

func.func @pair_mean_columns_f32(%x: !ragged.tensor<[n, n, 128], f32>) -> !ragged.tensor<[n, 128], f32> {
  %r = ragged.mean %x dims = [1] empty = zero : !ragged.tensor<[n, n, 128], f32> -> !ragged.tensor<[n, 128], f32>
  return %r : !ragged.tensor<[n, 128], f32>
}

func.func @pair_mean_rows_f32(%x: !ragged.tensor<[n, n, 128], f32>) -> !ragged.tensor<[n, 128], f32> {
  %r = ragged.mean %x dims = [0] empty = zero : !ragged.tensor<[n, n, 128], f32> -> !ragged.tensor<[n, 128], f32>
  return %r : !ragged.tensor<[n, 128], f32>
}

func.func @pair_reorder_f32(%x: !ragged.tensor<[n, n, 128], f32, order = [1, 0, 2]>) -> !ragged.tensor<[n, n, 128], f32> {
  %r = ragged.reorder %x order = [0, 1, 2] : !ragged.tensor<[n, n, 128], f32, order = [1, 0, 2]> -> !ragged.tensor<[n, n, 128], f32>
  return %r : !ragged.tensor<[n, n, 128], f32>
}

func.func @unpack_f32(%x: !ragged.tensor<[n, 128], f32>) -> tensor<?x?x128xf32> {
  %r = ragged.unpack %x : !ragged.tensor<[n, 128], f32> -> tensor<?x?x128xf32>
  return %r : tensor<?x?x128xf32>
}

func.func @pack_f32(%x: tensor<?x?x128xf32>, %l: tensor<?xi64>) -> !ragged.tensor<[n, 128], f32> {
  %r = ragged.pack %x, %l axes = ["n"] : tensor<?x?x128xf32>, tensor<?xi64> -> !ragged.tensor<[n, 128], f32>
  return %r : !ragged.tensor<[n, 128], f32>
}
