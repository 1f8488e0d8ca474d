// Elementwise ops over all length vectors: one layout, mixed orders, broadcasts, scalars.
// RUN: %run_all_lengths %s
// RUN: %run_all_lengths --target=emulated %s

!n3 = !ragged.tensor<[n, 3], f32>
!n8 = !ragged.tensor<[n, 8], f32>
!n33 = !ragged.tensor<[n, 33], f32>

// ---- Every op, every element type, tails that are no multiple of a vector ----------------------

func.func @all_f32(%x: !n33, %y: !n33) -> (!n33, !n33, !n33, !n33, !n33, !n33, !n33, !n33, !n33) {
  %add = ragged.add %x, %y : !n33, !n33 -> !n33
  %sub = ragged.sub %x, %y : !n33, !n33 -> !n33
  %mul = ragged.mul %x, %y : !n33, !n33 -> !n33
  %div = ragged.div %x, %y : !n33, !n33 -> !n33
  %maximum = ragged.maximum %x, %y : !n33, !n33 -> !n33
  %exp = ragged.exp %x : !n33 -> !n33
  %gelu = ragged.gelu %x : !n33 -> !n33
  %relu = ragged.relu %x : !n33 -> !n33
  %sigmoid = ragged.sigmoid %x : !n33 -> !n33
  return %add, %sub, %mul, %div, %maximum, %exp, %gelu, %relu, %sigmoid
      : !n33, !n33, !n33, !n33, !n33, !n33, !n33, !n33, !n33
}

!d3 = !ragged.tensor<[n, 3], f64>
func.func @all_f64(%x: !d3, %y: !d3) -> (!d3, !d3, !d3, !d3, !d3, !d3, !d3, !d3, !d3) {
  %add = ragged.add %x, %y : !d3, !d3 -> !d3
  %sub = ragged.sub %x, %y : !d3, !d3 -> !d3
  %mul = ragged.mul %x, %y : !d3, !d3 -> !d3
  %div = ragged.div %x, %y : !d3, !d3 -> !d3
  %maximum = ragged.maximum %x, %y : !d3, !d3 -> !d3
  %exp = ragged.exp %x : !d3 -> !d3
  %gelu = ragged.gelu %x : !d3 -> !d3
  %relu = ragged.relu %x : !d3 -> !d3
  %sigmoid = ragged.sigmoid %x : !d3 -> !d3
  return %add, %sub, %mul, %div, %maximum, %exp, %gelu, %relu, %sigmoid
      : !d3, !d3, !d3, !d3, !d3, !d3, !d3, !d3, !d3
}

!b8 = !ragged.tensor<[n, 8], bf16>
func.func @all_bf16(%x: !b8, %y: !b8) -> (!b8, !b8, !b8, !b8, !b8, !b8, !b8, !b8, !b8) {
  %add = ragged.add %x, %y : !b8, !b8 -> !b8
  %sub = ragged.sub %x, %y : !b8, !b8 -> !b8
  %mul = ragged.mul %x, %y : !b8, !b8 -> !b8
  %div = ragged.div %x, %y : !b8, !b8 -> !b8
  %maximum = ragged.maximum %x, %y : !b8, !b8 -> !b8
  %exp = ragged.exp %x : !b8 -> !b8
  %gelu = ragged.gelu %x : !b8 -> !b8
  %relu = ragged.relu %x : !b8 -> !b8
  %sigmoid = ragged.sigmoid %x : !b8 -> !b8
  return %add, %sub, %mul, %div, %maximum, %exp, %gelu, %relu, %sigmoid
      : !b8, !b8, !b8, !b8, !b8, !b8, !b8, !b8, !b8
}

!i1 = !ragged.tensor<[n], i64>
func.func @all_i64(%x: !i1, %y: !i1) -> (!i1, !i1, !i1, !i1, !i1, !i1) {
  %add = ragged.add %x, %y : !i1, !i1 -> !i1
  %sub = ragged.sub %x, %y : !i1, !i1 -> !i1
  %mul = ragged.mul %sub, %y : !i1, !i1 -> !i1
  %div = ragged.div %sub, %y : !i1, !i1 -> !i1
  %maximum = ragged.maximum %x, %y : !i1, !i1 -> !i1
  %relu = ragged.relu %sub : !i1 -> !i1
  return %add, %sub, %mul, %div, %maximum, %relu : !i1, !i1, !i1, !i1, !i1, !i1
}

// Roots of negative numbers are NaN.
func.func @roots_f32(%x: !n33) -> (!n33, !n33, !n33, !n33, !n33) {
  %neg = ragged.neg %x : !n33 -> !n33
  %sqrt = ragged.sqrt %x : !n33 -> !n33
  %rsqrt = ragged.rsqrt %x : !n33 -> !n33
  %erf = ragged.erf %x : !n33 -> !n33
  %normal_cdf = ragged.normal_cdf %x : !n33 -> !n33
  return %neg, %sqrt, %rsqrt, %erf, %normal_cdf : !n33, !n33, !n33, !n33, !n33
}

