// RUN: ragged-opt %s --ragged-verify-axes --ragged-inline --canonicalize --ragged-to-tiles --canonicalize | FileCheck %s
// RUN: ragged-opt %s --ragged-to-tiles=fuse=false | FileCheck %s --check-prefix=ALONE
// Builtin tensors as rows: what is a kernel over elements, which dimensions become axes, what is checked
// at run time, and how many launches there are.

!w = tensor<512x128xf32>

// An optimiser step: one kernel over elements, whatever the shape. Constants of the program are constants
// of the kernel; what nobody reads is not stored.
// CHECK-LABEL: ragged_tile.kernel @step_0_elements axes = [] grid = []
// CHECK:         ragged_tile.load %{{.*}}[%{{.*}}] : <[], f32> -> <f32>
// CHECK:         ragged_tile.constant
// CHECK:         ragged_tile.elementwise "mul"
// CHECK:         ragged_tile.elementwise "add"
// CHECK:         ragged_tile.store
// CHECK:         ragged_tile.load %{{.*}}[] : <dense, f32> -> <f32>
// CHECK:         ragged_tile.elementwise "mul"
// CHECK:         ragged_tile.elementwise "sub"
// CHECK:         ragged_tile.store
// CHECK-NOT:     ragged_tile.store
// CHECK-LABEL: func.func @ragged_entry_step
// CHECK-NOT:     ragged_tile.from_scalar
// CHECK:         ragged_tile.launch %{{.*}}, @step_0_elements items %c65536_i64 batch %c1_i64 axes()
// CHECK-NOT:     ragged_tile.launch
// ALONE-LABEL: func.func @ragged_entry_step
// ALONE-COUNT-4: ragged_tile.launch
// ALONE-NOT:     ragged_tile.launch
// ALONE:         return
func.func @step(%w: !w, %g: !w, %m: !w, %rate: f32) -> (!w, !w) {
  %c = arith.constant 0.5 : f32
  %a = ragged.mul %m, %c : !w, f32 -> !w
  %b = ragged.add %a, %g : !w, !w -> !w
  %s = ragged.mul %b, %rate : !w, f32 -> !w
  %n = ragged.sub %w, %s : !w, !w -> !w
  return %n, %b : !w, !w
}

// Two shapes are two kernels; a step of rank 0 and one of scalars alone share theirs.
// CHECK-LABEL: func.func @ragged_entry_shapes
// CHECK-COUNT-3: ragged_tile.launch
// CHECK-NOT:     ragged_tile.launch
func.func @shapes(%x: tensor<4x3xf32>, %y: tensor<3x4xf32>, %z: tensor<f32>, %s: f32) -> (tensor<4x3xf32>, tensor<3x4xf32>, tensor<f32>, f32) {
  %a = ragged.exp %x : tensor<4x3xf32> -> tensor<4x3xf32>
  %b = ragged.exp %y : tensor<3x4xf32> -> tensor<3x4xf32>
  %c = ragged.exp %z : tensor<f32> -> tensor<f32>
  %d = ragged.exp %s : f32 -> f32
  return %a, %b, %c, %d : tensor<4x3xf32>, tensor<3x4xf32>, tensor<f32>, f32
}

// Extents that no type says are compared once; then the two tensors are of one shape.
// CHECK-LABEL: ragged_tile.kernel @open_0_elements
// CHECK-LABEL: func.func @ragged_entry_open
// CHECK:         %[[X:.*]] = ragged_tile.argument %{{.*}}, 0
// CHECK:         %[[Y:.*]] = ragged_tile.argument %{{.*}}, 1
// CHECK:         %[[E:.*]] = ragged_tile.dense_extent %{{.*}}, %[[X]] dim = 0
// CHECK:         ragged_tile.check_equal %{{.*}}, %{{.*}} is %[[E]] "operand #1, dimension 0"
// CHECK:         ragged_tile.check_equal %{{.*}}, %{{.*}} is %c3_i64 "operand #0, dimension 1"
// CHECK-NOT:     ragged_tile.check_equal
// CHECK-COUNT-1: ragged_tile.launch
// CHECK-NOT:     ragged_tile.launch
func.func @open(%x: tensor<?x?xf32>, %y: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %a = ragged.add %x, %y : tensor<?x?xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
  %b = ragged.mul %a, %x : tensor<?x3xf32>, tensor<?x?xf32> -> tensor<?x3xf32>
  %c = ragged.sub %y, %b : tensor<?x3xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
  return %c : tensor<?x3xf32>
}

