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
