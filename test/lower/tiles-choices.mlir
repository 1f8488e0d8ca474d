// Comparisons and choices are ops of one kernel, casts round where they stand, sums of i1 count.
// RUN: ragged-opt %s --canonicalize --ragged-to-tiles | FileCheck %s
// RUN: ragged-opt %s --lower-to-cpu | FileCheck %s --check-prefix=CPU

!x = !ragged.tensor<[n, 8], f32>
!t = !ragged.tensor<[n, 8], i1>
!b = !ragged.tensor<[n, 8], bf16>

// CHECK-LABEL: ragged_tile.kernel @chosen_0_rows
// CHECK: %[[C:.*]] = ragged_tile.elementwise "less", %{{.*}} -> <8xi1>
// CHECK: ragged_tile.elementwise "where", %[[C]], %{{.*}} -> <8xf32>
// CHECK-LABEL: func.func @ragged_entry_chosen
// CHECK-COUNT-1: ragged_tile.launch
// A mask goes from the comparison to the choice in a register.
// CPU-LABEL: llvm.func {{.*}}@chosen_0_rows(
// CPU-NOT: llvm.alloca
// CPU: %[[MASK:.*]] = llvm.fcmp "olt"
// CPU-NOT: llvm.store
// CPU: llvm.select %[[MASK]]
func.func @chosen(%x: !x, %y: !x, %g: !x) -> !x {
  %zero = arith.constant 0.0 : f32
  %c = ragged.less %x, %y : !x, !x -> !t
  %r = ragged.where %c, %g, %zero : !t, !x, f32 -> !x
  return %r : !x
}

// The f64 goes to bf16 in one rounding; the second result is f32 that holds numbers of bf16.
// CHECK-LABEL: ragged_tile.kernel @rounded_0_rows
// CHECK: ragged_tile.convert %{{.*}} bf16 : <8xf64> -> <8xf32>
// CHECK: %[[ROUNDED:.*]] = ragged_tile.convert %{{.*}} bf16 : <8xf32> -> <8xf32>
// CHECK-NOT: ragged_tile.convert
// CHECK: ragged_tile.store %[[ROUNDED]], %{{.*}} : <8xf32>, <[0], 8xf32>
func.func @rounded(%x: !x, %d: !ragged.tensor<[n, 8], f64>) -> (!b, !x) {
  %0 = ragged.cast %d : !ragged.tensor<[n, 8], f64> -> !b
  %1 = ragged.cast %x : !x -> !b
  %2 = ragged.cast %1 : !b -> !x
  return %0, %2 : !b, !x
}

// CHECK-LABEL: ragged_tile.kernel @counted_0_sum
// CHECK: ragged_tile.accumulate "add" over 0 of %{{.*}} : <8xi64>
// CHECK: ragged_tile.convert %{{.*}} : <8xi1> -> <8xi64>
// CHECK-LABEL: ragged_tile.kernel @counted_1_sum
// CHECK: ragged_tile.convert %{{.*}} : <8xi1> -> <8xi64>
// CHECK: ragged_tile.reduce "add"
func.func @counted(%c: !t) -> (!ragged.tensor<[n], i64>, !ragged.tensor<[8], i64>) {
  %0 = ragged.sum %c dims = [1] : !t -> !ragged.tensor<[n], i64>
  %1 = ragged.sum %c dims = [0] : !t -> !ragged.tensor<[8], i64>
  return %0, %1 : !ragged.tensor<[n], i64>, !ragged.tensor<[8], i64>
}

// One number everywhere is read as one number.
// CHECK-LABEL: ragged_tile.kernel @everywhere_0_add
// CHECK: %[[ONE:.*]] = ragged_tile.load %{{.*}}[] : <dense, f32> -> <f32>
// CHECK: ragged_tile.view %[[ONE]] map = []
// CHECK-LABEL: func.func @ragged_entry_everywhere
// CHECK-COUNT-1: ragged_tile.launch
// CHECK-NOT: ragged_tile.launch
func.func @everywhere(%x: !x, %s: f32) -> !x {
  %0 = ragged.full %s like %x : f32, !x -> !x
  %1 = ragged.add %x, %0 : !x, !x -> !x
  return %1 : !x
}
