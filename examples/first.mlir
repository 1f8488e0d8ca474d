// For every position of every sample: how far it lies above the others, at most, and on average.
// `n` is a ragged axis. Each sample has its own extent along it; the type says no number.
!values = !ragged.tensor<[n], f32>
!rows = !ragged.tensor<[n, 1], f32>
!columns = !ragged.tensor<[1, n], f32>
!pairs = !ragged.tensor<[n, n], f32>

func.func @above(%x: !values) -> (!values, !ragged.tensor<[], f32>) {
  %a = ragged.expand_dims %x dim = 1 : !values -> !rows
  %b = ragged.expand_dims %x dim = 0 : !values -> !columns
  %difference = ragged.sub %a, %b : !rows, !columns -> !pairs
  %most = ragged.max %difference dims = [1] : !pairs -> !values
  %mean = ragged.mean %most dims = [0] empty = zero : !values -> !ragged.tensor<[], f32>
  return %most, %mean : !values, !ragged.tensor<[], f32>
}
