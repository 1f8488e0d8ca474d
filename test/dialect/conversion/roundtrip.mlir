// Conversion ops in text, generic form and bytecode.
// RUN: ragged-opt %s --verify-roundtrip | FileCheck %s
// RUN: ragged-opt %s | ragged-opt | FileCheck %s
// RUN: ragged-opt %s --mlir-print-op-generic | ragged-opt | FileCheck %s
// RUN: ragged-opt %s --emit-bytecode | ragged-opt | FileCheck %s

// CHECK-LABEL: @from_values
func.func @from_values(%v: tensor<?x128xf32>, %s: tensor<?xi64>, %ln: tensor<?xi64>, %lm: tensor<?xi64>) {
  // CHECK: ragged.from_values %{{.*}}, %{{.*}}, %{{.*}} axes = ["n", "m"] : tensor<?x128xf32>, tensor<?xi64>, tensor<?xi64> -> !ragged.tensor<[n, m, 128], f32>
  %0 = ragged.from_values %v, %ln, %lm axes = ["n", "m"]
      : tensor<?x128xf32>, tensor<?xi64>, tensor<?xi64> -> !ragged.tensor<[n, m, 128], f32>
  // One name on two dimensions: only the declared type can say so.
  // CHECK: ragged.from_values %{{.*}}, %{{.*}} axes = ["a"] : tensor<?x128xf32>, tensor<?xi64> -> !ragged.tensor<[a, a, 128], f32>
  %1 = ragged.from_values %v, %ln axes = ["a"]
      : tensor<?x128xf32>, tensor<?xi64> -> !ragged.tensor<[a, a, 128], f32>
  // CHECK: -> !ragged.tensor<[b, 128, c], f32, order = [2, 0, 1]>
  %2 = ragged.from_values %v, %ln, %lm axes = ["b", "c"]
      : tensor<?x128xf32>, tensor<?xi64>, tensor<?xi64> -> !ragged.tensor<[b, 128, c], f32, order = [2, 0, 1]>
  // CHECK: : tensor<?xi64>, tensor<?xi64> -> !ragged.tensor<[d], i64>
  %3 = ragged.from_values %s, %ln axes = ["d"] : tensor<?xi64>, tensor<?xi64> -> !ragged.tensor<[d], i64>
  return
}

// CHECK-LABEL: @from_offsets
func.func @from_offsets(%v: tensor<?x2x3xbf16>, %o: tensor<?xi64>) {
  // CHECK: ragged.from_offsets %{{.*}}, %{{.*}} axes = ["n"] : tensor<?x2x3xbf16>, tensor<?xi64> -> !ragged.tensor<[n, 2, 3], bf16>
  %0 = ragged.from_offsets %v, %o axes = ["n"]
      : tensor<?x2x3xbf16>, tensor<?xi64> -> !ragged.tensor<[n, 2, 3], bf16>
  // CHECK: -> !ragged.tensor<[3, m, 2], bf16, order = [1, 2, 0]>
  %1 = ragged.from_offsets %v, %o axes = ["m"]
      : tensor<?x2x3xbf16>, tensor<?xi64> -> !ragged.tensor<[3, m, 2], bf16, order = [1, 2, 0]>
  return
}

// CHECK-LABEL: @values
func.func @values(%x: !ragged.tensor<[3, h, w], f32>, %y: !ragged.tensor<[], f64>,
                  %z: !ragged.tensor<[2, n, 3], f32, order = [1, 2, 0]>) {
  // CHECK: ragged.values %{{.*}} : !ragged.tensor<[3, h, w], f32> -> tensor<?x3xf32>
  %0 = ragged.values %x : !ragged.tensor<[3, h, w], f32> -> tensor<?x3xf32>
  // CHECK: -> tensor<?xf64>
  %1 = ragged.values %y : !ragged.tensor<[], f64> -> tensor<?xf64>
  // CHECK: -> tensor<?x3x2xf32>
  %2 = ragged.values %z : !ragged.tensor<[2, n, 3], f32, order = [1, 2, 0]> -> tensor<?x3x2xf32>
  return
}

