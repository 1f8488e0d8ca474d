// RUN: ragged-opt %s --ragged-verify-axes --ragged-propagate-schemas --ragged-inline --ragged-to-tiles | FileCheck %s
// What is only looked at for its structure is neither computed nor stored, and sizes are computed where
// they are read.

!x = !ragged.tensor<[n, 4], f32>
!k = !ragged.tensor<[k, 4], f32>
!p = !ragged.tensor<[n, n, 4], i64>
!number = !ragged.tensor<[], i64>

// No kernel: %a and %b give rows and an axis, and %e only its structure.
// CHECK-NOT: ragged_tile.kernel
// CHECK-LABEL: func.func @ragged_entry_values
// CHECK:         %[[V:.*]] = ragged_tile.argument %{{.*}}, 0
// CHECK:         %[[K:.*]] = ragged_tile.axis_from_lengths
// CHECK:         %[[SPACE:.*]] = ragged_tile.space %{{.*}}(%[[K]])
// CHECK-NEXT:    ragged_tile.check_values %{{.*}}, %[[V]], %[[SPACE]] tail = [4]
// CHECK:         %[[ROWS:.*]] = ragged_tile.values %{{.*}}, %[[V]]
// CHECK-NEXT:    %[[ROOM:.*]] = ragged_tile.dense_extent %{{.*}}, %[[V]] dim = 0
// CHECK:         %[[MORE:.*]] = ragged_tile.extend %{{.*}}, %[[ROWS]] to %[[ROOM]]
// CHECK:         ragged_tile.result_dense %{{.*}}, 0, %[[MORE]]
// CHECK-NOT:     launch
// CHECK:         return
func.func @values(%v: tensor<?x4xf32>, %l: tensor<?xi64>) -> tensor<?x4xf32> {
  %a = ragged.add %v, %v : tensor<?x4xf32>, tensor<?x4xf32> -> tensor<?x4xf32>
  %b = ragged.from_values %a, %l axes = ["k"] : tensor<?x4xf32>, tensor<?xi64> -> !k
  %e = ragged.exp %b : !k -> !k
  %c = ragged.with_values %v like %e : tensor<?x4xf32>, !k -> !k
  %d = ragged.values %c like %a : !k, tensor<?x4xf32> -> tensor<?x4xf32>
  return %d : tensor<?x4xf32>
}

// The rows of another value are counted, not made.
// CHECK-NOT: ragged_tile.kernel
// CHECK-LABEL: func.func @ragged_entry_rows
// CHECK:         %[[N:.*]] = ragged_tile.argument_axis %{{.*}}, 0 "n"
// CHECK:         %[[VALUES:.*]] = ragged_tile.values
// CHECK:         %[[SPACE:.*]] = ragged_tile.space %{{.*}}(%[[N]], %[[N]])
// CHECK:         %[[ROWS:.*]] = ragged_tile.known_rows %{{.*}}, %[[SPACE]]
// CHECK:         ragged_tile.extend %{{.*}}, %[[VALUES]] to %[[ROWS]]
func.func @rows(%x: !x, %y: !ragged.tensor<[n, n, 4], f32>) -> tensor<?x4xf32> {
  %e = ragged.exp %y : !ragged.tensor<[n, n, 4], f32> -> !ragged.tensor<[n, n, 4], f32>
  %v = ragged.values %e : !ragged.tensor<[n, n, 4], f32> -> tensor<?x4xf32>
  %w = ragged.mul %v, %v : tensor<?x4xf32>, tensor<?x4xf32> -> tensor<?x4xf32>
  %d = ragged.values %x like %w : !x, tensor<?x4xf32> -> tensor<?x4xf32>
  return %d : tensor<?x4xf32>
}

// The box of another value: its extents are those of the axes.
// CHECK-LABEL: ragged_tile.kernel @box_0_unpack
// CHECK-NOT:   ragged_tile.kernel
// CHECK-LABEL: func.func @ragged_entry_box
// CHECK:         %[[N:.*]] = ragged_tile.argument_axis %{{.*}}, 0 "n"
// CHECK:         %[[EXTENT:.*]] = ragged_tile.max_extent %{{.*}}, %[[N]]
// CHECK-NEXT:    ragged_tile.check_limit %{{.*}}, %[[N]] within %[[EXTENT]]
// CHECK-NEXT:    ragged_tile.constant_axis %{{.*}}, %[[EXTENT]], %[[N]]
// CHECK:         %[[BATCH:.*]] = ragged_tile.space_batch
// CHECK:         %[[BOX:.*]] = ragged_tile.allocate_dense %{{.*}} of f32[%[[BATCH]], %[[EXTENT]], %{{.*}}]
// CHECK:         ragged_tile.check_extent %{{.*}}, %[[BOX]] dim = 0
func.func @box(%x: !x) -> tensor<?x?x4xf32> {
  %e = ragged.exp %x : !x -> !x
  %b = ragged.unpack %e : !x -> tensor<?x?x4xf32>
  %d = ragged.unpack %x like %b : !x, tensor<?x?x4xf32> -> tensor<?x?x4xf32>
  return %d : tensor<?x?x4xf32>
}

