func.func @exp(%x: !ragged.tensor<[n], f32>) -> !ragged.tensor<[n], f32> {
  %y = ragged.exp %x : !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
  return %y : !ragged.tensor<[n], f32>
}
func.func @sigmoid(%x: !ragged.tensor<[n], f32>) -> !ragged.tensor<[n], f32> {
  %y = ragged.sigmoid %x : !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
  return %y : !ragged.tensor<[n], f32>
}
func.func @gelu(%x: !ragged.tensor<[n], f32>) -> !ragged.tensor<[n], f32> {
  %y = ragged.gelu %x : !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
  return %y : !ragged.tensor<[n], f32>
}
func.func @erf(%x: !ragged.tensor<[n], f32>) -> !ragged.tensor<[n], f32> {
  %y = ragged.erf %x : !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
  return %y : !ragged.tensor<[n], f32>
}
func.func @normal_cdf(%x: !ragged.tensor<[n], f32>) -> !ragged.tensor<[n], f32> {
  %y = ragged.normal_cdf %x : !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
  return %y : !ragged.tensor<[n], f32>
}
