// The ragged_tile dialect in text, generic form and bytecode: each op and type.

// RUN: ragged-opt %s --verify-roundtrip | FileCheck %s
// RUN: ragged-opt %s | ragged-opt | FileCheck %s
// RUN: ragged-opt %s --mlir-print-op-generic | ragged-opt | FileCheck %s
// RUN: ragged-opt %s --emit-bytecode | ragged-opt | FileCheck %s

// CHECK: ragged_tile.kernel @pairs axes = ["n", "m"] grid = [0, 1] {
// CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %{{.*}}: !ragged_tile.ref<[0, 1], 4x3xf32>, %{{.*}}: !ragged_tile.ref<[1], 3xbf16>, %{{.*}}: !ragged_tile.ref<box [0, 2, 1] [1], 3xf32>, %{{.*}}: !ragged_tile.ref<dense, f64>, %{{.*}}: !ragged_tile.ref<dense, 5x3xbf16>, %{{.*}}: !ragged_tile.ref<dense, 5xf32>, %{{.*}}: !ragged_tile.ref<[0, 1], 4x5xf32>, %{{.*}}: !ragged_tile.ref<[], i64>):
ragged_tile.kernel @pairs axes = ["n", "m"] grid = [0, 1] {
^bb0(%s: index, %i: index, %j: index, %x: !ragged_tile.ref<[0, 1], 4x3xf32>, %u: !ragged_tile.ref<[1], 3xbf16>, %box: !ragged_tile.ref<box [0, 2, 1] [1], 3xf32>, %c: !ragged_tile.ref<dense, f64>, %w: !ragged_tile.ref<dense, 5x3xbf16>, %b: !ragged_tile.ref<dense, 5xf32>, %y: !ragged_tile.ref<[0, 1], 4x5xf32>, %k: !ragged_tile.ref<[], i64>):
  // CHECK-NEXT: %[[X:.*]] = ragged_tile.load %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] : <[0, 1], 4x3xf32> -> <4x3xf32>
  %0 = ragged_tile.load %x[%s, %i, %j] : !ragged_tile.ref<[0, 1], 4x3xf32> -> !ragged_tile.tile<4x3xf32>
  // CHECK-NEXT: %[[U:.*]] = ragged_tile.load %{{.*}}[%{{.*}}, %{{.*}}] fill = -1.500000e+00 : <[1], 3xbf16> -> <3xf32>
  %1 = ragged_tile.load %u[%s, %j] fill = -1.5 : !ragged_tile.ref<[1], 3xbf16> -> !ragged_tile.tile<3xf32>
  // CHECK-NEXT: ragged_tile.load %{{.*}}[%{{.*}}, %{{.*}}] : <box [0, 2, 1] [1], 3xf32> -> <3xf32>
  %2 = ragged_tile.load %box[%s, %j] : !ragged_tile.ref<box [0, 2, 1] [1], 3xf32> -> !ragged_tile.tile<3xf32>
  // CHECK-NEXT: %[[C:.*]] = ragged_tile.load %{{.*}}[] : <dense, f64> -> <f64>
  %3 = ragged_tile.load %c[] : !ragged_tile.ref<dense, f64> -> !ragged_tile.tile<f64>
  // CHECK-NEXT: %[[K:.*]] = ragged_tile.load %{{.*}}[%{{.*}}] : <[], i64> -> <i64>
  %4 = ragged_tile.load %k[%s] : !ragged_tile.ref<[], i64> -> !ragged_tile.tile<i64>
  // CHECK-NEXT: %[[VIEW:.*]] = ragged_tile.view %[[U]] map = [1] : <3xf32> -> <4x3xf32>
  %5 = ragged_tile.view %1 map = [1] : !ragged_tile.tile<3xf32> -> !ragged_tile.tile<4x3xf32>
  // CHECK-NEXT: %[[SUM:.*]] = ragged_tile.elementwise "add", %[[X]], %[[VIEW]] : !ragged_tile.tile<4x3xf32>, !ragged_tile.tile<4x3xf32> -> <4x3xf32>
  %6 = ragged_tile.elementwise "add", %0, %5 : !ragged_tile.tile<4x3xf32>, !ragged_tile.tile<4x3xf32> -> !ragged_tile.tile<4x3xf32>
  // CHECK-NEXT: ragged_tile.elementwise "zero_to_one", %[[K]] : !ragged_tile.tile<i64> -> <i64>
  %7 = ragged_tile.elementwise "zero_to_one", %4 : !ragged_tile.tile<i64> -> !ragged_tile.tile<i64>
  // CHECK-NEXT: ragged_tile.convert %[[C]] : <f64> -> <f32>
  %8 = ragged_tile.convert %3 : !ragged_tile.tile<f64> -> !ragged_tile.tile<f32>
  // CHECK-NEXT: ragged_tile.convert %[[C]] bf16 : <f64> -> <f32>
  %rounded = ragged_tile.convert %3 bf16 : !ragged_tile.tile<f64> -> !ragged_tile.tile<f32>
  // CHECK-NEXT: %[[LESS:.*]] = ragged_tile.elementwise "less", %[[K]], %[[K]] : !ragged_tile.tile<i64>, !ragged_tile.tile<i64> -> <i1>
  %less = ragged_tile.elementwise "less", %4, %4 : !ragged_tile.tile<i64>, !ragged_tile.tile<i64> -> !ragged_tile.tile<i1>
  // CHECK-NEXT: ragged_tile.elementwise "where", %[[LESS]], %[[K]], %[[K]] : !ragged_tile.tile<i1>, !ragged_tile.tile<i64>, !ragged_tile.tile<i64> -> <i64>
  %chosen = ragged_tile.elementwise "where", %less, %4, %4 : !ragged_tile.tile<i1>, !ragged_tile.tile<i64>, !ragged_tile.tile<i64> -> !ragged_tile.tile<i64>
  // CHECK-NEXT: ragged_tile.constant 2.000000e+00 : <4x3xf32>
  %9 = ragged_tile.constant 2.0 : !ragged_tile.tile<4x3xf32>
  // CHECK-NEXT: ragged_tile.reduce "maximum", %[[SUM]] dims = [1] : <4x3xf32> -> <4xf32>
  %10 = ragged_tile.reduce "maximum", %6 dims = [1] : !ragged_tile.tile<4x3xf32> -> !ragged_tile.tile<4xf32>
  // CHECK-NEXT: ragged_tile.extent 1 of %{{.*}} : <i64>
  %11 = ragged_tile.extent 1 of %s : !ragged_tile.tile<i64>
  // CHECK-NEXT: ragged_tile.accumulate "add" over 1 of %{{.*}} : <3xf32> {
  // CHECK-NEXT: ^bb0(%{{.*}}: index):
  %12 = ragged_tile.accumulate "add" over 1 of %s : !ragged_tile.tile<3xf32> {
  ^bb0(%at: index):
    %13 = ragged_tile.load %u[%s, %at] : !ragged_tile.ref<[1], 3xbf16> -> !ragged_tile.tile<3xf32>
    // CHECK: ragged_tile.yield %{{.*}} : <3xf32>
    ragged_tile.yield %13 : !ragged_tile.tile<3xf32>
  }
  // CHECK: %[[DOT:.*]] = ragged_tile.dot %[[SUM]], %{{.*}} : <4x3xf32>, <dense, 5x3xbf16> -> <4x5xf32>
  %14 = ragged_tile.dot %6, %w : !ragged_tile.tile<4x3xf32>, !ragged_tile.ref<dense, 5x3xbf16> -> !ragged_tile.tile<4x5xf32>
  // CHECK-NEXT: %[[Y:.*]] = ragged_tile.dot %[[SUM]], %{{.*}}, %{{.*}}, %[[DOT]] bias residual activation = 2 : <4x3xf32>, <dense, 5x3xbf16>, !ragged_tile.ref<dense, 5xf32>, !ragged_tile.tile<4x5xf32> -> <4x5xf32>
  %15 = ragged_tile.dot %6, %w, %b, %14 bias residual activation = 2 : !ragged_tile.tile<4x3xf32>, !ragged_tile.ref<dense, 5x3xbf16>, !ragged_tile.ref<dense, 5xf32>, !ragged_tile.tile<4x5xf32> -> !ragged_tile.tile<4x5xf32>
  // CHECK-NEXT: ragged_tile.dot %[[Y]], %{{.*}} transposed activation = 1 : <4x5xf32>, <dense, 5x3xbf16> -> <4x3xf32>
  %16 = ragged_tile.dot %15, %w transposed activation = 1 : !ragged_tile.tile<4x5xf32>, !ragged_tile.ref<dense, 5x3xbf16> -> !ragged_tile.tile<4x3xf32>
  // CHECK-NEXT: ragged_tile.store %[[Y]], %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] : <4x5xf32>, <[0, 1], 4x5xf32>
  ragged_tile.store %15, %y[%s, %i, %j] : !ragged_tile.tile<4x5xf32>, !ragged_tile.ref<[0, 1], 4x5xf32>
}

