// Builtin tensors among themselves: what optimiser steps and losses are made of.
// RUN: %run_all_lengths %s
// RUN: %run_all_lengths --target=emulated %s

// ---- Elementwise -------------------------------------------------------------------------------

!w = tensor<13x7xf32>

// One kernel: w - rate * g, and what Adam keeps.
func.func @step(%w: !w, %g: !w, %m: !w, %rate: f32) -> (!w, !w) {
  %c = arith.constant 0.9 : f32
  %a = ragged.mul %m, %c : !w, f32 -> !w
  %b = ragged.add %a, %g : !w, !w -> !w
  %s = ragged.mul %b, %rate : !w, f32 -> !w
  %n = ragged.sub %w, %s : !w, !w -> !w
  return %n, %b : !w, !w
}

func.func @all_f64(%x: tensor<5x1x3xf64>, %y: tensor<5x1x3xf64>) -> (tensor<5x1x3xf64>, tensor<5x1x3xf64>, tensor<5x1x3xf64>) {
  %e = ragged.exp %x : tensor<5x1x3xf64> -> tensor<5x1x3xf64>
  %d = ragged.div %e, %y : tensor<5x1x3xf64>, tensor<5x1x3xf64> -> tensor<5x1x3xf64>
  %m = ragged.maximum %d, %x : tensor<5x1x3xf64>, tensor<5x1x3xf64> -> tensor<5x1x3xf64>
  return %e, %d, %m : tensor<5x1x3xf64>, tensor<5x1x3xf64>, tensor<5x1x3xf64>
}

func.func @all_bf16(%x: tensor<4x33xbf16>, %s: bf16) -> (tensor<4x33xbf16>, tensor<4x33xbf16>) {
  %g = ragged.gelu %x : tensor<4x33xbf16> -> tensor<4x33xbf16>
  %t = ragged.add %s, %g : bf16, tensor<4x33xbf16> -> tensor<4x33xbf16>
  return %g, %t : tensor<4x33xbf16>, tensor<4x33xbf16>
}

func.func @all_i64(%x: tensor<9xi64>, %y: tensor<9xi64>, %s: i64) -> (tensor<9xi64>, tensor<9xi64>) {
  %d = ragged.div %x, %y : tensor<9xi64>, tensor<9xi64> -> tensor<9xi64>
  %m = ragged.mul %s, %d : i64, tensor<9xi64> -> tensor<9xi64>
  return %d, %m : tensor<9xi64>, tensor<9xi64>
}

// Rank 0, scalars alone, and no elements.
func.func @small(%x: tensor<f32>, %y: f32, %z: f32, %e: tensor<3x0xf32>) -> (tensor<f32>, f32, tensor<3x0xf32>) {
  %a = ragged.add %x, %y : tensor<f32>, f32 -> tensor<f32>
  %b = ragged.mul %a, %x : tensor<f32>, tensor<f32> -> tensor<f32>
  %c = ragged.mul %y, %z : f32, f32 -> f32
  %d = ragged.exp %c : f32 -> f32
  %f = ragged.relu %e : tensor<3x0xf32> -> tensor<3x0xf32>
  return %b, %d, %f : tensor<f32>, f32, tensor<3x0xf32>
}

// Extents that no type says; those of the lengths are the batch's.
func.func @open(%x: !ragged.tensor<[n, 3], f32>) -> (tensor<?xi64>, tensor<?x3xf32>) {
  %l = ragged.extents %x dim = 0 : !ragged.tensor<[n, 3], f32> -> tensor<?xi64>
  %t = ragged.mul %l, %l : tensor<?xi64>, tensor<?xi64> -> tensor<?xi64>
  %u = ragged.add %t, %l : tensor<?xi64>, tensor<?xi64> -> tensor<?xi64>
  %v = ragged.values %x : !ragged.tensor<[n, 3], f32> -> tensor<?x3xf32>
  %y = ragged.relu %x : !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
  %o = ragged.values %y : !ragged.tensor<[n, 3], f32> -> tensor<?x3xf32>
  %s = ragged.sub %v, %o : tensor<?x3xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
  return %u, %s : tensor<?xi64>, tensor<?x3xf32>
}

