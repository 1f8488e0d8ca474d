// Derivatives of the normalisations.
// RUN: %check_gradients %s
// RUN: %check_gradients --print %s > %t.mlir
// RUN: %run_all_lengths %t.mlir
// RUN: %run_all_lengths --target=emulated %t.mlir

!n8 = !ragged.tensor<[n, 8], f32>
!b8 = !ragged.tensor<[n, 8], bf16>
!image = !ragged.tensor<[3, n, 2], f32>

func.func @plain(%x: !n8) -> !n8 {
  %0 = ragged.layer_norm %x dims = [1] eps = 1.0e-1 : !n8 -> !n8
  return %0 : !n8
}

func.func @scaled(%x: !n8, %scale: tensor<8xf32>) -> !n8 {
  %0 = ragged.layer_norm %x, %scale dims = [1] eps = 1.0e-1 : !n8, tensor<8xf32> -> !n8
  return %0 : !n8
}

func.func @whole(%x: !n8, %scale: tensor<8xf32>, %bias: tensor<8xf32>) -> !n8 {
  %0 = ragged.layer_norm %x, %scale, %bias dims = [1] eps = 1.0e-1
      : !n8, tensor<8xf32>, tensor<8xf32> -> !n8
  return %0 : !n8
}

// Two dimensions, not in order.
func.func @two_dims(%x: !image, %scale: tensor<2x3xf32>, %bias: tensor<2x3xf32>) -> !image {
  %0 = ragged.layer_norm %x, %scale, %bias dims = [2, 0] eps = 1.0e-1
      : !image, tensor<2x3xf32>, tensor<2x3xf32> -> !image
  return %0 : !image
}

func.func @narrow(%x: !b8, %scale: tensor<8xbf16>, %bias: tensor<8xbf16>) -> !b8 {
  %0 = ragged.layer_norm %x, %scale, %bias dims = [1] eps = 1.0e-1
      : !b8, tensor<8xbf16>, tensor<8xbf16> -> !b8
  return %0 : !b8
}

func.func @softmax(%x: !n8) -> !n8 {
  %0 = ragged.softmax %x dim = 1 : !n8 -> !n8
  return %0 : !n8
}

func.func @softmax_first(%x: !image) -> !image {
  %0 = ragged.softmax %x dim = 0 : !image -> !image
  return %0 : !image
}

func.func @softmax_narrow(%x: !b8) -> !b8 {
  %0 = ragged.softmax %x dim = 1 : !b8 -> !b8
  return %0 : !b8
}

func.func @twice_norm(%x: !n8, %scale: tensor<8xf32>) -> !n8 {
  %0 = ragged.layer_norm %x, %scale dims = [1] eps = 1.0e-1 : !n8, tensor<8xf32> -> !n8
  return %0 : !n8
}

func.func @twice_softmax(%x: !n8) -> !n8 {
  %0 = ragged.softmax %x dim = 1 : !n8 -> !n8
  return %0 : !n8
}
