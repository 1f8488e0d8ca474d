// DEFINE: %{lower} = ragged-opt %s --ragged-verify-axes --ragged-propagate-schemas --ragged-inline --ragged-to-tiles
// RUN: %{lower} --ragged-lower-kernels-to-cpu=vector-bytes=64 --canonicalize --cse | FileCheck %s
// RUN: %{lower} --ragged-lower-kernels-to-cpu=vector-bytes=32 --canonicalize --cse | FileCheck %s --check-prefix=HALF
// RUN: not %{lower} --ragged-lower-kernels-to-cpu=vector-bytes=8 2>&1 | FileCheck %s --check-prefix=WIDTH
// WIDTH: cpu-vectors.mlir:{{[1-9][0-9]*}}:1: error: vector-bytes is 8, expected 16, 32 or 64
// How kernels are cut to vectors: whole registers along tails or along rows, memory in consecutive
// pieces, accumulators that no loop reloads.

// Equal tails: rows are one run of elements, whole vectors and then single ones.
// CHECK-LABEL: func.func @flat_0_add
// CHECK:         scf.for {{.*}} step %c16_i64
// CHECK:           llvm.load {{.*}} -> vector<16xf32>
// CHECK:           llvm.load {{.*}} -> vector<16xf32>
// CHECK:           arith.addf {{.*}} : vector<16xf32>
// CHECK:           llvm.store {{.*}} : vector<16xf32>
// CHECK:         scf.for
// CHECK:           llvm.load {{.*}} -> f32
// CHECK-LABEL: func.func @ragged_entry_flat
// HALF-LABEL: func.func @flat_0_add
// HALF:         scf.for {{.*}} step %c8_i64
// HALF:           llvm.load {{.*}} -> vector<8xf32>
func.func @flat(%x: !ragged.tensor<[n, 3], f32>, %y: !ragged.tensor<[n, 3], f32>) -> !ragged.tensor<[n, 3], f32> {
  %a = ragged.add %x, %y : !ragged.tensor<[n, 3], f32>, !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
  return %a : !ragged.tensor<[n, 3], f32>
}

// bf16 in memory, f32 in registers; f64 has half the lanes.
// CHECK-LABEL: func.func @narrow_0_mul
// CHECK:           llvm.load {{.*}} -> vector<16xi16>
// CHECK:           arith.mulf {{.*}} : vector<16xf32>
// CHECK:           llvm.store {{.*}} : vector<16xi16>
// CHECK-LABEL: func.func @ragged_entry_narrow
func.func @narrow(%x: !ragged.tensor<[n, 16], bf16>) -> !ragged.tensor<[n, 16], bf16> {
  %a = ragged.mul %x, %x : !ragged.tensor<[n, 16], bf16>, !ragged.tensor<[n, 16], bf16> -> !ragged.tensor<[n, 16], bf16>
  return %a : !ragged.tensor<[n, 16], bf16>
}
// CHECK-LABEL: func.func @wide_0_mul
// CHECK:           llvm.load {{.*}} -> vector<8xf64>
// CHECK-LABEL: func.func @ragged_entry_wide
func.func @wide(%x: !ragged.tensor<[n, 16], f64>) -> !ragged.tensor<[n, 16], f64> {
  %a = ragged.mul %x, %x : !ragged.tensor<[n, 16], f64>, !ragged.tensor<[n, 16], f64> -> !ragged.tensor<[n, 16], f64>
  return %a : !ragged.tensor<[n, 16], f64>
}

// Pairs: both operands and the result in whole vectors along the features, no element alone, no gather.
// CHECK-LABEL: func.func @pair_0_add
// CHECK-NOT:       llvm.load {{.*}} -> f32
// CHECK-NOT:       vector.insert
// CHECK-COUNT-2:   llvm.load {{.*}} -> vector<16xf32>
// CHECK-NOT:       llvm.load {{.*}} -> f32
// CHECK-NOT:       vector.insert
// CHECK:           llvm.store {{.*}} : vector<16xf32>
// CHECK-NOT:       llvm.load {{.*}} -> f32
// CHECK-LABEL: func.func @ragged_entry_pair
func.func @pair(%u: !ragged.tensor<[n, 1, 128], f32>, %v: !ragged.tensor<[1, m, 128], f32>) -> !ragged.tensor<[n, m, 128], f32> {
  %a = ragged.add %u, %v : !ragged.tensor<[n, 1, 128], f32>, !ragged.tensor<[1, m, 128], f32> -> !ragged.tensor<[n, m, 128], f32>
  return %a : !ragged.tensor<[n, m, 128], f32>
}

// Narrow pairs: sixteen columns at a time; the row's number is one, the columns are consecutive.
// CHECK-LABEL: func.func @narrow_pair_0_add
// CHECK:           scf.for {{.*}} step %c16_i64
// CHECK:             llvm.load {{.*}} -> f32
// CHECK:             llvm.load {{.*}} -> vector<16xf32>
// CHECK-NOT:         vector.insert
// CHECK:             llvm.store {{.*}} : vector<16xf32>
// CHECK-LABEL: func.func @ragged_entry_narrow_pair
func.func @narrow_pair(%u: !ragged.tensor<[n, 1], f32>, %v: !ragged.tensor<[1, m], f32>) -> !ragged.tensor<[n, m], f32> {
  %a = ragged.add %u, %v : !ragged.tensor<[n, 1], f32>, !ragged.tensor<[1, m], f32> -> !ragged.tensor<[n, m], f32>
  return %a : !ragged.tensor<[n, m], f32>
}

// A sum over rows keeps a compensated accumulator per feature, in vectors.
// CHECK-LABEL: func.func @sum_0_sum
// CHECK:           llvm.load {{.*}} -> vector<16xf32>
// CHECK:           arith.subf {{.*}} : vector<16xf32>
// CHECK-NOT:       vector.insert
// CHECK-LABEL: func.func @ragged_entry_sum
func.func @sum(%x: !ragged.tensor<[n, 128], f32>) -> !ragged.tensor<[128], f32> {
  %a = ragged.sum %x dims = [0] : !ragged.tensor<[n, 128], f32> -> !ragged.tensor<[128], f32>
  return %a : !ragged.tensor<[128], f32>
}

// A sum of single numbers along a row of a pair: lanes along the summed axis, then across.
// CHECK-LABEL: func.func @numbers_0_sum
// CHECK:           scf.for {{.*}} step %c16_i64
// CHECK:             llvm.load {{.*}} -> vector<16xf32>
// CHECK:           vector.shuffle
// CHECK-LABEL: func.func @ragged_entry_numbers
func.func @numbers(%x: !ragged.tensor<[n, m], f32>) -> !ragged.tensor<[n], f32> {
  %a = ragged.sum %x dims = [1] : !ragged.tensor<[n, m], f32> -> !ragged.tensor<[n], f32>
  return %a : !ragged.tensor<[n], f32>
}

// Along the columns: the columns are the lanes.
// CHECK-LABEL: func.func @columns_0_max
// CHECK:           scf.for {{.*}} step %c16_i64
// CHECK:             scf.for
// CHECK:               llvm.load {{.*}} -> vector<16xf32>
// CHECK-NOT:       vector.insert
// CHECK-NOT:       vector.shuffle
// CHECK-LABEL: func.func @ragged_entry_columns
func.func @columns(%x: !ragged.tensor<[n, m], f32>) -> !ragged.tensor<[m], f32> {
  %a = ragged.max %x dims = [0] : !ragged.tensor<[n, m], f32> -> !ragged.tensor<[m], f32>
  return %a : !ragged.tensor<[m], f32>
}
