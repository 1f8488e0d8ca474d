// Products over rows: element types, widths, dimensions that are not the last, operands that lie
// differently, views, no rows; over all length vectors.
// RUN: %run_all_lengths %s
// RUN: %run_all_lengths --target=emulated %s

func.func @types(%a: !ragged.tensor<[n, 5], f32>, %b: !ragged.tensor<[n, 7], f32>, %c: !ragged.tensor<[n, 3], f64>, %d: !ragged.tensor<[n, 4], f64>,
                 %e: !ragged.tensor<[n, 17], bf16>, %f: !ragged.tensor<[n, 9], bf16>, %g: !ragged.tensor<[n, 2], i64>, %h: !ragged.tensor<[n, 3], i64>)
    -> (tensor<7x5xf32>, tensor<4x3xf64>, tensor<9x17xbf16>, tensor<3x2xi64>) {
  %0 = ragged.product_over_rows %a, %b dims = [1, 1] : !ragged.tensor<[n, 5], f32>, !ragged.tensor<[n, 7], f32> -> tensor<7x5xf32>
  %1 = ragged.product_over_rows %c, %d dims = [1, 1] : !ragged.tensor<[n, 3], f64>, !ragged.tensor<[n, 4], f64> -> tensor<4x3xf64>
  %2 = ragged.product_over_rows %e, %f dims = [1, 1] : !ragged.tensor<[n, 17], bf16>, !ragged.tensor<[n, 9], bf16> -> tensor<9x17xbf16>
  %3 = ragged.product_over_rows %g, %h dims = [1, 1] : !ragged.tensor<[n, 2], i64>, !ragged.tensor<[n, 3], i64> -> tensor<3x2xi64>
  return %0, %1, %2, %3 : tensor<7x5xf32>, tensor<4x3xf64>, tensor<9x17xbf16>, tensor<3x2xi64>
}

// More than one register tile and more than one tile of a block, and as few as there can be.
func.func @widths(%a: !ragged.tensor<[n, 132], f32>, %b: !ragged.tensor<[n, 66], f32>, %c: !ragged.tensor<[n, 1], f32>,
                  %e: !ragged.tensor<[n, 72], bf16>, %f: !ragged.tensor<[n, 68], bf16>, %i: !ragged.tensor<[n, 33], i64>)
    -> (tensor<66x132xf32>, tensor<132x1xf32>, tensor<1x66xf32>, tensor<1x1xf32>, tensor<68x72xbf16>, tensor<33x33xi64>) {
  %0 = ragged.product_over_rows %a, %b dims = [1, 1] : !ragged.tensor<[n, 132], f32>, !ragged.tensor<[n, 66], f32> -> tensor<66x132xf32>
  %1 = ragged.product_over_rows %c, %a dims = [1, 1] : !ragged.tensor<[n, 1], f32>, !ragged.tensor<[n, 132], f32> -> tensor<132x1xf32>
  %2 = ragged.product_over_rows %b, %c dims = [1, 1] : !ragged.tensor<[n, 66], f32>, !ragged.tensor<[n, 1], f32> -> tensor<1x66xf32>
  %3 = ragged.product_over_rows %c, %c dims = [1, 1] : !ragged.tensor<[n, 1], f32>, !ragged.tensor<[n, 1], f32> -> tensor<1x1xf32>
  %4 = ragged.product_over_rows %e, %f dims = [1, 1] : !ragged.tensor<[n, 72], bf16>, !ragged.tensor<[n, 68], bf16> -> tensor<68x72xbf16>
  %5 = ragged.product_over_rows %i, %i dims = [1, 1] : !ragged.tensor<[n, 33], i64>, !ragged.tensor<[n, 33], i64> -> tensor<33x33xi64>
  return %0, %1, %2, %3, %4, %5 : tensor<66x132xf32>, tensor<132x1xf32>, tensor<1x66xf32>, tensor<1x1xf32>, tensor<68x72xbf16>, tensor<33x33xi64>
}

// A pair state and its transpose; orders; a static dimension among those that are summed over; no ragged dimension.
!p = !ragged.tensor<[n, n, 6], f32>
!image = !ragged.tensor<[3, h, w], f32>
func.func @layouts(%p: !p, %q: !ragged.tensor<[n, n, 4], f32>, %r: !ragged.tensor<[n, n, 4], f32, order = [1, 0, 2]>, %x: !image, %y: !ragged.tensor<[h, 5, w], f32, order = [2, 0, 1]>,
                   %u: !ragged.tensor<[n, 2, 3, 4], f32>, %v: !ragged.tensor<[2, n, 5, 4], f32, order = [1, 3, 2, 0]>, %s: !ragged.tensor<[3], f32>, %t: !ragged.tensor<[4], f32>)
    -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<6x4xf32>, tensor<5x3xf32>, tensor<5x3xf32>, tensor<4x3xf32>) {
  %turned = ragged.transpose %q permutation = [1, 0, 2] : !ragged.tensor<[n, n, 4], f32> -> !ragged.tensor<[n, n, 4], f32, order = [1, 0, 2]>
  %0 = ragged.product_over_rows %p, %turned dims = [2, 2] : !p, !ragged.tensor<[n, n, 4], f32, order = [1, 0, 2]> -> tensor<4x6xf32>
  %1 = ragged.product_over_rows %p, %r dims = [2, 2] : !p, !ragged.tensor<[n, n, 4], f32, order = [1, 0, 2]> -> tensor<4x6xf32>
  %2 = ragged.product_over_rows %r, %p dims = [2, 2] : !ragged.tensor<[n, n, 4], f32, order = [1, 0, 2]>, !p -> tensor<6x4xf32>
  %3 = ragged.product_over_rows %x, %y dims = [0, 1] : !image, !ragged.tensor<[h, 5, w], f32, order = [2, 0, 1]> -> tensor<5x3xf32>
  %v1 = ragged.transpose %v permutation = [1, 0, 2, 3] : !ragged.tensor<[2, n, 5, 4], f32, order = [1, 3, 2, 0]> -> !ragged.tensor<[n, 2, 5, 4], f32, order = [0, 3, 2, 1]>
  %4 = ragged.product_over_rows %u, %v1 dims = [2, 2] : !ragged.tensor<[n, 2, 3, 4], f32>, !ragged.tensor<[n, 2, 5, 4], f32, order = [0, 3, 2, 1]> -> tensor<5x3xf32>
  %5 = ragged.product_over_rows %s, %t dims = [0, 0] : !ragged.tensor<[3], f32>, !ragged.tensor<[4], f32> -> tensor<4x3xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<6x4xf32>, tensor<5x3xf32>, tensor<5x3xf32>, tensor<4x3xf32>
}