func.func @roots_f64(%x: !d3) -> (!d3, !d3, !d3, !d3, !d3) {
  %neg = ragged.neg %x : !d3 -> !d3
  %sqrt = ragged.sqrt %x : !d3 -> !d3
  %rsqrt = ragged.rsqrt %x : !d3 -> !d3
  %erf = ragged.erf %x : !d3 -> !d3
  %normal_cdf = ragged.normal_cdf %x : !d3 -> !d3
  return %neg, %sqrt, %rsqrt, %erf, %normal_cdf : !d3, !d3, !d3, !d3, !d3
}

func.func @roots_bf16(%x: !b8) -> (!b8, !b8, !b8, !b8, !b8) {
  %neg = ragged.neg %x : !b8 -> !b8
  %sqrt = ragged.sqrt %x : !b8 -> !b8
  %rsqrt = ragged.rsqrt %x : !b8 -> !b8
  %erf = ragged.erf %x : !b8 -> !b8
  %normal_cdf = ragged.normal_cdf %x : !b8 -> !b8
  return %neg, %sqrt, %rsqrt, %erf, %normal_cdf : !b8, !b8, !b8, !b8, !b8
}

func.func @negated(%x: !i1) -> !i1 {
  %r = ragged.neg %x : !i1 -> !i1
  return %r : !i1
}

func.func @wide_tail(%x: !ragged.tensor<[n, 128], f32>, %y: !ragged.tensor<[n, 128], f32>)
    -> !ragged.tensor<[n, 128], f32> {
  %s = ragged.sub %x, %y : !ragged.tensor<[n, 128], f32>, !ragged.tensor<[n, 128], f32>
      -> !ragged.tensor<[n, 128], f32>
  %p = ragged.mul %s, %s : !ragged.tensor<[n, 128], f32>, !ragged.tensor<[n, 128], f32>
      -> !ragged.tensor<[n, 128], f32>
  return %p : !ragged.tensor<[n, 128], f32>
}

func.func @no_tail(%x: !ragged.tensor<[n, 0], f32>, %y: !ragged.tensor<[n, 0], f32>)
    -> !ragged.tensor<[n, 0], f32> {
  %s = ragged.add %x, %y : !ragged.tensor<[n, 0], f32>, !ragged.tensor<[n, 0], f32>
      -> !ragged.tensor<[n, 0], f32>
  return %s : !ragged.tensor<[n, 0], f32>
}

// One row, or one number, per sample.
func.func @no_axis(%x: !ragged.tensor<[8], f32>, %y: !ragged.tensor<[8], f32>, %z: !ragged.tensor<[n], f32>,
                   %s: !ragged.tensor<[], f32>)
    -> (!ragged.tensor<[8], f32>, !ragged.tensor<[], f32>) {
  %a = ragged.add %x, %y : !ragged.tensor<[8], f32>, !ragged.tensor<[8], f32> -> !ragged.tensor<[8], f32>
  %b = ragged.mul %s, %s : !ragged.tensor<[], f32>, !ragged.tensor<[], f32> -> !ragged.tensor<[], f32>
  return %a, %b : !ragged.tensor<[8], f32>, !ragged.tensor<[], f32>
}

// ---- Builtin scalars and tensors ---------------------------------------------------------------

func.func @scalars(%x: !n8, %s: f32, %i: !ragged.tensor<[n, 2], i64>, %k: i64, %b: !b8, %h: bf16)
    -> (!n8, !n8, !ragged.tensor<[n, 2], i64>, !b8) {
  %a = ragged.mul %x, %s : !n8, f32 -> !n8
  %c = ragged.div %s, %x : f32, !n8 -> !n8
  %d = ragged.maximum %i, %k : !ragged.tensor<[n, 2], i64>, i64 -> !ragged.tensor<[n, 2], i64>
  %e = ragged.sub %h, %b : bf16, !b8 -> !b8
  return %a, %c, %d, %e : !n8, !n8, !ragged.tensor<[n, 2], i64>, !b8
}

