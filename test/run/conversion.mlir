// Between builtin tensors and ragged ones, over all length vectors. The axes are created here:
// lengths, offsets, packed rows and padded boxes are arguments (rows beyond the last offset and
// padding are NaN).
// RUN: %run_all_lengths %s
// RUN: %run_all_lengths --target=emulated %s

!x3 = !ragged.tensor<[a, 3], f32>
!sq = !ragged.tensor<[a, a, 3], f32>

func.func @from_values(%v: tensor<?x3xf32>, %l: tensor<?xi64>) -> (!x3, tensor<?x3xf32>, tensor<?xi64>, tensor<?xi64>) {
  %x = ragged.from_values %v, %l axes = ["a"] : tensor<?x3xf32>, tensor<?xi64> -> !x3
  %w = ragged.values %x : !x3 -> tensor<?x3xf32>
  %e = ragged.extents %x dim = 0 : !x3 -> tensor<?xi64>
  %o = ragged.offsets %x : !x3 -> tensor<?xi64>
  return %x, %w, %e, %o : !x3, tensor<?x3xf32>, tensor<?xi64>, tensor<?xi64>
}

func.func @from_values_square(%v: tensor<?x3xf32>, %l: tensor<?xi64>) -> (!sq, tensor<?x3xf32>, tensor<?xi64>) {
  %x = ragged.from_values %v, %l axes = ["a"] : tensor<?x3xf32>, tensor<?xi64> -> !sq
  %y = ragged.add %x, %x : !sq, !sq -> !sq
  %w = ragged.values %y : !sq -> tensor<?x3xf32>
  %o = ragged.offsets %x : !sq -> tensor<?xi64>
  return %x, %w, %o : !sq, tensor<?x3xf32>, tensor<?xi64>
}

func.func @from_values_rectangular(%v: tensor<?xbf16>, %l: tensor<?xi64>, %k: tensor<?xi64>)
    -> (!ragged.tensor<[a, b], bf16>, tensor<?xi64>, tensor<?xi64>) {
  %x = ragged.from_values %v, %l, %k axes = ["a", "b"] : tensor<?xbf16>, tensor<?xi64>, tensor<?xi64>
      -> !ragged.tensor<[a, b], bf16>
  %e = ragged.extents %x dim = 1 : !ragged.tensor<[a, b], bf16> -> tensor<?xi64>
  %o = ragged.offsets %x : !ragged.tensor<[a, b], bf16> -> tensor<?xi64>
  return %x, %e, %o : !ragged.tensor<[a, b], bf16>, tensor<?xi64>, tensor<?xi64>
}

func.func @from_offsets(%v: tensor<?x2x4xi64>, %o: tensor<?xi64>) -> (!ragged.tensor<[a, 2, 4], i64>, tensor<?xi64>) {
  %x = ragged.from_offsets %v, %o axes = ["a"] : tensor<?x2x4xi64>, tensor<?xi64> -> !ragged.tensor<[a, 2, 4], i64>
  %y = ragged.mul %x, %x : !ragged.tensor<[a, 2, 4], i64>, !ragged.tensor<[a, 2, 4], i64> -> !ragged.tensor<[a, 2, 4], i64>
  %e = ragged.extents %y dim = 0 : !ragged.tensor<[a, 2, 4], i64> -> tensor<?xi64>
  return %y, %e : !ragged.tensor<[a, 2, 4], i64>, tensor<?xi64>
}

// Extents of static dimensions, offsets of spaces of all kinds.
func.func @extents(%x: !ragged.tensor<[n, 3, m], f32>, %s: !ragged.tensor<[4], f32>, %e: !ragged.tensor<[n + m, 2], f32>)
    -> (tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) {
  %a = ragged.extents %x dim = 0 : !ragged.tensor<[n, 3, m], f32> -> tensor<?xi64>
  %b = ragged.extents %x dim = 1 : !ragged.tensor<[n, 3, m], f32> -> tensor<?xi64>
  %c = ragged.extents %x dim = 2 : !ragged.tensor<[n, 3, m], f32> -> tensor<?xi64>
  %d = ragged.extents %s dim = 0 : !ragged.tensor<[4], f32> -> tensor<?xi64>
  %f = ragged.extents %e dim = 0 : !ragged.tensor<[n + m, 2], f32> -> tensor<?xi64>
  %g = ragged.offsets %x : !ragged.tensor<[n, 3, m], f32> -> tensor<?xi64>
  %h = ragged.offsets %s : !ragged.tensor<[4], f32> -> tensor<?xi64>
  return %a, %b, %c, %d, %f, %g, %h : tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>
}

func.func @extents_without_axes(%s: !ragged.tensor<[4], f32>) -> (tensor<?xi64>, tensor<?xi64>) {
  %d = ragged.extents %s dim = 0 : !ragged.tensor<[4], f32> -> tensor<?xi64>
  %h = ragged.offsets %s : !ragged.tensor<[4], f32> -> tensor<?xi64>
  return %d, %h : tensor<?xi64>, tensor<?xi64>
}

