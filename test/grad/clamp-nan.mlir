// A NaN of clamp gets the cotangent, the first of two: as of `maximum`, then of the smaller of two.
// RUN: ragged-opt %s --ragged-differentiate="entry=low" --ragged-differentiate="entry=high" \
// RUN:   --ragged-differentiate="entry=both" -o %t.mlir
// RUN: ragged-run %t.mlir --entry=low_vjp --axis n=1 --print | FileCheck %s --check-prefix=LOW
// RUN: ragged-run %t.mlir --entry=high_vjp --axis n=1 --print | FileCheck %s --check-prefix=HIGH
// RUN: ragged-run %t.mlir --entry=both_vjp --axis n=1 --print | FileCheck %s --check-prefix=LOW
// RUN: ragged-run %t.mlir --entry=both_vjp --axis n=1 --print --target=emulated | FileCheck %s --check-prefix=LOW

!t = !ragged.tensor<[n], f32>

// Gradients of x, of the lower and of the upper bound.
// LOW:      sample 0: [nan]
// LOW:      sample 0: [0]
// LOW:      sample 0: [{{-?([1-9]|0\.0*[1-9])}}
// LOW:      sample 0: [0]
func.func @low(%x: !t, %low: !t, %high: !t) -> !t {
  %nan = arith.constant 0x7FC00000 : f32
  %l = ragged.add %low, %nan : !t, f32 -> !t
  %0 = ragged.clamp %x, %l, %high : !t, !t, !t -> !t
  return %0 : !t
}

// HIGH:      sample 0: [nan]
// HIGH:      sample 0: [0]
// HIGH:      sample 0: [0]
// HIGH:      sample 0: [{{-?([1-9]|0\.0*[1-9])}}
func.func @high(%x: !t, %low: !t, %high: !t) -> !t {
  %nan = arith.constant 0x7FC00000 : f32
  %h = ragged.add %high, %nan : !t, f32 -> !t
  %0 = ragged.clamp %x, %low, %h : !t, !t, !t -> !t
  return %0 : !t
}

func.func @both(%x: !t, %low: !t, %high: !t) -> !t {
  %nan = arith.constant 0x7FC00000 : f32
  %l = ragged.add %low, %nan : !t, f32 -> !t
  %h = ragged.add %high, %nan : !t, f32 -> !t
  %0 = ragged.clamp %x, %l, %h : !t, !t, !t -> !t
  return %0 : !t
}
