// Conversions whose structure is another value's, and sizes, over all length vectors. What is only
// looked at for its structure may hold NaN and infinity, and may be what nothing else computes.
// RUN: %run_all_lengths %s
// RUN: %run_all_lengths --target=emulated %s
// A product of extents wraps where the sample is empty along another dimension.
// RUN: ragged-run %s --entry=size --axis n=0,2 --axis m=4611686018427387904,3 --compare=reference
// RUN: ragged-run %s --entry=size --axis n=0,2 --axis m=4611686018427387904,3 --target=emulated --compare=reference

!x3 = !ragged.tensor<[a, 3], f32>
!sq = !ragged.tensor<[n, n, 3], f32>
!image = !ragged.tensor<[3, h, w], f32>
!image_t = !ragged.tensor<[3, h, w], f32, order = [2, 1, 0]>

// ---- Packed rows -------------------------------------------------------------------------------

// As many rows as were given, of which the last belongs to no sample.
func.func @values(%v: tensor<?x3xf32>, %l: tensor<?xi64>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %x = ragged.from_values %v, %l axes = ["a"] : tensor<?x3xf32>, tensor<?xi64> -> !x3
  %y = ragged.add %x, %x : !x3, !x3 -> !x3
  %w = ragged.values %y like %v : !x3, tensor<?x3xf32> -> tensor<?x3xf32>
  %u = ragged.values %x like %v : !x3, tensor<?x3xf32> -> tensor<?x3xf32>
  return %w, %u : tensor<?x3xf32>, tensor<?x3xf32>
}

func.func @values_of_offsets(%v: tensor<?x2x4xi64>, %o: tensor<?xi64>) -> tensor<?x2x4xi64> {
  %x = ragged.from_offsets %v, %o axes = ["a"] : tensor<?x2x4xi64>, tensor<?xi64> -> !ragged.tensor<[4, a, 2], i64, order = [1, 2, 0]>
  %w = ragged.values %x like %v : !ragged.tensor<[4, a, 2], i64, order = [1, 2, 0]>, tensor<?x2x4xi64> -> tensor<?x2x4xi64>
  return %w : tensor<?x2x4xi64>
}

func.func @values_square(%v: tensor<?x3xbf16>, %l: tensor<?xi64>) -> tensor<?x3xbf16> {
  %x = ragged.from_values %v, %l axes = ["a"] : tensor<?x3xbf16>, tensor<?xi64> -> !ragged.tensor<[a, a, 3], bf16>
  %y = ragged.exp %x : !ragged.tensor<[a, a, 3], bf16> -> !ragged.tensor<[a, a, 3], bf16>
  %w = ragged.values %y like %v : !ragged.tensor<[a, a, 3], bf16>, tensor<?x3xbf16> -> tensor<?x3xbf16>
  return %w : tensor<?x3xbf16>
}

// The rows of a value on another axis, which only their number is asked of.
func.func @values_of_values(%v: tensor<?x3xf64>, %l: tensor<?xi64>, %x: !ragged.tensor<[n, 3], f64>, %e: tensor<?xi64>)
    -> (tensor<?x3xf64>, tensor<?x3xf64>) {
  %a = ragged.from_values %v, %l axes = ["a"] : tensor<?x3xf64>, tensor<?xi64> -> !ragged.tensor<[a, 3], f64>
  %r = ragged.exp %a : !ragged.tensor<[a, 3], f64> -> !ragged.tensor<[a, 3], f64>
  %s = ragged.values %r : !ragged.tensor<[a, 3], f64> -> tensor<?x3xf64>
  %t = ragged.add %s, %s : tensor<?x3xf64>, tensor<?x3xf64> -> tensor<?x3xf64>
  %k = ragged.extents %a dim = 0 : !ragged.tensor<[a, 3], f64> -> tensor<?xi64>
  %b = ragged.from_values %t, %k axes = ["b"] : tensor<?x3xf64>, tensor<?xi64> -> !ragged.tensor<[b, 3], f64>
  %z = ragged.size %b dims = [0, 1] : !ragged.tensor<[b, 3], f64> -> !ragged.tensor<[], i64>
  %c = ragged.with_values %v like %b : tensor<?x3xf64>, !ragged.tensor<[b, 3], f64> -> !ragged.tensor<[b, 3], f64>
  %w = ragged.values %c like %t : !ragged.tensor<[b, 3], f64>, tensor<?x3xf64> -> tensor<?x3xf64>
  %u = ragged.values %c like %v : !ragged.tensor<[b, 3], f64>, tensor<?x3xf64> -> tensor<?x3xf64>
  return %w, %u : tensor<?x3xf64>, tensor<?x3xf64>
}

