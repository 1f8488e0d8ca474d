// Reductions over every subset of the dimensions of [n, m, 3, 4], and what else they meet.
// RUN: %run_all_lengths %s
// RUN: %run_all_lengths --target=emulated %s

func.func @sum_all(%x: !ragged.tensor<[n, m, 3, 4], f32>) -> (!ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>) {
  %r0 = ragged.sum %x dims = [0] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r1 = ragged.sum %x dims = [1] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r2 = ragged.sum %x dims = [2] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r3 = ragged.sum %x dims = [3] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r4 = ragged.sum %x dims = [0, 1] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r5 = ragged.sum %x dims = [0, 2] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r6 = ragged.sum %x dims = [0, 3] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r7 = ragged.sum %x dims = [1, 2] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r8 = ragged.sum %x dims = [1, 3] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r9 = ragged.sum %x dims = [2, 3] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r10 = ragged.sum %x dims = [0, 1, 2] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r11 = ragged.sum %x dims = [0, 1, 3] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r12 = ragged.sum %x dims = [0, 2, 3] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r13 = ragged.sum %x dims = [1, 2, 3] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r14 = ragged.sum %x dims = [0, 1, 2, 3] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, %r14 : !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>
}

func.func @max_all(%x: !ragged.tensor<[n, m, 3, 4], f32>) -> (!ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>) {
  %r0 = ragged.max %x dims = [0] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r1 = ragged.max %x dims = [1] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r2 = ragged.max %x dims = [2] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r3 = ragged.max %x dims = [3] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r4 = ragged.max %x dims = [0, 1] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r5 = ragged.max %x dims = [0, 2] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r6 = ragged.max %x dims = [0, 3] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r7 = ragged.max %x dims = [1, 2] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r8 = ragged.max %x dims = [1, 3] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r9 = ragged.max %x dims = [2, 3] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r10 = ragged.max %x dims = [0, 1, 2] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r11 = ragged.max %x dims = [0, 1, 3] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r12 = ragged.max %x dims = [0, 2, 3] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r13 = ragged.max %x dims = [1, 2, 3] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r14 = ragged.max %x dims = [0, 1, 2, 3] : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, %r14 : !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>
}

func.func @mean_all(%x: !ragged.tensor<[n, m, 3, 4], f32>) -> (!ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>) {
  %r0 = ragged.mean %x dims = [0] empty = zero : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r1 = ragged.mean %x dims = [1] empty = zero : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r2 = ragged.mean %x dims = [2] empty = zero : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r3 = ragged.mean %x dims = [3] empty = zero : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r4 = ragged.mean %x dims = [0, 1] empty = zero : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r5 = ragged.mean %x dims = [0, 2] empty = zero : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r6 = ragged.mean %x dims = [0, 3] empty = zero : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r7 = ragged.mean %x dims = [1, 2] empty = zero : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r8 = ragged.mean %x dims = [1, 3] empty = zero : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r9 = ragged.mean %x dims = [2, 3] empty = zero : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r10 = ragged.mean %x dims = [0, 1, 2] empty = zero : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r11 = ragged.mean %x dims = [0, 1, 3] empty = zero : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r12 = ragged.mean %x dims = [0, 2, 3] empty = zero : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r13 = ragged.mean %x dims = [1, 2, 3] empty = zero : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r14 = ragged.mean %x dims = [0, 1, 2, 3] empty = zero : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, %r14 : !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>
}

// NaN where there is nothing.
func.func @mean_nan(%x: !ragged.tensor<[n, m, 3, 4], f32>) -> (!ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>) {
  %r0 = ragged.mean %x dims = [0] empty = nan : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r1 = ragged.mean %x dims = [1] empty = nan : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r2 = ragged.mean %x dims = [0, 1] empty = nan : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r3 = ragged.mean %x dims = [0, 1, 2, 3] empty = nan : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  return %r0, %r1, %r2, %r3 : !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>
}

func.func @sum_keep(%x: !ragged.tensor<[n, m, 3, 4], f32>) -> (!ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>) {
  %r0 = ragged.sum %x dims = [0] keep_dims : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r1 = ragged.sum %x dims = [1] keep_dims : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r2 = ragged.sum %x dims = [2] keep_dims : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r3 = ragged.sum %x dims = [3] keep_dims : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r4 = ragged.sum %x dims = [0, 2] keep_dims : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r5 = ragged.sum %x dims = [1, 3] keep_dims : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  %r6 = ragged.sum %x dims = [0, 1, 2, 3] keep_dims : !ragged.tensor<[n, m, 3, 4], f32> -> !ragged.tensor<*, f32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6 : !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>
}