// ---- Reductions --------------------------------------------------------------------------------

!t = tensor<6x5x4xf32>
func.func @sums(%x: !t) -> (tensor<5x4xf32>, tensor<6x4xf32>, tensor<6x5xf32>, tensor<5xf32>, tensor<4xf32>, tensor<6xf32>, tensor<f32>, tensor<6x1x4xf32>, !t) {
  %0 = ragged.sum %x dims = [0] : !t -> tensor<5x4xf32>
  %1 = ragged.sum %x dims = [1] : !t -> tensor<6x4xf32>
  %2 = ragged.sum %x dims = [2] : !t -> tensor<6x5xf32>
  %3 = ragged.mean %x dims = [2, 0] : !t -> tensor<5xf32>
  %4 = ragged.max %x dims = [0, 1] : !t -> tensor<4xf32>
  %5 = ragged.mean %x dims = [1, 2] : !t -> tensor<6xf32>
  %6 = ragged.sum %x dims = [0, 1, 2] : !t -> tensor<f32>
  %7 = ragged.max %x dims = [1] keep_dims : !t -> tensor<6x1x4xf32>
  %8 = ragged.sum %x dims = [] : !t -> !t
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<5x4xf32>, tensor<6x4xf32>, tensor<6x5xf32>, tensor<5xf32>, tensor<4xf32>, tensor<6xf32>, tensor<f32>, tensor<6x1x4xf32>, !t
}

// Long enough for several parts; rows wider than any tail.
func.func @long_f32(%x: tensor<150x40xf32>, %y: tensor<3x1500xf32>) -> (tensor<40xf32>, tensor<f32>, tensor<3xf32>, tensor<1500xf32>, tensor<f32>) {
  %0 = ragged.mean %x dims = [0] : tensor<150x40xf32> -> tensor<40xf32>
  %1 = ragged.max %x dims = [0, 1] : tensor<150x40xf32> -> tensor<f32>
  %2 = ragged.sum %y dims = [1] : tensor<3x1500xf32> -> tensor<3xf32>
  %3 = ragged.mean %y dims = [0] : tensor<3x1500xf32> -> tensor<1500xf32>
  %4 = ragged.mean %y dims = [0, 1] : tensor<3x1500xf32> -> tensor<f32>
  return %0, %1, %2, %3, %4 : tensor<40xf32>, tensor<f32>, tensor<3xf32>, tensor<1500xf32>, tensor<f32>
}

func.func @long_others(%x: tensor<100x3xbf16>, %y: tensor<1100x2xi64>, %z: tensor<1200xf64>) -> (tensor<3xbf16>, tensor<bf16>, tensor<2xi64>, tensor<2xi64>, tensor<f64>) {
  %0 = ragged.sum %x dims = [0] : tensor<100x3xbf16> -> tensor<3xbf16>
  %1 = ragged.mean %x dims = [0, 1] : tensor<100x3xbf16> -> tensor<bf16>
  %2 = ragged.sum %y dims = [0] : tensor<1100x2xi64> -> tensor<2xi64>
  %3 = ragged.max %y dims = [0] : tensor<1100x2xi64> -> tensor<2xi64>
  %4 = ragged.mean %z dims = [0] : tensor<1200xf64> -> tensor<f64>
  return %0, %1, %2, %3, %4 : tensor<3xbf16>, tensor<bf16>, tensor<2xi64>, tensor<2xi64>, tensor<f64>
}

// More than a tail holds: by rows of 128.
func.func @whole(%x: tensor<30x128xf32>, %y: tensor<1280x2xbf16>) -> (tensor<f32>, tensor<f32>, tensor<bf16>) {
  %0 = ragged.mean %x dims = [0, 1] : tensor<30x128xf32> -> tensor<f32>
  %1 = ragged.max %x dims = [0, 1] : tensor<30x128xf32> -> tensor<f32>
  %2 = ragged.sum %y dims = [0, 1] : tensor<1280x2xbf16> -> tensor<bf16>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<bf16>
}

