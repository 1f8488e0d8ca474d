// Linear maps of every static dimension, with and without bias and epilogues, over all length vectors.
// RUN: %run_all_lengths %s
// RUN: %run_all_lengths --target=emulated %s

!x = !ragged.tensor<[n, 3, 4], f32>
func.func @each_dimension(%x: !x, %w: tensor<5x3xf32>, %v: tensor<7x4xf32>, %b: tensor<5xf32>, %c: tensor<7xf32>)
    -> (!ragged.tensor<[n, 5, 4], f32>, !ragged.tensor<[n, 3, 7], f32>, !ragged.tensor<[n, 5, 4], f32>, !ragged.tensor<[n, 3, 7], f32>) {
  %1 = ragged.linear %x, %w dim = 1 : !x, tensor<5x3xf32> -> !ragged.tensor<[n, 5, 4], f32>
  %2 = ragged.linear %x, %v dim = 2 : !x, tensor<7x4xf32> -> !ragged.tensor<[n, 3, 7], f32>
  %3 = ragged.linear %x, %w, %b dim = 1 : !x, tensor<5x3xf32>, tensor<5xf32> -> !ragged.tensor<[n, 5, 4], f32>
  %4 = ragged.linear %x, %v, %c dim = 2 : !x, tensor<7x4xf32>, tensor<7xf32> -> !ragged.tensor<[n, 3, 7], f32>
  return %1, %2, %3, %4
      : !ragged.tensor<[n, 5, 4], f32>, !ragged.tensor<[n, 3, 7], f32>, !ragged.tensor<[n, 5, 4], f32>, !ragged.tensor<[n, 3, 7], f32>
}

func.func @orders(%x: !ragged.tensor<[4, n, 3, m], f32, order = [3, 1, 2, 0]>, %w: tensor<5x4xf32>, %v: tensor<2x3xf32>)
    -> (!ragged.tensor<*, f32>, !ragged.tensor<*, f32>) {
  %1 = ragged.linear %x, %w dim = 0 : !ragged.tensor<[4, n, 3, m], f32, order = [3, 1, 2, 0]>, tensor<5x4xf32> -> !ragged.tensor<*, f32>
  %2 = ragged.linear %x, %v dim = 2 : !ragged.tensor<[4, n, 3, m], f32, order = [3, 1, 2, 0]>, tensor<2x3xf32> -> !ragged.tensor<*, f32>
  return %1, %2 : !ragged.tensor<*, f32>, !ragged.tensor<*, f32>
}

func.func @types(%d: !ragged.tensor<[n, 3], f64>, %wd: tensor<4x3xf64>, %bd: tensor<4xf64>,
                 %b: !ragged.tensor<[n, 33], bf16>, %wb: tensor<17x33xbf16>, %bb: tensor<17xbf16>,
                 %i: !ragged.tensor<[n, 5], i64>, %wi: tensor<3x5xi64>, %bi: tensor<3xi64>)
    -> (!ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 17], bf16>, !ragged.tensor<[n, 3], i64>, !ragged.tensor<[n, 3], i64>) {
  %1 = ragged.linear %d, %wd, %bd dim = 1 : !ragged.tensor<[n, 3], f64>, tensor<4x3xf64>, tensor<4xf64> -> !ragged.tensor<[n, 4], f64>
  %2 = ragged.linear %b, %wb, %bb dim = 1 : !ragged.tensor<[n, 33], bf16>, tensor<17x33xbf16>, tensor<17xbf16> -> !ragged.tensor<[n, 17], bf16>
  %3 = ragged.linear %i, %wi, %bi dim = 1 : !ragged.tensor<[n, 5], i64>, tensor<3x5xi64>, tensor<3xi64> -> !ragged.tensor<[n, 3], i64>
  %4 = ragged.linear %i, %wi dim = 1 : !ragged.tensor<[n, 5], i64>, tensor<3x5xi64> -> !ragged.tensor<[n, 3], i64>
  return %1, %2, %3, %4 : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 17], bf16>, !ragged.tensor<[n, 3], i64>, !ragged.tensor<[n, 3], i64>
}