func.func @sum_i64(%x: !ragged.tensor<[n, m, 3, 4], i64>) -> (!ragged.tensor<*, i64>, !ragged.tensor<*, i64>, !ragged.tensor<*, i64>, !ragged.tensor<*, i64>, !ragged.tensor<*, i64>) {
  %r0 = ragged.sum %x dims = [0] : !ragged.tensor<[n, m, 3, 4], i64> -> !ragged.tensor<*, i64>
  %r1 = ragged.sum %x dims = [1] : !ragged.tensor<[n, m, 3, 4], i64> -> !ragged.tensor<*, i64>
  %r2 = ragged.sum %x dims = [0, 1] : !ragged.tensor<[n, m, 3, 4], i64> -> !ragged.tensor<*, i64>
  %r3 = ragged.sum %x dims = [2, 3] : !ragged.tensor<[n, m, 3, 4], i64> -> !ragged.tensor<*, i64>
  %r4 = ragged.sum %x dims = [0, 1, 2, 3] : !ragged.tensor<[n, m, 3, 4], i64> -> !ragged.tensor<*, i64>
  return %r0, %r1, %r2, %r3, %r4 : !ragged.tensor<*, i64>, !ragged.tensor<*, i64>, !ragged.tensor<*, i64>, !ragged.tensor<*, i64>, !ragged.tensor<*, i64>
}

func.func @max_i64(%x: !ragged.tensor<[n, m, 3, 4], i64>) -> (!ragged.tensor<*, i64>, !ragged.tensor<*, i64>, !ragged.tensor<*, i64>, !ragged.tensor<*, i64>) {
  %r0 = ragged.max %x dims = [0] keep_dims : !ragged.tensor<[n, m, 3, 4], i64> -> !ragged.tensor<*, i64>
  %r1 = ragged.max %x dims = [1, 3] keep_dims : !ragged.tensor<[n, m, 3, 4], i64> -> !ragged.tensor<*, i64>
  %r2 = ragged.max %x dims = [2] keep_dims : !ragged.tensor<[n, m, 3, 4], i64> -> !ragged.tensor<*, i64>
  %r3 = ragged.max %x dims = [0, 1, 2, 3] keep_dims : !ragged.tensor<[n, m, 3, 4], i64> -> !ragged.tensor<*, i64>
  return %r0, %r1, %r2, %r3 : !ragged.tensor<*, i64>, !ragged.tensor<*, i64>, !ragged.tensor<*, i64>, !ragged.tensor<*, i64>
}

func.func @sum_bf16(%x: !ragged.tensor<[n, m, 3, 4], bf16>) -> (!ragged.tensor<*, bf16>, !ragged.tensor<*, bf16>, !ragged.tensor<*, bf16>, !ragged.tensor<*, bf16>) {
  %r0 = ragged.sum %x dims = [0] : !ragged.tensor<[n, m, 3, 4], bf16> -> !ragged.tensor<*, bf16>
  %r1 = ragged.sum %x dims = [1] : !ragged.tensor<[n, m, 3, 4], bf16> -> !ragged.tensor<*, bf16>
  %r2 = ragged.sum %x dims = [3] : !ragged.tensor<[n, m, 3, 4], bf16> -> !ragged.tensor<*, bf16>
  %r3 = ragged.sum %x dims = [0, 1, 2, 3] : !ragged.tensor<[n, m, 3, 4], bf16> -> !ragged.tensor<*, bf16>
  return %r0, %r1, %r2, %r3 : !ragged.tensor<*, bf16>, !ragged.tensor<*, bf16>, !ragged.tensor<*, bf16>, !ragged.tensor<*, bf16>
}

func.func @mean_f64(%x: !ragged.tensor<[n, m, 3, 4], f64>) -> (!ragged.tensor<*, f64>, !ragged.tensor<*, f64>, !ragged.tensor<*, f64>, !ragged.tensor<*, f64>) {
  %r0 = ragged.mean %x dims = [0] : !ragged.tensor<[n, m, 3, 4], f64> -> !ragged.tensor<*, f64>
  %r1 = ragged.mean %x dims = [1] : !ragged.tensor<[n, m, 3, 4], f64> -> !ragged.tensor<*, f64>
  %r2 = ragged.mean %x dims = [2] : !ragged.tensor<[n, m, 3, 4], f64> -> !ragged.tensor<*, f64>
  %r3 = ragged.mean %x dims = [0, 1, 2, 3] : !ragged.tensor<[n, m, 3, 4], f64> -> !ragged.tensor<*, f64>
  return %r0, %r1, %r2, %r3 : !ragged.tensor<*, f64>, !ragged.tensor<*, f64>, !ragged.tensor<*, f64>, !ragged.tensor<*, f64>
}

