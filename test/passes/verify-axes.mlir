// RUN: ragged-opt %s --ragged-verify-axes | FileCheck %s
// Axes from arguments, from ops and from calls, in straight code, branches and loops.

// CHECK-LABEL: @expressions
func.func @expressions(%x: !ragged.tensor<[n, m, 4], f32>, %y: !ragged.tensor<[n + m, 4], f32>) -> !ragged.tensor<[n + m, 4], f32> {
  %0 = ragged.exp %y : !ragged.tensor<[n + m, 4], f32> -> !ragged.tensor<[n + m, 4], f32>
  return %0 : !ragged.tensor<[n + m, 4], f32>
}

// CHECK-LABEL: @created
func.func @created(%p: tensor<?x?x4xf32>, %l: tensor<?xi64>) -> !ragged.tensor<[n, 4], f32> {
  %0 = ragged.pack %p, %l axes = ["n"] : tensor<?x?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  %1 = ragged.exp %0 : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  return %1 : !ragged.tensor<[n, 4], f32>
}

// CHECK-LABEL: @caller
func.func @caller(%x: !ragged.tensor<[m, 4], f32>, %p: tensor<?x?x4xf32>, %l: tensor<?xi64>) -> !ragged.tensor<[k, 4], f32> {
  %0 = ragged.call @created(%p, %l) axes = ["k"] : (tensor<?x?x4xf32>, tensor<?xi64>) -> !ragged.tensor<[k, 4], f32>
  %1 = ragged.exp %0 : !ragged.tensor<[k, 4], f32> -> !ragged.tensor<[k, 4], f32>
  return %1 : !ragged.tensor<[k, 4], f32>
}

// An axis born in a region stays there; the value that leaves has none of it.
// CHECK-LABEL: @local_axis
func.func @local_axis(%c: i1, %x: !ragged.tensor<[n, 4], f32>, %p: tensor<?x?x4xf32>, %l: tensor<?xi64>) -> !ragged.tensor<[4], f32> {
  %0 = scf.if %c -> !ragged.tensor<[4], f32> {
    %1 = ragged.pack %p, %l axes = ["k"] : tensor<?x?x4xf32>, tensor<?xi64> -> !ragged.tensor<[k, 4], f32>
    %2 = ragged.sum %1 dims = [0] : !ragged.tensor<[k, 4], f32> -> !ragged.tensor<[4], f32>
    scf.yield %2 : !ragged.tensor<[4], f32>
  } else {
    %2 = ragged.sum %x dims = [0] : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[4], f32>
    scf.yield %2 : !ragged.tensor<[4], f32>
  }
  return %0 : !ragged.tensor<[4], f32>
}

// Unknown schemas say nothing yet.
// CHECK-LABEL: @unknown
func.func @unknown(%x: !ragged.tensor<[n, 4], f32>) -> !ragged.tensor<*, f32> {
  %0 = ragged.exp %x : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, f32>
  return %0 : !ragged.tensor<*, f32>
}

// Loops, scalar arithmetic, dense constants; func.call where the names are the same.
// CHECK-LABEL: @loop
func.func @loop(%x: !ragged.tensor<[n, m, 4], f32>, %y: !ragged.tensor<[n + m, 4], f32>) -> !ragged.tensor<[n + m, 4], f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.addi %c1, %c1 : index
  %w = arith.constant dense<1.0> : tensor<4x4xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%z = %y) -> !ragged.tensor<[n + m, 4], f32> {
    %1 = func.call @expressions(%x, %z) : (!ragged.tensor<[n, m, 4], f32>, !ragged.tensor<[n + m, 4], f32>) -> !ragged.tensor<[n + m, 4], f32>
    %2 = ragged.linear %1, %w dim = 1 : !ragged.tensor<[n + m, 4], f32>, tensor<4x4xf32> -> !ragged.tensor<[n + m, 4], f32>
    scf.yield %2 : !ragged.tensor<[n + m, 4], f32>
  }
  return %0 : !ragged.tensor<[n + m, 4], f32>
}

// A declaration, and a function of stage 2, which is not looked at.
// CHECK-LABEL: @declared
func.func private @declared(!ragged.tensor<[n, 4], f32>) -> !ragged.tensor<[k, 4], f32>
func.func @stage2(%m: memref<4xf32>) attributes {ragged_tile.program} {
  return
}