func.func @widths(%a: !ragged.tensor<[n, 1], f32>, %wa: tensor<8x1xf32>, %b: !ragged.tensor<[n, 33], f32>, %wb: tensor<1x33xf32>,
                  %c: !ragged.tensor<[n, 128], f32>, %wc: tensor<33x128xf32>, %wd: tensor<128x33xf32>, %s: !ragged.tensor<[8], f32>, %ws: tensor<3x8xf32>)
    -> (!ragged.tensor<[n, 8], f32>, !ragged.tensor<[n, 1], f32>, !ragged.tensor<[n, 33], f32>, !ragged.tensor<[n, 128], f32>, !ragged.tensor<[3], f32>) {
  %1 = ragged.linear %a, %wa dim = 1 : !ragged.tensor<[n, 1], f32>, tensor<8x1xf32> -> !ragged.tensor<[n, 8], f32>
  %2 = ragged.linear %b, %wb dim = 1 : !ragged.tensor<[n, 33], f32>, tensor<1x33xf32> -> !ragged.tensor<[n, 1], f32>
  %z = ragged.linear %c, %wc dim = 1 : !ragged.tensor<[n, 128], f32>, tensor<33x128xf32> -> !ragged.tensor<[n, 33], f32>
  %3 = ragged.relu %z : !ragged.tensor<[n, 33], f32> -> !ragged.tensor<[n, 33], f32>
  %4 = ragged.linear %b, %wd dim = 1 : !ragged.tensor<[n, 33], f32>, tensor<128x33xf32> -> !ragged.tensor<[n, 128], f32>
  %5 = ragged.linear %s, %ws dim = 0 : !ragged.tensor<[8], f32>, tensor<3x8xf32> -> !ragged.tensor<[3], f32>
  return %1, %2, %3, %4, %5
      : !ragged.tensor<[n, 8], f32>, !ragged.tensor<[n, 1], f32>, !ragged.tensor<[n, 33], f32>, !ragged.tensor<[n, 128], f32>, !ragged.tensor<[3], f32>
}

// An empty sum is 0; an empty result, or no rows in a row, is nothing.
func.func @nothing(%a: !ragged.tensor<[n, 0], f32>, %wa: tensor<4x0xf32>, %ba: tensor<4xf32>, %b: !ragged.tensor<[n, 4], f32>, %wb: tensor<0x4xf32>,
                   %c: !ragged.tensor<[n, 0, 4], f32>, %wc: tensor<3x4xf32>)
    -> (!ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 0], f32>, !ragged.tensor<[n, 0, 3], f32>) {
  %1 = ragged.linear %a, %wa dim = 1 : !ragged.tensor<[n, 0], f32>, tensor<4x0xf32> -> !ragged.tensor<[n, 4], f32>
  %2 = ragged.linear %a, %wa, %ba dim = 1 : !ragged.tensor<[n, 0], f32>, tensor<4x0xf32>, tensor<4xf32> -> !ragged.tensor<[n, 4], f32>
  %3 = ragged.linear %b, %wb dim = 1 : !ragged.tensor<[n, 4], f32>, tensor<0x4xf32> -> !ragged.tensor<[n, 0], f32>
  %4 = ragged.linear %c, %wc dim = 2 : !ragged.tensor<[n, 0, 4], f32>, tensor<3x4xf32> -> !ragged.tensor<[n, 0, 3], f32>
  return %1, %2, %3, %4 : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 0], f32>, !ragged.tensor<[n, 0, 3], f32>
}