// ---- Across the batch --------------------------------------------------------------------------

!x = !ragged.tensor<[n, m, 3, 4], f32>
func.func @batch_reductions(%x: !x) -> (tensor<3x4xf32>, tensor<4xf32>, tensor<f32>, tensor<3xf32>, tensor<1x1x3x1xf32>) {
  %a = ragged.sum %x dims = [0, 1] batch : !x -> tensor<3x4xf32>
  %b = ragged.max %x dims = [0, 1, 2] batch : !x -> tensor<4xf32>
  %c = ragged.mean %x dims = [0, 1, 2, 3] batch empty = zero : !x -> tensor<f32>
  %d = ragged.mean %x dims = [0, 1, 3] batch : !x -> tensor<3xf32>
  %e = ragged.sum %x dims = [0, 1, 3] keep_dims batch : !x -> tensor<1x1x3x1xf32>
  return %a, %b, %c, %d, %e : tensor<3x4xf32>, tensor<4xf32>, tensor<f32>, tensor<3xf32>, tensor<1x1x3x1xf32>
}

func.func @batch_of_types(%b: !ragged.tensor<[n, 33], bf16>, %i: !ragged.tensor<[n], i64>, %d: !ragged.tensor<[128], f64>,
                          %s: !ragged.tensor<[], f32>, %t: !ragged.tensor<[n, 3, 4], f32, order = [0, 2, 1]>)
    -> (tensor<33xbf16>, tensor<i64>, tensor<i64>, tensor<128xf64>, tensor<f32>, tensor<3x4xf32>) {
  %1 = ragged.sum %b dims = [0] batch : !ragged.tensor<[n, 33], bf16> -> tensor<33xbf16>
  %2 = ragged.sum %i dims = [0] batch : !ragged.tensor<[n], i64> -> tensor<i64>
  %3 = ragged.max %i dims = [0] batch : !ragged.tensor<[n], i64> -> tensor<i64>
  %4 = ragged.mean %d dims = [] batch : !ragged.tensor<[128], f64> -> tensor<128xf64>
  %5 = ragged.sum %s dims = [] batch : !ragged.tensor<[], f32> -> tensor<f32>
  %6 = ragged.mean %t dims = [0] batch empty = zero : !ragged.tensor<[n, 3, 4], f32, order = [0, 2, 1]> -> tensor<3x4xf32>
  return %1, %2, %3, %4, %5, %6 : tensor<33xbf16>, tensor<i64>, tensor<i64>, tensor<128xf64>, tensor<f32>, tensor<3x4xf32>
}

// ---- Widths of tails ---------------------------------------------------------------------------

func.func @tails(%a: !ragged.tensor<[n, 1], f32>, %b: !ragged.tensor<[n, 8], f32>, %c: !ragged.tensor<[n, 33], f32>,
                 %d: !ragged.tensor<[n, 128], f32>, %e: !ragged.tensor<[n, 0], f32>)
    -> (!ragged.tensor<[1], f32>, !ragged.tensor<[8], f32>, !ragged.tensor<[33], f32>, !ragged.tensor<[128], f32>,
        !ragged.tensor<[0], f32>, !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32>) {
  %1 = ragged.sum %a dims = [0] : !ragged.tensor<[n, 1], f32> -> !ragged.tensor<[1], f32>
  %2 = ragged.max %b dims = [0] : !ragged.tensor<[n, 8], f32> -> !ragged.tensor<[8], f32>
  %3 = ragged.mean %c dims = [0] : !ragged.tensor<[n, 33], f32> -> !ragged.tensor<[33], f32>
  %4 = ragged.sum %d dims = [0] : !ragged.tensor<[n, 128], f32> -> !ragged.tensor<[128], f32>
  %5 = ragged.sum %e dims = [0] : !ragged.tensor<[n, 0], f32> -> !ragged.tensor<[0], f32>
  %6 = ragged.sum %e dims = [1] : !ragged.tensor<[n, 0], f32> -> !ragged.tensor<[n], f32>
  %7 = ragged.max %e dims = [1] : !ragged.tensor<[n, 0], f32> -> !ragged.tensor<[n], f32>
  return %1, %2, %3, %4, %5, %6, %7
      : !ragged.tensor<[1], f32>, !ragged.tensor<[8], f32>, !ragged.tensor<[33], f32>, !ragged.tensor<[128], f32>,
        !ragged.tensor<[0], f32>, !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32>
}

