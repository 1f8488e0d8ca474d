// --ragged-differentiate: signatures, names, and what is kept.
// RUN: ragged-opt %s --ragged-differentiate=entry=f --verify-roundtrip | FileCheck %s --check-prefix=VJP
// RUN: ragged-opt %s --ragged-differentiate="entry=f wrt=2,0 mode=split" | FileCheck %s --check-prefix=SPLIT
// RUN: ragged-opt %s --ragged-differentiate="entry=f mode=split keep=inputs" | FileCheck %s --check-prefix=INPUTS
// RUN: ragged-opt %s --ragged-differentiate="entry=f mode=split keep=all" | FileCheck %s --check-prefix=ALL
// RUN: ragged-opt %s --ragged-differentiate="entry=f mode=split keep=all" --mlir-use-nameloc-as-prefix | FileCheck %s --check-prefix=NAMES
// RUN: ragged-opt %s --ragged-differentiate=entry=callers --ragged-verify-axes | FileCheck %s --check-prefix=CALLS
// RUN: ragged-opt %s --ragged-differentiate=entry=created --ragged-verify-axes | FileCheck %s --check-prefix=CREATED
// RUN: ragged-opt %s --ragged-differentiate=entry=open | FileCheck %s --check-prefix=OPEN
// RUN: ragged-opt %s --ragged-differentiate=entry=f -cse | FileCheck %s --check-prefix=CSE
// RUN: ragged-opt %s --ragged-differentiate="entry=loop mode=split" | FileCheck %s --check-prefix=LOOP
// RUN: ragged-opt %s --ragged-differentiate="entry=beside_integers mode=split keep=all" --verify-roundtrip | FileCheck %s --check-prefix=BRANCH

!x = !ragged.tensor<[n, 4], f32>
!y = !ragged.tensor<[n, 2], f32>

// A name for every value and `d_` for its cotangent; what is computed again says so.
// VJP-LABEL: func.func @f_vjp(
// VJP-SAME: %arg0: !ragged.tensor<[n, 4], f32>, %arg1: tensor<?xi64>, %arg2: tensor<2x4xf32>, %arg3: !ragged.tensor<[n, 2], f32>)
// VJP-SAME: -> (!ragged.tensor<[n, 2], f32>, tensor<?xi64>, !ragged.tensor<[n, 4], f32>, tensor<2x4xf32>)
// VJP-SAME: ragged.kept = {}
// VJP: %[[EXP:.*]] = ragged.exp %arg0
// VJP: %[[LINEAR:.*]] = ragged.linear %[[EXP]], %arg2 dim = 1
// VJP: %[[D_EXP:d_exp.*]] = ragged.linear %arg3, %arg2 dim = 1 transposed
// VJP: %[[AGAIN:re_exp.*]] = ragged.exp %arg0 {ragged.recomputed}
// VJP: %[[D_W:d_arg2.*]] = ragged.product_over_rows %[[AGAIN]], %arg3 dims = [1, 1]
// VJP: %[[D_X:d_arg0.*]] = ragged.mul %[[D_EXP]], %[[AGAIN]]
// VJP: return %[[LINEAR]], %arg1, %[[D_X]], %[[D_W]]

// What is computed again is not joined with the forward part.
// CSE-LABEL: func.func @f_vjp
// CSE: ragged.exp %arg0 :
// CSE: ragged.exp %arg0 {ragged.recomputed}

// Gradients come in the order of wrt.
// SPLIT-LABEL: func.func @f_fwd(
// SPLIT-SAME: %arg2: tensor<2x4xf32>) -> (!ragged.tensor<[n, 2], f32>, tensor<?xi64>)
// SPLIT-LABEL: func.func @f_bwd(
// SPLIT-SAME: %arg3: !ragged.tensor<[n, 2], f32>) -> (tensor<2x4xf32>, !ragged.tensor<[n, 4], f32>)
// SPLIT: return %d_arg2{{.*}}, %d_arg0
// SPLIT-NOT: ragged.recomputed

// NAMES-LABEL: func.func @f_fwd(
// NAMES: %exp = ragged.exp
// NAMES: return %linear, %arg1, %exp :
// NAMES-LABEL: func.func @f_bwd(
// NAMES-SAME: %arg2: tensor<2x4xf32>, %exp: !ragged.tensor<[n, 4], f32>, %d_linear: !ragged.tensor<[n, 2], f32>)

// INPUTS-LABEL: func.func @f_fwd(
// INPUTS-SAME: ragged.kept = {}
// INPUTS-LABEL: func.func @f_bwd(