func.func @pairs(%x: !ragged.tensor<[n, n, 8], f32>, %w: tensor<6x8xf32>, %b: tensor<6xf32>) -> !ragged.tensor<[n, n, 6], f32> {
  %1 = ragged.linear %x, %w, %b dim = 2 : !ragged.tensor<[n, n, 8], f32>, tensor<6x8xf32>, tensor<6xf32> -> !ragged.tensor<[n, n, 6], f32>
  return %1 : !ragged.tensor<[n, n, 6], f32>
}

func.func @images(%x: !ragged.tensor<[3, h, w], f32>, %w: tensor<8x3xf32>) -> !ragged.tensor<[8, h, w], f32> {
  %1 = ragged.linear %x, %w dim = 0 : !ragged.tensor<[3, h, w], f32>, tensor<8x3xf32> -> !ragged.tensor<[8, h, w], f32>
  return %1 : !ragged.tensor<[8, h, w], f32>
}

// ---- Epilogues and chains ----------------------------------------------------------------------

!n16 = !ragged.tensor<[n, 16], f32>
!n32 = !ragged.tensor<[n, 32], f32>
func.func @activations(%x: !n16, %w: tensor<32x16xf32>, %b: tensor<32xf32>) -> (!n32, !n32, !n32, !n32, !n32, !n32) {
  %1 = ragged.linear %x, %w, %b dim = 1 : !n16, tensor<32x16xf32>, tensor<32xf32> -> !n32
  %2 = ragged.relu %1 : !n32 -> !n32
  %3 = ragged.linear %x, %w dim = 1 : !n16, tensor<32x16xf32> -> !n32
  %4 = ragged.gelu %3 : !n32 -> !n32
  %5 = ragged.linear %x, %w, %b dim = 1 : !n16, tensor<32x16xf32>, tensor<32xf32> -> !n32
  %6 = ragged.sigmoid %5 : !n32 -> !n32
  %7 = ragged.add %4, %6 : !n32, !n32 -> !n32
  %8 = ragged.exp %1 : !n32 -> !n32
  return %1, %2, %4, %6, %7, %8 : !n32, !n32, !n32, !n32, !n32, !n32
}

func.func @residuals(%x: !n16, %w: tensor<16x16xf32>, %v: tensor<16x16xf32>, %b: tensor<16xf32>) -> (!n16, !n16, !n16, !n16, !n16) {
  %1 = ragged.linear %x, %w, %b dim = 1 : !n16, tensor<16x16xf32>, tensor<16xf32> -> !n16
  %2 = ragged.add %1, %x : !n16, !n16 -> !n16
  %3 = ragged.linear %x, %v dim = 1 : !n16, tensor<16x16xf32> -> !n16
  %4 = ragged.linear %2, %v dim = 1 : !n16, tensor<16x16xf32> -> !n16
  %5 = ragged.add %3, %4 : !n16, !n16 -> !n16
  %6 = ragged.linear %5, %w dim = 1 : !n16, tensor<16x16xf32> -> !n16
  %7 = ragged.gelu %6 : !n16 -> !n16
  %8 = ragged.add %x, %7 : !n16, !n16 -> !n16
  %9 = ragged.linear %8, %v dim = 1 : !n16, tensor<16x16xf32> -> !n16
  %10 = ragged.add %9, %9 : !n16, !n16 -> !n16
  %11 = ragged.linear %10, %v dim = 1 : !n16, tensor<16x16xf32> -> !n16
  %12 = ragged.sub %10, %11 : !n16, !n16 -> !n16
  return %2, %5, %8, %10, %12 : !n16, !n16, !n16, !n16, !n16
}