// What is repeated is read at its own coordinates, in one kernel with what it goes into.
// CHECK-LABEL: ragged_tile.kernel @repeat_0_elements axes = ["#5", "#4"] grid = [0, 1]
// CHECK-NEXT:  ^bb0(%[[S:.*]]: index, %[[A:.*]]: index, %[[B:.*]]: index
// CHECK:         ragged_tile.load %{{.*}}[%[[S]], %[[B]]] : <[1], f32> -> <f32>
// CHECK:         ragged_tile.load %{{.*}}[%[[S]], %[[A]], %[[B]]] : <[0, 1], f32> -> <f32>
func.func @repeat(%x: tensor<5x4xf32>, %r: tensor<4xf32>) -> tensor<5x4xf32> {
  %0 = ragged.broadcast %r dims = [1] like %x : tensor<4xf32>, tensor<5x4xf32> -> tensor<5x4xf32>
  %1 = ragged.mul %x, %0 : tensor<5x4xf32>, tensor<5x4xf32> -> tensor<5x4xf32>
  return %1 : tensor<5x4xf32>
}

// A narrow last dimension is a row's tail. Dimensions that go the same way are one.
// CHECK-LABEL: ragged_tile.kernel @rows_0_sum axes = ["#15"] grid = [0]
// CHECK:         %[[X:.*]] = ragged_tile.load %{{.*}} : <[0], 4xf32> -> <4xf32>
// CHECK-NEXT:    ragged_tile.reduce "add", %[[X]] dims = [0]
func.func @rows(%x: tensor<3x5x4xf32>) -> tensor<3x5xf32> {
  %0 = ragged.sum %x dims = [2] : tensor<3x5x4xf32> -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// A long first dimension is reduced in parts, then what they gave: two launches.
// CHECK-LABEL: ragged_tile.kernel @columns_0_mean axes = ["#v0"] grid = []
// CHECK:         ragged_tile.accumulate "add" over 0
// CHECK-NOT:     "div"
// CHECK-LABEL: ragged_tile.kernel @columns_1_mean
// CHECK:         ragged_tile.accumulate "add" over 0
// CHECK:         ragged_tile.extent 1
// CHECK:         ragged_tile.elementwise "div"
// CHECK-LABEL: func.func @ragged_entry_columns
// CHECK:         %[[P:.*]] = ragged_tile.parts_axis %{{.*}}, %c5000_i64 most = 256
// CHECK:         %[[C:.*]] = ragged_tile.space_batch
// CHECK:         ragged_tile.allocate_dense %{{.*}} of f32[%[[C]], %c8_i64]
// CHECK:         ragged_tile.launch %{{.*}}, @columns_0_mean items %[[C]] batch %[[C]] axes(%[[P]])
// CHECK:         ragged_tile.launch %{{.*}}, @columns_1_mean items %c1_i64 batch %c1_i64
// CHECK-NOT:     ragged_tile.launch
func.func @columns(%x: tensor<5000x8xbf16>) -> tensor<8xbf16> {
  %0 = ragged.mean %x dims = [0] : tensor<5000x8xbf16> -> tensor<8xbf16>
  return %0 : tensor<8xbf16>
}

// All of it: side by side first, as wide as accesses are.
// CHECK-LABEL: ragged_tile.kernel @whole_0_max
// CHECK:         ragged_tile.load %{{.*}} : <[0], 128xf32> -> <128xf32>
// CHECK:         ragged_tile.store %{{.*}} : <128xf32>, <[], 128xf32>
// CHECK-LABEL: ragged_tile.kernel @whole_1_max
// CHECK:         ragged_tile.reduce "maximum"
func.func @whole(%x: !w) -> tensor<f32> {
  %0 = ragged.max %x dims = [0, 1] : !w -> tensor<f32>
  return %0 : tensor<f32>
}

// A number is read out when the host asks for it.
// CHECK-LABEL: func.func @ragged_entry_number
// CHECK:         ragged_tile.launch
// CHECK:         %[[X:.*]] = ragged_tile.to_scalar
// CHECK:         arith.addf %[[X]]
func.func @number(%x: tensor<f32>) -> f32 {
  %a = ragged.exp %x : tensor<f32> -> tensor<f32>
  %i = tensor.extract %a[] : tensor<f32>
  %j = arith.addf %i, %i : f32
  return %j : f32
}