// CHECK-LABEL: @pack
func.func @pack(%p: tensor<?x?x384xf32>, %b: tensor<8x10x10x4xf32>, %q: tensor<?x?x?x4xf32>,
                %ln: tensor<?xi64>, %lm: tensor<?xi64>) {
  // CHECK: ragged.pack %{{.*}}, %{{.*}} axes = ["n"] : tensor<?x?x384xf32>, tensor<?xi64> -> !ragged.tensor<[n, 384], f32>
  %0 = ragged.pack %p, %ln axes = ["n"]
      : tensor<?x?x384xf32>, tensor<?xi64> -> !ragged.tensor<[n, 384], f32>
  // CHECK: ragged.pack %{{.*}}, %{{.*}} axes = ["m"] batch = 1 : tensor<?x?x384xf32>
  %1 = ragged.pack %p, %ln axes = ["m"] batch = 1
      : tensor<?x?x384xf32>, tensor<?xi64> -> !ragged.tensor<[m, 384], f32>
  // The box may be static where the result is ragged.
  // CHECK: tensor<8x10x10x4xf32>, tensor<?xi64> -> !ragged.tensor<[a, a, 4], f32>
  %2 = ragged.pack %b, %ln axes = ["a"]
      : tensor<8x10x10x4xf32>, tensor<?xi64> -> !ragged.tensor<[a, a, 4], f32>
  // CHECK: -> !ragged.tensor<[b, 10, 4], f32>
  %3 = ragged.pack %b, %ln axes = ["b"]
      : tensor<8x10x10x4xf32>, tensor<?xi64> -> !ragged.tensor<[b, 10, 4], f32>
  // CHECK: -> !ragged.tensor<[c, d, 4], f32, order = [1, 0, 2]>
  %4 = ragged.pack %q, %ln, %lm axes = ["c", "d"]
      : tensor<?x?x?x4xf32>, tensor<?xi64>, tensor<?xi64> -> !ragged.tensor<[c, d, 4], f32, order = [1, 0, 2]>
  return
}

// CHECK-LABEL: @unpack
func.func @unpack(%x: !ragged.tensor<[n, 384], f32>, %i: !ragged.tensor<[n], i64>, %s: !ragged.tensor<[], f32>) {
  // CHECK: ragged.unpack %{{.*}} : !ragged.tensor<[n, 384], f32> -> tensor<?x?x384xf32>
  %0 = ragged.unpack %x : !ragged.tensor<[n, 384], f32> -> tensor<?x?x384xf32>
  // CHECK: ragged.unpack %{{.*}} fill = -1.500000e+00 batch = 1 : !ragged.tensor<[n, 384], f32> -> tensor<?x?x384xf32>
  %1 = ragged.unpack %x fill = -1.5 batch = 1 : !ragged.tensor<[n, 384], f32> -> tensor<?x?x384xf32>
  // A declared extent is the box's.
  // CHECK: -> tensor<?x64x384xf32>
  %2 = ragged.unpack %x : !ragged.tensor<[n, 384], f32> -> tensor<?x64x384xf32>
  // CHECK: batch = 2 : !ragged.tensor<[n, 384], f32> -> tensor<64x384x?xf32>
  %3 = ragged.unpack %x batch = 2 : !ragged.tensor<[n, 384], f32> -> tensor<64x384x?xf32>
  // CHECK: ragged.unpack %{{.*}} fill = -1.000000e+00 : !ragged.tensor<[n], i64> -> tensor<?x?xi64>
  %4 = ragged.unpack %i fill = -1.0 : !ragged.tensor<[n], i64> -> tensor<?x?xi64>
  // CHECK: -> tensor<?xf32>
  %5 = ragged.unpack %s : !ragged.tensor<[], f32> -> tensor<?xf32>
  return
}