// Activations after a residual, and one after another: not what a product takes with it.
func.func @late_activations(%x: !n16, %w: tensor<16x16xf32>, %v: tensor<16x16xf32>) -> (!n16, !n16, !n16) {
  %1 = ragged.linear %x, %w dim = 1 : !n16, tensor<16x16xf32> -> !n16
  %2 = ragged.add %1, %x : !n16, !n16 -> !n16
  %3 = ragged.relu %2 : !n16 -> !n16
  %4 = ragged.linear %3, %v dim = 1 : !n16, tensor<16x16xf32> -> !n16
  %5 = ragged.relu %4 : !n16 -> !n16
  %6 = ragged.sigmoid %5 : !n16 -> !n16
  %7 = ragged.linear %6, %w dim = 1 : !n16, tensor<16x16xf32> -> !n16
  %8 = ragged.gelu %7 : !n16 -> !n16
  %9 = ragged.add %8, %3 : !n16, !n16 -> !n16
  %10 = ragged.add %9, %x : !n16, !n16 -> !n16
  return %3, %6, %10 : !n16, !n16, !n16
}

// Norm, widen, activate, narrow, add: one kernel.
func.func @transition(%x: !n16, %g: tensor<16xf32>, %h: tensor<16xf32>, %w: tensor<32x16xf32>, %b: tensor<32xf32>, %v: tensor<16x32xf32>, %c: tensor<16xf32>)
    -> (!n16, !ragged.tensor<[16], f32>) {
  %1 = ragged.layer_norm %x, %g, %h dims = [1] eps = 1.0e-5 : !n16, tensor<16xf32>, tensor<16xf32> -> !n16
  %2 = ragged.linear %1, %w, %b dim = 1 : !n16, tensor<32x16xf32>, tensor<32xf32> -> !n32
  %3 = ragged.gelu %2 : !n32 -> !n32
  %4 = ragged.linear %3, %v, %c dim = 1 : !n32, tensor<16x32xf32>, tensor<16xf32> -> !n16
  %5 = ragged.add %x, %4 : !n16, !n16 -> !n16
  %6 = ragged.sum %5 dims = [0] : !n16 -> !ragged.tensor<[16], f32>
  return %5, %6 : !n16, !ragged.tensor<[16], f32>
}

// The same products with a dimension that is not the last, in bf16 and in f64, and with norms between.
!b = !ragged.tensor<[n, 4, 6], bf16>
func.func @chain_bf16(%x: !b, %w: tensor<4x4xbf16>, %v: tensor<6x6xbf16>, %c: tensor<6xbf16>) -> !b {
  %1 = ragged.linear %x, %w dim = 1 : !b, tensor<4x4xbf16> -> !b
  %2 = ragged.relu %1 : !b -> !b
  %3 = ragged.linear %2, %v, %c dim = 2 : !b, tensor<6x6xbf16>, tensor<6xbf16> -> !b
  %4 = ragged.softmax %3 dim = 1 : !b -> !b
  %5 = ragged.add %4, %x : !b, !b -> !b
  return %5 : !b
}

!d = !ragged.tensor<[n, 4, 6], f64>
func.func @chain_f64(%x: !d, %w: tensor<4x4xf64>, %v: tensor<6x6xf64>, %c: tensor<6xf64>) -> (!d, !ragged.tensor<[n, 4], f64>) {
  %1 = ragged.layer_norm %x dims = [1, 2] eps = 1.0e-5 : !d -> !d
  %2 = ragged.linear %1, %w dim = 1 : !d, tensor<4x4xf64> -> !d
  %3 = ragged.linear %2, %v, %c dim = 2 : !d, tensor<6x6xf64>, tensor<6xf64> -> !d
  %4 = ragged.gelu %3 : !d -> !d
  %5 = ragged.add %4, %2 : !d, !d -> !d
  %6 = ragged.max %5 dims = [2] : !d -> !ragged.tensor<[n, 4], f64>
  return %5, %6 : !d, !ragged.tensor<[n, 4], f64>
}

