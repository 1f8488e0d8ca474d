// The programs whose GPU kernels faults are planted in (plant_nvvm.py), one function each. Together they
// have all ways of sharing rows among threads.

// Elements: rows are just elements, 16 bytes a thread.
!n3 = !ragged.tensor<[n, 3], f32>
func.func @elements(%x: !n3, %y: !n3) -> !n3 {
  %0 = ragged.sub %x, %y : !n3, !n3 -> !n3
  %1 = ragged.mul %0, %y : !n3, !n3 -> !n3
  return %1 : !n3
}

// -----

// A thread for each row, which finds its sample and its coordinates.
!p = !ragged.tensor<[n, m, 4], f32>
func.func @pairs(%x: !ragged.tensor<[n, 1, 4], f32>, %y: !ragged.tensor<[1, m, 4], f32>) -> !p {
  %0 = ragged.sub %x, %y : !ragged.tensor<[n, 1, 4], f32>, !ragged.tensor<[1, m, 4], f32> -> !p
  return %0 : !p
}

// -----

// Lanes of a warp share a row and exchange by shuffles; row arrays in shared memory.
!n128 = !ragged.tensor<[n, 128], f32>
func.func @norm(%x: !n128, %g: tensor<128xf32>) -> !n128 {
  %0 = ragged.layer_norm %x, %g dims = [1] eps = 1.0e-5 : !n128, tensor<128xf32> -> !n128
  %1 = ragged.softmax %0 dim = 1 : !n128 -> !n128
  return %1 : !n128
}

// -----

// A block for each row: partial sums of warps go through shared memory, the sum is compensated.
func.func @total(%x: !ragged.tensor<[n, 3], f32>) -> (!ragged.tensor<[3], f32>, !ragged.tensor<[3], f32>) {
  %0 = ragged.sum %x dims = [0] : !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[3], f32>
  %1 = ragged.max %x dims = [0] : !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[3], f32>
  return %0, %1 : !ragged.tensor<[3], f32>, !ragged.tensor<[3], f32>
}

// -----

// Lanes share the positions of an accumulation.
func.func @columns(%x: !ragged.tensor<[n, m, 2], f32>) -> !ragged.tensor<[m, 2], f32> {
  %0 = ragged.sum %x dims = [0] : !ragged.tensor<[n, m, 2], f32> -> !ragged.tensor<[m, 2], f32>
  return %0 : !ragged.tensor<[m, 2], f32>
}

// -----

// A dense product: blocks of rows, tiles in shared memory, a norm before it.
func.func @product(%x: !ragged.tensor<[n, 20], f32>, %w: tensor<33x20xf32>, %b: tensor<33xf32>)
    -> !ragged.tensor<[n, 33], f32> {
  %0 = ragged.layer_norm %x dims = [1] eps = 1.0e-5 : !ragged.tensor<[n, 20], f32> -> !ragged.tensor<[n, 20], f32>
  %1 = ragged.linear %0, %w, %b dim = 1 : !ragged.tensor<[n, 20], f32>, tensor<33x20xf32>, tensor<33xf32>
      -> !ragged.tensor<[n, 33], f32>
  %2 = ragged.relu %1 : !ragged.tensor<[n, 33], f32> -> !ragged.tensor<[n, 33], f32>
  return %2 : !ragged.tensor<[n, 33], f32>
}

// -----

// The same with many terms, which all round the same way: what a plain sum gets wrong is more than the
// allowed error.
!tenths = !ragged.tensor<[n, m, 2], f32>
func.func @tenths(%x: !tenths) -> !ragged.tensor<[m, 2], f32> {
  %zero = arith.constant 0.0 : f32
  %tenth = arith.constant 0.1 : f32
  %0 = ragged.mul %x, %zero : !tenths, f32 -> !tenths
  %1 = ragged.add %0, %tenth : !tenths, f32 -> !tenths
  %2 = ragged.sum %1 dims = [0] : !tenths -> !ragged.tensor<[m, 2], f32>
  return %2 : !ragged.tensor<[m, 2], f32>
}