func.func @with_values(%v: tensor<?x3xf32>, %l: tensor<?xi64>) -> (!x3, !x3) {
  %x = ragged.from_values %v, %l axes = ["a"] : tensor<?x3xf32>, tensor<?xi64> -> !x3
  %q = ragged.exp %x : !x3 -> !x3
  %w = ragged.values %x : !x3 -> tensor<?x3xf32>
  %d = ragged.mul %w, %w : tensor<?x3xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
  %a = ragged.with_values %d like %q : tensor<?x3xf32>, !x3 -> !x3
  %b = ragged.with_values %v like %x : tensor<?x3xf32>, !x3 -> !x3
  %c = ragged.add %b, %a : !x3, !x3 -> !x3
  return %a, %c : !x3, !x3
}

// The element type is that of the values.
func.func @with_values_numbers(%x: !ragged.tensor<[n, 3], f32>, %i: !ragged.tensor<[n], i64>) -> !ragged.tensor<[n], i64> {
  %p = ragged.sum %x dims = [1] : !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n], f32>
  %v = ragged.values %i : !ragged.tensor<[n], i64> -> tensor<?xi64>
  %w = ragged.add %v, %v : tensor<?xi64>, tensor<?xi64> -> tensor<?xi64>
  %a = ragged.with_values %w like %p : tensor<?xi64>, !ragged.tensor<[n], f32> -> !ragged.tensor<[n], i64>
  return %a : !ragged.tensor<[n], i64>
}

// Another order, another space, no ragged dimension.
func.func @with_values_images(%x: !image, %y: !image_t, %s: !ragged.tensor<[4], f32>) -> (!image_t, !image, !ragged.tensor<[4], f32>) {
  %v = ragged.values %x : !image -> tensor<?x3xf32>
  %r = ragged.relu %v : tensor<?x3xf32> -> tensor<?x3xf32>
  %a = ragged.with_values %r like %y : tensor<?x3xf32>, !image_t -> !image_t
  %w = ragged.values %y : !image_t -> tensor<?x3xf32>
  %b = ragged.with_values %w like %x : tensor<?x3xf32>, !image -> !image
  %t = ragged.values %s : !ragged.tensor<[4], f32> -> tensor<?x4xf32>
  %u = ragged.add %t, %t : tensor<?x4xf32>, tensor<?x4xf32> -> tensor<?x4xf32>
  %c = ragged.with_values %u like %s : tensor<?x4xf32>, !ragged.tensor<[4], f32> -> !ragged.tensor<[4], f32>
  return %a, %b, %c : !image_t, !image, !ragged.tensor<[4], f32>
}

// No axis in the whole function.
func.func @with_values_rows(%x: !ragged.tensor<[4], f32>) -> (!ragged.tensor<[4], f32>, tensor<?x4xf32>) {
  %v = ragged.values %x : !ragged.tensor<[4], f32> -> tensor<?x4xf32>
  %a = ragged.with_values %v like %x : tensor<?x4xf32>, !ragged.tensor<[4], f32> -> !ragged.tensor<[4], f32>
  %b = ragged.exp %a : !ragged.tensor<[4], f32> -> !ragged.tensor<[4], f32>
  %w = ragged.values %b like %v : !ragged.tensor<[4], f32>, tensor<?x4xf32> -> tensor<?x4xf32>
  return %b, %w : !ragged.tensor<[4], f32>, tensor<?x4xf32>
}

// ---- Padded boxes ------------------------------------------------------------------------------

// The box that was packed is larger than the largest sample.
func.func @batch_unpack(%v: tensor<?x?x3xf32>, %l: tensor<?xi64>) -> (tensor<?x?x3xf32>, tensor<?x?x3xf32>) {
  %x = ragged.pack %v, %l axes = ["a"] batch = 1 : tensor<?x?x3xf32>, tensor<?xi64> -> !x3
  %y = ragged.add %x, %x : !x3, !x3 -> !x3
  %u = ragged.unpack %y like %v batch = 1 : !x3, tensor<?x?x3xf32> -> tensor<?x?x3xf32>
  %w = ragged.unpack %y like %v fill = 2.5 batch = 1 : !x3, tensor<?x?x3xf32> -> tensor<?x?x3xf32>
  return %u, %w : tensor<?x?x3xf32>, tensor<?x?x3xf32>
}

