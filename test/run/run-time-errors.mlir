// What only a call can find wrong ends it with one message; what was allocated is given back. The
// reference interpreter refuses the same.
// RUN: not ragged-run %s --entry=same --axis n=2,3 --axis m=2,4 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: not ragged-run %s --entry=same --axis n=2,3 --axis m=2,4 --target=reference 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: ragged-run %s --entry=same --axis n=2,3 --axis m=2,3 --compare=reference
// RUN: not ragged-run %s --entry=fits --axis n=2,5 2>&1 | FileCheck %s --check-prefix=FITS
// RUN: not ragged-run %s --entry=fits --axis n=2,5 --target=reference 2>&1 | FileCheck %s --check-prefix=FITS
// RUN: ragged-run %s --entry=fits --axis n=2,4 --compare=reference
// RUN: not ragged-run %s --entry=in_loop --axis n=2,3 --axis m=2,4 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: ragged-run %s --entry=in_loop --axis n=2,3 --axis m=2,3 --compare=reference
// RUN: not ragged-run %s --entry=below_zero --axis n=2,1 2>&1 | FileCheck %s --check-prefix=BELOW
// RUN: ragged-run %s --entry=below_zero --axis n=2,3 --compare=reference

// SAME: {{m has extent 4 in sample 1.* n, which must be the same, has 3|assume_same_axis.* 4.* 3}}
func.func @same(%x: !ragged.tensor<[n, 3], f32>, %y: !ragged.tensor<[m, 3], f32>) -> !ragged.tensor<[n, 3], f32> {
  %z = ragged.assume_same_axis %y from = "m" to = "n" like %x : !ragged.tensor<[m, 3], f32>, !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
  %a = ragged.add %x, %z : !ragged.tensor<[n, 3], f32>, !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
  return %a : !ragged.tensor<[n, 3], f32>
}

// FITS: {{.*}}unpack{{.*}}
func.func @fits(%x: !ragged.tensor<[n, 3], f32>) -> tensor<?x4x3xf32> {
  %a = ragged.unpack %x : !ragged.tensor<[n, 3], f32> -> tensor<?x4x3xf32>
  return %a : tensor<?x4x3xf32>
}

func.func @in_loop(%x: !ragged.tensor<[n, 3], f32>, %y: !ragged.tensor<[m, 3], f32>) -> !ragged.tensor<[n, 3], f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> (!ragged.tensor<[n, 3], f32>) {
    %z = ragged.assume_same_axis %y from = "m" to = "n" like %a : !ragged.tensor<[m, 3], f32>, !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
    %b = ragged.add %a, %z : !ragged.tensor<[n, 3], f32>, !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
    scf.yield %b : !ragged.tensor<[n, 3], f32>
  }
  return %r : !ragged.tensor<[n, 3], f32>
}

// BELOW: {{.*}}n - 2{{.*}}
func.func @below_zero(%x: !ragged.tensor<[n, 3], f32>, %y: !ragged.tensor<[n - 2, 3], f32>) -> !ragged.tensor<[3], f32> {
  %a = ragged.sum %y dims = [0] : !ragged.tensor<[n - 2, 3], f32> -> !ragged.tensor<[3], f32>
  return %a : !ragged.tensor<[3], f32>
}
