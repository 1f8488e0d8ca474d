// Derivatives of the ops that change schemas.
// RUN: %check_gradients %s
// RUN: %check_gradients --print %s > %t.mlir
// RUN: %run_all_lengths %t.mlir
// RUN: %run_all_lengths --target=emulated %t.mlir

!n4 = !ragged.tensor<[n, 4], f32>
!pair = !ragged.tensor<[n, m, 3], f32>
!turned = !ragged.tensor<[n, m, 3], f32, order = [1, 0, 2]>

func.func @expand_dims(%x: !n4) -> !ragged.tensor<[n, 1, 4], f32> {
  %0 = ragged.mul %x, %x : !n4, !n4 -> !n4
  %1 = ragged.expand_dims %0 dim = 1 : !n4 -> !ragged.tensor<[n, 1, 4], f32>
  return %1 : !ragged.tensor<[n, 1, 4], f32>
}

func.func @squeeze(%x: !ragged.tensor<[1, n, 1, 4], f32, order = [1, 3, 0, 2]>) -> !n4 {
  %0 = ragged.squeeze %x dims = [2, 0] : !ragged.tensor<[1, n, 1, 4], f32, order = [1, 3, 0, 2]> -> !n4
  %1 = ragged.mul %0, %0 : !n4, !n4 -> !n4
  return %1 : !n4
}

func.func @transpose(%x: !pair) -> !ragged.tensor<[3, n, m], f32> {
  %0 = ragged.transpose %x permutation = [2, 0, 1] : !pair -> !ragged.tensor<[3, n, m], f32>
  %1 = ragged.mul %0, %0 : !ragged.tensor<[3, n, m], f32>, !ragged.tensor<[3, n, m], f32>
      -> !ragged.tensor<[3, n, m], f32>
  return %1 : !ragged.tensor<[3, n, m], f32>
}

func.func @reorder(%x: !pair) -> !turned {
  %0 = ragged.reorder %x order = [1, 0, 2] : !pair -> !turned
  %1 = ragged.mul %0, %0 : !turned, !turned -> !turned
  return %1 : !turned
}

// Along ragged axes, static ones, and dimensions of extent 1; in another order of dimensions.
func.func @broadcast(%x: !ragged.tensor<[3, n], f32>, %y: !ragged.tensor<[1, 3], f32>,
                     %like: !ragged.tensor<[n, m, 3], f32, order = [1, 0, 2]>)
    -> (!turned, !turned) {
  %0 = ragged.broadcast %x dims = [2, 0] like %like : !ragged.tensor<[3, n], f32>, !turned -> !turned
  %1 = ragged.mul %0, %like : !turned, !turned -> !turned
  %2 = ragged.broadcast %y dims = [1, 2] like %like : !ragged.tensor<[1, 3], f32>, !turned -> !turned
  %3 = ragged.mul %2, %1 : !turned, !turned -> !turned
  return %1, %3 : !turned, !turned
}

// Builtin tensors and scalars.
func.func @broadcast_dense(%w: tensor<3xf32>, %v: tensor<1x3xf32>, %s: f32, %x: !pair)
    -> (!pair, !pair) {
  %0 = ragged.broadcast %w dims = [2] like %x : tensor<3xf32>, !pair -> !pair
  %1 = ragged.mul %0, %x : !pair, !pair -> !pair
  %2 = ragged.broadcast %v dims = [0, 2] like %x : tensor<1x3xf32>, !pair -> !pair
  %3 = ragged.mul %2, %1 : !pair, !pair -> !pair
  %4 = ragged.broadcast %s dims = [] like %x : f32, !pair -> !pair
  %5 = ragged.mul %4, %x : !pair, !pair -> !pair
  return %3, %5 : !pair, !pair
}

func.func @full(%s: f32, %x: !n4) -> !n4 {
  %0 = ragged.full %s like %x : f32, !n4 -> !n4
  %1 = ragged.mul %0, %x : !n4, !n4 -> !n4
  return %1 : !n4
}

func.func @twice_broadcast(%x: !ragged.tensor<[n], f32>, %y: !pair) -> !pair {
  %0 = ragged.broadcast %x dims = [0] like %y : !ragged.tensor<[n], f32>, !pair -> !pair
  %1 = ragged.exp %0 : !pair -> !pair
  %2 = ragged.mul %1, %y : !pair, !pair -> !pair
  return %2 : !pair
}