func.func @batch_unpack_square(%v: tensor<?x?x?x3xbf16>, %l: tensor<?xi64>) -> tensor<?x?x?x3xbf16> {
  %x = ragged.pack %v, %l axes = ["a"] : tensor<?x?x?x3xbf16>, tensor<?xi64> -> !ragged.tensor<[a, a, 3], bf16>
  %u = ragged.unpack %x like %v : !ragged.tensor<[a, a, 3], bf16>, tensor<?x?x?x3xbf16> -> tensor<?x?x?x3xbf16>
  return %u : tensor<?x?x?x3xbf16>
}

func.func @batch_unpack_images(%v: tensor<3x?x140x?xi64>, %l: tensor<?xi64>, %k: tensor<?xi64>) -> tensor<3x?x140x?xi64> {
  %x = ragged.pack %v, %l, %k axes = ["h", "w"] batch = 1
      : tensor<3x?x140x?xi64>, tensor<?xi64>, tensor<?xi64> -> !ragged.tensor<[3, h, w], i64, order = [2, 1, 0]>
  %u = ragged.unpack %x like %v fill = 9.0 batch = 1
      : !ragged.tensor<[3, h, w], i64, order = [2, 1, 0]>, tensor<3x?x140x?xi64> -> tensor<3x?x140x?xi64>
  return %u : tensor<3x?x140x?xi64>
}

// The box of another value, which only its extents are asked of.
func.func @batch_unpack_like_box(%x: !ragged.tensor<[n, 3], f32>) -> (tensor<?x?x3xf32>, tensor<?x3xf32>) {
  %y = ragged.exp %x : !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
  %b = ragged.unpack %y batch = 1 : !ragged.tensor<[n, 3], f32> -> tensor<?x?x3xf32>
  %c = ragged.exp %b : tensor<?x?x3xf32> -> tensor<?x?x3xf32>
  %u = ragged.unpack %x like %c batch = 1 : !ragged.tensor<[n, 3], f32>, tensor<?x?x3xf32> -> tensor<?x?x3xf32>
  %s = ragged.sum %x dims = [0] : !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[3], f32>
  %d = ragged.unpack %s : !ragged.tensor<[3], f32> -> tensor<?x3xf32>
  %e = ragged.unpack %s like %d : !ragged.tensor<[3], f32>, tensor<?x3xf32> -> tensor<?x3xf32>
  return %u, %e : tensor<?x?x3xf32>, tensor<?x3xf32>
}

func.func @with_padded(%v: tensor<?x?x3xf32>, %l: tensor<?xi64>) -> (!x3, !x3) {
  %x = ragged.pack %v, %l axes = ["a"] : tensor<?x?x3xf32>, tensor<?xi64> -> !x3
  %q = ragged.exp %x : !x3 -> !x3
  %a = ragged.with_padded %v like %q : tensor<?x?x3xf32>, !x3 -> !x3
  %u = ragged.unpack %x fill = 7.0 batch = 1 : !x3 -> tensor<?x?x3xf32>
  %b = ragged.with_padded %u like %x batch = 1 : tensor<?x?x3xf32>, !x3 -> !x3
  %c = ragged.mul %a, %b : !x3, !x3 -> !x3
  return %a, %c : !x3, !x3
}

func.func @with_padded_square(%x: !sq, %y: !ragged.tensor<[n, n], i64, order = [1, 0]>) -> (!sq, !ragged.tensor<[n, n, 3], f32, order = [1, 0, 2]>, !ragged.tensor<[n, n], i64, order = [1, 0]>) {
  %u = ragged.unpack %x batch = 2 : !sq -> tensor<?x?x?x3xf32>
  %a = ragged.with_padded %u like %x batch = 2 : tensor<?x?x?x3xf32>, !sq -> !sq
  %o = ragged.reorder %x order = [1, 0, 2] : !sq -> !ragged.tensor<[n, n, 3], f32, order = [1, 0, 2]>
  %b = ragged.with_padded %u like %o batch = 2 : tensor<?x?x?x3xf32>, !ragged.tensor<[n, n, 3], f32, order = [1, 0, 2]> -> !ragged.tensor<[n, n, 3], f32, order = [1, 0, 2]>
  %w = ragged.unpack %y : !ragged.tensor<[n, n], i64, order = [1, 0]> -> tensor<?x?x140xi64>
  %c = ragged.with_padded %w like %y : tensor<?x?x140xi64>, !ragged.tensor<[n, n], i64, order = [1, 0]> -> !ragged.tensor<[n, n], i64, order = [1, 0]>
  return %a, %b, %c : !sq, !ragged.tensor<[n, n, 3], f32, order = [1, 0, 2]>, !ragged.tensor<[n, n], i64, order = [1, 0]>
}