func.func @of_nothing(%x: tensor<0x3xf32>, %y: tensor<2x0xi64>, %z: tensor<f32>, %u: tensor<1x1xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<f32>, tensor<2xi64>, tensor<0xi64>, tensor<f32>, tensor<1xf32>) {
  %0 = ragged.sum %x dims = [0] : tensor<0x3xf32> -> tensor<3xf32>
  %1 = ragged.mean %x dims = [0] : tensor<0x3xf32> -> tensor<3xf32>
  %2 = ragged.mean %x dims = [0] empty = zero : tensor<0x3xf32> -> tensor<3xf32>
  %3 = ragged.max %x dims = [0, 1] : tensor<0x3xf32> -> tensor<f32>
  %4 = ragged.max %y dims = [1] : tensor<2x0xi64> -> tensor<2xi64>
  %5 = ragged.sum %y dims = [0] : tensor<2x0xi64> -> tensor<0xi64>
  %6 = ragged.mean %z dims = [] : tensor<f32> -> tensor<f32>
  %7 = ragged.sum %u dims = [1] : tensor<1x1xf32> -> tensor<1xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<f32>, tensor<2xi64>, tensor<0xi64>, tensor<f32>, tensor<1xf32>
}

func.func @open_sums(%x: !ragged.tensor<[n, 3], f32>, %y: !ragged.tensor<[n, m], i64>) -> (tensor<3xf32>, tensor<?xf32>, tensor<f32>, tensor<i64>, tensor<?x?xi64>, tensor<?xi64>) {
  %v = ragged.values %x : !ragged.tensor<[n, 3], f32> -> tensor<?x3xf32>
  %0 = ragged.mean %v dims = [0] : tensor<?x3xf32> -> tensor<3xf32>
  %1 = ragged.sum %v dims = [1] : tensor<?x3xf32> -> tensor<?xf32>
  %2 = ragged.mean %v dims = [0, 1] empty = zero : tensor<?x3xf32> -> tensor<f32>
  %u = ragged.unpack %y : !ragged.tensor<[n, m], i64> -> tensor<?x?x?xi64>
  %3 = ragged.sum %u dims = [0, 1, 2] : tensor<?x?x?xi64> -> tensor<i64>
  %4 = ragged.max %u dims = [1] : tensor<?x?x?xi64> -> tensor<?x?xi64>
  %5 = ragged.sum %u dims = [0, 2] : tensor<?x?x?xi64> -> tensor<?xi64>
  return %0, %1, %2, %3, %4, %5 : tensor<3xf32>, tensor<?xf32>, tensor<f32>, tensor<i64>, tensor<?x?xi64>, tensor<?xi64>
}

// ---- Broadcasts --------------------------------------------------------------------------------

func.func @repeat(%x: tensor<5x4xf32>, %r: tensor<4xf32>, %c: tensor<5xf32>, %u: tensor<5x1xf32>, %s: f32, %z: tensor<f32>) -> (tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<f32>) {
  %0 = ragged.broadcast %r dims = [1] like %x : tensor<4xf32>, tensor<5x4xf32> -> tensor<5x4xf32>
  %1 = ragged.mul %x, %0 : tensor<5x4xf32>, tensor<5x4xf32> -> tensor<5x4xf32>
  %2 = ragged.broadcast %c dims = [0] like %x : tensor<5xf32>, tensor<5x4xf32> -> tensor<5x4xf32>
  %3 = ragged.add %1, %2 : tensor<5x4xf32>, tensor<5x4xf32> -> tensor<5x4xf32>
  %4 = ragged.broadcast %u dims = [0, 1] like %x : tensor<5x1xf32>, tensor<5x4xf32> -> tensor<5x4xf32>
  %5 = ragged.broadcast %s dims = [] like %x : f32, tensor<5x4xf32> -> tensor<5x4xf32>
  %6 = ragged.broadcast %z dims = [] like %x : tensor<f32>, tensor<5x4xf32> -> tensor<5x4xf32>
  %7 = ragged.sub %5, %6 : tensor<5x4xf32>, tensor<5x4xf32> -> tensor<5x4xf32>
  %8 = ragged.broadcast %s dims = [] like %z : f32, tensor<f32> -> tensor<f32>
  return %3, %4, %5, %7, %8 : tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<f32>
}

