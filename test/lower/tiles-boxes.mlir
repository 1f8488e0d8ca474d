// RUN: ragged-opt %s --ragged-verify-axes --ragged-propagate-schemas --ragged-inline --ragged-to-tiles | FileCheck %s
// pack and unpack: the kernels, and what the host program checks before them.

// CHECK-LABEL: ragged_tile.kernel @pack_0_pack axes = ["a", "box 0"] grid = [0]
// CHECK-NEXT:  ^bb0(%[[I:.*]]: index, %[[A:.*]]: index, %[[BOX:.*]]: !ragged_tile.ref<box [1, 0, 2] [1], 3xf32>, %[[X:.*]]: !ragged_tile.ref<[0], 3xf32>):
// CHECK-NEXT:    %[[ROW:.*]] = ragged_tile.load %[[BOX]][%[[I]], %[[A]]]
// CHECK-NEXT:    ragged_tile.store %[[ROW]], %[[X]][%[[I]], %[[A]]]
// CHECK-LABEL: func.func @ragged_entry_pack
// CHECK:         %[[AXIS:.*]] = ragged_tile.axis_from_lengths
// CHECK:         ragged_tile.check_extent {{.*}} dim = 1
// CHECK:         %[[EXTENT:.*]] = ragged_tile.dense_extent {{.*}} dim = 0
// CHECK:         ragged_tile.check_limit %{{.*}}, %[[AXIS]] within %[[EXTENT]]
// CHECK:         ragged_tile.launch
func.func @pack(%v: tensor<?x?x3xf32>, %l: tensor<?xi64>) -> !ragged.tensor<[a, 3], f32> {
  %x = ragged.pack %v, %l axes = ["a"] batch = 1 : tensor<?x?x3xf32>, tensor<?xi64> -> !ragged.tensor<[a, 3], f32>
  return %x : !ragged.tensor<[a, 3], f32>
}

// A grid over the cells of the box; cells beyond the sample are the fill.
// CHECK-LABEL: ragged_tile.kernel @unpack_0_unpack axes = ["box 0", "box 1", "h", "w"] grid = [0, 1]
// CHECK-NEXT:  ^bb0(%[[I:.*]]: index, %[[A:.*]]: index, %[[B:.*]]: index, %[[X:.*]]: !ragged_tile.ref<[2, 3], 3xf32>, %[[BOX:.*]]: !ragged_tile.ref<box [0, 3, 1, 2] [0, 1], 3xf32>):
// CHECK-NEXT:    %[[CELL:.*]] = ragged_tile.load %[[X]][%[[I]], %[[A]], %[[B]]] fill = -1.000000e+00
// CHECK-NEXT:    ragged_tile.store %[[CELL]], %[[BOX]][%[[I]], %[[A]], %[[B]]]
// CHECK-LABEL: func.func @ragged_entry_unpack
// CHECK:         ragged_tile.envelope_axis
// CHECK:         ragged_tile.max_extent
// CHECK:         ragged_tile.check_limit
// CHECK:         ragged_tile.constant_axis
func.func @unpack(%x: !ragged.tensor<[3, h, w], f32>) -> tensor<?x3x?x64xf32> {
  %d = ragged.unpack %x fill = -1.0 : !ragged.tensor<[3, h, w], f32> -> tensor<?x3x?x64xf32>
  return %d : tensor<?x3x?x64xf32>
}
