// Norms and softmax over static dimensions, over all length vectors.
// RUN: %run_all_lengths %s
// RUN: %run_all_lengths --target=emulated %s

!x = !ragged.tensor<[n, 3, 4], f32>
func.func @layer_norm_dims(%x: !x, %g3: tensor<3xf32>, %h3: tensor<3xf32>, %g4: tensor<4xf32>, %g34: tensor<3x4xf32>, %h34: tensor<3x4xf32>, %g43: tensor<4x3xf32>)
    -> (!x, !x, !x, !x, !x) {
  %1 = ragged.layer_norm %x, %g3, %h3 dims = [1] eps = 1.0e-5 : !x, tensor<3xf32>, tensor<3xf32> -> !x
  %2 = ragged.layer_norm %x, %g4 dims = [2] eps = 1.0e-3 : !x, tensor<4xf32> -> !x
  %3 = ragged.layer_norm %x, %g34, %h34 dims = [1, 2] eps = 1.0e-5 : !x, tensor<3x4xf32>, tensor<3x4xf32> -> !x
  %4 = ragged.layer_norm %x, %g43 dims = [2, 1] eps = 1.0e-5 : !x, tensor<4x3xf32> -> !x
  %5 = ragged.layer_norm %x dims = [2] eps = 0.5 : !x -> !x
  return %1, %2, %3, %4, %5 : !x, !x, !x, !x, !x
}

!a = !ragged.tensor<[n, 1], f32>
!b = !ragged.tensor<[n, 8], f32>
!c = !ragged.tensor<[n, 33], f32>
!d = !ragged.tensor<[n, 128], f32>
!e = !ragged.tensor<[n, 0], f32>
func.func @layer_norm_tails(%a: !a, %b: !b, %c: !c, %d: !d, %e: !e, %g8: tensor<8xf32>, %g128: tensor<128xf32>, %h128: tensor<128xf32>) -> (!a, !b, !c, !d, !e) {
  %1 = ragged.layer_norm %a dims = [1] eps = 1.0e-5 : !a -> !a
  %2 = ragged.layer_norm %b, %g8 dims = [1] eps = 1.0e-5 : !b, tensor<8xf32> -> !b
  %3 = ragged.layer_norm %c dims = [1] eps = 1.0e-5 : !c -> !c
  %4 = ragged.layer_norm %d, %g128, %h128 dims = [1] eps = 1.0e-5 : !d, tensor<128xf32>, tensor<128xf32> -> !d
  %5 = ragged.layer_norm %e dims = [1] eps = 1.0e-5 : !e -> !e
  return %1, %2, %3, %4, %5 : !a, !b, !c, !d, !e
}

!f64 = !ragged.tensor<[n, 5, 3], f64>
!bf16 = !ragged.tensor<[5, n, 33], bf16>
!square = !ragged.tensor<[n, n, 8], f32>
!image = !ragged.tensor<[3, h, w], f32>
!other = !ragged.tensor<[n, 3, 4], f32, order = [0, 2, 1]>
func.func @layer_norm_layouts(%f: !f64, %b: !bf16, %gb: tensor<33xbf16>, %gc: tensor<5x33xbf16>, %o: !other, %g: tensor<3xf32>, %s: !square) -> (!f64, !bf16, !bf16, !other, !other, !square) {
  %1 = ragged.layer_norm %f dims = [1] eps = 1.0e-5 : !f64 -> !f64
  %2 = ragged.layer_norm %b, %gb dims = [2] eps = 1.0e-5 : !bf16, tensor<33xbf16> -> !bf16
  %3 = ragged.layer_norm %b, %gc dims = [0, 2] eps = 1.0e-5 : !bf16, tensor<5x33xbf16> -> !bf16
  %4 = ragged.layer_norm %o, %g dims = [1] eps = 1.0e-5 : !other, tensor<3xf32> -> !other
  %5 = ragged.layer_norm %o dims = [2] eps = 1.0e-5 : !other -> !other
  %6 = ragged.layer_norm %s dims = [2] eps = 1.0e-5 : !square -> !square
  return %1, %2, %3, %4, %5, %6 : !f64, !bf16, !bf16, !other, !other, !square
}