// Two of one space that do not share a row; other element types than `like`'s.
func.func @crosswise(%x: tensor<6x6xf32>, %l: tensor<6x6x2xi64>) -> (tensor<6x6xf32>, tensor<6x6x2xf32>) {
  %a = ragged.relu %x : tensor<6x6xf32> -> tensor<6x6xf32>
  %t = ragged.broadcast %a dims = [1, 0] like %x : tensor<6x6xf32>, tensor<6x6xf32> -> tensor<6x6xf32>
  %s = ragged.add %a, %t : tensor<6x6xf32>, tensor<6x6xf32> -> tensor<6x6xf32>
  %b = ragged.broadcast %s dims = [1, 0] like %l : tensor<6x6xf32>, tensor<6x6x2xi64> -> tensor<6x6x2xf32>
  return %s, %b : tensor<6x6xf32>, tensor<6x6x2xf32>
}

// A softmax over the last dimension of a builtin tensor, open and not.
func.func @softmax(%x: !ragged.tensor<[n, 5], f32>) -> tensor<?x5xf32> {
  %v = ragged.values %x : !ragged.tensor<[n, 5], f32> -> tensor<?x5xf32>
  %m = ragged.max %v dims = [1] : tensor<?x5xf32> -> tensor<?xf32>
  %r = ragged.broadcast %m dims = [0] like %v : tensor<?xf32>, tensor<?x5xf32> -> tensor<?x5xf32>
  %d = ragged.sub %v, %r : tensor<?x5xf32>, tensor<?x5xf32> -> tensor<?x5xf32>
  %e = ragged.exp %d : tensor<?x5xf32> -> tensor<?x5xf32>
  %s = ragged.sum %e dims = [1] : tensor<?x5xf32> -> tensor<?xf32>
  %q = ragged.broadcast %s dims = [0] like %v : tensor<?xf32>, tensor<?x5xf32> -> tensor<?x5xf32>
  %y = ragged.div %e, %q : tensor<?x5xf32>, tensor<?x5xf32> -> tensor<?x5xf32>
  return %y : tensor<?x5xf32>
}

// To ragged values: from rank 0, from a scalar, from what was repeated before.
func.func @to_ragged(%x: !ragged.tensor<[n, 3], f32>, %z: tensor<f32>, %s: f32, %l: tensor<4x3xf32>) -> (!ragged.tensor<[n, 3], f32>, !ragged.tensor<[n, 3], f32>) {
  %a = ragged.broadcast %z dims = [] like %x : tensor<f32>, !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
  %b = ragged.broadcast %s dims = [] like %x : f32, !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
  %c = ragged.sub %x, %a : !ragged.tensor<[n, 3], f32>, !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
  %d = ragged.mul %c, %b : !ragged.tensor<[n, 3], f32>, !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
  %t = ragged.mean %l dims = [0] : tensor<4x3xf32> -> tensor<3xf32>
  %u = ragged.exp %t : tensor<3xf32> -> tensor<3xf32>
  %e = ragged.broadcast %u dims = [1] like %x : tensor<3xf32>, !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
  %f = ragged.add %d, %e : !ragged.tensor<[n, 3], f32>, !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
  return %b, %f : !ragged.tensor<[n, 3], f32>, !ragged.tensor<[n, 3], f32>
}

// ---- Losses, and numbers that control the program ------------------------------------------------

