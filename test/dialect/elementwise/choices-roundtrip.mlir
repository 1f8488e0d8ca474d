// Comparisons, choices, casts and the unary ops beside them, in text, generic form and bytecode: each op, each
// element type of its domain.

// RUN: ragged-opt %s --verify-roundtrip | FileCheck %s
// RUN: ragged-opt %s | ragged-opt | FileCheck %s
// RUN: ragged-opt %s --mlir-print-op-generic | ragged-opt | FileCheck %s
// RUN: ragged-opt %s --emit-bytecode | ragged-opt | FileCheck %s

// CHECK-LABEL: @ops_f64
func.func @ops_f64(%x: !ragged.tensor<[n, 4], f64>, %y: !ragged.tensor<[n, 4], f64>, %c: !ragged.tensor<[n, 4], i1>) {
  // CHECK: ragged.neg %{{.*}} : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  %0 = ragged.neg %x : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  // CHECK: ragged.clamp %{{.*}}, %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  %1 = ragged.clamp %x, %y, %x : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  // CHECK: ragged.sqrt %{{.*}} : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  %2 = ragged.sqrt %x : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  // CHECK: ragged.rsqrt %{{.*}} : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  %3 = ragged.rsqrt %x : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  // CHECK: ragged.erf %{{.*}} : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  %4 = ragged.erf %x : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  // CHECK: ragged.equal %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], i1>
  %5 = ragged.equal %x, %y : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.not_equal %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], i1>
  %6 = ragged.not_equal %x, %y : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.less %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], i1>
  %7 = ragged.less %x, %y : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.less_equal %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], i1>
  %8 = ragged.less_equal %x, %y : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.greater %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], i1>
  %9 = ragged.greater %x, %y : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.greater_equal %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], i1>
  %10 = ragged.greater_equal %x, %y : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.where %{{.*}}, %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  %11 = ragged.where %c, %x, %y : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  %12 = ragged.cast %x : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f32>
  %13 = ragged.cast %x : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], bf16>
  %14 = ragged.cast %x : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], bf16>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], i64>
  %15 = ragged.cast %x : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], i64>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], i1>
  %16 = ragged.cast %x : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], i1>
  return
}

// CHECK-LABEL: @ops_f32
func.func @ops_f32(%x: !ragged.tensor<[n, 4], f32>, %y: !ragged.tensor<[n, 4], f32>, %c: !ragged.tensor<[n, 4], i1>) {
  // CHECK: ragged.neg %{{.*}} : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %0 = ragged.neg %x : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.clamp %{{.*}}, %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %1 = ragged.clamp %x, %y, %x : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.sqrt %{{.*}} : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %2 = ragged.sqrt %x : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.rsqrt %{{.*}} : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %3 = ragged.rsqrt %x : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.erf %{{.*}} : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %4 = ragged.erf %x : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.equal %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], i1>
  %5 = ragged.equal %x, %y : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.not_equal %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], i1>
  %6 = ragged.not_equal %x, %y : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.less %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], i1>
  %7 = ragged.less %x, %y : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.less_equal %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], i1>
  %8 = ragged.less_equal %x, %y : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.greater %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], i1>
  %9 = ragged.greater %x, %y : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.greater_equal %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], i1>
  %10 = ragged.greater_equal %x, %y : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.where %{{.*}}, %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %11 = ragged.where %c, %x, %y : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f64>
  %12 = ragged.cast %x : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f64>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %13 = ragged.cast %x : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], bf16>
  %14 = ragged.cast %x : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], bf16>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], i64>
  %15 = ragged.cast %x : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], i64>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], i1>
  %16 = ragged.cast %x : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], i1>
  return
}

// CHECK-LABEL: @ops_bf16
func.func @ops_bf16(%x: !ragged.tensor<[n, 4], bf16>, %y: !ragged.tensor<[n, 4], bf16>, %c: !ragged.tensor<[n, 4], i1>) {
  // CHECK: ragged.neg %{{.*}} : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  %0 = ragged.neg %x : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  // CHECK: ragged.clamp %{{.*}}, %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  %1 = ragged.clamp %x, %y, %x : !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  // CHECK: ragged.sqrt %{{.*}} : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  %2 = ragged.sqrt %x : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  // CHECK: ragged.rsqrt %{{.*}} : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  %3 = ragged.rsqrt %x : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  // CHECK: ragged.erf %{{.*}} : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  %4 = ragged.erf %x : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  // CHECK: ragged.equal %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], i1>
  %5 = ragged.equal %x, %y : !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.not_equal %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], i1>
  %6 = ragged.not_equal %x, %y : !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.less %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], i1>
  %7 = ragged.less %x, %y : !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.less_equal %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], i1>
  %8 = ragged.less_equal %x, %y : !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.greater %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], i1>
  %9 = ragged.greater %x, %y : !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.greater_equal %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], i1>
  %10 = ragged.greater_equal %x, %y : !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.where %{{.*}}, %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  %11 = ragged.where %c, %x, %y : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], f64>
  %12 = ragged.cast %x : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], f64>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], f32>
  %13 = ragged.cast %x : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  %14 = ragged.cast %x : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], i64>
  %15 = ragged.cast %x : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], i64>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], i1>
  %16 = ragged.cast %x : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], i1>
  return
}