// From singles to pairs and back, with products on all sides.
!sq = !ragged.tensor<[n, n, 16], f32>
func.func @pair_block(%x: !n16, %u: tensor<16x16xf32>, %v: tensor<16x16xf32>, %g: tensor<16x16xf32>) -> (!n16, !sq) {
  %1 = ragged.linear %x, %u dim = 1 : !n16, tensor<16x16xf32> -> !n16
  %2 = ragged.linear %x, %v dim = 1 : !n16, tensor<16x16xf32> -> !n16
  %3 = ragged.expand_dims %1 dim = 1 : !n16 -> !ragged.tensor<[n, 1, 16], f32, order = [0, 2, 1]>
  %4 = ragged.expand_dims %2 dim = 0 : !n16 -> !ragged.tensor<[1, n, 16], f32, order = [1, 2, 0]>
  %5 = ragged.add %3, %4 : !ragged.tensor<[n, 1, 16], f32, order = [0, 2, 1]>, !ragged.tensor<[1, n, 16], f32, order = [1, 2, 0]> -> !sq
  %6 = ragged.layer_norm %5 dims = [2] eps = 1.0e-5 : !sq -> !sq
  %7 = ragged.linear %6, %g dim = 2 : !sq, tensor<16x16xf32> -> !sq
  %8 = ragged.add %5, %7 : !sq, !sq -> !sq
  %9 = ragged.mean %8 dims = [1] empty = zero : !sq -> !n16
  %10 = ragged.linear %9, %u dim = 1 : !n16, tensor<16x16xf32> -> !n16
  %11 = ragged.add %x, %10 : !n16, !n16 -> !n16
  return %11, %8 : !n16, !sq
}

// ---- Transposed weights ------------------------------------------------------------------------

// What `orders`, `widths` and `nothing` do, with weights as [in, out].
func.func @transposed_orders(%x: !ragged.tensor<[4, n, 3, m], f32, order = [3, 1, 2, 0]>, %w: tensor<4x5xf32>, %v: tensor<3x2xf32>, %b: tensor<2xf32>)
    -> (!ragged.tensor<*, f32>, !ragged.tensor<*, f32>) {
  %1 = ragged.linear %x, %w dim = 0 transposed : !ragged.tensor<[4, n, 3, m], f32, order = [3, 1, 2, 0]>, tensor<4x5xf32> -> !ragged.tensor<*, f32>
  %2 = ragged.linear %x, %v, %b dim = 2 transposed : !ragged.tensor<[4, n, 3, m], f32, order = [3, 1, 2, 0]>, tensor<3x2xf32>, tensor<2xf32> -> !ragged.tensor<*, f32>
  return %1, %2 : !ragged.tensor<*, f32>, !ragged.tensor<*, f32>
}

func.func @transposed_types(%d: !ragged.tensor<[n, 3], f64>, %wd: tensor<3x4xf64>, %bd: tensor<4xf64>,
                            %b: !ragged.tensor<[n, 33], bf16>, %wb: tensor<33x17xbf16>, %bb: tensor<17xbf16>, %wf: tensor<33x16xbf16>,
                            %i: !ragged.tensor<[n, 5], i64>, %wi: tensor<5x3xi64>, %bi: tensor<3xi64>)
    -> (!ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 17], bf16>, !ragged.tensor<[n, 16], bf16>, !ragged.tensor<[n, 3], i64>) {
  %1 = ragged.linear %d, %wd, %bd dim = 1 transposed : !ragged.tensor<[n, 3], f64>, tensor<3x4xf64>, tensor<4xf64> -> !ragged.tensor<[n, 4], f64>
  %2 = ragged.linear %b, %wb, %bb dim = 1 transposed : !ragged.tensor<[n, 33], bf16>, tensor<33x17xbf16>, tensor<17xbf16> -> !ragged.tensor<[n, 17], bf16>
  %3 = ragged.linear %b, %wf dim = 1 transposed : !ragged.tensor<[n, 33], bf16>, tensor<33x16xbf16> -> !ragged.tensor<[n, 16], bf16>
  %4 = ragged.linear %i, %wi, %bi dim = 1 transposed : !ragged.tensor<[n, 5], i64>, tensor<5x3xi64>, tensor<3xi64> -> !ragged.tensor<[n, 3], i64>
  return %1, %2, %3, %4 : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 17], bf16>, !ragged.tensor<[n, 16], bf16>, !ragged.tensor<[n, 3], i64>
}

