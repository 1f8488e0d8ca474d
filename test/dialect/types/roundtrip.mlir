// What types say comes back the same, through text, generic form and bytecode.
// RUN: ragged-opt %s --verify-roundtrip | FileCheck %s
// RUN: ragged-opt %s | ragged-opt | FileCheck %s
// RUN: ragged-opt %s --mlir-print-op-generic | ragged-opt | FileCheck %s
// RUN: ragged-opt %s --emit-bytecode | ragged-opt | FileCheck %s

// CHECK-LABEL: @element_types
// CHECK-SAME: !ragged.tensor<[n, 4], f64>
// CHECK-SAME: !ragged.tensor<[n, 4], f32>
// CHECK-SAME: !ragged.tensor<[n, 4], bf16>
// CHECK-SAME: !ragged.tensor<[n, 4], i64>
func.func private @element_types(!ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f32>,
                                 !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], i64>)

// CHECK-LABEL: @vocabulary
// CHECK-SAME: !ragged.tensor<[n, 384], f32>
// CHECK-SAME: !ragged.tensor<[n, n, 128], bf16>
// CHECK-SAME: !ragged.tensor<[n, m, 128], f32>
// CHECK-SAME: !ragged.tensor<[3, h, w], f32>
// CHECK-SAME: !ragged.tensor<[128], f32>
// CHECK-SAME: !ragged.tensor<[], f32>
// CHECK-SAME: !ragged.tensor<*, f32>
func.func private @vocabulary(!ragged.tensor<[n, 384], f32>, !ragged.tensor<[n, n, 128], bf16>,
                              !ragged.tensor<[n, m, 128], f32>, !ragged.tensor<[3, h, w], f32>,
                              !ragged.tensor<[128], f32>, !ragged.tensor<[], f32>,
                              !ragged.tensor<*, f32>)

// The default order is not printed: ragged dimensions in dimension order, then static ones.
// CHECK-LABEL: @orders
// CHECK-SAME: !ragged.tensor<[n, m, 128], f32, order = [1, 0, 2]>
// CHECK-SAME: !ragged.tensor<[n, m, 128], f32>
// CHECK-SAME: !ragged.tensor<[3, h, w], f32>
// CHECK-SAME: !ragged.tensor<[3, h, w], f32, order = [2, 1, 0]>
// CHECK-SAME: !ragged.tensor<[4, 5], f32, order = [1, 0]>
// CHECK-SAME: !ragged.tensor<[], f32>
func.func private @orders(!ragged.tensor<[n, m, 128], f32, order = [1, 0, 2]>,
                          !ragged.tensor<[n, m, 128], f32, order = [0, 1, 2]>,
                          !ragged.tensor<[3, h, w], f32, order = [1, 2, 0]>,
                          !ragged.tensor<[3, h, w], f32, order = [2, 1, 0]>,
                          !ragged.tensor<[4, 5], f32, order = [1, 0]>,
                          !ragged.tensor<[], f32, order = []>)

// Sixteen dimensions are the most; extents of zero and one are like any other.
// CHECK-LABEL: @extents
// CHECK-SAME: !ragged.tensor<[n, 0, 128], f32>
// CHECK-SAME: !ragged.tensor<[0], f32>
// CHECK-SAME: !ragged.tensor<[n, 1, 9223372036854775807], f32>
// CHECK-SAME: !ragged.tensor<[n, n, n, n, n, n, n, n, m, m, m, m, m, m, m, 2], f32>
func.func private @extents(!ragged.tensor<[n, 0, 128], f32>, !ragged.tensor<[0], f32>,
                           !ragged.tensor<[n, 1, 9223372036854775807], f32>,
                           !ragged.tensor<[n, n, n, n, n, n, n, n, m, m, m, m, m, m, m, 2], f32>)

// Words that MLIR's lexer knows are names like any other.
// CHECK-LABEL: @names
// CHECK-SAME: !ragged.tensor<[f32, loc, x, i64, n.1, _a, n$b, affine_map], f32>
func.func private @names(!ragged.tensor<[f32, loc, x, i64, n.1, _a, n$b, affine_map], f32>)

// As attributes and inside other types.
// CHECK-LABEL: @nested
// CHECK-SAME: tuple<!ragged.tensor<[n], f32>, i64>
// CHECK-SAME: t = !ragged.tensor<[m, n], f32, order = [1, 0]>
func.func private @nested(tuple<!ragged.tensor<[n], f32>, i64>)
    attributes {t = !ragged.tensor<[m, n], f32, order = [1, 0]>}