// Runs once: refs only, and an accumulation over the samples.
// CHECK: ragged_tile.kernel @batch axes = [] grid = [] {
// CHECK-NEXT: ^bb0(%{{.*}}: !ragged_tile.ref<[], f64>, %{{.*}}: !ragged_tile.ref<dense, f64>):
ragged_tile.kernel @batch axes = [] grid = [] {
^bb0(%x: !ragged_tile.ref<[], f64>, %n: !ragged_tile.ref<[], i64>, %y: !ragged_tile.ref<dense, f64>):
  // CHECK-NEXT: ragged_tile.accumulate "maximum" : <f64> {
  %0 = ragged_tile.accumulate "maximum" : !ragged_tile.tile<f64> {
  ^bb0(%s: index):
    %1 = ragged_tile.load %x[%s] : !ragged_tile.ref<[], f64> -> !ragged_tile.tile<f64>
    ragged_tile.yield %1 : !ragged_tile.tile<f64>
  }
  // CHECK: %{{.*}}, %{{.*}} = ragged_tile.accumulate "maximum" : <f64>, !ragged_tile.tile<i64> {
  %max, %match = ragged_tile.accumulate "maximum" : !ragged_tile.tile<f64>, !ragged_tile.tile<i64> {
  ^bb0(%s: index):
    %1 = ragged_tile.load %x[%s] : !ragged_tile.ref<[], f64> -> !ragged_tile.tile<f64>
    %2 = ragged_tile.load %n[%s] : !ragged_tile.ref<[], i64> -> !ragged_tile.tile<i64>
    // CHECK: ragged_tile.yield %{{.*}}, %{{.*}} : <f64>, !ragged_tile.tile<i64>
    ragged_tile.yield %1, %2 : !ragged_tile.tile<f64>, !ragged_tile.tile<i64>
  }
  ragged_tile.store %0, %y[] : !ragged_tile.tile<f64>, !ragged_tile.ref<dense, f64>
}