// CHECK-LABEL: @ops_i64
func.func @ops_i64(%x: !ragged.tensor<[n, 4], i64>, %y: !ragged.tensor<[n, 4], i64>, %c: !ragged.tensor<[n, 4], i1>) {
  // CHECK: ragged.neg %{{.*}} : !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i64>
  %0 = ragged.neg %x : !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i64>
  // CHECK: ragged.clamp %{{.*}}, %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i64>
  %1 = ragged.clamp %x, %y, %x : !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i64>
  // CHECK: ragged.equal %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i1>
  %2 = ragged.equal %x, %y : !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.not_equal %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i1>
  %3 = ragged.not_equal %x, %y : !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.less %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i1>
  %4 = ragged.less %x, %y : !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.less_equal %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i1>
  %5 = ragged.less_equal %x, %y : !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.greater %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i1>
  %6 = ragged.greater %x, %y : !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.greater_equal %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i1>
  %7 = ragged.greater_equal %x, %y : !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.where %{{.*}}, %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i64>
  %8 = ragged.where %c, %x, %y : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i64>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], f64>
  %9 = ragged.cast %x : !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], f64>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], f32>
  %10 = ragged.cast %x : !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], bf16>
  %11 = ragged.cast %x : !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], bf16>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i64>
  %12 = ragged.cast %x : !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i64>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i1>
  %13 = ragged.cast %x : !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i1>
  return
}

// CHECK-LABEL: @ops_i1
func.func @ops_i1(%x: !ragged.tensor<[n, 4], i1>, %y: !ragged.tensor<[n, 4], i1>, %c: !ragged.tensor<[n, 4], i1>) {
  // CHECK: ragged.equal %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], i1> -> !ragged.tensor<[n, 4], i1>
  %0 = ragged.equal %x, %y : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], i1> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.not_equal %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], i1> -> !ragged.tensor<[n, 4], i1>
  %1 = ragged.not_equal %x, %y : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], i1> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.less %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], i1> -> !ragged.tensor<[n, 4], i1>
  %2 = ragged.less %x, %y : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], i1> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.less_equal %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], i1> -> !ragged.tensor<[n, 4], i1>
  %3 = ragged.less_equal %x, %y : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], i1> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.greater %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], i1> -> !ragged.tensor<[n, 4], i1>
  %4 = ragged.greater %x, %y : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], i1> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.greater_equal %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], i1> -> !ragged.tensor<[n, 4], i1>
  %5 = ragged.greater_equal %x, %y : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], i1> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.where %{{.*}}, %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], i1> -> !ragged.tensor<[n, 4], i1>
  %6 = ragged.where %c, %x, %y : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], i1> -> !ragged.tensor<[n, 4], i1>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], i1> -> !ragged.tensor<[n, 4], f64>
  %7 = ragged.cast %x : !ragged.tensor<[n, 4], i1> -> !ragged.tensor<[n, 4], f64>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], i1> -> !ragged.tensor<[n, 4], f32>
  %8 = ragged.cast %x : !ragged.tensor<[n, 4], i1> -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], i1> -> !ragged.tensor<[n, 4], bf16>
  %9 = ragged.cast %x : !ragged.tensor<[n, 4], i1> -> !ragged.tensor<[n, 4], bf16>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], i1> -> !ragged.tensor<[n, 4], i64>
  %10 = ragged.cast %x : !ragged.tensor<[n, 4], i1> -> !ragged.tensor<[n, 4], i64>
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, 4], i1> -> !ragged.tensor<[n, 4], i1>
  %11 = ragged.cast %x : !ragged.tensor<[n, 4], i1> -> !ragged.tensor<[n, 4], i1>
  return
}