func.func @transposed_widths(%a: !ragged.tensor<[n, 1], f32>, %wa: tensor<1x8xf32>, %b: !ragged.tensor<[n, 33], f32>, %wb: tensor<33x1xf32>,
                             %c: !ragged.tensor<[n, 128], f32>, %wc: tensor<128x33xf32>, %wd: tensor<33x132xf32>, %s: !ragged.tensor<[8], f32>, %ws: tensor<8x3xf32>)
    -> (!ragged.tensor<[n, 8], f32>, !ragged.tensor<[n, 1], f32>, !ragged.tensor<[n, 33], f32>, !ragged.tensor<[n, 132], f32>, !ragged.tensor<[3], f32>) {
  %1 = ragged.linear %a, %wa dim = 1 transposed : !ragged.tensor<[n, 1], f32>, tensor<1x8xf32> -> !ragged.tensor<[n, 8], f32>
  %2 = ragged.linear %b, %wb dim = 1 transposed : !ragged.tensor<[n, 33], f32>, tensor<33x1xf32> -> !ragged.tensor<[n, 1], f32>
  %z = ragged.linear %c, %wc dim = 1 transposed : !ragged.tensor<[n, 128], f32>, tensor<128x33xf32> -> !ragged.tensor<[n, 33], f32>
  %3 = ragged.relu %z : !ragged.tensor<[n, 33], f32> -> !ragged.tensor<[n, 33], f32>
  %4 = ragged.linear %b, %wd dim = 1 transposed : !ragged.tensor<[n, 33], f32>, tensor<33x132xf32> -> !ragged.tensor<[n, 132], f32>
  %5 = ragged.linear %s, %ws dim = 0 transposed : !ragged.tensor<[8], f32>, tensor<8x3xf32> -> !ragged.tensor<[3], f32>
  return %1, %2, %3, %4, %5
      : !ragged.tensor<[n, 8], f32>, !ragged.tensor<[n, 1], f32>, !ragged.tensor<[n, 33], f32>, !ragged.tensor<[n, 132], f32>, !ragged.tensor<[3], f32>
}

func.func @transposed_nothing(%a: !ragged.tensor<[n, 0], f32>, %wa: tensor<0x4xf32>, %ba: tensor<4xf32>, %b: !ragged.tensor<[n, 4], f32>, %wb: tensor<4x0xf32>)
    -> (!ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 0], f32>) {
  %1 = ragged.linear %a, %wa, %ba dim = 1 transposed : !ragged.tensor<[n, 0], f32>, tensor<0x4xf32>, tensor<4xf32> -> !ragged.tensor<[n, 4], f32>
  %2 = ragged.linear %b, %wb dim = 1 transposed : !ragged.tensor<[n, 4], f32>, tensor<4x0xf32> -> !ragged.tensor<[n, 0], f32>
  return %1, %2 : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 0], f32>
}

// One square weight, read both ways in one kernel, with what products take with them.
func.func @there_and_back(%x: !n16, %w: tensor<16x16xf32>, %b: tensor<16xf32>) -> !n16 {
  %1 = ragged.linear %x, %w, %b dim = 1 : !n16, tensor<16x16xf32>, tensor<16xf32> -> !n16
  %2 = ragged.gelu %1 : !n16 -> !n16
  %3 = ragged.linear %2, %w dim = 1 transposed : !n16, tensor<16x16xf32> -> !n16
  %4 = ragged.sigmoid %3 : !n16 -> !n16
  %5 = ragged.add %4, %x : !n16, !n16 -> !n16
  return %5 : !n16
}
