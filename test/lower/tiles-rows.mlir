// RUN: ragged-opt %s --ragged-verify-axes --ragged-propagate-schemas --ragged-inline --ragged-to-tiles | FileCheck %s
// RUN: ragged-opt %s --ragged-verify-axes --ragged-propagate-schemas --ragged-inline --ragged-to-tiles=fuse=false | FileCheck %s --check-prefix=ALONE
// Row-local ops: which of them share a kernel, what is stored, what products take with them.

!x = !ragged.tensor<[n, 8], f32>

// One kernel; %a is read by nobody else and never stored.
// CHECK-LABEL: ragged_tile.kernel @chain_0_rows axes = ["n"] grid = [0]
// CHECK-COUNT-2: ragged_tile.load
// CHECK:         %[[A:.*]] = ragged_tile.elementwise "add"
// CHECK:         %[[S:.*]] = ragged_tile.elementwise "sigmoid", %[[A]]
// CHECK:         ragged_tile.store %[[S]]
// CHECK-NOT:     ragged_tile.store
// CHECK-LABEL: func.func @ragged_entry_chain
// CHECK-COUNT-1: ragged_tile.launch
// CHECK-NOT:     ragged_tile.launch
// ALONE-LABEL: func.func @ragged_entry_chain
// ALONE-COUNT-2: ragged_tile.launch
// ALONE-NOT:     ragged_tile.launch
// ALONE-LABEL: ragged_tile.kernel @kept_0
func.func @chain(%x: !x, %y: !x) -> !x {
  %a = ragged.add %x, %y : !x, !x -> !x
  %s = ragged.sigmoid %a : !x -> !x
  return %s : !x
}

// What is returned is stored by the kernel that computes it.
// CHECK-LABEL: ragged_tile.kernel @kept_0_rows
// CHECK:         %[[A:.*]] = ragged_tile.elementwise "exp"
// CHECK:         ragged_tile.store %[[A]]
// CHECK:         ragged_tile.elementwise "gelu", %[[A]]
// CHECK:         ragged_tile.store
func.func @kept(%x: !x) -> (!x, !x) {
  %a = ragged.exp %x : !x -> !x
  %b = ragged.gelu %a : !x -> !x
  return %a, %b : !x, !x
}

// bf16 is computed with in f32; a number per row is repeated by a view.
// CHECK-LABEL: ragged_tile.kernel @narrow_0_sub
// CHECK:         %[[X:.*]] = ragged_tile.load %{{.*}} : <[0], 3xbf16> -> <3xf32>
// CHECK:         %[[R:.*]] = ragged_tile.load %{{.*}} : <[0], 1xbf16> -> <1xf32>
// CHECK:         %[[V:.*]] = ragged_tile.view %[[R]] map = [-1] : <1xf32> -> <3xf32>
// CHECK:         %[[Y:.*]] = ragged_tile.elementwise "sub", %[[X]], %[[V]]
// CHECK:         ragged_tile.store %[[Y]], %{{.*}} : <3xf32>, <[0], 3xbf16>
func.func @narrow(%x: !ragged.tensor<[n, 3], bf16>, %r: !ragged.tensor<[n, 1], bf16>) -> !ragged.tensor<[n, 3], bf16> {
  %a = ragged.sub %x, %r : !ragged.tensor<[n, 3], bf16>, !ragged.tensor<[n, 1], bf16> -> !ragged.tensor<[n, 3], bf16>
  return %a : !ragged.tensor<[n, 3], bf16>
}

// ---- Products ----------------------------------------------------------------------------------

// Norm, product with bias and activation, product with a residual: one kernel, two dots, one store.
// CHECK-LABEL: ragged_tile.kernel @transition_0_rows
// CHECK:         ragged_tile.elementwise "sqrt"
// CHECK:         %[[NORM:.*]] = ragged_tile.elementwise "mul", %{{.*}} : !ragged_tile.tile<8xf32>, !ragged_tile.tile<8xf32> -> <8xf32>
// CHECK-NEXT:    %[[WIDE:.*]] = ragged_tile.dot %[[NORM]], %{{.*}}, %{{.*}} bias activation = 2 : <8xf32>, <dense, 16x8xf32>, !ragged_tile.ref<dense, 16xf32> -> <16xf32>
// CHECK:         %[[Y:.*]] = ragged_tile.dot %[[WIDE]], %{{.*}}, %{{.*}} residual
// CHECK-NEXT:    ragged_tile.store %[[Y]]
// CHECK-NOT:     ragged_tile.elementwise "gelu"
// CHECK-LABEL: func.func @ragged_entry_transition
// CHECK-COUNT-1: ragged_tile.allocate
// CHECK-NOT:     ragged_tile.allocate
func.func @transition(%x: !x, %w: tensor<16x8xf32>, %b: tensor<16xf32>, %v: tensor<8x16xf32>) -> !x {
  %n = ragged.layer_norm %x dims = [1] eps = 1.0e-5 : !x -> !x
  %1 = ragged.linear %n, %w, %b dim = 1 : !x, tensor<16x8xf32>, tensor<16xf32> -> !ragged.tensor<[n, 16], f32>
  %2 = ragged.gelu %1 : !ragged.tensor<[n, 16], f32> -> !ragged.tensor<[n, 16], f32>
  %3 = ragged.linear %2, %v dim = 1 : !ragged.tensor<[n, 16], f32>, tensor<8x16xf32> -> !x
  %y = ragged.add %x, %3 : !x, !x -> !x
  return %y : !x
}

