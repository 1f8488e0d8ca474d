// Extents of builtin tensors that no type says are compared when the program runs, by each executor; no
// argument is ragged, so there is no batch.
// RUN: rm -rf %t && mkdir %t && %python -c "import numpy as n; [n.save(f'%t/{k}', n.zeros(s, n.float32)) for k, s in dict(two=(2, 3), three=(3, 3), wide=(2, 4), one=(1, 3), row=3, narrow=1).items()]"
// RUN: not ragged-run %s --entry=add --input 0=%t/two.npy --input 1=%t/three.npy 2>&1 | FileCheck %s --check-prefix=ADD
// RUN: not ragged-run %s --entry=add --input 0=%t/two.npy --input 1=%t/three.npy --target=emulated 2>&1 | FileCheck %s --check-prefix=ADD
// RUN: not ragged-run %s --entry=add --input 0=%t/two.npy --input 1=%t/three.npy --target=reference 2>&1 | FileCheck %s --check-prefix=ADD
// RUN: ragged-run %s --entry=add --input 0=%t/two.npy --input 1=%t/two.npy --compare=reference
// RUN: ragged-run %s --entry=add --input 0=%t/two.npy --input 1=%t/two.npy --target=emulated --compare=reference
// An extent of 1 is no static 1: it does not broadcast.
// RUN: not ragged-run %s --entry=add --input 0=%t/two.npy --input 1=%t/one.npy 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not ragged-run %s --entry=add --input 0=%t/two.npy --input 1=%t/one.npy --target=reference 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not ragged-run %s --entry=known --input 0=%t/wide.npy 2>&1 | FileCheck %s --check-prefix=KNOWN
// RUN: not ragged-run %s --entry=known --input 0=%t/wide.npy --target=emulated 2>&1 | FileCheck %s --check-prefix=KNOWN
// RUN: not ragged-run %s --entry=known --input 0=%t/wide.npy --target=reference 2>&1 | FileCheck %s --check-prefix=KNOWN
// RUN: ragged-run %s --entry=known --input 0=%t/two.npy --compare=reference
// RUN: not ragged-run %s --entry=repeat --input 0=%t/row.npy --input 1=%t/wide.npy 2>&1 | FileCheck %s --check-prefix=REPEAT
// RUN: not ragged-run %s --entry=repeat --input 0=%t/row.npy --input 1=%t/wide.npy --target=emulated 2>&1 | FileCheck %s --check-prefix=REPEAT
// RUN: not ragged-run %s --entry=repeat --input 0=%t/row.npy --input 1=%t/wide.npy --target=reference 2>&1 | FileCheck %s --check-prefix=REPEAT
// RUN: ragged-run %s --entry=repeat --input 0=%t/row.npy --input 1=%t/two.npy --compare=reference
// RUN: ragged-run %s --entry=repeat --input 0=%t/row.npy --input 1=%t/two.npy --target=emulated --compare=reference
// RUN: not ragged-run %s --entry=repeat --input 0=%t/narrow.npy --input 1=%t/two.npy 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: not ragged-run %s --entry=repeat --input 0=%t/narrow.npy --input 1=%t/two.npy --target=reference 2>&1 | FileCheck %s --check-prefix=NARROW
// A check in a branch that is not taken is none; one that has been made counts no further than its branch.
// RUN: not ragged-run %s --entry=branch --input 0=%t/two.npy --input 1=%t/three.npy 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: not ragged-run %s --entry=branch --input 0=%t/two.npy --input 1=%t/three.npy --target=reference 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: ragged-run %s --entry=branch --input 0=%t/two.npy --input 1=%t/two.npy --compare=reference

!t = tensor<?x3xf32>

// ADD: dense-run-time-errors.mlir:{{[0-9]+:[0-9]+}}: 'ragged.add'{{.*}}operand #1{{.*}}has extent 3{{.*}}2
// ONE: dense-run-time-errors.mlir:{{[0-9]+:[0-9]+}}: 'ragged.add'{{.*}}operand #1{{.*}}has extent 1{{.*}}2
func.func @add(%x: !t, %y: !t) -> !t {
  %0 = ragged.add %x, %y : !t, !t -> !t
  return %0 : !t
}

// KNOWN: dense-run-time-errors.mlir:{{[0-9]+:[0-9]+}}: 'ragged.mul'{{.*}}extent {{4.*3|3.*4}}
func.func @known(%x: tensor<?x?xf32>) -> tensor<2x3xf32> {
  %c = arith.constant dense<2.0> : tensor<2x3xf32>
  %0 = ragged.mul %x, %c : tensor<?x?xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// REPEAT: dense-run-time-errors.mlir:{{[0-9]+:[0-9]+}}: 'ragged.broadcast'{{.*}}operand #0{{.*}}has extent 3{{.*}}4
// NARROW: dense-run-time-errors.mlir:{{[0-9]+:[0-9]+}}: 'ragged.broadcast'{{.*}}operand #0{{.*}}has extent 1{{.*}}3
func.func @repeat(%x: tensor<?xf32>, %y: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %0 = ragged.broadcast %x dims = [1] like %y : tensor<?xf32>, tensor<2x?xf32> -> tensor<2x?xf32>
  %1 = ragged.sub %y, %0 : tensor<2x?xf32>, tensor<2x?xf32> -> tensor<2x?xf32>
  return %1 : tensor<2x?xf32>
}

// BRANCH: dense-run-time-errors.mlir:{{[0-9]+:[0-9]+}}: 'ragged.sub'{{.*}}has extent 3{{.*}}2
func.func @branch(%x: !t, %y: !t) -> (!t, !t) {
  %never = arith.constant false
  %r = scf.if %never -> (!t) {
    %a = ragged.add %x, %y : !t, !t -> !t
    scf.yield %a : !t
  } else {
    %e = ragged.exp %x : !t -> !t
    scf.yield %e : !t
  }
  %s = ragged.sub %x, %y : !t, !t -> !t
  return %r, %s : !t, !t
}
