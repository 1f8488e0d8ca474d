// Ops that change schemas, over all length vectors.
// RUN: %run_all_lengths %s
// RUN: %run_all_lengths --target=emulated %s

!n8 = !ragged.tensor<[n, 8], f32>
!sq = !ragged.tensor<[n, n, 3], f32>
!sqt = !ragged.tensor<[n, n, 3], f32, order = [1, 0, 2]>
!p = !ragged.tensor<[n, m, 5], f32>
!q = !ragged.tensor<[n, m, 5], f32, order = [1, 0, 2]>
!image = !ragged.tensor<[3, h, w], f32>

// ---- Ops that move nothing, returned as they are ------------------------------------------------

func.func @views(%x: !n8, %y: !ragged.tensor<[n, 1, 3], f32>)
    -> (!ragged.tensor<[n, 1, 8], f32, order = [0, 2, 1]>, !ragged.tensor<[8, n], f32>,
        !ragged.tensor<[n, 3], f32>, !ragged.tensor<[1, n, 8], f32, order = [1, 2, 0]>) {
  %a = ragged.expand_dims %x dim = 1 : !n8 -> !ragged.tensor<[n, 1, 8], f32, order = [0, 2, 1]>
  %b = ragged.transpose %x permutation = [1, 0] : !n8 -> !ragged.tensor<[8, n], f32>
  %c = ragged.squeeze %y dims = [1] : !ragged.tensor<[n, 1, 3], f32> -> !ragged.tensor<[n, 3], f32>
  %d = ragged.expand_dims %x dim = 0 : !n8 -> !ragged.tensor<[1, n, 8], f32, order = [1, 2, 0]>
  return %a, %b, %c, %d
      : !ragged.tensor<[n, 1, 8], f32, order = [0, 2, 1]>, !ragged.tensor<[8, n], f32>,
        !ragged.tensor<[n, 3], f32>, !ragged.tensor<[1, n, 8], f32, order = [1, 2, 0]>
}

func.func @transposes(%x: !p, %i: !image)
    -> (!ragged.tensor<[m, n, 5], f32, order = [1, 0, 2]>, !ragged.tensor<[5, m, n], f32, order = [2, 1, 0]>,
        !ragged.tensor<[h, w, 3], f32>, !ragged.tensor<[w, 3, h], f32, order = [2, 0, 1]>) {
  %a = ragged.transpose %x permutation = [1, 0, 2] : !p -> !ragged.tensor<[m, n, 5], f32, order = [1, 0, 2]>
  %b = ragged.transpose %x permutation = [2, 1, 0] : !p -> !ragged.tensor<[5, m, n], f32, order = [2, 1, 0]>
  %c = ragged.transpose %i permutation = [1, 2, 0] : !image -> !ragged.tensor<[h, w, 3], f32>
  %d = ragged.transpose %i permutation = [2, 0, 1] : !image -> !ragged.tensor<[w, 3, h], f32, order = [2, 0, 1]>
  return %a, %b, %c, %d
      : !ragged.tensor<[m, n, 5], f32, order = [1, 0, 2]>, !ragged.tensor<[5, m, n], f32, order = [2, 1, 0]>,
        !ragged.tensor<[h, w, 3], f32>, !ragged.tensor<[w, 3, h], f32, order = [2, 0, 1]>
}

// Permutations that are not their own inverse, read by kernels.
func.func @transposes_read(%i: !image, %x: !ragged.tensor<[n, m, 2, 5], f32>, %y: !ragged.tensor<[5, n, m, 2], f32>)
    -> (!ragged.tensor<[h, w, 3], f32>, !ragged.tensor<[5, n, m, 2], f32>, !ragged.tensor<[5], f32>) {
  %c = ragged.transpose %i permutation = [1, 2, 0] : !image -> !ragged.tensor<[h, w, 3], f32>
  %e = ragged.exp %c : !ragged.tensor<[h, w, 3], f32> -> !ragged.tensor<[h, w, 3], f32>
  %t = ragged.transpose %x permutation = [3, 0, 1, 2]
      : !ragged.tensor<[n, m, 2, 5], f32> -> !ragged.tensor<[5, n, m, 2], f32, order = [1, 2, 3, 0]>
  %a = ragged.sub %y, %t : !ragged.tensor<[5, n, m, 2], f32>, !ragged.tensor<[5, n, m, 2], f32, order = [1, 2, 3, 0]>
      -> !ragged.tensor<[5, n, m, 2], f32>
  %s = ragged.sum %t dims = [1, 2, 3] : !ragged.tensor<[5, n, m, 2], f32, order = [1, 2, 3, 0]> -> !ragged.tensor<[5], f32>
  return %e, %a, %s : !ragged.tensor<[h, w, 3], f32>, !ragged.tensor<[5, n, m, 2], f32>, !ragged.tensor<[5], f32>
}