// No axis in the whole function.
func.func @with_padded_rows(%x: !ragged.tensor<[4], f32>) -> (!ragged.tensor<[4], f32>, tensor<4x?xf32>) {
  %u = ragged.unpack %x batch = 1 : !ragged.tensor<[4], f32> -> tensor<4x?xf32>
  %a = ragged.with_padded %u like %x batch = 1 : tensor<4x?xf32>, !ragged.tensor<[4], f32> -> !ragged.tensor<[4], f32>
  %b = ragged.exp %a : !ragged.tensor<[4], f32> -> !ragged.tensor<[4], f32>
  %w = ragged.unpack %b like %u batch = 1 : !ragged.tensor<[4], f32>, tensor<4x?xf32> -> tensor<4x?xf32>
  return %b, %w : !ragged.tensor<[4], f32>, tensor<4x?xf32>
}

// ---- Sizes -------------------------------------------------------------------------------------

!number = !ragged.tensor<[], i64>

func.func @size(%x: !ragged.tensor<[n, 5, m], f32>, %p: !ragged.tensor<[n + 1, n], bf16>, %s: !ragged.tensor<[4], f64>)
    -> (!number, !number, !number, !number, !number, !number, !number) {
  %a = ragged.size %x dims = [] : !ragged.tensor<[n, 5, m], f32> -> !number
  %b = ragged.size %x dims = [2] : !ragged.tensor<[n, 5, m], f32> -> !number
  %c = ragged.size %x dims = [2, 1, 0] : !ragged.tensor<[n, 5, m], f32> -> !number
  %d = ragged.size %x dims = [1, 2] : !ragged.tensor<[n, 5, m], f32> -> !number
  %e = ragged.size %p dims = [0] : !ragged.tensor<[n + 1, n], bf16> -> !number
  %f = ragged.size %p dims = [0, 1] : !ragged.tensor<[n + 1, n], bf16> -> !number
  %g = ragged.size %s dims = [0] : !ragged.tensor<[4], f64> -> !number
  return %a, %b, %c, %d, %e, %f, %g : !number, !number, !number, !number, !number, !number, !number
}

// Read by kernels over other spaces, by a reduction, by an op of its own space, through memory.
func.func @size_read(%x: !ragged.tensor<[n, n], i64>) -> (!ragged.tensor<[n, n], i64>, !ragged.tensor<[n], i64>, !number, tensor<?xi64>) {
  %s = ragged.size %x dims = [1] : !ragged.tensor<[n, n], i64> -> !number
  %b = ragged.broadcast %s dims = [] like %x : !number, !ragged.tensor<[n, n], i64> -> !ragged.tensor<[n, n], i64>
  %y = ragged.mul %x, %b : !ragged.tensor<[n, n], i64>, !ragged.tensor<[n, n], i64> -> !ragged.tensor<[n, n], i64>
  %r = ragged.sum %b dims = [0] : !ragged.tensor<[n, n], i64> -> !ragged.tensor<[n], i64>
  %t = ragged.size %x dims = [0, 1] : !ragged.tensor<[n, n], i64> -> !number
  %u = ragged.add %t, %s : !number, !number -> !number
  %v = ragged.values %t : !number -> tensor<?xi64>
  return %y, %r, %u, %v : !ragged.tensor<[n, n], i64>, !ragged.tensor<[n], i64>, !number, tensor<?xi64>
}

func.func @size_of_rows(%s: !ragged.tensor<[4, 3], f32>) -> (!number, tensor<i64>) {
  %a = ragged.size %s dims = [0, 1] : !ragged.tensor<[4, 3], f32> -> !number
  %b = ragged.size %s dims = [0] batch : !ragged.tensor<[4, 3], f32> -> tensor<i64>
  return %a, %b : !number, tensor<i64>
}

// A static extent that no double holds.
func.func @size_of_many(%x: !ragged.tensor<[n, 9007199254740993, 0], f32>) -> (!number, tensor<i64>) {
  %a = ragged.size %x dims = [1, 0] : !ragged.tensor<[n, 9007199254740993, 0], f32> -> !number
  %b = ragged.size %x dims = [1] batch : !ragged.tensor<[n, 9007199254740993, 0], f32> -> tensor<i64>
  return %a, %b : !number, tensor<i64>
}