func.func @values(%x: !ragged.tensor<[3, h, w], f32>, %y: !ragged.tensor<[n, 3, 4], bf16, order = [0, 2, 1]>,
                  %s: !ragged.tensor<[], i64>)
    -> (tensor<?x3xf32>, tensor<?x4x3xbf16>, tensor<?xi64>, tensor<?x3xf32>) {
  %a = ragged.values %x : !ragged.tensor<[3, h, w], f32> -> tensor<?x3xf32>
  %b = ragged.values %y : !ragged.tensor<[n, 3, 4], bf16, order = [0, 2, 1]> -> tensor<?x4x3xbf16>
  %c = ragged.values %s : !ragged.tensor<[], i64> -> tensor<?xi64>
  %e = ragged.exp %x : !ragged.tensor<[3, h, w], f32> -> !ragged.tensor<[3, h, w], f32>
  %d = ragged.values %e : !ragged.tensor<[3, h, w], f32> -> tensor<?x3xf32>
  return %a, %b, %c, %d : tensor<?x3xf32>, tensor<?x4x3xbf16>, tensor<?xi64>, tensor<?x3xf32>
}

// ---- Padded boxes ------------------------------------------------------------------------------

func.func @pack(%v: tensor<?x?x3xf32>, %l: tensor<?xi64>) -> !x3 {
  %x = ragged.pack %v, %l axes = ["a"] : tensor<?x?x3xf32>, tensor<?xi64> -> !x3
  return %x : !x3
}

func.func @pack_sequence_first(%v: tensor<?x?x128xf32>, %l: tensor<?xi64>) -> !ragged.tensor<[a, 128], f32> {
  %x = ragged.pack %v, %l axes = ["a"] batch = 1 : tensor<?x?x128xf32>, tensor<?xi64> -> !ragged.tensor<[a, 128], f32>
  return %x : !ragged.tensor<[a, 128], f32>
}

func.func @pack_square(%v: tensor<?x?x?x3xbf16>, %l: tensor<?xi64>) -> !ragged.tensor<[a, a, 3], bf16> {
  %x = ragged.pack %v, %l axes = ["a"] : tensor<?x?x?x3xbf16>, tensor<?xi64> -> !ragged.tensor<[a, a, 3], bf16>
  return %x : !ragged.tensor<[a, a, 3], bf16>
}

func.func @pack_images(%v: tensor<3x?x?x?xf32>, %l: tensor<?xi64>, %k: tensor<?xi64>)
    -> !ragged.tensor<[3, h, w], f32, order = [2, 1, 0]> {
  %x = ragged.pack %v, %l, %k axes = ["h", "w"] batch = 1
      : tensor<3x?x?x?xf32>, tensor<?xi64>, tensor<?xi64> -> !ragged.tensor<[3, h, w], f32, order = [2, 1, 0]>
  return %x : !ragged.tensor<[3, h, w], f32, order = [2, 1, 0]>
}

func.func @pack_numbers(%v: tensor<?x?xi64>, %l: tensor<?xi64>) -> !ragged.tensor<[a], i64> {
  %x = ragged.pack %v, %l axes = ["a"] batch = 1 : tensor<?x?xi64>, tensor<?xi64> -> !ragged.tensor<[a], i64>
  return %x : !ragged.tensor<[a], i64>
}

func.func @batch_unpack(%x: !ragged.tensor<[n, 3], f32>, %y: !ragged.tensor<[n, 128], bf16>, %z: !ragged.tensor<[n], i64>)
    -> (tensor<?x?x3xf32>, tensor<?x?x3xf32>, tensor<?x?x128xbf16>, tensor<?x?xi64>, tensor<?x1000xi64>) {
  %a = ragged.unpack %x : !ragged.tensor<[n, 3], f32> -> tensor<?x?x3xf32>
  %b = ragged.unpack %x fill = -1.5 batch = 1 : !ragged.tensor<[n, 3], f32> -> tensor<?x?x3xf32>
  %c = ragged.unpack %y fill = 2.0 batch = 1 : !ragged.tensor<[n, 128], bf16> -> tensor<?x?x128xbf16>
  %d = ragged.unpack %z fill = 7.0 batch = 1 : !ragged.tensor<[n], i64> -> tensor<?x?xi64>
  %e = ragged.unpack %z : !ragged.tensor<[n], i64> -> tensor<?x1000xi64>
  return %a, %b, %c, %d, %e : tensor<?x?x3xf32>, tensor<?x?x3xf32>, tensor<?x?x128xbf16>, tensor<?x?xi64>, tensor<?x1000xi64>
}

func.func @batch_unpack_square(%x: !ragged.tensor<[n, n, 3], f32>, %y: !ragged.tensor<[n, n], f64, order = [1, 0]>)
    -> (tensor<?x?x?x3xf32>, tensor<?x130x?xf64>) {
  %a = ragged.unpack %x fill = 9.0 : !ragged.tensor<[n, n, 3], f32> -> tensor<?x?x?x3xf32>
  %b = ragged.unpack %y batch = 0 : !ragged.tensor<[n, n], f64, order = [1, 0]> -> tensor<?x130x?xf64>
  return %a, %b : tensor<?x?x?x3xf32>, tensor<?x130x?xf64>
}

