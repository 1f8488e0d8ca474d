// Programs with axes that only the device knows: captured once, replayed for other lengths (or, on the
// CPU, called again). What these programs have is not in the files of other tests (captured-programs.test).
// RUN: %run_captured %s | FileCheck %s
// RUN: %run_captured --target=cpu %s

// CHECK-NOT: refused
// CHECK: no_axis: refused: {{.*}}'arith.cmpi': the host reads a number of the device, but the host takes no part in what is captured
// CHECK: 12 functions, 66 replays, 1 refused, 0 failures

!x = !ragged.tensor<[n, 8], f32>
!pair = !ragged.tensor<[n, n, 8], f32>

// Axes that are computed: of arguments, of results, and of values between.
func.func @expressions(%x: !x, %y: !ragged.tensor<[2 * n + 1, 3], f32>, %z: !ragged.tensor<[max(m, n) floordiv 2], f64>, %v: !ragged.tensor<[m], f64>)
    -> (!ragged.tensor<[2 * n + 1, 3], f32>, !ragged.tensor<[3], f32>, !ragged.tensor<[max(m, n) floordiv 2], f64>, !ragged.tensor<[n, 2 * n + 1], f32>) {
  %a = ragged.exp %y : !ragged.tensor<[2 * n + 1, 3], f32> -> !ragged.tensor<[2 * n + 1, 3], f32>
  %b = ragged.sum %y dims = [0] : !ragged.tensor<[2 * n + 1, 3], f32> -> !ragged.tensor<[3], f32>
  %c = ragged.add %z, %z : !ragged.tensor<[max(m, n) floordiv 2], f64>, !ragged.tensor<[max(m, n) floordiv 2], f64> -> !ragged.tensor<[max(m, n) floordiv 2], f64>
  %d = ragged.sum %x dims = [1] : !x -> !ragged.tensor<[n], f32>
  %e = ragged.max %y dims = [1] : !ragged.tensor<[2 * n + 1, 3], f32> -> !ragged.tensor<[2 * n + 1], f32>
  %f = ragged.expand_dims %d dim = 1 : !ragged.tensor<[n], f32> -> !ragged.tensor<[n, 1], f32>
  %g = ragged.expand_dims %e dim = 0 : !ragged.tensor<[2 * n + 1], f32> -> !ragged.tensor<[1, 2 * n + 1], f32>
  %h = ragged.add %f, %g : !ragged.tensor<[n, 1], f32>, !ragged.tensor<[1, 2 * n + 1], f32> -> !ragged.tensor<[n, 2 * n + 1], f32>
  return %a, %b, %c, %h : !ragged.tensor<[2 * n + 1, 3], f32>, !ragged.tensor<[3], f32>, !ragged.tensor<[max(m, n) floordiv 2], f64>, !ragged.tensor<[n, 2 * n + 1], f32>
}

// A difference: lengths where it is negative are a fault, and none of these vectors has any.
func.func @difference(%x: !ragged.tensor<[n + m - n floordiv 2, 3], f32>, %y: !ragged.tensor<[n], f32>, %z: !ragged.tensor<[m], f32>) -> !ragged.tensor<[3], f32> {
  %a = ragged.sum %x dims = [0] : !ragged.tensor<[n + m - n floordiv 2, 3], f32> -> !ragged.tensor<[3], f32>
  return %a : !ragged.tensor<[3], f32>
}

// Rounded down where the numerator is negative.
func.func @rounded(%x: !ragged.tensor<[min(m, n - 5) floordiv 3 + 5], f32>, %y: !ragged.tensor<[n], f32>, %z: !ragged.tensor<[m], f32>) -> !ragged.tensor<[], f32> {
  %a = ragged.sum %x dims = [0] : !ragged.tensor<[min(m, n - 5) floordiv 3 + 5], f32> -> !ragged.tensor<[], f32>
  return %a : !ragged.tensor<[], f32>
}

// A box with static extents, also of pairs.
func.func @boxes(%x: !x, %p: !pair) -> (tensor<?x40x8xf32>, tensor<40x?x8xf32>, tensor<?x40x36x8xf32>) {
  %a = ragged.unpack %x : !x -> tensor<?x40x8xf32>
  %b = ragged.unpack %x fill = 2.0 batch = 1 : !x -> tensor<40x?x8xf32>
  %c = ragged.unpack %p : !pair -> tensor<?x40x36x8xf32>
  return %a, %b, %c : tensor<?x40x8xf32>, tensor<40x?x8xf32>, tensor<?x40x36x8xf32>
}

// Lengths and offsets as values.
func.func @numbers(%x: !pair) -> (tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) {
  %a = ragged.extents %x dim = 0 : !pair -> tensor<?xi64>
  %b = ragged.offsets %x : !pair -> tensor<?xi64>
  %c = ragged.extents %x dim = 2 : !pair -> tensor<?xi64>
  return %a, %b, %c : tensor<?xi64>, tensor<?xi64>, tensor<?xi64>
}

