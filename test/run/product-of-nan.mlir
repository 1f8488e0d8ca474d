// oneDNN's relu gives 0 for NaN, where relu of NaN is NaN: generated products do it.
// RUN: env RAGGED_PRODUCTS=generated ragged-run %s --axis n=2 --compare=reference
// RUN: env RAGGED_PRODUCTS=library ragged-run %s --axis n=2 --compare=reference

!x = !ragged.tensor<[n, 3], f32>
func.func @relu_of_nan(%x: !x, %w: tensor<3x3xf32>, %b: tensor<3xf32>) -> !x {
  %zero = arith.constant 0.0 : f32
  %0 = ragged.mul %x, %zero : !x, f32 -> !x
  %1 = ragged.div %0, %zero : !x, f32 -> !x
  %2 = ragged.linear %1, %w, %b dim = 1 : !x, tensor<3x3xf32>, tensor<3xf32> -> !x
  %3 = ragged.relu %2 : !x -> !x
  return %3 : !x
}