// ALL-LABEL: func.func @f_fwd(
// ALL-SAME: -> (!ragged.tensor<[n, 2], f32>, tensor<?xi64>, !ragged.tensor<[n, 4], f32>)
// ALL-SAME: ragged.kept = {"(n)" = 16 : i64}
// ALL: return %{{.*}}, %arg1, %exp
// ALL-LABEL: func.func @f_bwd(
// ALL-NOT: ragged.exp
// ALL: return
func.func @f(%x: !x, %n: tensor<?xi64>, %w: tensor<2x4xf32>) -> (!y, tensor<?xi64>) {
  %0 = ragged.exp %x : !x -> !x
  %1 = ragged.linear %0, %w dim = 1 : !x, tensor<2x4xf32> -> !y
  return %1, %n : !y, tensor<?xi64>
}

// Calls are inlined.
// CALLS-LABEL: func.func @callers_vjp
// CALLS-NOT: call
// CALLS-COUNT-2: ragged.product_over_rows
func.func private @layer(%x: !ragged.tensor<[a, 4], f32>, %w: tensor<4x4xf32>)
    -> !ragged.tensor<[a, 4], f32> {
  %0 = ragged.linear %x, %w dim = 1
      : !ragged.tensor<[a, 4], f32>, tensor<4x4xf32> -> !ragged.tensor<[a, 4], f32>
  return %0 : !ragged.tensor<[a, 4], f32>
}
func.func @callers(%x: !x, %w: tensor<4x4xf32>) -> !x {
  %0 = ragged.call @layer(%x, %w) : (!x, tensor<4x4xf32>) -> !x
  %1 = ragged.call @layer(%0, %w) : (!x, tensor<4x4xf32>) -> !x
  return %1 : !x
}

// A cotangent along an axis that the function creates has an axis of its own, which is checked.
// CREATED-LABEL: func.func @created_vjp(
// CREATED-SAME: !ragged.tensor<[n_1, 4], f32>)
// CREATED: ragged.from_values %arg0, %arg1 axes = ["n"]
// CREATED: ragged.assume_same_axis %{{.*}} dims = [0] to = "n" like
// CREATED: ragged.values %{{.*}} like %arg0
func.func @created(%v: tensor<?x4xf32>, %n: tensor<?xi64>) -> !x {
  %0 = ragged.from_values %v, %n axes = ["n"] : tensor<?x4xf32>, tensor<?xi64> -> !x
  %1 = ragged.exp %0 : !x -> !x
  return %1 : !x
}

// Of builtin tensors the result's type may say extents that an operand's does not: its cotangent is given the
// operand's type, and no op more where the types are equal.
// OPEN-LABEL: func.func @open_vjp(
// OPEN-SAME: %[[DY:[a-z0-9]+]]: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<?x4xf32>, tensor<3x4xf32>)
// OPEN-NEXT: %[[ADD:.*]] = ragged.add
// OPEN-NEXT: %[[DX:.*]] = ragged.broadcast %[[DY]] dims = [0, 1] like %arg0 : tensor<3x4xf32>, tensor<?x4xf32> -> tensor<?x4xf32>
// OPEN-NEXT: return %[[ADD]], %[[DX]], %[[DY]]
func.func @open(%x: tensor<?x4xf32>, %y: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = ragged.add %x, %y : tensor<?x4xf32>, tensor<3x4xf32> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// A loop of constant length is unrolled: what each turn computes can be kept.
// LOOP-LABEL: func.func @loop_fwd
// LOOP-NOT: scf.for
// LOOP-COUNT-3: ragged.linear
// LOOP-LABEL: func.func @loop_bwd
// LOOP-COUNT-3: ragged.linear {{.*}} transposed
func.func @loop(%x: !x, %w: tensor<4x4xf32>) -> !x {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> (!x) {
    %1 = ragged.linear %a, %w dim = 1 : !x, tensor<4x4xf32> -> !x
    %2 = ragged.sigmoid %1 : !x -> !x
    scf.yield %2 : !x
  }
  return %0 : !x
}

// What a branch hands over is zero where it is not taken, of its own element type: %k has its structure only.
// BRANCH-LABEL: func.func @beside_integers_fwd
// BRANCH: scf.if
// BRANCH: } else {
// BRANCH: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// BRANCH: ragged.full %[[ZERO]] like %arg0 : f32, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], f32>
func.func @beside_integers(%k: !ragged.tensor<[n, 4], i64>, %x: !x, %c: i1) -> !x {
  %0 = scf.if %c -> (!x) {
    %1 = ragged.exp %x : !x -> !x
    %2 = ragged.exp %1 : !x -> !x
    scf.yield %2 : !x
  } else {
    scf.yield %x : !x
  }
  return %0 : !x
}
