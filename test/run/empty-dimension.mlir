// Reductions, norms and softmax of dimensions beside one that is empty: nothing is computed.
// RUN: %run_all_lengths %s
// RUN: %run_all_lengths --target=emulated %s

!a = !ragged.tensor<[n, 0, 2], f32>
func.func @before(%x: !a) -> (!ragged.tensor<[n, 0], f32>, !ragged.tensor<[n, 0], f32>, !ragged.tensor<[n, 0], f32>, !a, !a) {
  %0 = ragged.sum %x dims = [2] : !a -> !ragged.tensor<[n, 0], f32>
  %1 = ragged.max %x dims = [2] : !a -> !ragged.tensor<[n, 0], f32>
  %2 = ragged.mean %x dims = [2] : !a -> !ragged.tensor<[n, 0], f32>
  %3 = ragged.softmax %x dim = 2 : !a -> !a
  %4 = ragged.layer_norm %x dims = [2] eps = 1.0e-5 : !a -> !a
  return %0, %1, %2, %3, %4 : !ragged.tensor<[n, 0], f32>, !ragged.tensor<[n, 0], f32>, !ragged.tensor<[n, 0], f32>, !a, !a
}

!b = !ragged.tensor<[n, 300, 0], f32>
func.func @after(%x: !b) -> (!ragged.tensor<[n, 0], f32>, !b, !b) {
  %0 = ragged.max %x dims = [1] : !b -> !ragged.tensor<[n, 0], f32>
  %1 = ragged.softmax %x dim = 1 : !b -> !b
  %2 = ragged.layer_norm %x dims = [1] eps = 1.0e-5 : !b -> !b
  return %0, %1, %2 : !ragged.tensor<[n, 0], f32>, !b, !b
}

!c = !ragged.tensor<[2, 0], f32>
func.func @no_axis(%x: !c) -> (!ragged.tensor<[0], f32>, !c) {
  %0 = ragged.sum %x dims = [0] : !c -> !ragged.tensor<[0], f32>
  %1 = ragged.softmax %x dim = 0 : !c -> !c
  return %0, %1 : !ragged.tensor<[0], f32>, !c
}
