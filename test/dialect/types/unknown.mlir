// `*` may stand for the schema of any ragged result and any ragged operand; what can be checked is.
// RUN: ragged-opt %s --verify-roundtrip | FileCheck %s

// Each op with a result that is still to be inferred.
// CHECK-LABEL: @results
// CHECK-COUNT-22: -> !ragged.tensor<*, f32>
func.func @results(%v: tensor<?x4xf32>, %p: tensor<?x?x4xf32>, %l: tensor<?xi64>, %w: tensor<8x4xf32>) {
  %a = ragged.from_values %v, %l axes = ["n"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<*, f32>
  %b = ragged.from_offsets %v, %l axes = ["m"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<*, f32>
  %c = ragged.pack %p, %l axes = ["k"] : tensor<?x?x4xf32>, tensor<?xi64> -> !ragged.tensor<*, f32>
  %x = ragged.from_values %v, %l axes = ["a"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[a, 4], f32>
  %u = ragged.from_values %v, %l axes = ["b"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[b, 4], f32>
  %0 = ragged.add %x, %x : !ragged.tensor<[a, 4], f32>, !ragged.tensor<[a, 4], f32> -> !ragged.tensor<*, f32>
  %1 = ragged.exp %x : !ragged.tensor<[a, 4], f32> -> !ragged.tensor<*, f32>
  %2 = ragged.expand_dims %x dim = 0 : !ragged.tensor<[a, 4], f32> -> !ragged.tensor<*, f32>
  %3 = ragged.squeeze %x dims = [] : !ragged.tensor<[a, 4], f32> -> !ragged.tensor<*, f32>
  %4 = ragged.broadcast %x dims = [0, 1] like %x : !ragged.tensor<[a, 4], f32>, !ragged.tensor<[a, 4], f32> -> !ragged.tensor<*, f32>
  %5 = ragged.transpose %x permutation = [1, 0] : !ragged.tensor<[a, 4], f32> -> !ragged.tensor<*, f32>
  %6 = ragged.reorder %x order = [0, 1] : !ragged.tensor<[a, 4], f32> -> !ragged.tensor<*, f32>
  %7 = ragged.assume_same_axis %x dims = [0] to = "b" like %u : !ragged.tensor<[a, 4], f32>, !ragged.tensor<[b, 4], f32> -> !ragged.tensor<*, f32>
  %8 = ragged.schema_cast %x : !ragged.tensor<[a, 4], f32> -> !ragged.tensor<*, f32>
  %9 = ragged.linear %x, %w dim = 1 : !ragged.tensor<[a, 4], f32>, tensor<8x4xf32> -> !ragged.tensor<*, f32>
  %10 = ragged.layer_norm %x dims = [1] eps = 1.0 : !ragged.tensor<[a, 4], f32> -> !ragged.tensor<*, f32>
  %11 = ragged.softmax %x dim = 1 : !ragged.tensor<[a, 4], f32> -> !ragged.tensor<*, f32>
  %12 = ragged.sum %x dims = [0] : !ragged.tensor<[a, 4], f32> -> !ragged.tensor<*, f32>
  %13 = ragged.max %x dims = [0] keep_dims : !ragged.tensor<[a, 4], f32> -> !ragged.tensor<*, f32>
  %14 = ragged.mean %x dims = [0] : !ragged.tensor<[a, 4], f32> -> !ragged.tensor<*, f32>
  %15 = ragged.sub %x, %x : !ragged.tensor<[a, 4], f32>, !ragged.tensor<[a, 4], f32> -> !ragged.tensor<*, f32>
  %16 = ragged.gelu %x : !ragged.tensor<[a, 4], f32> -> !ragged.tensor<*, f32>
  %17 = ragged.relu %x : !ragged.tensor<[a, 4], f32> -> !ragged.tensor<*, f32>
  %18 = ragged.sigmoid %x : !ragged.tensor<[a, 4], f32> -> !ragged.tensor<*, f32>
  return
}

// Each op with an operand whose schema is still to be inferred; results may be declared.
// CHECK-LABEL: @operands
func.func @operands(%x: !ragged.tensor<*, f32>, %k: !ragged.tensor<[n, 4], f32>, %w: tensor<8x4xf32>,
                    %b: tensor<8xf32>, %g: tensor<4xf32>, %s: f32) {
  %0 = ragged.values %x : !ragged.tensor<*, f32> -> tensor<?x4xf32>
  %1 = ragged.unpack %x fill = 1.0 : !ragged.tensor<*, f32> -> tensor<?x?x4xf32>
  %2 = ragged.extents %x dim = 1 : !ragged.tensor<*, f32> -> tensor<?xi64>
  %3 = ragged.offsets %x : !ragged.tensor<*, f32> -> tensor<?xi64>
  %4 = ragged.add %x, %k : !ragged.tensor<*, f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, f32>
  %5 = ragged.mul %s, %x : f32, !ragged.tensor<*, f32> -> !ragged.tensor<[n, 4], f32>
  %6 = ragged.exp %x : !ragged.tensor<*, f32> -> !ragged.tensor<[n], f32>
  %7 = ragged.expand_dims %x dim = 7 : !ragged.tensor<*, f32> -> !ragged.tensor<*, f32>
  %8 = ragged.squeeze %x dims = [3] : !ragged.tensor<*, f32> -> !ragged.tensor<[n], f32>
  // The result's schema is that of `like`, whatever the operand is.
  %9 = ragged.broadcast %x dims = [0] like %k : !ragged.tensor<*, f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %10 = ragged.broadcast %g dims = [1] like %x : tensor<4xf32>, !ragged.tensor<*, f32> -> !ragged.tensor<*, f32>
  %11 = ragged.transpose %x permutation = [1, 0] : !ragged.tensor<*, f32> -> !ragged.tensor<*, f32>
  %12 = ragged.reorder %x order = [1, 0] : !ragged.tensor<*, f32> -> !ragged.tensor<*, f32>
  %13 = ragged.assume_same_axis %x dims = [0] to = "n" like %k : !ragged.tensor<*, f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, f32>
  %14 = ragged.assume_same_axis %k dims = [0] to = "m" like %x : !ragged.tensor<[n, 4], f32>, !ragged.tensor<*, f32> -> !ragged.tensor<[m, 4], f32>
  %15 = ragged.linear %x, %w, %b dim = 1 : !ragged.tensor<*, f32>, tensor<8x4xf32>, tensor<8xf32> -> !ragged.tensor<*, f32>
  %16 = ragged.layer_norm %x, %g, %g dims = [1] eps = 1.0 : !ragged.tensor<*, f32>, tensor<4xf32>, tensor<4xf32> -> !ragged.tensor<*, f32>
  %17 = ragged.softmax %x dim = 5 : !ragged.tensor<*, f32> -> !ragged.tensor<*, f32>
  %18 = ragged.sum %x dims = [1] : !ragged.tensor<*, f32> -> !ragged.tensor<*, f32>
  %19 = ragged.max %x dims = [1] keep_dims batch : !ragged.tensor<*, f32> -> tensor<1x4xf32>
  %20 = ragged.mean %x dims = [1] : !ragged.tensor<*, f32> -> !ragged.tensor<[n], f32>
  // CHECK: return
  return
}