func.func @builtin(%x: tensor<3x5xf32>, %y: tensor<3x5xf32>, %s: f32, %t: tensor<?x4xbf16>,
                   %u: tensor<?x4xbf16>, %i: tensor<7xi64>, %k: i64, %z: tensor<f64>, %e: tensor<0x4xf32>)
    -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<?x4xbf16>, tensor<7xi64>, tensor<f64>, f32, tensor<0x4xf32>) {
  %a = ragged.sub %x, %y : tensor<3x5xf32>, tensor<3x5xf32> -> tensor<3x5xf32>
  %b = ragged.mul %s, %a : f32, tensor<3x5xf32> -> tensor<3x5xf32>
  %g = ragged.gelu %b : tensor<3x5xf32> -> tensor<3x5xf32>
  %c = ragged.add %t, %u : tensor<?x4xbf16>, tensor<?x4xbf16> -> tensor<?x4xbf16>
  %d = ragged.div %i, %k : tensor<7xi64>, i64 -> tensor<7xi64>
  %f = ragged.exp %z : tensor<f64> -> tensor<f64>
  %h = ragged.add %s, %s : f32, f32 -> f32
  %q = ragged.sigmoid %h : f32 -> f32
  %r = ragged.relu %e : tensor<0x4xf32> -> tensor<0x4xf32>
  return %a, %g, %c, %d, %f, %q, %r
      : tensor<3x5xf32>, tensor<3x5xf32>, tensor<?x4xbf16>, tensor<7xi64>, tensor<f64>, f32, tensor<0x4xf32>
}

// ---- Broadcasts --------------------------------------------------------------------------------

!u = !ragged.tensor<[n, 1, 8], f32, order = [0, 2, 1]>
!v = !ragged.tensor<[1, m, 8], f32>
!p = !ragged.tensor<[n, m, 8], f32>
!q = !ragged.tensor<[n, m, 8], f32, order = [1, 0, 2]>

func.func @rectangular_pair(%u: !u, %v: !v) -> (!p, !p) {
  %a = ragged.add %u, %v : !u, !v -> !p
  %b = ragged.mul %v, %a : !v, !p -> !p
  return %a, %b : !p, !p
}

func.func @rectangular_pair_wide(%u: !ragged.tensor<[n, 1, 128], f32>, %v: !ragged.tensor<[1, m, 128], f32>)
    -> !ragged.tensor<[n, m, 128], f32> {
  %a = ragged.add %u, %v : !ragged.tensor<[n, 1, 128], f32>, !ragged.tensor<[1, m, 128], f32>
      -> !ragged.tensor<[n, m, 128], f32>
  return %a : !ragged.tensor<[n, m, 128], f32>
}

func.func @rectangular_pair_narrow(%u: !ragged.tensor<[n, 1, 1], bf16>, %v: !ragged.tensor<[1, m, 1], bf16>)
    -> !ragged.tensor<[n, m, 1], bf16> {
  %a = ragged.sub %u, %v : !ragged.tensor<[n, 1, 1], bf16>, !ragged.tensor<[1, m, 1], bf16>
      -> !ragged.tensor<[n, m, 1], bf16>
  return %a : !ragged.tensor<[n, m, 1], bf16>
}

// Columns packed first: the result takes the first operand's order.
func.func @orders(%x: !p, %y: !q) -> (!p, !q) {
  %a = ragged.sub %x, %y : !p, !q -> !p
  %b = ragged.sub %y, %x : !q, !p -> !q
  return %a, %b : !p, !q
}

!sq = !ragged.tensor<[n, n, 3], f32>
!sqt = !ragged.tensor<[n, n, 3], f32, order = [1, 0, 2]>
func.func @square_pair(%u: !ragged.tensor<[n, 1, 3], f32>, %v: !ragged.tensor<[1, n, 3], f32>, %x: !sq)
    -> (!sq, !sq) {
  %a = ragged.add %u, %v : !ragged.tensor<[n, 1, 3], f32>, !ragged.tensor<[1, n, 3], f32> -> !sq
  %t = ragged.transpose %x permutation = [1, 0, 2] : !sq -> !sqt
  %b = ragged.mul %x, %t : !sq, !sqt -> !sq
  return %a, %b : !sq, !sq
}

!t34 = !ragged.tensor<[n, 3, 4], f32>
!t43 = !ragged.tensor<[n, 3, 4], f32, order = [0, 2, 1]>
func.func @tail_orders(%x: !t34, %y: !t43, %z: !ragged.tensor<[n, 1, 4], f32>, %w: !ragged.tensor<[n, 3, 1], f32>)
    -> (!t34, !t43, !t34, !t34) {
  %a = ragged.add %x, %y : !t34, !t43 -> !t34
  %b = ragged.add %y, %x : !t43, !t34 -> !t43
  %c = ragged.mul %x, %z : !t34, !ragged.tensor<[n, 1, 4], f32> -> !t34
  %d = ragged.add %z, %w : !ragged.tensor<[n, 1, 4], f32>, !ragged.tensor<[n, 3, 1], f32> -> !t34
  return %a, %b, %c, %d : !t34, !t43, !t34, !t34
}

