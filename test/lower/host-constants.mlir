// RUN: ragged-opt %s --ragged-lower-host | FileCheck %s
// RUN: ragged-opt %s --ragged-lower-host --convert-scf-to-cf --convert-arith-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=LLVM
// Dense constants are data of the module, one copy each; numbers go through memory of the frame.

// LLVM: internal constant [4 x float] [float 1.0{{.*}}, float 4.0{{.*}}], align 64
// LLVM: internal constant [2 x bfloat] [bfloat 0xR3F80, bfloat 0xRC000], align 64
// LLVM: internal constant [6 x i64] [i64 7, i64 7, i64 7, i64 7, i64 7, i64 7], align 64
// LLVM: internal constant [1 x double]
// LLVM: internal constant [1 x [2 x float]] {{.*}}float 1.0{{.*}}float 2.0

// CHECK-DAG: llvm.mlir.global internal constant @[[MATRIX:.*]](dense<[1.{{.*}}, 4.{{.*}}]> : tensor<4xf32>) {addr_space = 0 : i32, alignment = 64 : i64} : !llvm.array<4 x f32>
// CHECK-DAG: llvm.mlir.global internal constant @[[BF16:.*]](dense<[1.{{.*}}]> : tensor<2xbf16>) {{.*}} : !llvm.array<2 x bf16>
// CHECK-DAG: llvm.mlir.global internal constant @[[SPLAT:.*]](dense<7> : tensor<6xi64>) {{.*}} : !llvm.array<6 x i64>
// CHECK-DAG: llvm.mlir.global internal constant @[[NUMBER:.*]](dense<{{.*}}> : tensor<1xf64>) {{.*}} : !llvm.array<1 x f64>
// CHECK-DAG: llvm.mlir.global internal constant @[[RESOURCE:.*]](dense_resource<data> : tensor<1x2xf32>) {{.*}} : !llvm.array<1 x array<2 x f32>>

// CHECK-LABEL: func.func @ragged_entry_constants(
// CHECK-SAME:    %[[F:.*]]: !llvm.ptr) {
func.func @ragged_entry_constants(%f: !ragged_tile.frame) {
  // CHECK: %[[ARRAY:.*]] = llvm.alloca
  // CHECK: %[[F32:.*]] = arith.constant 1 : i64
  // CHECK: %[[RANK:.*]] = arith.constant 2 : i64
  // CHECK: %[[DATA:.*]] = llvm.mlir.addressof @[[MATRIX]]
  // CHECK: call @ragged_rt_frame_constant(%[[F]], %[[F32]], %[[RANK]], %[[ARRAY]], %[[DATA]])
  %0 = ragged_tile.constant_buffer %f, dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  // CHECK: llvm.mlir.addressof @[[MATRIX]]
  %1 = ragged_tile.constant_buffer %f, dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  // CHECK: llvm.mlir.addressof @[[BF16]]
  %2 = ragged_tile.constant_buffer %f, dense<[1.0, -2.0]> : tensor<2xbf16>
  // CHECK: llvm.mlir.addressof @[[SPLAT]]
  %3 = ragged_tile.constant_buffer %f, dense<7> : tensor<2x3xi64>
  // CHECK: %[[F64:.*]] = arith.constant 0 : i64
  // CHECK: %[[RANK:.*]] = arith.constant 0 : i64
  // CHECK: %[[SHAPE:.*]] = llvm.mlir.zero
  // CHECK: %[[DATA:.*]] = llvm.mlir.addressof @[[NUMBER]]
  // CHECK: call @ragged_rt_frame_constant(%[[F]], %[[F64]], %[[RANK]], %[[SHAPE]], %[[DATA]])
  %4 = ragged_tile.constant_buffer %f, dense<0.5> : tensor<f64>
  // CHECK: %[[DATA:.*]] = llvm.mlir.zero
  // CHECK: call @ragged_rt_frame_constant(%[[F]], %{{.*}}, %{{.*}}, %[[ARRAY]], %[[DATA]])
  %5 = ragged_tile.constant_buffer %f, dense<> : tensor<0x3xf32>
  // CHECK: llvm.mlir.addressof @[[RESOURCE]]
  %6 = ragged_tile.constant_buffer %f, dense_resource<data> : tensor<1x2xf32>
  return
}

// CHECK-LABEL: func.func @ragged_entry_scalars(
// CHECK-SAME:    %[[F:.*]]: !llvm.ptr) {
func.func @ragged_entry_scalars(%f: !ragged_tile.frame) {
  // CHECK: %[[X:.*]] = arith.constant
  %x = arith.constant 1.5 : bf16
  // CHECK: %[[BITS:.*]] = arith.bitcast %[[X]] : bf16 to i16
  // CHECK: %[[WORD:.*]] = arith.extui %[[BITS]] : i16 to i64
  // CHECK: %[[BUFFER:.*]] = call @ragged_rt_frame_scalar(%[[F]], %{{.*}}, %[[WORD]])
  %buffer = ragged_tile.from_scalar %f, %x : bf16
  // CHECK: %[[WORD:.*]] = call @ragged_rt_frame_scalar_bits(%[[F]], %[[BUFFER]])
  // CHECK: %[[BITS:.*]] = arith.trunci %[[WORD]] : i64 to i16
  // CHECK: arith.bitcast %[[BITS]] : i16 to bf16
  %y = ragged_tile.to_scalar %f, %buffer : bf16
  // CHECK: %[[I:.*]] = arith.constant 3 : index
  %i = arith.constant 3 : index
  // CHECK: %[[WORD:.*]] = arith.index_cast %[[I]] : index to i64
  // CHECK: call @ragged_rt_frame_scalar(%[[F]], %{{.*}}, %[[WORD]])
  %index_buffer = ragged_tile.from_scalar %f, %i : index
  // CHECK: %[[WORD:.*]] = call @ragged_rt_frame_scalar_bits
  // CHECK: arith.index_cast %[[WORD]] : i64 to index
  %j = ragged_tile.to_scalar %f, %index_buffer : index
  return
}

{-#
  dialect_resources: {
    builtin: {
      data: "0x040000000000803F00000040"
    }
  }
#-}
