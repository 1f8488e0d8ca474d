// What only a call can find wrong ends it with one message; what was allocated is given back. The
// reference interpreter refuses the same. All of it is found by host programs, so each target says it
// in the same words.
// RUN: rm -rf %t && mkdir %t && %python -c "import numpy as n; [n.save(f'%t/{k}', n.array(v)) for k, v in dict(zero=0, three=3, four=4, minus_one=-1, least=-2**63, most=2**63-1).items()]"
// RUN: not ragged-run %s --entry=same --axis n=2,3 --axis m=2,4 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: not ragged-run %s --entry=same --axis n=2,3 --axis m=2,4 --target=emulated 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: not ragged-run %s --entry=same --axis n=2,3 --axis m=2,4 --target=reference 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: ragged-run %s --entry=same --axis n=2,3 --axis m=2,3 --compare=reference
// RUN: ragged-run %s --entry=same --axis n=2,3 --axis m=2,3 --target=emulated --compare=reference
// RUN: not ragged-run %s --entry=fits --axis n=2,5 2>&1 | FileCheck %s --check-prefix=FITS
// RUN: not ragged-run %s --entry=fits --axis n=2,5 --target=emulated 2>&1 | FileCheck %s --check-prefix=FITS
// RUN: not ragged-run %s --entry=fits --axis n=2,5 --target=reference 2>&1 | FileCheck %s --check-prefix=FITS
// RUN: ragged-run %s --entry=fits --axis n=2,4 --compare=reference
// RUN: ragged-run %s --entry=fits --axis n=2,4 --target=emulated --compare=reference
// RUN: not ragged-run %s --entry=in_loop --axis n=2,3 --axis m=2,4 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: not ragged-run %s --entry=in_loop --axis n=2,3 --axis m=2,4 --target=emulated 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: ragged-run %s --entry=in_loop --axis n=2,3 --axis m=2,3 --compare=reference
// RUN: ragged-run %s --entry=in_loop --axis n=2,3 --axis m=2,3 --target=emulated --compare=reference
// RUN: not ragged-run %s --entry=below_zero --axis n=2,1 2>&1 | FileCheck %s --check-prefix=BELOW
// RUN: not ragged-run %s --entry=below_zero --axis n=2,1 --target=emulated 2>&1 | FileCheck %s --check-prefix=BELOW
// RUN: ragged-run %s --entry=below_zero --axis n=2,3 --compare=reference
// RUN: ragged-run %s --entry=below_zero --axis n=2,3 --target=emulated --compare=reference