// Empty dimensions: nothing to sum, and nothing that is left.
func.func @nothing(%a: !ragged.tensor<[n, 0, 3], f32>, %b: !ragged.tensor<[n, 0, 2], f32>, %c: !ragged.tensor<[n, 0], f32>, %d: !ragged.tensor<[n, 4], f32>)
    -> (tensor<2x3xf32>, tensor<4x0xf32>, tensor<0x4xf32>) {
  %0 = ragged.product_over_rows %a, %b dims = [2, 2] : !ragged.tensor<[n, 0, 3], f32>, !ragged.tensor<[n, 0, 2], f32> -> tensor<2x3xf32>
  %1 = ragged.product_over_rows %c, %d dims = [1, 1] : !ragged.tensor<[n, 0], f32>, !ragged.tensor<[n, 4], f32> -> tensor<4x0xf32>
  %2 = ragged.product_over_rows %d, %c dims = [1, 1] : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 0], f32> -> tensor<0x4xf32>
  return %0, %1, %2 : tensor<2x3xf32>, tensor<4x0xf32>, tensor<0x4xf32>
}

// What linear's derivative is made of: a broadcast, values that a kernel makes, a result that is used.
func.func @gradients(%x: !ragged.tensor<[n, 4], f32>, %w: tensor<6x4xf32>, %g: tensor<6xf32>) -> (tensor<6x4xf32>, tensor<6xf32>, !ragged.tensor<[n, 4], f32>) {
  %y = ragged.linear %x, %w dim = 1 : !ragged.tensor<[n, 4], f32>, tensor<6x4xf32> -> !ragged.tensor<[n, 6], f32>
  %b = ragged.broadcast %g dims = [1] like %y : tensor<6xf32>, !ragged.tensor<[n, 6], f32> -> !ragged.tensor<[n, 6], f32>
  %dy = ragged.mul %y, %b : !ragged.tensor<[n, 6], f32>, !ragged.tensor<[n, 6], f32> -> !ragged.tensor<[n, 6], f32>
  %dw = ragged.product_over_rows %x, %dy dims = [1, 1] : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 6], f32> -> tensor<6x4xf32>
  %plain = ragged.product_over_rows %x, %b dims = [1, 1] : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 6], f32> -> tensor<6x4xf32>
  %new = ragged.sub %w, %dw : tensor<6x4xf32>, tensor<6x4xf32> -> tensor<6x4xf32>
  %sum = ragged.add %new, %plain : tensor<6x4xf32>, tensor<6x4xf32> -> tensor<6x4xf32>
  %db = ragged.sum %dy dims = [0] batch : !ragged.tensor<[n, 6], f32> -> tensor<6xf32>
  %dx = ragged.linear %dy, %w dim = 1 transposed : !ragged.tensor<[n, 6], f32>, tensor<6x4xf32> -> !ragged.tensor<[n, 4], f32>
  return %sum, %db, %dx : tensor<6x4xf32>, tensor<6xf32>, !ragged.tensor<[n, 4], f32>
}

// A broadcast that lies in another order, of what the same kernel makes: the copy reads the broadcast's
// own rows, also through a view.
!boxes = !ragged.tensor<[n, 2, 6], f32>
!turned = !ragged.tensor<[n, 2, 4], f32, order = [0, 2, 1]>
!flat = !ragged.tensor<[n, 4, 2], f32>
func.func @repeated(%p: !boxes, %x: !ragged.tensor<[n, 4], f32>, %like: !turned, %also: !flat) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %y = ragged.exp %x : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %b = ragged.broadcast %y dims = [0, 2] like %like : !ragged.tensor<[n, 4], f32>, !turned -> !turned
  %0 = ragged.product_over_rows %p, %b dims = [2, 2] : !boxes, !turned -> tensor<4x6xf32>
  %flat = ragged.broadcast %y dims = [0, 1] like %also : !ragged.tensor<[n, 4], f32>, !flat -> !flat
  %view = ragged.transpose %flat permutation = [0, 2, 1] : !flat -> !turned
  %1 = ragged.product_over_rows %p, %view dims = [2, 2] : !boxes, !turned -> tensor<4x6xf32>
  return %0, %1 : tensor<4x6xf32>, tensor<4x6xf32>
}
