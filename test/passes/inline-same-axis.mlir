// XFAIL: *
// `p` and `q` are one axis of the caller; renaming it to `k` in the inlined op would rename both.
// RUN: ragged-opt %s --ragged-verify-axes --ragged-inline

func.func private @same(%a: !ragged.tensor<[t], f32>, %b: !ragged.tensor<[p, q], f32>) -> !ragged.tensor<[p, t], f32> {
  %0 = ragged.assume_same_axis %b from = "q" to = "t" like %a : !ragged.tensor<[p, q], f32>, !ragged.tensor<[t], f32> -> !ragged.tensor<[p, t], f32>
  return %0 : !ragged.tensor<[p, t], f32>
}

func.func @call(%x: !ragged.tensor<[k], f32>, %y: !ragged.tensor<[n, n], f32>) -> !ragged.tensor<[n, k], f32> {
  %0 = ragged.call @same(%x, %y) : (!ragged.tensor<[k], f32>, !ragged.tensor<[n, n], f32>) -> !ragged.tensor<[n, k], f32>
  return %0 : !ragged.tensor<[n, k], f32>
}
