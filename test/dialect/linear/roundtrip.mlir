// Products in text, generic form and bytecode.
// RUN: ragged-opt %s --verify-roundtrip | FileCheck %s
// RUN: ragged-opt %s | ragged-opt | FileCheck %s
// RUN: ragged-opt %s --mlir-print-op-generic | ragged-opt | FileCheck %s
// RUN: ragged-opt %s --emit-bytecode | ragged-opt | FileCheck %s

// CHECK-LABEL: @linear
func.func @linear(%x: !ragged.tensor<[n, 384], f32>, %w: tensor<128x384xf32>, %b: tensor<128xf32>,
                  %c: !ragged.tensor<[3, h, w], i64>, %k: tensor<0x3xi64>,
                  %p: !ragged.tensor<[n, n, 4], bf16, order = [1, 0, 2]>, %q: tensor<8x4xbf16>,
                  %t: tensor<384x256xf32>, %u: tensor<256xf32>) {
  // CHECK: ragged.linear %{{.*}}, %{{.*}} dim = 1 : !ragged.tensor<[n, 384], f32>, tensor<128x384xf32> -> !ragged.tensor<[n, 128], f32>
  %0 = ragged.linear %x, %w dim = 1 : !ragged.tensor<[n, 384], f32>, tensor<128x384xf32> -> !ragged.tensor<[n, 128], f32>
  // CHECK: ragged.linear %{{.*}}, %{{.*}}, %{{.*}} dim = 1 : !ragged.tensor<[n, 384], f32>, tensor<128x384xf32>, tensor<128xf32> -> !ragged.tensor<[n, 128], f32>
  %1 = ragged.linear %x, %w, %b dim = 1 : !ragged.tensor<[n, 384], f32>, tensor<128x384xf32>, tensor<128xf32> -> !ragged.tensor<[n, 128], f32>
  // Any static dimension, to any extent.
  // CHECK: ragged.linear %{{.*}} dim = 0 : !ragged.tensor<[3, h, w], i64>, tensor<0x3xi64> -> !ragged.tensor<[0, h, w], i64>
  %2 = ragged.linear %c, %k dim = 0 : !ragged.tensor<[3, h, w], i64>, tensor<0x3xi64> -> !ragged.tensor<[0, h, w], i64>
  // CHECK: -> !ragged.tensor<[n, n, 8], bf16, order = [1, 0, 2]>
  %3 = ragged.linear %p, %q dim = 2 : !ragged.tensor<[n, n, 4], bf16, order = [1, 0, 2]>, tensor<8x4xbf16> -> !ragged.tensor<[n, n, 8], bf16, order = [1, 0, 2]>
  // The weight as [in, out].
  // CHECK: ragged.linear %{{.*}}, %{{.*}} dim = 1 transposed : !ragged.tensor<[n, 384], f32>, tensor<384x256xf32> -> !ragged.tensor<[n, 256], f32>
  %4 = ragged.linear %x, %t dim = 1 transposed : !ragged.tensor<[n, 384], f32>, tensor<384x256xf32> -> !ragged.tensor<[n, 256], f32>
  // CHECK: ragged.linear %{{.*}}, %{{.*}}, %{{.*}} dim = 1 transposed : !ragged.tensor<[n, 384], f32>, tensor<384x256xf32>, tensor<256xf32> -> !ragged.tensor<[n, 256], f32>
  %5 = ragged.linear %x, %t, %u dim = 1 transposed : !ragged.tensor<[n, 384], f32>, tensor<384x256xf32>, tensor<256xf32> -> !ragged.tensor<[n, 256], f32>
  return
}

// CHECK-LABEL: @product_over_rows
func.func @product_over_rows(%x: !ragged.tensor<[n, m, 128], f32>, %dy: !ragged.tensor<[n, m, 512], f32, order = [1, 0, 2]>,
                             %c: !ragged.tensor<[3, h, w], bf16>, %d: !ragged.tensor<[h, w, 8], bf16>, %s: !ragged.tensor<[0], i64>) {
  // CHECK: ragged.product_over_rows %{{.*}}, %{{.*}} dims = [2, 2] : !ragged.tensor<[n, m, 128], f32>, !ragged.tensor<[n, m, 512], f32, order = [1, 0, 2]> -> tensor<512x128xf32>
  %0 = ragged.product_over_rows %x, %dy dims = [2, 2] : !ragged.tensor<[n, m, 128], f32>, !ragged.tensor<[n, m, 512], f32, order = [1, 0, 2]> -> tensor<512x128xf32>
  // CHECK: dims = [0, 2] : !ragged.tensor<[3, h, w], bf16>, !ragged.tensor<[h, w, 8], bf16> -> tensor<8x3xbf16>
  %1 = ragged.product_over_rows %c, %d dims = [0, 2] : !ragged.tensor<[3, h, w], bf16>, !ragged.tensor<[h, w, 8], bf16> -> tensor<8x3xbf16>
  // CHECK: dims = [0, 0] : !ragged.tensor<[0], i64>, !ragged.tensor<[0], i64> -> tensor<0x0xi64>
  %2 = ragged.product_over_rows %s, %s dims = [0, 0] : !ragged.tensor<[0], i64>, !ragged.tensor<[0], i64> -> tensor<0x0xi64>
  return
}
