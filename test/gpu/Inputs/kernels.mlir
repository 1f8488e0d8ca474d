// Kernels of which every number is known.
!x = !ragged.tensor<[n, 8], f32>
!i = !ragged.tensor<[n], i64>
func.func @add(%x: !x, %y: !x) -> !x {
  %0 = ragged.add %x, %y : !x, !x -> !x
  return %0 : !x
}
func.func @divide(%x: !i, %y: !i) -> !i {
  %0 = ragged.div %x, %y : !i, !i -> !i
  return %0 : !i
}
func.func @sum(%x: !ragged.tensor<[n, 128], f32>) -> !ragged.tensor<[n], f32> {
  %0 = ragged.sum %x dims = [1] : !ragged.tensor<[n, 128], f32> -> !ragged.tensor<[n], f32>
  return %0 : !ragged.tensor<[n], f32>
}