// CHECK-LABEL: ragged_tile.kernel @with_padded_0_with_padded axes = ["n", "box 0"] grid = [0]
// CHECK:         ragged_tile.load {{.*}} : <box [0, 1, 2] [1], 4xf32>
// CHECK-LABEL: func.func @ragged_entry_with_padded
// CHECK:         ragged_tile.check_extent
// CHECK:         ragged_tile.dense_extent
// CHECK:         ragged_tile.check_limit
func.func @with_padded(%b: tensor<?x?x4xf32>, %x: !x) -> !x {
  %e = ragged.exp %x : !x -> !x
  %y = ragged.with_padded %b like %e : tensor<?x?x4xf32>, !x -> !x
  return %y : !x
}

// One kernel, which reads the extent: neither the sum nor the size is made.
// CHECK-LABEL: ragged_tile.kernel @size_0_div axes = ["n"] grid = [0, 0]
// CHECK:         %[[LOAD:.*]] = ragged_tile.load
// CHECK-NEXT:    %[[EXTENT:.*]] = ragged_tile.extent 0
// CHECK-NEXT:    %[[VIEW:.*]] = ragged_tile.view %[[EXTENT]]
// CHECK-NEXT:    ragged_tile.elementwise "div", %[[LOAD]], %[[VIEW]]
// CHECK-NOT:   ragged_tile.kernel
// CHECK-LABEL: func.func @ragged_entry_size
func.func @size(%x: !p) -> !p {
  %s = ragged.sum %x dims = [2] : !p -> !ragged.tensor<[n, n], i64>
  %z = ragged.size %s dims = [1] : !ragged.tensor<[n, n], i64> -> !number
  %b = ragged.broadcast %z dims = [] like %x : !number, !p -> !p
  %d = ragged.div %x, %b : !p, !p -> !p
  return %d : !p
}

// An op that only structures hang on does not end the group of rows.
// CHECK-LABEL: ragged_tile.kernel @group_0_rows
// CHECK:         ragged_tile.store
// CHECK-NOT:     ragged_tile.store
// CHECK-LABEL: func.func @ragged_entry_group
// CHECK:         ragged_tile.launch
// CHECK-NOT:     ragged_tile.launch
func.func @group(%x: !x, %v: tensor<?x4xf32>) -> !x {
  %a = ragged.exp %x : !x -> !x
  %b = ragged.with_values %v like %a : tensor<?x4xf32>, !x -> !x
  %c = ragged.add %a, %b : !x, !x -> !x
  %d = ragged.with_values %v like %c : tensor<?x4xf32>, !x -> !x
  %e = ragged.mul %c, %d : !x, !x -> !x
  return %e : !x
}

// Large static extents in two parts; the sum over the samples in a kernel that runs once.
// CHECK-LABEL: ragged_tile.kernel @total_0_size axes = ["n"] grid = []
// CHECK:         ragged_tile.accumulate "add" : <i64> {
// CHECK-NEXT:    ^bb0(%[[SAMPLE:.*]]: index):
// CHECK-NEXT:      ragged_tile.extent 0 of %[[SAMPLE]]
// CHECK-NEXT:      %[[HIGH:.*]] = ragged_tile.constant 0x41DFFFFFFFC00000 : <i64>
// CHECK-NEXT:      %[[LOW:.*]] = ragged_tile.constant 1.000000e+00 : <i64>
// CHECK-NEXT:      %[[UNIT:.*]] = ragged_tile.constant 0x41F0000000000000 : <i64>
// CHECK:           ragged_tile.yield
func.func @total(%x: !ragged.tensor<[n, 9223372032559808513, 0], f32>) -> tensor<i64> {
  %z = ragged.size %x dims = [0, 1] batch : !ragged.tensor<[n, 9223372032559808513, 0], f32> -> tensor<i64>
  return %z : tensor<i64>
}
