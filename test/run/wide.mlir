// Rows of more elements than a warp takes at a time, some of whose arrays exceed shared memory; products
// wider than a tile of theirs; more samples than one search step finds.
// RUN: %run_all_lengths --lengths=3,0,70 %s
// RUN: %run_all_lengths --lengths=3,0,70 --target=emulated %s
// RUN: %python -c "import numpy; k = numpy.arange(300); numpy.save('%t.npy', k * k % 7 * (k % 3))"
// RUN: ragged-run %s --entry=many_samples --axis n=@%t.npy --compare=reference
// RUN: ragged-run %s --entry=many_samples --axis n=@%t.npy --compare=reference --target=emulated

!f32 = !ragged.tensor<[n, 1500], f32>
func.func @wide_f32(%x: !f32, %g: tensor<1500xf32>) -> (!f32, !f32, !ragged.tensor<[n], f32>) {
  %0 = ragged.layer_norm %x, %g dims = [1] eps = 1.0e-5 : !f32, tensor<1500xf32> -> !f32
  %1 = ragged.softmax %0 dim = 1 : !f32 -> !f32
  %2 = ragged.max %x dims = [1] : !f32 -> !ragged.tensor<[n], f32>
  return %0, %1, %2 : !f32, !f32, !ragged.tensor<[n], f32>
}

!f64 = !ragged.tensor<[n, 2049], f64>
func.func @wide_f64(%x: !f64) -> (!f64, !f64, !ragged.tensor<[2049], f64>) {
  %0 = ragged.layer_norm %x dims = [1] eps = 1.0e-5 : !f64 -> !f64
  %1 = ragged.softmax %x dim = 1 : !f64 -> !f64
  %2 = ragged.mean %x dims = [0] empty = zero : !f64 -> !ragged.tensor<[2049], f64>
  return %0, %1, %2 : !f64, !f64, !ragged.tensor<[2049], f64>
}

!bf16 = !ragged.tensor<[n, 2100], bf16>
func.func @wide_bf16(%x: !bf16) -> (!bf16, !bf16, !ragged.tensor<[2100], bf16>) {
  %0 = ragged.layer_norm %x dims = [1] eps = 1.0e-5 : !bf16 -> !bf16
  %1 = ragged.softmax %x dim = 1 : !bf16 -> !bf16
  %2 = ragged.sum %x dims = [0] : !bf16 -> !ragged.tensor<[2100], bf16>
  return %0, %1, %2 : !bf16, !bf16, !ragged.tensor<[2100], bf16>
}

!i64 = !ragged.tensor<[n, 1027], i64>
func.func @wide_i64(%x: !i64) -> (!ragged.tensor<[n], i64>, !ragged.tensor<[1027], i64>, !ragged.tensor<[], i64>) {
  %0 = ragged.sum %x dims = [1] : !i64 -> !ragged.tensor<[n], i64>
  %1 = ragged.max %x dims = [0] : !i64 -> !ragged.tensor<[1027], i64>
  %2 = ragged.sum %x dims = [0, 1] : !i64 -> !ragged.tensor<[], i64>
  return %0, %1, %2 : !ragged.tensor<[n], i64>, !ragged.tensor<[1027], i64>, !ragged.tensor<[], i64>
}

!n130 = !ragged.tensor<[n, 130], f32>
!n200 = !ragged.tensor<[n, 200], f32>
func.func @products(%x: !n130, %w: tensor<200x130xf32>, %v: tensor<130x200xf32>) -> (!n200, !n130) {
  %0 = ragged.linear %x, %w dim = 1 : !n130, tensor<200x130xf32> -> !n200
  %1 = ragged.gelu %0 : !n200 -> !n200
  %2 = ragged.linear %1, %v dim = 1 : !n200, tensor<130x200xf32> -> !n130
  %3 = ragged.add %2, %x : !n130, !n130 -> !n130
  return %1, %3 : !n200, !n130
}

func.func @norm_and_product(%x: !f32, %w: tensor<20x1500xf32>) -> !ragged.tensor<[n, 20], f32> {
  %0 = ragged.layer_norm %x dims = [1] eps = 1.0e-5 : !f32 -> !f32
  %1 = ragged.linear %0, %w dim = 1 : !f32, tensor<20x1500xf32> -> !ragged.tensor<[n, 20], f32>
  return %1 : !ragged.tensor<[n, 20], f32>
}

!middle = !ragged.tensor<[n, 3, 40, 5], f32>
func.func @middle(%x: !middle) -> (!middle, !middle, !ragged.tensor<[3, 5], f32>) {
  %0 = ragged.softmax %x dim = 2 : !middle -> !middle
  %1 = ragged.layer_norm %x dims = [1, 3] eps = 1.0e-5 : !middle -> !middle
  %2 = ragged.mean %1 dims = [0, 2] empty = zero : !middle -> !ragged.tensor<[3, 5], f32>
  return %0, %1, %2 : !middle, !middle, !ragged.tensor<[3, 5], f32>
}

!n2 = !ragged.tensor<[n, 2], f32>
func.func @many_samples(%x: !n2, %y: !ragged.tensor<[n, n], i64>)
    -> (!n2, !ragged.tensor<[n], i64>, tensor<2xf32>, tensor<i64>) {
  %0 = ragged.mean %x dims = [0] keep_dims empty = zero : !n2 -> !ragged.tensor<[1, 2], f32>
  %1 = ragged.sub %x, %0 : !n2, !ragged.tensor<[1, 2], f32> -> !n2
  %2 = ragged.sum %y dims = [1] : !ragged.tensor<[n, n], i64> -> !ragged.tensor<[n], i64>
  %3 = ragged.sum %x dims = [0] batch : !n2 -> tensor<2xf32>
  %4 = ragged.max %y dims = [0, 1] batch : !ragged.tensor<[n, n], i64> -> tensor<i64>
  return %1, %2, %3, %4 : !n2, !ragged.tensor<[n], i64>, tensor<2xf32>, tensor<i64>
}