// The mean over all rows of the batch divides by a number that only the device knows.
func.func @batch_mean(%x: !pair) -> (tensor<8xf32>, tensor<8xf32>) {
  %a = ragged.mean %x dims = [0, 1] batch empty = zero : !pair -> tensor<8xf32>
  %b = ragged.max %x dims = [0, 1] batch : !pair -> tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// Slices of rows that nobody can count: those that the capacity has room for and the rows do not fill
// change no bit. 1782 pairs fit, in seven slices.
func.func @product_over_rows(%x: !ragged.tensor<[n, 96], f32>) -> (tensor<96x96xf32>, tensor<96x96xf32>) {
  %a = ragged.expand_dims %x dim = 1 : !ragged.tensor<[n, 96], f32> -> !ragged.tensor<[n, 1, 96], f32>
  %b = ragged.expand_dims %x dim = 0 : !ragged.tensor<[n, 96], f32> -> !ragged.tensor<[1, n, 96], f32>
  %p = ragged.add %a, %b : !ragged.tensor<[n, 1, 96], f32>, !ragged.tensor<[1, n, 96], f32> -> !ragged.tensor<[n, n, 96], f32>
  %q = ragged.sigmoid %p : !ragged.tensor<[n, n, 96], f32> -> !ragged.tensor<[n, n, 96], f32>
  %r = ragged.product_over_rows %p, %q dims = [2, 2] : !ragged.tensor<[n, n, 96], f32>, !ragged.tensor<[n, n, 96], f32> -> tensor<96x96xf32>
  %s = ragged.product_over_rows %x, %x dims = [1, 1] : !ragged.tensor<[n, 96], f32>, !ragged.tensor<[n, 96], f32> -> tensor<96x96xf32>
  return %r, %s : tensor<96x96xf32>, tensor<96x96xf32>
}

// Blocks take rows of many samples, some of which are empty, between samples that are not.
func.func @coordinates(%x: !ragged.tensor<[n], f32>, %y: !ragged.tensor<[m], f32>) -> (!ragged.tensor<[n, m], f32>, !ragged.tensor<[n, m], i64>) {
  %a = ragged.expand_dims %x dim = 1 : !ragged.tensor<[n], f32> -> !ragged.tensor<[n, 1], f32>
  %b = ragged.expand_dims %y dim = 0 : !ragged.tensor<[m], f32> -> !ragged.tensor<[1, m], f32>
  %p = ragged.mul %a, %b : !ragged.tensor<[n, 1], f32>, !ragged.tensor<[1, m], f32> -> !ragged.tensor<[n, m], f32>
  %less = ragged.less %a, %b : !ragged.tensor<[n, 1], f32>, !ragged.tensor<[1, m], f32> -> !ragged.tensor<[n, m], i1>
  %c = ragged.cast %less : !ragged.tensor<[n, m], i1> -> !ragged.tensor<[n, m], i64>
  return %p, %c : !ragged.tensor<[n, m], f32>, !ragged.tensor<[n, m], i64>
}

// Loops that the host can count, and constants of the program.
func.func @loop(%x: !x) -> !x {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %w = arith.constant dense<[1.0, -2.0, 3.0, -4.0, 5.0, -6.0, 7.0, -8.0]> : tensor<8xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%y = %x) -> (!x) {
    %b = ragged.broadcast %w dims = [1] like %y : tensor<8xf32>, !x -> !x
    %s = ragged.add %y, %b : !x, !x -> !x
    scf.yield %s : !x
  }
  return %r : !x
}

// An argument and its value twice.
func.func @same_twice(%x: !x) -> (!x, !x, !ragged.tensor<[8], f32>) {
  %a = ragged.sum %x dims = [0] : !x -> !ragged.tensor<[8], f32>
  return %x, %x, %a : !x, !x, !ragged.tensor<[8], f32>
}

// No axis at all: nothing is planned, and it can be captured all the same.
func.func @dense(%x: !ragged.tensor<[4], f32>, %y: tensor<4xf32>) -> (!ragged.tensor<[4], f32>, tensor<4xf32>) {
  %a = ragged.exp %x : !ragged.tensor<[4], f32> -> !ragged.tensor<[4], f32>
  return %a, %y : !ragged.tensor<[4], f32>, tensor<4xf32>
}

// Nothing here is known to the device only, but the host would have to wait.
func.func @no_axis(%x: !ragged.tensor<[4], f32>, %k: i64) -> !ragged.tensor<[4], f32> {
  %c2 = arith.constant 2 : i64
  %is = arith.cmpi slt, %k, %c2 : i64
  %r = scf.if %is -> (!ragged.tensor<[4], f32>) {
    %a = ragged.exp %x : !ragged.tensor<[4], f32> -> !ragged.tensor<[4], f32>
    scf.yield %a : !ragged.tensor<[4], f32>
  } else {
    scf.yield %x : !ragged.tensor<[4], f32>
  }
  return %r : !ragged.tensor<[4], f32>
}