// CHECK: func.func @host(%[[F:.*]]: !ragged_tile.frame) {
func.func @host(%f: !ragged_tile.frame) {
  // CHECK-NEXT: %[[X:.*]] = ragged_tile.argument %[[F]], 0
  %x = ragged_tile.argument %f, 0
  // CHECK-NEXT: %[[N:.*]] = ragged_tile.argument_axis %[[F]], 0 "n"
  %n = ragged_tile.argument_axis %f, 0 "n"
  // CHECK-NEXT: %[[M:.*]] = ragged_tile.axis_from_lengths %[[F]], %[[X]]
  %m = ragged_tile.axis_from_lengths %f, %x
  // CHECK-NEXT: ragged_tile.axis_from_offsets %[[F]], %[[X]]
  %o = ragged_tile.axis_from_offsets %f, %x
  // CHECK-NEXT: ragged_tile.axis_expression %[[F]], "n + 2 * m" names = ["n", "m"](%[[N]], %[[M]])
  %e = ragged_tile.axis_expression %f, "n + 2 * m" names = ["n", "m"] (%n, %m)
  // CHECK-NEXT: ragged_tile.envelope_axis %[[F]], %[[N]]
  %env = ragged_tile.envelope_axis %f, %n
  // CHECK-NEXT: %[[SPACE:.*]] = ragged_tile.space %[[F]](%[[N]], %[[M]])
  %space = ragged_tile.space %f (%n, %m)
  // CHECK-NEXT: %[[BATCH:.*]] = ragged_tile.batch_space %[[F]]{{$}}
  %batch = ragged_tile.batch_space %f
  // CHECK-NEXT: ragged_tile.batch_space %[[F]], %[[N]]
  %batch_n = ragged_tile.batch_space %f, %n
  // CHECK-NEXT: %[[ROWS:.*]] = ragged_tile.space_rows %[[F]], %[[SPACE]]
  %rows = ragged_tile.space_rows %f, %space
  // CHECK-NEXT: ragged_tile.known_rows %[[F]], %[[SPACE]]
  %known = ragged_tile.known_rows %f, %space
  // CHECK-NEXT: %[[SAMPLES:.*]] = ragged_tile.space_batch %[[F]], %[[SPACE]]
  %samples = ragged_tile.space_batch %f, %space
  // CHECK-NEXT: %[[MOST:.*]] = ragged_tile.max_extent %[[F]], %[[N]]
  %most = ragged_tile.max_extent %f, %n
  // CHECK-NEXT: ragged_tile.constant_axis %[[F]], %[[MOST]]{{$}}
  %fixed = ragged_tile.constant_axis %f, %most
  // CHECK-NEXT: ragged_tile.constant_axis %[[F]], %[[MOST]], %[[N]]
  %fixed_n = ragged_tile.constant_axis %f, %most, %n
  // CHECK-NEXT: ragged_tile.parts_axis %[[F]], %[[MOST]] most = 256
  %parts = ragged_tile.parts_axis %f, %most most = 256
  // CHECK-NEXT: ragged_tile.check_equal %[[F]], %[[MOST]] is %[[MOST]] "operand #1, dimension 0"
  ragged_tile.check_equal %f, %most is %most "operand #1, dimension 0"
  // CHECK-NEXT: ragged_tile.check_same_axis %[[F]], %[[N]] "n", %[[M]] "m"
  ragged_tile.check_same_axis %f, %n "n", %m "m"
  // CHECK-NEXT: ragged_tile.dense_extent %[[F]], %[[X]] dim = 1
  %extent = ragged_tile.dense_extent %f, %x dim = 1
  // CHECK-NEXT: ragged_tile.check_extent %[[F]], %[[X]] dim = 1 is %[[MOST]] "x"
  ragged_tile.check_extent %f, %x dim = 1 is %most "x"
  // CHECK-NEXT: ragged_tile.check_limit %[[F]], %[[N]] within %[[MOST]] "n"
  ragged_tile.check_limit %f, %n within %most "n"
  // CHECK-NEXT: %[[Y:.*]] = ragged_tile.allocate %[[F]], %[[SPACE]] of 20 x f32
  %y = ragged_tile.allocate %f, %space of 20 x f32
  // CHECK-NEXT: %[[D:.*]] = ragged_tile.allocate_dense %[[F]] of bf16[%[[ROWS]], %[[MOST]]]
  %d = ragged_tile.allocate_dense %f of bf16 [%rows, %most]
  // CHECK-NEXT: ragged_tile.extents %[[F]], %[[N]]
  %extents = ragged_tile.extents %f, %n
  // CHECK-NEXT: ragged_tile.offsets %[[F]], %[[SPACE]]
  %offsets = ragged_tile.offsets %f, %space
  // CHECK-NEXT: ragged_tile.row_count %[[F]], %[[SPACE]]
  %row_count = ragged_tile.row_count %f, %space
  // CHECK-NEXT: %[[VALUES:.*]] = ragged_tile.values %[[F]], %[[Y]], %[[SPACE]] tail = [4, 5]
  %values = ragged_tile.values %f, %y, %space tail = [4, 5]
  // CHECK-NEXT: ragged_tile.extend %[[F]], %[[VALUES]] to %[[MOST]]
  %more = ragged_tile.extend %f, %values to %most
  // CHECK-NEXT: ragged_tile.check_values %[[F]], %[[X]], %[[SPACE]] tail = []
  ragged_tile.check_values %f, %x, %space tail = []
  // CHECK-NEXT: %[[W:.*]] = ragged_tile.constant_buffer %[[F]], dense<1.000000e+00> : tensor<5x3xbf16>
  %w = ragged_tile.constant_buffer %f, dense<1.0> : tensor<5x3xbf16>
  // CHECK-NEXT: %[[NUMBER:.*]] = ragged_tile.from_scalar %[[F]], %[[ROWS]] : i64
  %number = ragged_tile.from_scalar %f, %rows : i64
  // CHECK-NEXT: ragged_tile.to_scalar %[[F]], %[[NUMBER]] : i64
  %again = ragged_tile.to_scalar %f, %number : i64
  // CHECK-NEXT: ragged_tile.launch %[[F]], @pairs items %[[ROWS]] batch %[[SAMPLES]] axes(%[[N]], %[[M]]) buffers(%[[X]], %[[X]], %[[X]], %[[NUMBER]], %[[W]], %[[X]], %[[Y]], %[[NUMBER]])
  ragged_tile.launch %f, @pairs items %rows batch %samples axes(%n, %m) buffers(%x, %x, %x, %number, %w, %x, %y, %number)
  // CHECK-NEXT: ragged_tile.retain %[[F]], %[[D]]
  ragged_tile.retain %f, %d
  // CHECK-NEXT: ragged_tile.release %[[F]], %[[D]]
  ragged_tile.release %f, %d
  // CHECK-NEXT: ragged_tile.result %[[F]], 0, %[[Y]], %[[SPACE]]
  ragged_tile.result %f, 0, %y, %space
  // CHECK-NEXT: ragged_tile.result_dense %[[F]], 1, %[[D]]
  ragged_tile.result_dense %f, 1, %d
  %lower = arith.constant 2 : i8
  %upper = arith.constant 7 : i8
  // CHECK: ragged_tile.trip_count %[[F]], %[[LOWER:.*]] to %[[UPPER:.*]] step %[[LOWER]] : i8
  %turns = ragged_tile.trip_count %f, %lower to %upper step %lower : i8
  %index = arith.constant 3 : index
  // CHECK: ragged_tile.trip_count %[[F]], %[[INDEX:.*]] to %[[INDEX]] step %[[INDEX]] unsigned : index
  %turns_unsigned = ragged_tile.trip_count %f, %index to %index step %index unsigned : index
  // CHECK-NEXT: ragged_tile.checked_divisor %[[F]], %[[INDEX]] by %[[INDEX]] : index
  %divisor_index = ragged_tile.checked_divisor %f, %index by %index : index
  // CHECK-NEXT: ragged_tile.checked_divisor %[[F]], %[[UPPER]] by %[[LOWER]] : i8
  %divisor = ragged_tile.checked_divisor %f, %upper by %lower : i8
  // CHECK-NEXT: ragged_tile.checked_divisor %[[F]], %[[UPPER]] by %[[LOWER]] unsigned : i8
  %divisor_unsigned = ragged_tile.checked_divisor %f, %upper by %lower unsigned : i8
  return
}