// CHECK-LABEL: @like
func.func @like(%x: !ragged.tensor<[n, 4], f32>, %y: !ragged.tensor<[3, n, m, 2], i64, order = [2, 1, 3, 0]>,
                %u: !ragged.tensor<*, f32>, %v: tensor<?x4xf32>, %w: tensor<?x2x3xbf16>, %b: tensor<?x?x4xf32>,
                %s: tensor<8x?x4xf32>, %c: tensor<3x?x?x9x2xf64>) {
  // CHECK: ragged.values %{{.*}} like %{{.*}} : !ragged.tensor<[n, 4], f32>, tensor<?x4xf32> -> tensor<?x4xf32>
  %0 = ragged.values %x like %v : !ragged.tensor<[n, 4], f32>, tensor<?x4xf32> -> tensor<?x4xf32>
  // CHECK: ragged.values %{{.*}} like %{{.*}} : !ragged.tensor<*, f32>, tensor<?x4xf32> -> tensor<?x4xf32>
  %1 = ragged.values %u like %v : !ragged.tensor<*, f32>, tensor<?x4xf32> -> tensor<?x4xf32>
  // CHECK: ragged.with_values %{{.*}} like %{{.*}} : tensor<?x4xf32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %2 = ragged.with_values %v like %x : tensor<?x4xf32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.with_values {{.*}} -> !ragged.tensor<[3, n, m, 2], bf16, order = [2, 1, 3, 0]>
  %3 = ragged.with_values %w like %y : tensor<?x2x3xbf16>, !ragged.tensor<[3, n, m, 2], i64, order = [2, 1, 3, 0]>
      -> !ragged.tensor<[3, n, m, 2], bf16, order = [2, 1, 3, 0]>
  // CHECK: ragged.with_values {{.*}} : tensor<?x2x3xbf16>, !ragged.tensor<*, f32> -> !ragged.tensor<*, bf16>
  %4 = ragged.with_values %w like %u : tensor<?x2x3xbf16>, !ragged.tensor<*, f32> -> !ragged.tensor<*, bf16>
  // CHECK: ragged.unpack %{{.*}} like %{{.*}} : !ragged.tensor<[n, 4], f32>, tensor<?x?x4xf32> -> tensor<?x?x4xf32>
  %5 = ragged.unpack %x like %b : !ragged.tensor<[n, 4], f32>, tensor<?x?x4xf32> -> tensor<?x?x4xf32>
  // CHECK: ragged.unpack %{{.*}} like %{{.*}} fill = 2.000000e+00 batch = 1 : {{.*}}, tensor<8x?x4xf32> -> tensor<8x?x4xf32>
  %6 = ragged.unpack %x like %s fill = 2.0 batch = 1 : !ragged.tensor<[n, 4], f32>, tensor<8x?x4xf32> -> tensor<8x?x4xf32>
  // The batch may be static as that of `like`.
  // CHECK: ragged.unpack %{{.*}} like %{{.*}} : {{.*}}, tensor<8x?x4xf32> -> tensor<8x?x4xf32>
  %7 = ragged.unpack %x like %s : !ragged.tensor<[n, 4], f32>, tensor<8x?x4xf32> -> tensor<8x?x4xf32>
  // CHECK: ragged.with_padded %{{.*}} like %{{.*}} : tensor<?x?x4xf32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %8 = ragged.with_padded %b like %x : tensor<?x?x4xf32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.with_padded %{{.*}} like %{{.*}} batch = 1 : {{.*}} -> !ragged.tensor<[3, n, m, 2], f64, order = [2, 1, 3, 0]>
  %9 = ragged.with_padded %c like %y batch = 1 : tensor<3x?x?x9x2xf64>, !ragged.tensor<[3, n, m, 2], i64, order = [2, 1, 3, 0]>
      -> !ragged.tensor<[3, n, m, 2], f64, order = [2, 1, 3, 0]>
  // CHECK: ragged.with_padded %{{.*}} : tensor<?x?x4xf32>, !ragged.tensor<*, f32> -> !ragged.tensor<*, f32>
  %10 = ragged.with_padded %b like %u : tensor<?x?x4xf32>, !ragged.tensor<*, f32> -> !ragged.tensor<*, f32>
  return
}

// CHECK-LABEL: @size
func.func @size(%x: !ragged.tensor<[n, n, 128], f32>, %u: !ragged.tensor<*, bf16>) {
  // CHECK: ragged.size %{{.*}} dims = [1] : !ragged.tensor<[n, n, 128], f32> -> !ragged.tensor<[], i64>
  %0 = ragged.size %x dims = [1] : !ragged.tensor<[n, n, 128], f32> -> !ragged.tensor<[], i64>
  // CHECK: ragged.size %{{.*}} dims = [] :
  %1 = ragged.size %x dims = [] : !ragged.tensor<[n, n, 128], f32> -> !ragged.tensor<[], i64>
  // CHECK: ragged.size %{{.*}} dims = [2, 0] batch : !ragged.tensor<[n, n, 128], f32> -> tensor<i64>
  %2 = ragged.size %x dims = [2, 0] batch : !ragged.tensor<[n, n, 128], f32> -> tensor<i64>
  // CHECK: ragged.size %{{.*}} dims = [3] : !ragged.tensor<*, bf16> -> !ragged.tensor<[], i64>
  %3 = ragged.size %u dims = [3] : !ragged.tensor<*, bf16> -> !ragged.tensor<[], i64>
  return
}

// CHECK-LABEL: @metadata
func.func @metadata(%x: !ragged.tensor<[n, m, 4], f32>) {
  // CHECK: ragged.extents %{{.*}} dim = 0 : !ragged.tensor<[n, m, 4], f32> -> tensor<?xi64>
  %0 = ragged.extents %x dim = 0 : !ragged.tensor<[n, m, 4], f32> -> tensor<?xi64>
  // CHECK: ragged.extents %{{.*}} dim = 2
  %1 = ragged.extents %x dim = 2 : !ragged.tensor<[n, m, 4], f32> -> tensor<?xi64>
  // CHECK: ragged.offsets %{{.*}} : !ragged.tensor<[n, m, 4], f32> -> tensor<?xi64>
  %2 = ragged.offsets %x : !ragged.tensor<[n, m, 4], f32> -> tensor<?xi64>
  return
}

// Discardable attributes stand in braces.
// CHECK-LABEL: @attributes
func.func @attributes(%x: !ragged.tensor<[n], f32>) {
  // CHECK: ragged.values %{{.*}} {note = "kept"} : !ragged.tensor<[n], f32> -> tensor<?xf32>
  %0 = ragged.values %x {note = "kept"} : !ragged.tensor<[n], f32> -> tensor<?xf32>
  return
}