func.func @static_tails(%a: !ragged.tensor<[n, 1], f32>, %b: !ragged.tensor<[n, 8], f32>, %c: !ragged.tensor<[n, 33], f32>,
                        %d: !ragged.tensor<[n, 128], f32>, %e: !ragged.tensor<[n, 300], bf16>, %f: !ragged.tensor<[n, 17, 3], f64>)
    -> (!ragged.tensor<[n], f32>, !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32>,
        !ragged.tensor<[n], bf16>, !ragged.tensor<[n, 3], f64>, !ragged.tensor<[n, 17], f64>, !ragged.tensor<[n], f64>) {
  %1 = ragged.sum %a dims = [1] : !ragged.tensor<[n, 1], f32> -> !ragged.tensor<[n], f32>
  %2 = ragged.max %b dims = [1] : !ragged.tensor<[n, 8], f32> -> !ragged.tensor<[n], f32>
  %3 = ragged.mean %c dims = [1] : !ragged.tensor<[n, 33], f32> -> !ragged.tensor<[n], f32>
  %4 = ragged.sum %d dims = [1] : !ragged.tensor<[n, 128], f32> -> !ragged.tensor<[n], f32>
  %5 = ragged.sum %e dims = [1] : !ragged.tensor<[n, 300], bf16> -> !ragged.tensor<[n], bf16>
  %6 = ragged.sum %f dims = [1] : !ragged.tensor<[n, 17, 3], f64> -> !ragged.tensor<[n, 3], f64>
  %7 = ragged.max %f dims = [2] : !ragged.tensor<[n, 17, 3], f64> -> !ragged.tensor<[n, 17], f64>
  %8 = ragged.mean %f dims = [1, 2] : !ragged.tensor<[n, 17, 3], f64> -> !ragged.tensor<[n], f64>
  return %1, %2, %3, %4, %5, %6, %7, %8
      : !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32>,
        !ragged.tensor<[n], bf16>, !ragged.tensor<[n, 3], f64>, !ragged.tensor<[n, 17], f64>, !ragged.tensor<[n], f64>
}

// Nothing to reduce.
func.func @no_dims(%x: !ragged.tensor<[n, 8], f32>, %i: !ragged.tensor<[n], i64>) -> (!ragged.tensor<[n, 8], f32>, !ragged.tensor<[n, 8], f32>, !ragged.tensor<[n], i64>) {
  %a = ragged.sum %x dims = [] : !ragged.tensor<[n, 8], f32> -> !ragged.tensor<[n, 8], f32>
  %b = ragged.mean %x dims = [] : !ragged.tensor<[n, 8], f32> -> !ragged.tensor<[n, 8], f32>
  %c = ragged.max %i dims = [] : !ragged.tensor<[n], i64> -> !ragged.tensor<[n], i64>
  return %a, %b, %c : !ragged.tensor<[n, 8], f32>, !ragged.tensor<[n, 8], f32>, !ragged.tensor<[n], i64>
}

// ---- Orders, squares, images, views ------------------------------------------------------------

!columns_first = !ragged.tensor<[n, m, 8], f32, order = [1, 0, 2]>
func.func @orders(%x: !columns_first, %y: !ragged.tensor<[n, 3, 4, m], f32, order = [3, 0, 2, 1]>)
    -> (!ragged.tensor<[m, 8], f32>, !ragged.tensor<[n, 8], f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>) {
  %a = ragged.sum %x dims = [0] : !columns_first -> !ragged.tensor<[m, 8], f32>
  %b = ragged.mean %x dims = [1] empty = zero : !columns_first -> !ragged.tensor<[n, 8], f32>
  %c = ragged.max %y dims = [0, 1] : !ragged.tensor<[n, 3, 4, m], f32, order = [3, 0, 2, 1]> -> !ragged.tensor<*, f32>
  %d = ragged.sum %y dims = [3] : !ragged.tensor<[n, 3, 4, m], f32, order = [3, 0, 2, 1]> -> !ragged.tensor<*, f32>
  %e = ragged.sum %y dims = [2] keep_dims : !ragged.tensor<[n, 3, 4, m], f32, order = [3, 0, 2, 1]> -> !ragged.tensor<*, f32>
  return %a, %b, %c, %d, %e
      : !ragged.tensor<[m, 8], f32>, !ragged.tensor<[n, 8], f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32>
}