// Structures of other values: rows of values, room for rows, boxes.
// RUN: not ragged-run %s --entry=fewer_rows --axis n=2,3 --axis m=2,2 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not ragged-run %s --entry=fewer_rows --axis n=2,3 --axis m=2,2 --target=emulated 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not ragged-run %s --entry=fewer_rows --axis n=2,3 --axis m=2,2 --target=reference 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: ragged-run %s --entry=fewer_rows --axis n=2,3 --axis m=6,0 --compare=reference
// RUN: ragged-run %s --entry=fewer_rows --axis n=2,3 --axis m=6,0 --target=emulated --compare=reference
// RUN: not ragged-run %s --entry=little_room --axis n=2,3 --axis m=2,2 2>&1 | FileCheck %s --check-prefix=ROOM
// RUN: not ragged-run %s --entry=little_room --axis n=2,3 --axis m=2,2 --target=emulated 2>&1 | FileCheck %s --check-prefix=ROOM
// RUN: not ragged-run %s --entry=little_room --axis n=2,3 --axis m=2,2 --target=reference 2>&1 | FileCheck %s --check-prefix=ROOM
// RUN: ragged-run %s --entry=little_room --axis n=2,3 --axis m=0,9 --compare=reference
// RUN: ragged-run %s --entry=little_room --axis n=2,3 --axis m=0,9 --target=emulated --compare=reference
// RUN: not ragged-run %s --entry=small_box --axis n=2,3 --axis m=2,2 2>&1 | FileCheck %s --check-prefix=BOX
// RUN: not ragged-run %s --entry=small_box --axis n=2,3 --axis m=2,2 --target=emulated 2>&1 | FileCheck %s --check-prefix=BOX
// RUN: not ragged-run %s --entry=small_box --axis n=2,3 --axis m=2,2 --target=reference 2>&1 | FileCheck %s --check-prefix=BOX
// RUN: ragged-run %s --entry=small_box --axis n=2,3 --axis m=0,3 --compare=reference
// RUN: ragged-run %s --entry=small_box --axis n=2,3 --axis m=0,3 --target=emulated --compare=reference
// RUN: not ragged-run %s --entry=unpack_small --axis n=2,3 --axis m=2,2 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not ragged-run %s --entry=unpack_small --axis n=2,3 --axis m=2,2 --target=emulated 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not ragged-run %s --entry=unpack_small --axis n=2,3 --axis m=2,2 --target=reference 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: ragged-run %s --entry=unpack_small --axis n=2,3 --axis m=0,3 --compare=reference
// RUN: ragged-run %s --entry=unpack_small --axis n=2,3 --axis m=0,3 --target=emulated --compare=reference
// RUN: not ragged-run %s --entry=static_batch --axis n=2,3,4 2>&1 | FileCheck %s --check-prefix=BATCH
// RUN: not ragged-run %s --entry=static_batch --axis n=2,3,4 --target=emulated 2>&1 | FileCheck %s --check-prefix=BATCH
// RUN: not ragged-run %s --entry=static_batch --axis n=2,3,4 --target=reference 2>&1 | FileCheck %s --check-prefix=BATCH
// RUN: ragged-run %s --entry=static_batch --axis n=2,3 --compare=reference
// RUN: ragged-run %s --entry=static_batch --axis n=2,3 --target=emulated --compare=reference
// RUN: not ragged-run %s --entry=unpack_batch --axis n=2,3,4 2>&1 | FileCheck %s --check-prefix=BATCH-LIKE
// RUN: not ragged-run %s --entry=unpack_batch --axis n=2,3,4 --target=emulated 2>&1 | FileCheck %s --check-prefix=BATCH-LIKE
// RUN: not ragged-run %s --entry=unpack_batch --axis n=2,3,4 --target=reference 2>&1 | FileCheck %s --check-prefix=BATCH-LIKE
// RUN: ragged-run %s --entry=unpack_batch --axis n=2,3 --compare=reference
// RUN: ragged-run %s --entry=unpack_batch --axis n=2,3 --target=emulated --compare=reference

// The op is named with its line, by compiled code and by the reference.
// RUN: not ragged-run %s --entry=unused --axis n=2,3 --axis m=2,4 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: not ragged-run %s --entry=unused --axis n=2,3 --axis m=2,4 --target=emulated 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: not ragged-run %s --entry=divide --input 0=%t/four.npy --input 1=%t/zero.npy 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not ragged-run %s --entry=divide --input 0=%t/four.npy --input 1=%t/zero.npy --target=emulated 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not ragged-run %s --entry=divide --input 0=%t/four.npy --input 1=%t/zero.npy --target=reference 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not ragged-run %s --entry=divide --input 0=%t/least.npy --input 1=%t/minus_one.npy 2>&1 | FileCheck %s --check-prefix=LEAST
// RUN: not ragged-run %s --entry=divide --input 0=%t/least.npy --input 1=%t/minus_one.npy --target=emulated 2>&1 | FileCheck %s --check-prefix=LEAST
// RUN: not ragged-run %s --entry=divide --input 0=%t/least.npy --input 1=%t/minus_one.npy --target=reference 2>&1 | FileCheck %s --check-prefix=LEAST
// RUN: ragged-run %s --entry=divide --input 0=%t/four.npy --input 1=%t/minus_one.npy --compare=reference --print | FileCheck %s --check-prefix=QUOTIENT
// RUN: ragged-run %s --entry=divide --input 0=%t/four.npy --input 1=%t/minus_one.npy --target=emulated --compare=reference --print | FileCheck %s --check-prefix=QUOTIENT
// RUN: not ragged-run %s --entry=divide_narrow --input 0=%t/four.npy --input 1=%t/zero.npy 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: not ragged-run %s --entry=divide_narrow --input 0=%t/four.npy --input 1=%t/zero.npy --target=emulated 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: ragged-run %s --entry=divide_narrow --input 0=%t/four.npy --input 1=%t/three.npy --compare=reference
// RUN: ragged-run %s --entry=divide_narrow --input 0=%t/four.npy --input 1=%t/three.npy --target=emulated --compare=reference
// RUN: not ragged-run %s --entry=steps --axis n=2,1 --input 1=%t/four.npy --input 2=%t/zero.npy 2>&1 | FileCheck %s --check-prefix=STEP
// RUN: not ragged-run %s --entry=steps --axis n=2,1 --input 1=%t/four.npy --input 2=%t/zero.npy --target=emulated 2>&1 | FileCheck %s --check-prefix=STEP
// RUN: not ragged-run %s --entry=steps --axis n=2,1 --input 1=%t/four.npy --input 2=%t/zero.npy --target=reference 2>&1 | FileCheck %s --check-prefix=STEP
// RUN: ragged-run %s --entry=steps --axis n=2,1 --input 1=%t/four.npy --input 2=%t/most.npy --compare=reference
// RUN: ragged-run %s --entry=steps --axis n=2,1 --input 1=%t/four.npy --input 2=%t/most.npy --target=emulated --compare=reference
// RUN: not ragged-run %s --entry=index_steps --axis n=2,1 --input 1=%t/four.npy --input 2=%t/zero.npy 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: not ragged-run %s --entry=index_steps --axis n=2,1 --input 1=%t/four.npy --input 2=%t/zero.npy --target=emulated 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: ragged-run %s --entry=index_steps --axis n=2,1 --input 1=%t/four.npy --input 2=%t/three.npy --compare=reference
// RUN: ragged-run %s --entry=index_steps --axis n=2,1 --input 1=%t/four.npy --input 2=%t/three.npy --target=emulated --compare=reference