// The new 1 may be declared to be packed anywhere in the tail.
func.func @expand_declared(%x: !ragged.tensor<[n, 3, 4], f32>, %y: !n8)
    -> (!ragged.tensor<[n, 1, 3, 4], f32>, !ragged.tensor<[n, 3, 1, 4], f32>, !ragged.tensor<[n, 3, 4], f32>, !ragged.tensor<[1, n, 8], f32>) {
  %a = ragged.expand_dims %x dim = 1 : !ragged.tensor<[n, 3, 4], f32> -> !ragged.tensor<[n, 1, 3, 4], f32>
  %b = ragged.expand_dims %x dim = 2 : !ragged.tensor<[n, 3, 4], f32> -> !ragged.tensor<[n, 3, 1, 4], f32>
  %s = ragged.exp %b : !ragged.tensor<[n, 3, 1, 4], f32> -> !ragged.tensor<[n, 3, 1, 4], f32>
  %c = ragged.squeeze %s dims = [2] : !ragged.tensor<[n, 3, 1, 4], f32> -> !ragged.tensor<[n, 3, 4], f32>
  %d = ragged.expand_dims %y dim = 0 : !n8 -> !ragged.tensor<[1, n, 8], f32>
  return %a, %b, %c, %d
      : !ragged.tensor<[n, 1, 3, 4], f32>, !ragged.tensor<[n, 3, 1, 4], f32>, !ragged.tensor<[n, 3, 4], f32>, !ragged.tensor<[1, n, 8], f32>
}

// Views of what a kernel computed.
func.func @views_of_computed(%x: !sq, %y: !sq)
    -> (!sqt, !ragged.tensor<[n, n, 1, 3], f32, order = [0, 1, 3, 2]>) {
  %a = ragged.add %x, %y : !sq, !sq -> !sq
  %t = ragged.transpose %a permutation = [1, 0, 2] : !sq -> !sqt
  %e = ragged.expand_dims %a dim = 2 : !sq -> !ragged.tensor<[n, n, 1, 3], f32, order = [0, 1, 3, 2]>
  return %t, %e : !sqt, !ragged.tensor<[n, n, 1, 3], f32, order = [0, 1, 3, 2]>
}

// ---- Reorder -----------------------------------------------------------------------------------

func.func @reorder_rows(%x: !p, %y: !q, %s: !sq) -> (!q, !p, !sqt) {
  %a = ragged.reorder %x order = [1, 0, 2] : !p -> !q
  %b = ragged.reorder %y order = [0, 1, 2] : !q -> !p
  %c = ragged.reorder %s order = [1, 0, 2] : !sq -> !sqt
  return %a, %b, %c : !q, !p, !sqt
}

!t = !ragged.tensor<[n, 3, 4], bf16>
!tt = !ragged.tensor<[n, 3, 4], bf16, order = [0, 2, 1]>
func.func @reorder_tail(%x: !t, %y: !tt, %z: !ragged.tensor<[2, n, 3, m], i64>)
    -> (!tt, !t, !ragged.tensor<[2, n, 3, m], i64, order = [3, 1, 2, 0]>) {
  %a = ragged.reorder %x order = [0, 2, 1] : !t -> !tt
  %b = ragged.reorder %y order = [0, 1, 2] : !tt -> !t
  %c = ragged.reorder %z order = [3, 1, 2, 0]
      : !ragged.tensor<[2, n, 3, m], i64> -> !ragged.tensor<[2, n, 3, m], i64, order = [3, 1, 2, 0]>
  return %a, %b, %c : !tt, !t, !ragged.tensor<[2, n, 3, m], i64, order = [3, 1, 2, 0]>
}

func.func @reorder_computed(%x: !p, %y: !p) -> !q {
  %a = ragged.sub %x, %y : !p, !p -> !p
  %b = ragged.reorder %a order = [1, 0, 2] : !p -> !q
  return %b : !q
}