!sq = !ragged.tensor<[n, n, 8], f32>
func.func @square(%x: !sq, %y: !ragged.tensor<[n, n], f32>)
    -> (!ragged.tensor<[n, 8], f32>, !ragged.tensor<[n, 8], f32>, !ragged.tensor<[8], f32>, !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32>,
        !ragged.tensor<[], f32>) {
  %a = ragged.mean %x dims = [1] empty = zero : !sq -> !ragged.tensor<[n, 8], f32>
  %b = ragged.sum %x dims = [0] : !sq -> !ragged.tensor<[n, 8], f32>
  %c = ragged.max %x dims = [0, 1] : !sq -> !ragged.tensor<[8], f32>
  %d = ragged.sum %y dims = [1] : !ragged.tensor<[n, n], f32> -> !ragged.tensor<[n], f32>
  %e = ragged.max %y dims = [0] : !ragged.tensor<[n, n], f32> -> !ragged.tensor<[n], f32>
  %f = ragged.mean %y dims = [0, 1] : !ragged.tensor<[n, n], f32> -> !ragged.tensor<[], f32>
  return %a, %b, %c, %d, %e, %f
      : !ragged.tensor<[n, 8], f32>, !ragged.tensor<[n, 8], f32>, !ragged.tensor<[8], f32>, !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32>,
        !ragged.tensor<[], f32>
}

!image = !ragged.tensor<[3, h, w], f32>
func.func @images(%x: !image) -> (!ragged.tensor<[3], f32>, !ragged.tensor<[h, w], f32>, !ragged.tensor<[3, h], f32>, !ragged.tensor<[], f32>) {
  %a = ragged.mean %x dims = [1, 2] : !image -> !ragged.tensor<[3], f32>
  %b = ragged.sum %x dims = [0] : !image -> !ragged.tensor<[h, w], f32>
  %c = ragged.max %x dims = [2] : !image -> !ragged.tensor<[3, h], f32>
  %d = ragged.sum %x dims = [0, 1, 2] : !image -> !ragged.tensor<[], f32>
  return %a, %b, %c, %d : !ragged.tensor<[3], f32>, !ragged.tensor<[h, w], f32>, !ragged.tensor<[3, h], f32>, !ragged.tensor<[], f32>
}

func.func @cube(%x: !ragged.tensor<[n, m, k], f32>) -> (!ragged.tensor<[n, k], f32>, !ragged.tensor<[m], f32>, !ragged.tensor<[k], f32>) {
  %a = ragged.sum %x dims = [1] : !ragged.tensor<[n, m, k], f32> -> !ragged.tensor<[n, k], f32>
  %b = ragged.max %x dims = [0, 2] : !ragged.tensor<[n, m, k], f32> -> !ragged.tensor<[m], f32>
  %c = ragged.mean %x dims = [0, 1] empty = zero : !ragged.tensor<[n, m, k], f32> -> !ragged.tensor<[k], f32>
  return %a, %b, %c : !ragged.tensor<[n, k], f32>, !ragged.tensor<[m], f32>, !ragged.tensor<[k], f32>
}

func.func @expressions(%x: !ragged.tensor<[n + 1, 3], f32>, %y: !ragged.tensor<[n, 2 * n], f32>) -> (!ragged.tensor<[3], f32>, !ragged.tensor<[n], f32>) {
  %a = ragged.mean %x dims = [0] : !ragged.tensor<[n + 1, 3], f32> -> !ragged.tensor<[3], f32>
  %b = ragged.sum %y dims = [1] : !ragged.tensor<[n, 2 * n], f32> -> !ragged.tensor<[n], f32>
  return %a, %b : !ragged.tensor<[3], f32>, !ragged.tensor<[n], f32>
}