func.func @batch_size(%x: !ragged.tensor<[n, 5, m], f32>, %p: !ragged.tensor<[n + 1, n], bf16>)
    -> (tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) {
  %a = ragged.size %x dims = [] batch : !ragged.tensor<[n, 5, m], f32> -> tensor<i64>
  %b = ragged.size %x dims = [2] batch : !ragged.tensor<[n, 5, m], f32> -> tensor<i64>
  %c = ragged.size %x dims = [0, 1, 2] batch : !ragged.tensor<[n, 5, m], f32> -> tensor<i64>
  %d = ragged.size %p dims = [0] batch : !ragged.tensor<[n + 1, n], bf16> -> tensor<i64>
  %e = ragged.size %p dims = [0, 1] batch : !ragged.tensor<[n + 1, n], bf16> -> tensor<i64>
  return %a, %b, %c, %d, %e : tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>
}

// In regions, of what is made inside and outside of them.
func.func @size_in_loop(%x: !ragged.tensor<[n], i64>) -> (!ragged.tensor<[n], i64>, !number) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = ragged.size %x dims = [] : !ragged.tensor<[n], i64> -> !number
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %zero) -> (!ragged.tensor<[n], i64>, !number) {
    %s = ragged.size %a dims = [0] : !ragged.tensor<[n], i64> -> !number
    %m = ragged.broadcast %s dims = [] like %a : !number, !ragged.tensor<[n], i64> -> !ragged.tensor<[n], i64>
    %y = ragged.add %a, %m : !ragged.tensor<[n], i64>, !ragged.tensor<[n], i64> -> !ragged.tensor<[n], i64>
    %t = ragged.add %b, %s : !number, !number -> !number
    scf.yield %y, %t : !ragged.tensor<[n], i64>, !number
  }
  return %r#0, %r#1 : !ragged.tensor<[n], i64>, !number
}

// Structures through regions, calls and unknown schemas.
func.func private @structured(%v: tensor<?x3xf32>, %y: !x3) -> (!x3, !number) {
  %r = ragged.with_values %v like %y : tensor<?x3xf32>, !x3 -> !x3
  %s = ragged.size %r dims = [0] : !x3 -> !number
  return %r, %s : !x3, !number
}

func.func @like_in_loop(%x: !ragged.tensor<[n, 3], f32>)
    -> (!ragged.tensor<[n, 3], f32>, !ragged.tensor<*, f32>, !number, tensor<?x?x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = ragged.exp %x : !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
  %v = ragged.values %x : !ragged.tensor<[n, 3], f32> -> tensor<?x3xf32>
  %w = ragged.values %e : !ragged.tensor<[n, 3], f32> -> tensor<?x3xf32>
  %u = ragged.schema_cast %e : !ragged.tensor<[n, 3], f32> -> !ragged.tensor<*, f32>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %v) -> (!ragged.tensor<[n, 3], f32>, tensor<?x3xf32>) {
    %d = ragged.add %b, %b : tensor<?x3xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
    %y = ragged.with_values %d like %e : tensor<?x3xf32>, !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
    %z = ragged.mul %y, %a : !ragged.tensor<[n, 3], f32>, !ragged.tensor<[n, 3], f32> -> !ragged.tensor<[n, 3], f32>
    %k = ragged.values %z like %w : !ragged.tensor<[n, 3], f32>, tensor<?x3xf32> -> tensor<?x3xf32>
    scf.yield %z, %k : !ragged.tensor<[n, 3], f32>, tensor<?x3xf32>
  }
  %q = ragged.with_values %r#1 like %u : tensor<?x3xf32>, !ragged.tensor<*, f32> -> !ragged.tensor<*, f32>
  %m:2 = ragged.call @structured(%r#1, %e) : (tensor<?x3xf32>, !ragged.tensor<[n, 3], f32>) -> (!ragged.tensor<[n, 3], f32>, !number)
  %t = ragged.unpack %m#0 : !ragged.tensor<[n, 3], f32> -> tensor<?x?x3xf32>
  %p = ragged.with_padded %t like %u : tensor<?x?x3xf32>, !ragged.tensor<*, f32> -> !ragged.tensor<*, f32>
  %s = ragged.unpack %p like %t fill = 4.0 : !ragged.tensor<*, f32>, tensor<?x?x3xf32> -> tensor<?x?x3xf32>
  return %r#0, %q, %m#1, %s : !ragged.tensor<[n, 3], f32>, !ragged.tensor<*, f32>, !number, tensor<?x?x3xf32>
}