func.func @images(%x: !image, %g: tensor<3xf32>, %h: tensor<3xf32>) -> (!image, !image) {
  %1 = ragged.layer_norm %x, %g, %h dims = [0] eps = 1.0e-5 : !image, tensor<3xf32>, tensor<3xf32> -> !image
  %2 = ragged.softmax %x dim = 0 : !image -> !image
  return %1, %2 : !image, !image
}

// ---- Softmax -----------------------------------------------------------------------------------

func.func @softmax_dims(%x: !x, %o: !other, %f: !f64, %b: !bf16) -> (!x, !x, !other, !other, !f64, !f64, !bf16, !bf16) {
  %1 = ragged.softmax %x dim = 1 : !x -> !x
  %2 = ragged.softmax %x dim = 2 : !x -> !x
  %3 = ragged.softmax %o dim = 1 : !other -> !other
  %4 = ragged.softmax %o dim = 2 : !other -> !other
  %5 = ragged.softmax %f dim = 1 : !f64 -> !f64
  %6 = ragged.softmax %f dim = 2 : !f64 -> !f64
  %7 = ragged.softmax %b dim = 0 : !bf16 -> !bf16
  %8 = ragged.softmax %b dim = 2 : !bf16 -> !bf16
  return %1, %2, %3, %4, %5, %6, %7, %8 : !x, !x, !other, !other, !f64, !f64, !bf16, !bf16
}

func.func @softmax_tails(%a: !a, %b: !b, %c: !c, %d: !d, %e: !e) -> (!a, !b, !c, !d, !e) {
  %1 = ragged.softmax %a dim = 1 : !a -> !a
  %2 = ragged.softmax %b dim = 1 : !b -> !b
  %3 = ragged.softmax %c dim = 1 : !c -> !c
  %4 = ragged.softmax %d dim = 1 : !d -> !d
  %5 = ragged.softmax %e dim = 1 : !e -> !e
  return %1, %2, %3, %4, %5 : !a, !b, !c, !d, !e
}

// Groups that are all -inf give 0, a NaN gives NaN; so does +inf.
func.func @softmax_limits(%x: !b, %y: !x) -> (!b, !x, !x) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %1 = ragged.add %x, %low : !b, f32 -> !b
  %2 = ragged.softmax %1 dim = 1 : !b -> !b
  %3 = ragged.div %y, %zero : !x, f32 -> !x
  %4 = ragged.softmax %3 dim = 1 : !x -> !x
  %5 = ragged.softmax %3 dim = 2 : !x -> !x
  return %2, %4, %5 : !b, !x, !x
}

func.func @chain(%x: !b, %g: tensor<8xf32>) -> (!b, !b) {
  %1 = ragged.layer_norm %x, %g dims = [1] eps = 1.0e-5 : !b, tensor<8xf32> -> !b
  %2 = ragged.softmax %1 dim = 1 : !b -> !b
  %3 = ragged.mul %2, %x : !b, !b -> !b
  %4 = ragged.sum %3 dims = [1] keep_dims : !b -> !ragged.tensor<[n, 1], f32>
  %5 = ragged.sub %1, %4 : !b, !ragged.tensor<[n, 1], f32> -> !b
  %6 = ragged.layer_norm %5 dims = [1] eps = 1.0e-5 : !b -> !b
  return %6, %2 : !b, !b
}

// Rows that do not vary, and an eps below every f32: 0, not NaN.
func.func @tiny_eps(%x: !ragged.tensor<[n, 1], f32>) -> !ragged.tensor<[n, 1], f32> {
  %1 = ragged.layer_norm %x dims = [1] eps = 1.0e-46 : !ragged.tensor<[n, 1], f32> -> !ragged.tensor<[n, 1], f32>
  return %1 : !ragged.tensor<[n, 1], f32>
}