// What a reduction reads is a view, or was computed; what it gives is used further.
func.func @with_neighbours(%x: !ragged.tensor<[n, 8], f32>, %r: !ragged.tensor<[m, 8], f32>, %w: tensor<8xf32>)
    -> (!ragged.tensor<[n, 8], f32>, !ragged.tensor<[8], f32>, !ragged.tensor<[8], f32>) {
  %e = ragged.exp %x : !ragged.tensor<[n, 8], f32> -> !ragged.tensor<[n, 8], f32>
  %s = ragged.sum %e dims = [0] keep_dims : !ragged.tensor<[n, 8], f32> -> !ragged.tensor<[1, 8], f32>
  %d = ragged.div %e, %s : !ragged.tensor<[n, 8], f32>, !ragged.tensor<[1, 8], f32> -> !ragged.tensor<[n, 8], f32>
  %b = ragged.broadcast %w dims = [1] like %r : tensor<8xf32>, !ragged.tensor<[m, 8], f32> -> !ragged.tensor<[m, 8], f32>
  %c = ragged.sum %b dims = [0] : !ragged.tensor<[m, 8], f32> -> !ragged.tensor<[8], f32>
  %p = ragged.add %r, %b : !ragged.tensor<[m, 8], f32>, !ragged.tensor<[m, 8], f32> -> !ragged.tensor<[m, 8], f32>
  %t = ragged.transpose %p permutation = [1, 0] : !ragged.tensor<[m, 8], f32> -> !ragged.tensor<[8, m], f32>
  %q = ragged.max %t dims = [1] : !ragged.tensor<[8, m], f32> -> !ragged.tensor<[8], f32>
  return %d, %c, %q : !ragged.tensor<[n, 8], f32>, !ragged.tensor<[8], f32>, !ragged.tensor<[8], f32>
}

// Sums of infinities, of which compensations are NaN; and of both signs.
func.func @infinite(%x: !ragged.tensor<[n, m, 8], f32>, %y: !ragged.tensor<[n, 3], f64>)
    -> (!ragged.tensor<[m, 8], f32>, !ragged.tensor<[8], f32>, tensor<f32>, !ragged.tensor<[n, 3], f64>, !ragged.tensor<[3], f64>, tensor<3xf64>, !ragged.tensor<[8], f32>) {
  %e = ragged.exp %x : !ragged.tensor<[n, m, 8], f32> -> !ragged.tensor<[n, m, 8], f32>
  %zero = ragged.sub %x, %x : !ragged.tensor<[n, m, 8], f32>, !ragged.tensor<[n, m, 8], f32> -> !ragged.tensor<[n, m, 8], f32>
  %q = ragged.div %e, %zero : !ragged.tensor<[n, m, 8], f32>, !ragged.tensor<[n, m, 8], f32> -> !ragged.tensor<[n, m, 8], f32>
  %0 = ragged.sum %q dims = [0] : !ragged.tensor<[n, m, 8], f32> -> !ragged.tensor<[m, 8], f32>
  %1 = ragged.mean %q dims = [0, 1] empty = zero : !ragged.tensor<[n, m, 8], f32> -> !ragged.tensor<[8], f32>
  %2 = ragged.sum %q dims = [0, 1, 2] batch : !ragged.tensor<[n, m, 8], f32> -> tensor<f32>
  %none = ragged.sub %y, %y : !ragged.tensor<[n, 3], f64>, !ragged.tensor<[n, 3], f64> -> !ragged.tensor<[n, 3], f64>
  %r = ragged.div %y, %none : !ragged.tensor<[n, 3], f64>, !ragged.tensor<[n, 3], f64> -> !ragged.tensor<[n, 3], f64>
  %3 = ragged.sum %r dims = [0] : !ragged.tensor<[n, 3], f64> -> !ragged.tensor<[3], f64>
  %4 = ragged.sum %r dims = [0] batch : !ragged.tensor<[n, 3], f64> -> tensor<3xf64>
  %p = ragged.div %x, %zero : !ragged.tensor<[n, m, 8], f32>, !ragged.tensor<[n, m, 8], f32> -> !ragged.tensor<[n, m, 8], f32>
  %5 = ragged.sum %p dims = [0, 1] : !ragged.tensor<[n, m, 8], f32> -> !ragged.tensor<[8], f32>
  return %0, %1, %2, %r, %3, %4, %5 : !ragged.tensor<[m, 8], f32>, !ragged.tensor<[8], f32>, tensor<f32>, !ragged.tensor<[n, 3], f64>, !ragged.tensor<[3], f64>, tensor<3xf64>, !ragged.tensor<[8], f32>
}