// A loss of the batch, its size, and a step that hangs on it.
func.func @loss(%x: !ragged.tensor<[n, 3], f32>, %w: tensor<3xf32>) -> (tensor<f32>, tensor<3xf32>, f32) {
  %l = ragged.sum %x dims = [0, 1] batch : !ragged.tensor<[n, 3], f32> -> tensor<f32>
  %g = ragged.sum %x dims = [0] batch : !ragged.tensor<[n, 3], f32> -> tensor<3xf32>
  %q = ragged.mul %l, %l : tensor<f32>, tensor<f32> -> tensor<f32>
  %b = ragged.broadcast %q dims = [] like %w : tensor<f32>, tensor<3xf32> -> tensor<3xf32>
  %s = ragged.mul %g, %b : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  %v = ragged.sub %w, %s : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  %i = tensor.extract %q[] : tensor<f32>
  %one = arith.constant 1.0 : f32
  %j = arith.addf %i, %one : f32
  return %q, %v, %j : tensor<f32>, tensor<3xf32>, f32
}

// Steps in a loop: what goes around is a builtin tensor, and a number read out of one.
func.func @descent(%w: !w, %g: !w, %rate: f32) -> (!w, f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %half = arith.constant 0.5 : f32
  %r:2 = scf.for %i = %zero to %three step %one iter_args(%v = %w, %a = %rate) -> (!w, f32) {
    %s = ragged.mul %g, %a : !w, f32 -> !w
    %n = ragged.sub %v, %s : !w, !w -> !w
    %b = ragged.mul %a, %half : f32, f32 -> f32
    %c = arith.addf %b, %half : f32
    scf.yield %n, %c : !w, f32
  }
  %m = ragged.mean %r#0 dims = [0, 1] : !w -> tensor<f32>
  %e = tensor.extract %m[] : tensor<f32>
  %f = ragged.mul %e, %r#1 : f32, f32 -> f32
  return %r#0, %f : !w, f32
}

// What a branch has checked is not known behind it.
func.func @branches(%x: !ragged.tensor<[n], f32>, %y: !ragged.tensor<[n], f32>, %p: i64) -> (tensor<?xf32>, tensor<?xf32>) {
  %u = ragged.values %x : !ragged.tensor<[n], f32> -> tensor<?xf32>
  %v = ragged.values %y : !ragged.tensor<[n], f32> -> tensor<?xf32>
  %zero = arith.constant 0 : i64
  %c = arith.cmpi sgt, %p, %zero : i64
  %r = scf.if %c -> (tensor<?xf32>) {
    %a = ragged.add %u, %v : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
    scf.yield %a : tensor<?xf32>
  } else {
    %e = ragged.exp %u : tensor<?xf32> -> tensor<?xf32>
    scf.yield %e : tensor<?xf32>
  }
  %s = ragged.sub %u, %r : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  %t = ragged.mul %s, %v : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  return %r, %t : tensor<?xf32>, tensor<?xf32>
}

// ---- Truth values, choices, casts ----------------------------------------------------------------

func.func @choices(%x: tensor<6x5xf32>, %y: tensor<6x5xf32>, %s: f32, %z: tensor<200x16xf32>) -> (tensor<6x5xf32>, tensor<i64>, tensor<6xi64>, tensor<6x5xbf16>, tensor<16xi64>, tensor<6x5xi64>) {
  %c = ragged.less %x, %y : tensor<6x5xf32>, tensor<6x5xf32> -> tensor<6x5xi1>
  %w = ragged.where %c, %x, %s : tensor<6x5xi1>, tensor<6x5xf32>, f32 -> tensor<6x5xf32>
  %n = ragged.sum %c dims = [0, 1] : tensor<6x5xi1> -> tensor<i64>
  %r = ragged.sum %c dims = [1] : tensor<6x5xi1> -> tensor<6xi64>
  %b = ragged.cast %w : tensor<6x5xf32> -> tensor<6x5xbf16>
  %zero = arith.constant 0.0 : f32
  %p = ragged.less %z, %zero : tensor<200x16xf32>, f32 -> tensor<200x16xi1>
  %q = ragged.sum %p dims = [0] : tensor<200x16xi1> -> tensor<16xi64>
  %two = arith.constant 2 : i64
  %f = ragged.full %two like %x : i64, tensor<6x5xf32> -> tensor<6x5xi64>
  return %w, %n, %r, %b, %q, %f : tensor<6x5xf32>, tensor<i64>, tensor<6xi64>, tensor<6x5xbf16>, tensor<16xi64>, tensor<6x5xi64>
}