// Slices of sums, and what joins them.
// CHECK: ragged_tile.kernel @slices axes = ["n"] grid = [] {
ragged_tile.kernel @slices axes = ["n"] grid = [] {
^bb0(%s: index, %a: !ragged_tile.ref<[0, 0], 2x4xbf16>, %b: !ragged_tile.ref<[0, 0], 2x3xbf16>, %c: !ragged_tile.ref<slices 4, 3xf32>):
  // CHECK: ragged_tile.product_over_rows %{{.*}}, %{{.*}}, %{{.*}}[%{{.*}}] of 256 at_most 64 : <[0, 0], 2x4xbf16>, <[0, 0], 2x3xbf16>, <slices 4, 3xf32>
  ragged_tile.product_over_rows %a, %b, %c[%s] of 256 at_most 64 : !ragged_tile.ref<[0, 0], 2x4xbf16>, !ragged_tile.ref<[0, 0], 2x3xbf16>, !ragged_tile.ref<slices 4, 3xf32>
}

// CHECK: ragged_tile.kernel @join axes = [] grid = [] {
ragged_tile.kernel @join axes = [] grid = [] {
^bb0(%row: index, %c: !ragged_tile.ref<slices 4, 3xf32>, %y: !ragged_tile.ref<[], 3xf32>):
  // CHECK: ragged_tile.accumulate "add" plain : <3xf32>
  %0 = ragged_tile.accumulate "add" plain : !ragged_tile.tile<3xf32> {
  ^bb0(%slice: index):
    // CHECK: ragged_tile.load %{{.*}}[%{{.*}}, %{{.*}}] : <slices 4, 3xf32> -> <3xf32>
    %1 = ragged_tile.load %c[%slice, %row] : !ragged_tile.ref<slices 4, 3xf32> -> !ragged_tile.tile<3xf32>
    ragged_tile.yield %1 : !ragged_tile.tile<3xf32>
  }
  ragged_tile.store %0, %y[%row] : !ragged_tile.tile<3xf32>, !ragged_tile.ref<[], 3xf32>
}