func.func @reorder_cube(%x: !ragged.tensor<[n, m, k], f64>)
    -> !ragged.tensor<[n, m, k], f64, order = [2, 0, 1]> {
  %a = ragged.reorder %x order = [2, 0, 1]
      : !ragged.tensor<[n, m, k], f64> -> !ragged.tensor<[n, m, k], f64, order = [2, 0, 1]>
  return %a : !ragged.tensor<[n, m, k], f64, order = [2, 0, 1]>
}

// ---- Broadcast ---------------------------------------------------------------------------------

func.func @broadcast_dense(%x: !p, %w: tensor<5xf32>, %s: f32, %one: tensor<1xf32>, %o: !image,
                           %c: tensor<3xbf16>)
    -> (!p, !p, !p, !ragged.tensor<[3, h, w], bf16>) {
  %a = ragged.broadcast %w dims = [2] like %x : tensor<5xf32>, !p -> !p
  %b = ragged.broadcast %s dims = [] like %x : f32, !p -> !p
  %d = ragged.broadcast %one dims = [2] like %x : tensor<1xf32>, !p -> !p
  %e = ragged.broadcast %c dims = [0] like %o : tensor<3xbf16>, !image -> !ragged.tensor<[3, h, w], bf16>
  return %a, %b, %d, %e : !p, !p, !p, !ragged.tensor<[3, h, w], bf16>
}

func.func @broadcast_ragged(%x: !p, %n: !ragged.tensor<[n], f32>, %m: !ragged.tensor<[m, 1], f32>,
                            %s: !ragged.tensor<[5], f32>, %o: !ragged.tensor<[], f32>)
    -> (!p, !p, !p, !p) {
  %a = ragged.broadcast %n dims = [0] like %x : !ragged.tensor<[n], f32>, !p -> !p
  %b = ragged.broadcast %m dims = [1, 2] like %x : !ragged.tensor<[m, 1], f32>, !p -> !p
  %c = ragged.broadcast %s dims = [2] like %x : !ragged.tensor<[5], f32>, !p -> !p
  %d = ragged.broadcast %o dims = [] like %x : !ragged.tensor<[], f32>, !p -> !p
  return %a, %b, %c, %d : !p, !p, !p, !p
}

// One number per row, repeated along the features of its own row.
func.func @broadcast_rows(%x: !n8, %r: !ragged.tensor<[n], f32>) -> (!n8, !n8) {
  %a = ragged.broadcast %r dims = [0] like %x : !ragged.tensor<[n], f32>, !n8 -> !n8
  %b = ragged.sub %x, %a : !n8, !n8 -> !n8
  return %a, %b : !n8, !n8
}

func.func @broadcast_computed(%x: !n8, %r: !ragged.tensor<[n], f32>) -> !n8 {
  %e = ragged.exp %r : !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
  %a = ragged.broadcast %e dims = [0] like %x : !ragged.tensor<[n], f32>, !n8 -> !n8
  %b = ragged.mul %x, %a : !n8, !n8 -> !n8
  return %b : !n8
}

// Dimensions of a square pair: rows to columns and to rows, transposed.
func.func @broadcast_square(%x: !sq, %r: !ragged.tensor<[n, 3], f32>) -> (!sq, !sq, !sq) {
  %a = ragged.broadcast %r dims = [0, 2] like %x : !ragged.tensor<[n, 3], f32>, !sq -> !sq
  %b = ragged.broadcast %r dims = [1, 2] like %x : !ragged.tensor<[n, 3], f32>, !sq -> !sq
  %t = ragged.broadcast %x dims = [1, 0, 2] like %x : !sq, !sq -> !sq
  %s = ragged.sub %a, %t : !sq, !sq -> !sq
  return %b, %t, %s : !sq, !sq, !sq
}

func.func @broadcast_static(%x: !ragged.tensor<[n, 3, 4], f32>, %y: !ragged.tensor<[n, 4], f32>,
                            %w: tensor<4x3xf32>)
    -> (!ragged.tensor<[n, 3, 4], f32>, !ragged.tensor<[n, 3, 4], f32>) {
  %a = ragged.broadcast %y dims = [0, 2] like %x : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 3, 4], f32>
      -> !ragged.tensor<[n, 3, 4], f32>
  %b = ragged.broadcast %w dims = [2, 1] like %x : tensor<4x3xf32>, !ragged.tensor<[n, 3, 4], f32>
      -> !ragged.tensor<[n, 3, 4], f32>
  %c = ragged.mul %x, %b : !ragged.tensor<[n, 3, 4], f32>, !ragged.tensor<[n, 3, 4], f32>
      -> !ragged.tensor<[n, 3, 4], f32>
  return %a, %c : !ragged.tensor<[n, 3, 4], f32>, !ragged.tensor<[n, 3, 4], f32>
}