func.func @batch_unpack_images(%x: !ragged.tensor<[3, h, w], f32>, %y: !ragged.tensor<[3, h, w], bf16, order = [2, 1, 0]>)
    -> (tensor<3x?x?x?xf32>, tensor<?x3x?x?xbf16>, tensor<3x?x?x?xf32>) {
  %a = ragged.unpack %x batch = 3 : !ragged.tensor<[3, h, w], f32> -> tensor<3x?x?x?xf32>
  %b = ragged.unpack %y fill = -1.0 : !ragged.tensor<[3, h, w], bf16, order = [2, 1, 0]> -> tensor<?x3x?x?xbf16>
  %e = ragged.relu %x : !ragged.tensor<[3, h, w], f32> -> !ragged.tensor<[3, h, w], f32>
  %c = ragged.unpack %e fill = 5.0 batch = 1 : !ragged.tensor<[3, h, w], f32> -> tensor<3x?x?x?xf32>
  return %a, %b, %c : tensor<3x?x?x?xf32>, tensor<?x3x?x?xbf16>, tensor<3x?x?x?xf32>
}

func.func @batch_unpack_no_axis(%x: !ragged.tensor<[4], f32>, %s: !ragged.tensor<[], f32>, %y: !ragged.tensor<[n, 0], f32>)
    -> (tensor<?x4xf32>, tensor<4x?xf32>, tensor<?xf32>, tensor<?x?x0xf32>) {
  %a = ragged.unpack %x : !ragged.tensor<[4], f32> -> tensor<?x4xf32>
  %b = ragged.unpack %x batch = 1 : !ragged.tensor<[4], f32> -> tensor<4x?xf32>
  %c = ragged.unpack %s : !ragged.tensor<[], f32> -> tensor<?xf32>
  %d = ragged.unpack %y : !ragged.tensor<[n, 0], f32> -> tensor<?x?x0xf32>
  return %a, %b, %c, %d : tensor<?x4xf32>, tensor<4x?xf32>, tensor<?xf32>, tensor<?x?x0xf32>
}

// No axis in the whole function.
func.func @batch_unpack_rows(%x: !ragged.tensor<[4], f32>) -> tensor<4x?xf32> {
  %a = ragged.unpack %x batch = 1 : !ragged.tensor<[4], f32> -> tensor<4x?xf32>
  return %a : tensor<4x?xf32>
}

func.func @batch_unpack_views(%x: !ragged.tensor<[n, m, 3], f32>, %w: tensor<3xf32>) -> (tensor<?x3x?x?xf32>, tensor<?x?x?x3xf32>) {
  %t = ragged.transpose %x permutation = [2, 1, 0] : !ragged.tensor<[n, m, 3], f32> -> !ragged.tensor<[3, m, n], f32, order = [2, 1, 0]>
  %a = ragged.unpack %t fill = 1.0 : !ragged.tensor<[3, m, n], f32, order = [2, 1, 0]> -> tensor<?x3x?x?xf32>
  %b = ragged.broadcast %w dims = [2] like %x : tensor<3xf32>, !ragged.tensor<[n, m, 3], f32> -> !ragged.tensor<[n, m, 3], f32>
  %c = ragged.unpack %b : !ragged.tensor<[n, m, 3], f32> -> tensor<?x?x?x3xf32>
  return %a, %c : tensor<?x3x?x?xf32>, tensor<?x?x?x3xf32>
}

// There and back.
func.func @round_trip(%x: !ragged.tensor<[n, m, 3], f32>, %l: tensor<?xi64>, %k: tensor<?xi64>, %v: tensor<?x3xf32>)
    -> !ragged.tensor<[a, b, 3], f32> {
  %f = ragged.from_values %v, %l, %k axes = ["a", "b"] : tensor<?x3xf32>, tensor<?xi64>, tensor<?xi64> -> !ragged.tensor<[a, b, 3], f32>
  %u = ragged.unpack %f fill = 9.0 batch = 2 : !ragged.tensor<[a, b, 3], f32> -> tensor<?x?x?x3xf32>
  %p = ragged.pack %u, %l, %k axes = ["c", "d"] batch = 2 : tensor<?x?x?x3xf32>, tensor<?xi64>, tensor<?xi64> -> !ragged.tensor<[c, d, 3], f32>
  %q = ragged.assume_same_axis %p dims = [0] to = "a" like %f : !ragged.tensor<[c, d, 3], f32>, !ragged.tensor<[a, b, 3], f32> -> !ragged.tensor<[a, d, 3], f32>
  %r = ragged.assume_same_axis %q dims = [1] to = "b" like %f : !ragged.tensor<[a, d, 3], f32>, !ragged.tensor<[a, b, 3], f32> -> !ragged.tensor<[a, b, 3], f32>
  %s = ragged.sub %r, %f : !ragged.tensor<[a, b, 3], f32>, !ragged.tensor<[a, b, 3], f32> -> !ragged.tensor<[a, b, 3], f32>
  return %s : !ragged.tensor<[a, b, 3], f32>
}