// A backward loop says what the loop itself says.
// RUN: ragged-opt %s --ragged-differentiate="entry=steps mode=split" -o %t/derivative.mlir
// RUN: not ragged-run %t/derivative.mlir --entry=steps_bwd --axis n=2,1 --input 1=%t/four.npy --input 2=%t/zero.npy 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: not ragged-run %t/derivative.mlir --entry=steps_bwd --axis n=2,1 --input 1=%t/four.npy --input 2=%t/zero.npy --target=emulated 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: not ragged-run %t/derivative.mlir --entry=steps_bwd --axis n=2,1 --input 1=%t/four.npy --input 2=%t/zero.npy --target=reference 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: ragged-run %t/derivative.mlir --entry=steps_bwd --axis n=2,1 --input 1=%t/four.npy --input 2=%t/most.npy --compare=reference

// RUN: ragged-run %s --entry=divide_index --input 0=%t/four.npy --input 1=%t/three.npy --compare=reference
// RUN: ragged-run %s --entry=divide_index --input 0=%t/four.npy --input 1=%t/three.npy --target=emulated --compare=reference
// RUN: not ragged-run %s --entry=divide_index --input 0=%t/four.npy --input 1=%t/zero.npy 2>&1 | FileCheck %s --check-prefix=DIVIDE-INDEX
// RUN: not ragged-run %s --entry=divide_index --input 0=%t/four.npy --input 1=%t/zero.npy --target=emulated 2>&1 | FileCheck %s --check-prefix=DIVIDE-INDEX
// RUN: not ragged-run %s --entry=many_turns --axis n=2 --axis m=3 2>&1 | FileCheck %s --check-prefix=SAME-OF-MANY
// RUN: not ragged-run %s --entry=many_turns --axis n=2 --axis m=3 --target=emulated 2>&1 | FileCheck %s --check-prefix=SAME-OF-MANY
// RUN: ragged-run %s --entry=steps --axis n=2,1 --input 1=%t/four.npy --input 2=%t/three.npy --compare=reference
// RUN: ragged-run %s --entry=steps --axis n=2,1 --input 1=%t/four.npy --input 2=%t/three.npy --target=emulated --compare=reference

// SAME: run-time-errors.mlir:{{[0-9]+:[0-9]+}}: 'ragged.assume_same_axis'{{.*}}m has extent 4 in sample 1{{.*}}3
func.func @same(%x: !ragged.tensor<[n, 3], f32>, %y: !ragged.tensor<[m, 3], f32>) -> !ragged.tensor<[n, 3], f32> {
  %z = ragged.assume_same_axis %y dims = [0] to = "n" like %x : !ragged.tensor<[m, 3], f32>, !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
  %a = ragged.add %x, %z : !ragged.tensor<[n, 3], f32>, !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
  return %a : !ragged.tensor<[n, 3], f32>
}