// A product whose result others read keeps it: no epilogue.
// CHECK-LABEL: ragged_tile.kernel @read_twice_0_rows
// CHECK:         %[[D:.*]] = ragged_tile.dot %{{.*}}, %{{.*}} : <8xf32>
// CHECK:         ragged_tile.elementwise "relu", %[[D]]
func.func @read_twice(%x: !x, %w: tensor<8x8xf32>) -> (!x, !x) {
  %1 = ragged.linear %x, %w dim = 1 : !x, tensor<8x8xf32> -> !x
  %2 = ragged.relu %1 : !x -> !x
  return %1, %2 : !x, !x
}

// Along a dimension that is not packed last: there and back by views.
// CHECK-LABEL: ragged_tile.kernel @inner_0_linear
// CHECK:         %[[X:.*]] = ragged_tile.load %{{.*}} : <[0], 3x4xf32> -> <3x4xf32>
// CHECK:         %[[T:.*]] = ragged_tile.view %[[X]] map = [1, 0] : <3x4xf32> -> <4x3xf32>
// CHECK:         %[[D:.*]] = ragged_tile.dot %[[T]], %{{.*}} : <4x3xf32>, <dense, 5x3xf32> -> <4x5xf32>
// CHECK:         %[[Y:.*]] = ragged_tile.view %[[D]] map = [1, 0] : <4x5xf32> -> <5x4xf32>
// CHECK:         ragged_tile.store %[[Y]]
func.func @inner(%x: !ragged.tensor<[n, 3, 4], f32>, %w: tensor<5x3xf32>) -> !ragged.tensor<[n, 5, 4], f32> {
  %1 = ragged.linear %x, %w dim = 1 : !ragged.tensor<[n, 3, 4], f32>, tensor<5x3xf32> -> !ragged.tensor<[n, 5, 4], f32>
  return %1 : !ragged.tensor<[n, 5, 4], f32>
}

// ---- What ends a kernel ------------------------------------------------------------------------

// A value that is read at another row than its own stands in memory first.
// CHECK-LABEL: ragged_tile.kernel @transposed_0_add axes = ["n"] grid = [0, 0]
// CHECK:         ragged_tile.store %{{.*}}, %{{.*}}[%[[I:.*]], %[[A:.*]], %[[B:.*]]]
// CHECK-LABEL: ragged_tile.kernel @transposed_1_mul axes = ["n"] grid = [0, 0]
// CHECK-NEXT:  ^bb0(%[[I:.*]]: index, %[[A:.*]]: index, %[[B:.*]]: index,
// CHECK:         ragged_tile.load %{{.*}}[%[[I]], %[[A]], %[[B]]]
// CHECK:         ragged_tile.load %{{.*}}[%[[I]], %[[B]], %[[A]]]
!sq = !ragged.tensor<[n, n, 3], f32>
!sqt = !ragged.tensor<[n, n, 3], f32, order = [1, 0, 2]>
func.func @transposed(%x: !sq, %y: !sq) -> !sq {
  %a = ragged.add %x, %y : !sq, !sq -> !sq
  %t = ragged.transpose %a permutation = [1, 0, 2] : !sq -> !sqt
  %b = ragged.mul %a, %t : !sq, !sqt -> !sq
  return %b : !sq
}

// A broadcast that others only read has no kernel; one that is returned has.
// CHECK-LABEL: ragged_tile.kernel @broadcasts_0_rows
// CHECK:         %[[W:.*]] = ragged_tile.load %[[REF:.*]][] : <dense, 8xf32> -> <8xf32>
// CHECK:         ragged_tile.store %[[W]]
// CHECK-NOT:     ragged_tile.load %[[REF]][]
// CHECK:         ragged_tile.elementwise "mul", %{{.*}}, %[[W]]
func.func @broadcasts(%x: !x, %w: tensor<8xf32>) -> (!x, !x) {
  %a = ragged.broadcast %w dims = [1] like %x : tensor<8xf32>, !x -> !x
  %b = ragged.mul %x, %a : !x, !x -> !x
  return %a, %b : !x, !x
}

// Nothing is computed that nobody reads; views and arguments come out without a kernel.
// CHECK-LABEL: func.func @ragged_entry_nothing
// CHECK-NOT:     ragged_tile.launch
// CHECK:         %[[X:.*]] = ragged_tile.argument %
// CHECK:         ragged_tile.result %{{.*}}, 0, %[[X]]
func.func @nothing(%x: !x) -> !ragged.tensor<[8, n], f32> {
  %e = ragged.exp %x : !x -> !x
  %t = ragged.transpose %x permutation = [1, 0] : !x -> !ragged.tensor<[8, n], f32>
  return %t : !ragged.tensor<[8, n], f32>
}
