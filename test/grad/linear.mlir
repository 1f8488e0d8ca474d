// Derivatives of products with dense weights.
// RUN: %check_gradients %s
// RUN: %check_gradients --print %s > %t.mlir
// RUN: %run_all_lengths %t.mlir
// RUN: %run_all_lengths --target=emulated %t.mlir

!x = !ragged.tensor<[n, 4], f32>
!y = !ragged.tensor<[n, 3], f32>
!image = !ragged.tensor<[4, n, 2], f32>
!image_out = !ragged.tensor<[3, n, 2], f32>
!turned = !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>
!turned_out = !ragged.tensor<[n, m, 3], f32, order = [1, 0, 2]>

func.func @linear(%x: !x, %w: tensor<3x4xf32>) -> !y {
  %0 = ragged.linear %x, %w dim = 1 : !x, tensor<3x4xf32> -> !y
  return %0 : !y
}

func.func @with_bias(%x: !x, %w: tensor<3x4xf32>, %b: tensor<3xf32>) -> !y {
  %0 = ragged.linear %x, %w, %b dim = 1 : !x, tensor<3x4xf32>, tensor<3xf32> -> !y
  return %0 : !y
}

func.func @transposed(%x: !x, %w: tensor<4x3xf32>, %b: tensor<3xf32>) -> !y {
  %0 = ragged.linear %x, %w, %b dim = 1 transposed : !x, tensor<4x3xf32>, tensor<3xf32> -> !y
  return %0 : !y
}

func.func @first_dim(%x: !image, %w: tensor<3x4xf32>, %b: tensor<3xf32>) -> !image_out {
  %0 = ragged.linear %x, %w, %b dim = 0 : !image, tensor<3x4xf32>, tensor<3xf32> -> !image_out
  return %0 : !image_out
}

func.func @columns_first(%x: !turned, %w: tensor<3x4xf32>, %b: tensor<3xf32>) -> !turned_out {
  %0 = ragged.linear %x, %w, %b dim = 2 : !turned, tensor<3x4xf32>, tensor<3xf32> -> !turned_out
  return %0 : !turned_out
}

// One weight in two products.
func.func @shared(%x: !x, %w: tensor<4x4xf32>) -> !x {
  %0 = ragged.linear %x, %w dim = 1 : !x, tensor<4x4xf32> -> !x
  %1 = ragged.gelu %0 : !x -> !x
  %2 = ragged.linear %1, %w dim = 1 : !x, tensor<4x4xf32> -> !x
  %3 = ragged.add %x, %2 : !x, !x -> !x
  return %3 : !x
}

func.func @narrow(%x: !ragged.tensor<[n, 4], bf16>, %w: tensor<3x4xbf16>)
    -> !ragged.tensor<[n, 3], bf16> {
  %0 = ragged.linear %x, %w dim = 1
      : !ragged.tensor<[n, 4], bf16>, tensor<3x4xbf16> -> !ragged.tensor<[n, 3], bf16>
  return %0 : !ragged.tensor<[n, 3], bf16>
}

func.func @over_rows(%x: !ragged.tensor<[n, 4, 2], f32>, %y: !ragged.tensor<[3, n, 2], f32>)
    -> tensor<3x4xf32> {
  %0 = ragged.product_over_rows %x, %y dims = [1, 0]
      : !ragged.tensor<[n, 4, 2], f32>, !ragged.tensor<[3, n, 2], f32> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

func.func @twice_linear(%x: !x, %w: tensor<3x4xf32>, %b: tensor<3xf32>) -> !y {
  %0 = ragged.linear %x, %w, %b dim = 1 : !x, tensor<3x4xf32>, tensor<3xf32> -> !y
  %1 = ragged.mul %0, %0 : !y, !y -> !y
  return %1 : !y
}