// CHECK-LABEL: @shapes
func.func @shapes(%c: !ragged.tensor<[n, 1, 4], i1>, %x: !ragged.tensor<[1, m, 1], f32>, %s: f32, %k: i1,
                  %p: !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>, %w: tensor<4x?xi64>, %t: tensor<4x?xi1>) {
  // CHECK: ragged.where %{{.*}} -> !ragged.tensor<[n, m, 4], f32>
  %0 = ragged.where %c, %x, %s : !ragged.tensor<[n, 1, 4], i1>, !ragged.tensor<[1, m, 1], f32>, f32 -> !ragged.tensor<[n, m, 4], f32>
  // CHECK: ragged.where %{{.*}} : i1, !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>, f32 -> !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>
  %1 = ragged.where %k, %p, %s : i1, !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>, f32 -> !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>
  // CHECK: ragged.less %{{.*}} : !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>, f32 -> !ragged.tensor<[n, m, 4], i1, order = [1, 0, 2]>
  %2 = ragged.less %p, %s : !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>, f32 -> !ragged.tensor<[n, m, 4], i1, order = [1, 0, 2]>
  // CHECK: ragged.equal %{{.*}} : tensor<4x?xi64>, tensor<4x?xi64> -> tensor<4x?xi1>
  %3 = ragged.equal %w, %w : tensor<4x?xi64>, tensor<4x?xi64> -> tensor<4x?xi1>
  // CHECK: ragged.where %{{.*}} : tensor<4x?xi1>, tensor<4x?xi64>, tensor<4x?xi64> -> tensor<4x?xi64>
  %4 = ragged.where %t, %w, %w : tensor<4x?xi1>, tensor<4x?xi64>, tensor<4x?xi64> -> tensor<4x?xi64>
  // CHECK: ragged.where %{{.*}} : i1, f32, f32 -> f32
  %5 = ragged.where %k, %s, %s : i1, f32, f32 -> f32
  // CHECK: ragged.less %{{.*}} : f32, f32 -> i1
  %6 = ragged.less %s, %s : f32, f32 -> i1
  // CHECK: ragged.cast %{{.*}} : tensor<4x?xi64> -> tensor<4x?xbf16>
  %7 = ragged.cast %w : tensor<4x?xi64> -> tensor<4x?xbf16>
  // CHECK: ragged.cast %{{.*}} : f32 -> i1
  %8 = ragged.cast %s : f32 -> i1
  // CHECK: ragged.cast %{{.*}} : !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]> -> !ragged.tensor<[n, m, 4], i64, order = [1, 0, 2]>
  %9 = ragged.cast %p : !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]> -> !ragged.tensor<[n, m, 4], i64, order = [1, 0, 2]>
  // CHECK: ragged.clamp %{{.*}} : f32, !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>, f32 -> !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>
  %10 = ragged.clamp %s, %p, %s : f32, !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>, f32 -> !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>
  return
}

// Results that are still to be inferred have the right element type.
// CHECK-LABEL: @unknown
func.func @unknown(%x: !ragged.tensor<*, f32>, %c: !ragged.tensor<*, i1>) {
  // CHECK: ragged.less %{{.*}} -> !ragged.tensor<*, i1>
  %0 = ragged.less %x, %x : !ragged.tensor<*, f32>, !ragged.tensor<*, f32> -> !ragged.tensor<*, i1>
  // CHECK: ragged.where %{{.*}} -> !ragged.tensor<*, f32>
  %1 = ragged.where %c, %x, %x : !ragged.tensor<*, i1>, !ragged.tensor<*, f32>, !ragged.tensor<*, f32> -> !ragged.tensor<*, f32>
  // CHECK: ragged.cast %{{.*}} -> !ragged.tensor<*, i64>
  %2 = ragged.cast %x : !ragged.tensor<*, f32> -> !ragged.tensor<*, i64>
  // CHECK: ragged.sum %{{.*}} -> !ragged.tensor<*, i64>
  %3 = ragged.sum %c dims = [0] : !ragged.tensor<*, i1> -> !ragged.tensor<*, i64>
  // CHECK: ragged.sum %{{.*}} -> tensor<4xi64>
  %4 = ragged.sum %c dims = [0] batch : !ragged.tensor<*, i1> -> tensor<4xi64>
  return
}

// CHECK-LABEL: @full
func.func @full(%x: !ragged.tensor<[n, n, 4], bf16, order = [1, 0, 2]>, %u: !ragged.tensor<*, f32>, %s: f32, %k: i1) {
  // CHECK: ragged.full %{{.*}} like %{{.*}} : f32, !ragged.tensor<[n, n, 4], bf16, order = [1, 0, 2]> -> !ragged.tensor<[n, n, 4], f32, order = [1, 0, 2]>
  %0 = ragged.full %s like %x : f32, !ragged.tensor<[n, n, 4], bf16, order = [1, 0, 2]> -> !ragged.tensor<[n, n, 4], f32, order = [1, 0, 2]>
  // CHECK: ragged.full %{{.*}} like %{{.*}} : i1, !ragged.tensor<*, f32> -> !ragged.tensor<*, i1>
  %1 = ragged.full %k like %u : i1, !ragged.tensor<*, f32> -> !ragged.tensor<*, i1>
  return
}