// FITS: run-time-errors.mlir:[[#@LINE+2]]:8: 'ragged.unpack'{{.*}}5
func.func @fits(%x: !ragged.tensor<[n, 3], f32>) -> tensor<?x4x3xf32> {
  %a = ragged.unpack %x : !ragged.tensor<[n, 3], f32> -> tensor<?x4x3xf32>
  return %a : tensor<?x4x3xf32>
}

func.func @in_loop(%x: !ragged.tensor<[n, 3], f32>, %y: !ragged.tensor<[m, 3], f32>) -> !ragged.tensor<[n, 3], f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> (!ragged.tensor<[n, 3], f32>) {
    %z = ragged.assume_same_axis %y dims = [0] to = "n" like %a : !ragged.tensor<[m, 3], f32>, !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
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

// An unused check is a check all the same.
func.func @unused(%x: !ragged.tensor<[n, 3], f32>, %y: !ragged.tensor<[m, 3], f32>) -> !ragged.tensor<[n, 3], f32> {
  %z = ragged.assume_same_axis %y dims = [0] to = "n" like %x : !ragged.tensor<[m, 3], f32>, !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
  return %x : !ragged.tensor<[n, 3], f32>
}

// ZERO: run-time-errors.mlir:[[#@LINE+4]]:8: 'arith.divsi'{{.*}}4 {{(and|divided by)}} 0
// LEAST: run-time-errors.mlir:[[#@LINE+3]]:8: 'arith.divsi'{{.*}}-9223372036854775808 {{(and|divided by)}} -1
// QUOTIENT: -4
func.func @divide(%x: i64, %y: i64) -> i64 {
  %a = arith.divsi %x, %y : i64
  return %a : i64
}

// NARROW: 'arith.remui'{{.*}}4 {{(and|divided by)}} 0
func.func @divide_narrow(%x: i64, %y: i64) -> i64 {
  %a = arith.trunci %x : i64 to i8
  %b = arith.trunci %y : i64 to i8
  %c = arith.remui %a, %b : i8
  %d = arith.extui %c : i8 to i64
  return %d : i64
}

// STEP: run-time-errors.mlir:[[#@LINE+3]]:8: 'scf.for'{{.*}}step{{.*}}0
func.func @steps(%x: !ragged.tensor<[n], f32>, %end: i64, %step: i64) -> !ragged.tensor<[n], f32> {
  %c0 = arith.constant 0 : i64
  %r = scf.for %i = %c0 to %end step %step iter_args(%y = %x) -> (!ragged.tensor<[n], f32>) : i64 {
    %z = ragged.add %y, %x : !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
    scf.yield %z : !ragged.tensor<[n], f32>
  }
  return %r : !ragged.tensor<[n], f32>
}

// INDEX: 'scf.for'{{.*}}step{{.*}}0
func.func @index_steps(%x: !ragged.tensor<[n], f32>, %end: i64, %step: i64) -> (!ragged.tensor<[n], f32>, i64) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %e = arith.index_cast %end : i64 to index
  %s = arith.index_cast %step : i64 to index
  %r:2 = scf.for %i = %c0 to %e step %s iter_args(%y = %x, %sum = %zero) -> (!ragged.tensor<[n], f32>, i64) {
    %z = ragged.add %y, %x : !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
    %k = arith.index_cast %i : index to i64
    %more = arith.addi %sum, %k : i64
    scf.yield %z, %more : !ragged.tensor<[n], f32>, i64
  }
  return %r#0, %r#1 : !ragged.tensor<[n], f32>, i64
}

// DIVIDE-INDEX: 'arith.ceildivui'{{.*}}4 divided by 0
func.func @divide_index(%x: i64, %y: i64) -> i64 {
  %a = arith.index_cast %x : i64 to index
  %b = arith.index_cast %y : i64 to index
  %c = arith.ceildivui %a, %b : index
  %d = arith.index_cast %c : index to i64
  return %d : i64
}

