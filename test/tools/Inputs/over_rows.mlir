func.func @gradients(%x: !ragged.tensor<[n, 70], f32>, %dy: !ragged.tensor<[n, 33], f32>, %u: !ragged.tensor<[n, 20], bf16>, %dv: !ragged.tensor<[n, 24], bf16>)
    -> (tensor<33x70xf32>, tensor<24x20xbf16>) {
  %0 = ragged.product_over_rows %x, %dy dims = [1, 1] : !ragged.tensor<[n, 70], f32>, !ragged.tensor<[n, 33], f32> -> tensor<33x70xf32>
  %1 = ragged.product_over_rows %u, %dv dims = [1, 1] : !ragged.tensor<[n, 20], bf16>, !ragged.tensor<[n, 24], bf16> -> tensor<24x20xbf16>
  return %0, %1 : tensor<33x70xf32>, tensor<24x20xbf16>
}