// Positions.
// CHECK: ragged_tile.kernel @positions
ragged_tile.kernel @positions axes = ["n"] grid = [0] {
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 3xf32>, %y: !ragged_tile.ref<[0], 3xi64>):
  %0 = ragged_tile.load %x[%s, %i] : !ragged_tile.ref<[0], 3xf32> -> !ragged_tile.tile<3xf32>
  // CHECK: %[[AT:.*]] = ragged_tile.position %{{.*}} : <i64>
  %1 = ragged_tile.position %i : !ragged_tile.tile<i64>
  // CHECK: %[[IOTA:.*]] = ragged_tile.iota dim = 0 : <3xi64>
  %2 = ragged_tile.iota dim = 0 : !ragged_tile.tile<3xi64>
  %3 = ragged_tile.view %1 map = [] : !ragged_tile.tile<i64> -> !ragged_tile.tile<3xi64>
  // CHECK: ragged_tile.where_equal %{{.*}}, %{{.*}}, %{{.*}}, %[[IOTA]] : <3xf32>, <3xf32>, <3xi64>, <3xi64> -> <3xi64>
  %4 = ragged_tile.where_equal %0, %0, %3, %2 : !ragged_tile.tile<3xf32>, !ragged_tile.tile<3xf32>, !ragged_tile.tile<3xi64>, !ragged_tile.tile<3xi64> -> !ragged_tile.tile<3xi64>
  ragged_tile.store %4, %y[%s, %i] : !ragged_tile.tile<3xi64>, !ragged_tile.ref<[0], 3xi64>
}