// One row per sample against rows; one number per row against features.
func.func @coarse(%x: !n8, %s: !ragged.tensor<[1, 8], f32>, %r: !ragged.tensor<[n, 1], f32>,
                  %o: !ragged.tensor<[1, 1], f32>) -> (!n8, !n8, !n8) {
  %a = ragged.sub %x, %s : !n8, !ragged.tensor<[1, 8], f32> -> !n8
  %b = ragged.mul %x, %r : !n8, !ragged.tensor<[n, 1], f32> -> !n8
  %c = ragged.maximum %o, %x : !ragged.tensor<[1, 1], f32>, !n8 -> !n8
  return %a, %b, %c : !n8, !n8, !n8
}

// Images, channels first and last; one number per row, column, channel.
!image = !ragged.tensor<[3, h, w], f32>
!image_last = !ragged.tensor<[3, h, w], f32, order = [2, 1, 0]>
func.func @images(%x: !image, %y: !image_last, %r: !ragged.tensor<[1, h, 1], f32>,
                  %c: !ragged.tensor<[3, 1, w], f32>, %k: !ragged.tensor<[3, 1, 1], f32>)
    -> (!image, !image_last, !image, !image) {
  %a = ragged.add %x, %y : !image, !image_last -> !image
  %b = ragged.sub %y, %x : !image_last, !image -> !image_last
  %d = ragged.mul %r, %c : !ragged.tensor<[1, h, 1], f32>, !ragged.tensor<[3, 1, w], f32> -> !image
  %e = ragged.mul %x, %k : !image, !ragged.tensor<[3, 1, 1], f32> -> !image
  return %a, %b, %d, %e : !image, !image_last, !image, !image
}

// Three ragged dimensions in two orders.
!cube = !ragged.tensor<[n, m, k], f32>
!cube_other = !ragged.tensor<[n, m, k], f32, order = [2, 0, 1]>
func.func @cubes(%x: !cube, %y: !cube_other, %z: !ragged.tensor<[n, 1, k], f32>) -> (!cube, !cube_other, !cube) {
  %a = ragged.add %x, %y : !cube, !cube_other -> !cube
  %b = ragged.sub %y, %x : !cube_other, !cube -> !cube_other
  %c = ragged.sub %x, %z : !cube, !ragged.tensor<[n, 1, k], f32> -> !cube
  return %a, %b, %c : !cube, !cube_other, !cube
}

// Axes that are expressions of others.
!more = !ragged.tensor<[n + 1, 3], f32>
!sum = !ragged.tensor<[n, n + m], f32>
func.func @expressions(%x: !more, %y: !more, %z: !sum, %r: !ragged.tensor<[n, 1], f32>,
                       %m: !ragged.tensor<[m], f32>) -> (!more, !sum) {
  %a = ragged.add %x, %y : !more, !more -> !more
  %b = ragged.mul %z, %r : !sum, !ragged.tensor<[n, 1], f32> -> !sum
  return %a, %b : !more, !sum
}

// ---- Chains ------------------------------------------------------------------------------------

// One kernel; what only it reads is never stored, what others read is.
func.func @chain(%x: !n3, %y: !n3, %r: !ragged.tensor<[n, 1], f32>) -> (!n3, !n3) {
  %a = ragged.add %x, %y : !n3, !n3 -> !n3
  %b = ragged.sigmoid %a : !n3 -> !n3
  %c = ragged.mul %b, %x : !n3, !n3 -> !n3
  %d = ragged.sub %c, %r : !n3, !ragged.tensor<[n, 1], f32> -> !n3
  return %d, %b : !n3, !n3
}

// The same value transposed twice: each reads what the row computed under other indices.
!t33 = !ragged.tensor<[n, 3, 3], f32>
!t33t = !ragged.tensor<[n, 3, 3], f32, order = [0, 2, 1]>
func.func @transposed_in_row(%x: !t33, %y: !t33) -> (!t33, !t33) {
  %a = ragged.add %x, %y : !t33, !t33 -> !t33
  %t = ragged.transpose %a permutation = [0, 2, 1] : !t33 -> !t33t
  %b = ragged.mul %a, %t : !t33, !t33t -> !t33
  %u = ragged.transpose %b permutation = [0, 2, 1] : !t33 -> !t33t
  %c = ragged.sub %u, %t : !t33t, !t33t -> !t33t
  %d = ragged.reorder %c order = [0, 1, 2] : !t33t -> !t33
  return %b, %d : !t33, !t33
}

// A square pair that is read transposed after it was computed: another kernel.
func.func @transposed_across_rows(%x: !sq, %y: !sq) -> !sq {
  %a = ragged.add %x, %y : !sq, !sq -> !sq
  %t = ragged.transpose %a permutation = [1, 0, 2] : !sq -> !sqt
  %b = ragged.mul %a, %t : !sq, !sqt -> !sq
  return %b : !sq
}