// The turns that are left are not taken.
// SAME-OF-MANY: 'ragged.assume_same_axis': axis m has extent 3 in sample 0
func.func @many_turns(%x: !ragged.tensor<[n], f32>, %y: !ragged.tensor<[m], f32>) -> !ragged.tensor<[n], f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %many = arith.constant 4611686018427387904 : i64
  %r = scf.for %i = %c0 to %many step %c1 iter_args(%a = %x) -> (!ragged.tensor<[n], f32>) : i64 {
    %z = ragged.assume_same_axis %y dims = [0] to = "n" like %a : !ragged.tensor<[m], f32>, !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
    %b = ragged.add %a, %z : !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
    scf.yield %b : !ragged.tensor<[n], f32>
  }
  return %r : !ragged.tensor<[n], f32>
}

// ROWS: run-time-errors.mlir:[[#@LINE+3]]:8: 'ragged.with_values'{{.*}}{{4|5}}{{.*}}{{4|5}}
func.func @fewer_rows(%x: !ragged.tensor<[n, 3], f32>, %y: !ragged.tensor<[m, 3], f32>) -> !ragged.tensor<[n, 3], f32> {
  %v = ragged.values %y : !ragged.tensor<[m, 3], f32> -> tensor<?x3xf32>
  %a = ragged.with_values %v like %x : tensor<?x3xf32>, !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
  return %a : !ragged.tensor<[n, 3], f32>
}

// ROOM: run-time-errors.mlir:[[#@LINE+3]]:8: 'ragged.values'{{.*}}room for 4
func.func @little_room(%x: !ragged.tensor<[n, 3], f32>, %y: !ragged.tensor<[m, 3], f32>) -> tensor<?x3xf32> {
  %v = ragged.values %y : !ragged.tensor<[m, 3], f32> -> tensor<?x3xf32>
  %a = ragged.values %x like %v : !ragged.tensor<[n, 3], f32>, tensor<?x3xf32> -> tensor<?x3xf32>
  return %a : tensor<?x3xf32>
}

// BOX: run-time-errors.mlir:[[#@LINE+3]]:8: 'ragged.with_padded'{{.*}}axis n{{.*}}3{{.*}}2
func.func @small_box(%x: !ragged.tensor<[n, 3], f32>, %y: !ragged.tensor<[m, 3], f32>) -> !ragged.tensor<[n, 3], f32> {
  %b = ragged.unpack %y batch = 1 : !ragged.tensor<[m, 3], f32> -> tensor<?x?x3xf32>
  %a = ragged.with_padded %b like %x batch = 1 : tensor<?x?x3xf32>, !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
  return %a : !ragged.tensor<[n, 3], f32>
}

// SMALL: run-time-errors.mlir:[[#@LINE+3]]:8: 'ragged.unpack'{{.*}}axis n{{.*}}3{{.*}}2
func.func @unpack_small(%x: !ragged.tensor<[n, 3], f32>, %y: !ragged.tensor<[m, 3], f32>) -> tensor<?x?x3xf32> {
  %b = ragged.unpack %y : !ragged.tensor<[m, 3], f32> -> tensor<?x?x3xf32>
  %a = ragged.unpack %x like %b : !ragged.tensor<[n, 3], f32>, tensor<?x?x3xf32> -> tensor<?x?x3xf32>
  return %a : tensor<?x?x3xf32>
}

// BATCH: run-time-errors.mlir:[[#@LINE+3]]:8: 'ragged.with_padded'{{.*}}batch{{.*}}{{2|3}}{{.*}}{{2|3}}
func.func @static_batch(%x: !ragged.tensor<[n, 3], f32>) -> !ragged.tensor<[n, 3], f32> {
  %b = arith.constant dense<1.5> : tensor<2x4x3xf32>
  %a = ragged.with_padded %b like %x : tensor<2x4x3xf32>, !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
  return %a : !ragged.tensor<[n, 3], f32>
}

// BATCH-LIKE: run-time-errors.mlir:[[#@LINE+3]]:8: 'ragged.unpack'{{.*}}batch{{.*}}{{2|3}}{{.*}}{{2|3}}
func.func @unpack_batch(%x: !ragged.tensor<[n, 3], f32>) -> tensor<2x4x3xf32> {
  %b = arith.constant dense<1.5> : tensor<2x4x3xf32>
  %a = ragged.unpack %x like %b : !ragged.tensor<[n, 3], f32>, tensor<2x4x3xf32> -> tensor<2x4x3xf32>
  return %a : tensor<2x4x3xf32>
}
