// arith on scalars of floats in host programs: no function of a compiler's support library is needed, on any
// processor, neither where a program is compiled in place nor ahead of time.
// RUN: %run_all_lengths %s
// RUN: %run_all_lengths --target=emulated %s
// RUN: ragged-build %s --output=%t.o
// RUN: nm -u %t.o | FileCheck %s --check-prefix=CALLS --implicit-check-not="U __"
// CALLS: U ragged_rt_
// Numbers that the last bit of an f64 keeps from a tie, and ties: each is rounded once.
// RUN: rm -rf %t && mkdir %t && %python -c "import numpy as n; [n.save(f'%t/{k}', n.float64(x)) for k, x in enumerate([1.00390625, 1.0039062500000002, 1.01171875, 1.0117187499999998])]"
// RUN: ragged-run %s --entry=ties --input 0=%t/0.npy --input 1=%t/1.npy --input 2=%t/2.npy --input 3=%t/3.npy --print | FileCheck %s
// RUN: ragged-run %s --entry=ties --input 0=%t/0.npy --input 1=%t/1.npy --input 2=%t/2.npy --input 3=%t/3.npy --print --target=emulated | FileCheck %s
// RUN: ragged-run %s --entry=ties --input 0=%t/0.npy --input 1=%t/1.npy --input 2=%t/2.npy --input 3=%t/3.npy --print --target=reference | FileCheck %s

func.func @bf16(%x: bf16, %y: bf16) -> (bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16) {
  %0 = arith.addf %x, %y : bf16
  %1 = arith.subf %x, %y : bf16
  %2 = arith.mulf %x, %y : bf16
  %3 = arith.divf %x, %y : bf16
  %4 = arith.negf %x : bf16
  %5 = arith.maximumf %x, %y : bf16
  %6 = arith.minimumf %x, %y : bf16
  %7 = arith.maxnumf %x, %y : bf16
  %8 = arith.minnumf %x, %y : bf16
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16
}

func.func @casts(%x: bf16, %f: f32, %d: f64, %i: i64) -> (f32, f64, bf16, bf16, bf16, bf16, bf16, f64, f32) {
  %0 = arith.extf %x : bf16 to f32
  %1 = arith.extf %x : bf16 to f64
  %2 = arith.truncf %f : f32 to bf16
  %3 = arith.truncf %d : f64 to bf16
  %4 = arith.sitofp %i : i64 to bf16
  %s = arith.trunci %i : i64 to i16
  %5 = arith.sitofp %s : i16 to bf16
  %6 = arith.uitofp %s : i16 to bf16
  %7 = arith.extf %f : f32 to f64
  %8 = arith.truncf %d : f64 to f32
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : f32, f64, bf16, bf16, bf16, bf16, bf16, f64, f32
}

// Decisions, and numbers that only move: through regions, loops, kernels and tensors.
func.func @flow(%x: bf16, %y: bf16, %t: tensor<bf16>, %n: !ragged.tensor<[n], bf16>) -> (bf16, i64, bf16, bf16, !ragged.tensor<[n], bf16>) {
  %c = arith.cmpf olt, %x, %y : bf16
  %0 = arith.select %c, %x, %y : bf16
  %four = arith.constant 4.0 : bf16
  %big = arith.mulf %four, %four : bf16
  %1 = arith.fptosi %big : bf16 to i64
  %2 = scf.if %c -> (bf16) {
    %3 = arith.addf %x, %four : bf16
    scf.yield %3 : bf16
  } else {
    scf.yield %y : bf16
  }
  %lower = arith.constant 0 : index
  %step = arith.constant 1 : index
  %upper = arith.constant 3 : index
  %e = tensor.extract %t[] : tensor<bf16>
  %half = arith.constant 0.5 : bf16
  %4 = scf.for %k = %lower to %upper step %step iter_args(%s = %e) -> (bf16) {
    %5 = arith.mulf %s, %half : bf16
    scf.yield %5 : bf16
  }
  %6 = ragged.mul %n, %4 : !ragged.tensor<[n], bf16>, bf16 -> !ragged.tensor<[n], bf16>
  return %0, %1, %2, %4, %6 : bf16, i64, bf16, bf16, !ragged.tensor<[n], bf16>
}

func.func @others(%x: f32, %y: f32, %a: f64, %b: f64) -> (f32, f64, f32, f64) {
  %three = arith.constant 3.0 : f32
  %0 = arith.remf %x, %three : f32
  %five = arith.constant 5.0 : f64
  %1 = arith.remf %a, %five : f64
  %2 = arith.divf %x, %three : f32
  %3 = arith.mulf %a, %b : f64
  return %0, %1, %2, %3 : f32, f64, f32, f64
}

// CHECK: result 0
// CHECK-NEXT: {{^1$}}
// CHECK: result 1
// CHECK-NEXT: {{^1.01$}}
// CHECK: result 2
// CHECK-NEXT: {{^1.016$}}
// CHECK: result 3
// CHECK-NEXT: {{^1.01$}}
func.func @ties(%a: tensor<f64>, %b: tensor<f64>, %c: tensor<f64>, %d: tensor<f64>) -> (bf16, bf16, bf16, bf16) {
  %p = tensor.extract %a[] : tensor<f64>
  %q = tensor.extract %b[] : tensor<f64>
  %r = tensor.extract %c[] : tensor<f64>
  %s = tensor.extract %d[] : tensor<f64>
  %0 = arith.truncf %p : f64 to bf16
  %1 = arith.truncf %q : f64 to bf16
  %2 = arith.truncf %r : f64 to bf16
  %3 = arith.truncf %s : f64 to bf16
  return %0, %1, %2, %3 : bf16, bf16, bf16, bf16
}
