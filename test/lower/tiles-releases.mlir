// RUN: ragged-opt %s --ragged-verify-axes --ragged-propagate-schemas --ragged-inline --ragged-to-tiles | FileCheck %s
// Every buffer ends after its last use: in straight lines, in branches, in loops.

!x = !ragged.tensor<[n, 8], f32>
!s = !ragged.tensor<[1, 8], f32>

// The sum is released before the second kernel's result is handed over; the argument after its last
// reader.
// CHECK-LABEL: func.func @ragged_entry_straight
// CHECK:         %[[X:.*]] = ragged_tile.argument %{{.*}}, 0
// CHECK-NEXT:    ragged_tile.retain %{{.*}}, %[[X]]
// CHECK:         %[[SUM:.*]] = ragged_tile.allocate
// CHECK:         ragged_tile.launch {{.*}} buffers(%[[X]], %[[SUM]])
// CHECK-NOT:     ragged_tile.release
// CHECK:         ragged_tile.launch
// CHECK-DAG:     ragged_tile.release %{{.*}}, %[[X]]
// CHECK-DAG:     ragged_tile.release %{{.*}}, %[[SUM]]
// CHECK:         ragged_tile.result
// CHECK-NOT:     ragged_tile.release
func.func @straight(%x: !x) -> !x {
  %s = ragged.sum %x dims = [0] keep_dims : !x -> !s
  %y = ragged.sub %x, %s : !x, !s -> !x
  return %y : !x
}

// A value that is returned twice has a reference more.
// CHECK-LABEL: func.func @ragged_entry_twice
// CHECK:         %[[Y:.*]] = ragged_tile.allocate
// CHECK:         ragged_tile.launch
// CHECK:         ragged_tile.retain %{{.*}}, %[[Y]]
// CHECK:         ragged_tile.result %{{.*}}, 0, %[[Y]]
// CHECK:         ragged_tile.result %{{.*}}, 1, %[[Y]]
// CHECK-NOT:     ragged_tile.release %{{.*}}, %[[Y]]
func.func @twice(%x: !x) -> (!x, !x) {
  %y = ragged.exp %x : !x -> !x
  return %y, %y : !x, !x
}

// Yields consume: what comes from outside is retained in the branch, and released after the if.
// CHECK-LABEL: func.func @ragged_entry_branch
// CHECK:         %[[X:.*]] = ragged_tile.argument %{{.*}}, 0
// CHECK:         %[[R:.*]] = scf.if
// CHECK:           %[[Y:.*]] = ragged_tile.allocate
// CHECK:           ragged_tile.launch
// CHECK:           scf.yield %[[Y]]
// CHECK:         else
// CHECK-NEXT:      ragged_tile.retain %{{.*}}, %[[X]]
// CHECK-NEXT:      scf.yield %[[X]]
// CHECK:         ragged_tile.release %{{.*}}, %[[X]]
// CHECK:         ragged_tile.launch
// CHECK:         ragged_tile.release %{{.*}}, %[[R]]
func.func @branch(%x: !x, %c: i64) -> !x {
  %k = arith.constant 4 : i64
  %is = arith.cmpi slt, %c, %k : i64
  %r = scf.if %is -> (!x) {
    %y = ragged.exp %x : !x -> !x
    scf.yield %y : !x
  } else {
    scf.yield %x : !x
  }
  %z = ragged.relu %r : !x -> !x
  return %z : !x
}

// Each iteration releases what it was given.
// CHECK-LABEL: func.func @ragged_entry_loop
// CHECK:         %[[X:.*]] = ragged_tile.argument %{{.*}}, 0
// CHECK:         ragged_tile.retain %{{.*}}, %[[X]]
// CHECK:         %[[R:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]])
// CHECK:           %[[B:.*]] = ragged_tile.allocate
// CHECK:           ragged_tile.launch {{.*}} buffers(%[[A]], %[[B]])
// CHECK:           ragged_tile.release %{{.*}}, %[[A]]
// CHECK:           scf.yield %[[B]]
// CHECK-NOT:     ragged_tile.release
// CHECK:         ragged_tile.result %{{.*}}, 0, %[[R]]
func.func @loop(%x: !x) -> !x {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %x) -> (!x) {
    %b = ragged.exp %a : !x -> !x
    scf.yield %b : !x
  }
  return %r : !x
}

// One value starts two carried ones: two references.
// CHECK-LABEL: func.func @ragged_entry_start_twice
// CHECK:         %[[X:.*]] = ragged_tile.argument %{{.*}}, 0
// CHECK-COUNT-2: ragged_tile.retain %{{.*}}, %[[X]]
// CHECK:         scf.for
// CHECK:           ragged_tile.release
// CHECK:           scf.yield
func.func @start_twice(%x: !x) -> (!x, !x) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %x, %b = %x) -> (!x, !x) {
    %d = ragged.add %a, %b : !x, !x -> !x
    scf.yield %d, %a : !x, !x
  }
  return %r#0, %r#1 : !x, !x
}

// What a loop starts with and also reads in every iteration lives until the loop ends.
// CHECK-LABEL: func.func @ragged_entry_read_in_loop
// CHECK:         %[[Y:.*]] = ragged_tile.allocate
// CHECK:         ragged_tile.retain %{{.*}}, %[[Y]]
// CHECK:         scf.for {{.*}} iter_args(%[[A:.*]] = %[[Y]])
// CHECK:           ragged_tile.launch {{.*}} buffers(%[[A]], %[[Y]], %[[B:.*]])
// CHECK:           ragged_tile.release %{{.*}}, %[[A]]
// CHECK:           scf.yield %[[B]]
// CHECK:         }
// CHECK-NEXT:    ragged_tile.release %{{.*}}, %[[Y]]
func.func @read_in_loop(%x: !x) -> !x {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %y = ragged.exp %x : !x -> !x
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %y) -> (!x) {
    %b = ragged.mul %a, %y : !x, !x -> !x
    scf.yield %b : !x
  }
  return %r : !x
}