// ---- Axes --------------------------------------------------------------------------------------

// `a` and `b` come from one lengths vector.
func.func @assume_same_axis(%v: tensor<?x3xf32>, %w: tensor<?x3xf32>, %ln: tensor<?xi64>)
    -> (!ragged.tensor<[a, 3], f32>, !ragged.tensor<[a, a, 3], f32>) {
  %x = ragged.from_values %v, %ln axes = ["a"] : tensor<?x3xf32>, tensor<?xi64> -> !ragged.tensor<[a, 3], f32>
  %e = ragged.extents %x dim = 0 : !ragged.tensor<[a, 3], f32> -> tensor<?xi64>
  %vx = ragged.values %x : !ragged.tensor<[a, 3], f32> -> tensor<?x3xf32>
  %y = ragged.from_values %vx, %e axes = ["b"] : tensor<?x3xf32>, tensor<?xi64> -> !ragged.tensor<[b, 3], f32>
  %z = ragged.assume_same_axis %y dims = [0] to = "a" like %x
      : !ragged.tensor<[b, 3], f32>, !ragged.tensor<[a, 3], f32> -> !ragged.tensor<[a, 3], f32>
  %s = ragged.sub %z, %x : !ragged.tensor<[a, 3], f32>, !ragged.tensor<[a, 3], f32> -> !ragged.tensor<[a, 3], f32>
  %p = ragged.expand_dims %z dim = 1 : !ragged.tensor<[a, 3], f32> -> !ragged.tensor<[a, 1, 3], f32, order = [0, 2, 1]>
  %q = ragged.expand_dims %x dim = 0 : !ragged.tensor<[a, 3], f32> -> !ragged.tensor<[1, a, 3], f32, order = [1, 2, 0]>
  %r = ragged.add %p, %q : !ragged.tensor<[a, 1, 3], f32, order = [0, 2, 1]>, !ragged.tensor<[1, a, 3], f32, order = [1, 2, 0]>
      -> !ragged.tensor<[a, a, 3], f32>
  return %s, %r : !ragged.tensor<[a, 3], f32>, !ragged.tensor<[a, a, 3], f32>
}

// `p` and `q` are one axis of the caller; only the columns are renamed, to an axis of the same extents.
func.func private @rename_columns(%x: !ragged.tensor<[p, q, 3], f32>, %like: !ragged.tensor<[t], i64>)
    -> !ragged.tensor<[p, t, 3], f32> {
  %0 = ragged.assume_same_axis %x dims = [1] to = "t" like %like
      : !ragged.tensor<[p, q, 3], f32>, !ragged.tensor<[t], i64> -> !ragged.tensor<[p, t, 3], f32>
  return %0 : !ragged.tensor<[p, t, 3], f32>
}
func.func @rename_one_of_two(%x: !sq, %y: !ragged.tensor<[n], i64>) -> (!sq, !ragged.tensor<[b, n, 3], f32>) {
  %e = ragged.extents %y dim = 0 : !ragged.tensor<[n], i64> -> tensor<?xi64>
  %v = ragged.values %y : !ragged.tensor<[n], i64> -> tensor<?xi64>
  %l = ragged.from_values %v, %e axes = ["b"] : tensor<?xi64>, tensor<?xi64> -> !ragged.tensor<[b], i64>
  %c = ragged.call @rename_columns(%x, %l) : (!sq, !ragged.tensor<[b], i64>) -> !ragged.tensor<[n, b, 3], f32>
  %t = ragged.transpose %c permutation = [1, 0, 2] : !ragged.tensor<[n, b, 3], f32> -> !ragged.tensor<[b, n, 3], f32, order = [1, 0, 2]>
  %r = ragged.reorder %t order = [0, 1, 2] : !ragged.tensor<[b, n, 3], f32, order = [1, 0, 2]> -> !ragged.tensor<[b, n, 3], f32>
  %both = ragged.assume_same_axis %r dims = [1, 0] to = "n" like %y
      : !ragged.tensor<[b, n, 3], f32>, !ragged.tensor<[n], i64> -> !sq
  %s = ragged.sub %x, %both : !sq, !sq -> !sq
  return %s, %r : !sq, !ragged.tensor<[b, n, 3], f32>
}
