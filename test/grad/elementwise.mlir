// Derivatives of the elementwise ops.
// RUN: %check_gradients %s
// RUN: %check_gradients --print %s > %t.mlir
// RUN: %run_all_lengths %t.mlir
// RUN: %run_all_lengths --target=emulated %t.mlir

!t = !ragged.tensor<[n, 3], f32>
!row = !ragged.tensor<[n, 1], f32>
!i1 = !ragged.tensor<[n, 3], i1>
!pair = !ragged.tensor<[n, n, 3], f32>
!turned = !ragged.tensor<[n, n, 3], f32, order = [1, 0, 2]>
!b = !ragged.tensor<[n, 3], bf16>
!d = !ragged.tensor<[n, 3], f64>

func.func @neg(%x: !t) -> !t {
  %0 = ragged.neg %x : !t -> !t
  return %0 : !t
}

func.func @exp(%x: !t) -> !t {
  %0 = ragged.exp %x : !t -> !t
  return %0 : !t
}

func.func @erf(%x: !t) -> !t {
  %0 = ragged.erf %x : !t -> !t
  return %0 : !t
}

func.func @normal_cdf(%x: !t) -> !t {
  %0 = ragged.normal_cdf %x : !t -> !t
  return %0 : !t
}

func.func @gelu(%x: !t) -> !t {
  %0 = ragged.gelu %x : !t -> !t
  return %0 : !t
}

func.func @relu(%x: !t) -> !t {
  %0 = ragged.relu %x : !t -> !t
  return %0 : !t
}

func.func @sigmoid(%x: !t) -> !t {
  %0 = ragged.sigmoid %x : !t -> !t
  return %0 : !t
}

func.func @sqrt_positive(%x: !t) -> !t {
  %0 = ragged.sqrt %x : !t -> !t
  return %0 : !t
}

func.func @rsqrt_positive(%x: !t) -> !t {
  %0 = ragged.rsqrt %x : !t -> !t
  return %0 : !t
}

func.func @add(%x: !t, %y: !t) -> !t {
  %0 = ragged.add %x, %y : !t, !t -> !t
  return %0 : !t
}

func.func @add_repeated(%x: !row, %y: !ragged.tensor<[1, 3], f32>, %s: f32) -> !t {
  %0 = ragged.add %x, %y : !row, !ragged.tensor<[1, 3], f32> -> !t
  %1 = ragged.add %s, %0 : f32, !t -> !t
  return %1 : !t
}

func.func @sub(%x: !t, %y: !t) -> !t {
  %0 = ragged.sub %x, %y : !t, !t -> !t
  return %0 : !t
}

func.func @sub_repeated(%x: !row, %y: !ragged.tensor<[1, 3], f32>, %s: f32) -> !t {
  %0 = ragged.sub %x, %y : !row, !ragged.tensor<[1, 3], f32> -> !t
  %1 = ragged.sub %s, %0 : f32, !t -> !t
  return %1 : !t
}

func.func @mul(%x: !t, %y: !t) -> !t {
  %0 = ragged.mul %x, %y : !t, !t -> !t
  return %0 : !t
}

func.func @mul_repeated(%x: !row, %y: !ragged.tensor<[1, 3], f32>, %s: f32) -> !t {
  %0 = ragged.mul %x, %y : !row, !ragged.tensor<[1, 3], f32> -> !t
  %1 = ragged.mul %s, %0 : f32, !t -> !t
  return %1 : !t
}

func.func @div_positive(%x: !t, %y: !t) -> !t {
  %0 = ragged.div %x, %y : !t, !t -> !t
  return %0 : !t
}

func.func @div_repeated_positive(%x: !row, %y: !ragged.tensor<[1, 3], f32>, %s: f32) -> !t {
  %0 = ragged.div %x, %y : !row, !ragged.tensor<[1, 3], f32> -> !t
  %1 = ragged.div %s, %0 : f32, !t -> !t
  return %1 : !t
}

func.func @maximum(%x: !t, %y: !t) -> !t {
  %0 = ragged.maximum %x, %y : !t, !t -> !t
  return %0 : !t
}

func.func @maximum_repeated(%x: !row, %y: !ragged.tensor<[1, 3], f32>, %s: f32) -> !t {
  %0 = ragged.maximum %x, %y : !row, !ragged.tensor<[1, 3], f32> -> !t
  %1 = ragged.maximum %s, %0 : f32, !t -> !t
  return %1 : !t
}

// Both operands in other orders; the same operand twice.
func.func @orders_positive(%x: !pair, %y: !turned) -> (!pair, !turned) {
  %0 = ragged.mul %x, %y : !pair, !turned -> !pair
  %1 = ragged.div %y, %x : !turned, !pair -> !turned
  %2 = ragged.mul %1, %1 : !turned, !turned -> !turned
  return %0, %2 : !pair, !turned
}

// A choice by what is compared, which has no derivative itself.
func.func @where(%x: !t, %y: !t, %s: f32) -> !t {
  %c = ragged.less %x, %y : !t, !t -> !i1
  %0 = ragged.exp %x : !t -> !t
  %1 = ragged.where %c, %0, %y : !i1, !t, !t -> !t
  %2 = ragged.where %c, %s, %1 : !i1, f32, !t -> !t
  return %2 : !t
}

func.func @clamp(%x: !t, %low: f32, %high: f32) -> !t {
  %0 = ragged.clamp %x, %low, %high : !t, f32, f32 -> !t
  return %0 : !t
}

func.func @clamp_by_rows(%x: !t, %low: !row, %high: !t) -> !t {
  %0 = ragged.clamp %x, %low, %high : !t, !row, !t -> !t
  return %0 : !t
}

// Their rules have constants that bf16 does not hold.
func.func @erf_gelu_bf16(%x: !b) -> !b {
  %0 = ragged.erf %x : !b -> !b
  %1 = ragged.gelu %0 : !b -> !b
  return %1 : !b
}

// Rows of one element, several of which an access takes together, in a kernel that reads values twice.
!column = !ragged.tensor<[n, n, 1], bf16>
func.func @columns(%x: !column, %y: !column, %z: !column) -> !column {
  %0 = ragged.sub %x, %z : !column, !column -> !column
  %1 = ragged.maximum %0, %y : !column, !column -> !column
  return %1 : !column
}

func.func @casts(%x: !t) -> (!b, !d) {
  %0 = ragged.cast %x : !t -> !b
  %1 = ragged.mul %0, %0 : !b, !b -> !b
  %2 = ragged.cast %x : !t -> !d
  %3 = ragged.exp %2 : !d -> !d
  return %1, %3 : !b, !d
}

// Through an integer nothing is handed back.
func.func @rounded(%x: !t) -> !t {
  %0 = ragged.cast %x : !t -> !ragged.tensor<[n, 3], i64>
  %1 = ragged.cast %0 : !ragged.tensor<[n, 3], i64> -> !t
  %2 = ragged.mul %1, %x : !t, !t -> !t
  return %2 : !t
}

// Builtin tensors whose types say different extents; open ones are 5 in these runs.
func.func @builtin_open(%x: tensor<?x5xf32>, %y: tensor<5x?xf32>, %z: tensor<?x?xf32>, %s: f32)
    -> (tensor<5x5xf32>, tensor<?x?xf32>) {
  %0 = ragged.sub %x, %y : tensor<?x5xf32>, tensor<5x?xf32> -> tensor<5x5xf32>
  %1 = ragged.exp %z : tensor<?x?xf32> -> tensor<?x?xf32>
  %2 = ragged.maximum %1, %0 : tensor<?x?xf32>, tensor<5x5xf32> -> tensor<5x5xf32>
  %3 = ragged.mul %2, %s : tensor<5x5xf32>, f32 -> tensor<5x5xf32>
  %4 = ragged.less %z, %y : tensor<?x?xf32>, tensor<5x?xf32> -> tensor<5x?xi1>
  %5 = ragged.where %4, %x, %3 : tensor<5x?xi1>, tensor<?x5xf32>, tensor<5x5xf32> -> tensor<5x5xf32>
  return %5, %1 : tensor<5x5xf32>, tensor<?x?xf32>
}

func.func @builtin_open_bf16(%x: tensor<?x5xbf16>, %y: tensor<5x?xbf16>) -> tensor<5x5xbf16> {
  %0 = ragged.gelu %x : tensor<?x5xbf16> -> tensor<?x5xbf16>
  %1 = ragged.mul %0, %y : tensor<?x5xbf16>, tensor<5x?xbf16> -> tensor<5x5xbf16>
  return %1 : tensor<5x5xbf16>
}

func.func @twice_gelu(%x: !t) -> !t {
  %0 = ragged.gelu %x : !t -> !t
  return %0 : !t
}

func.func @twice_quotient(%x: !t, %y: !row) -> !t {
  %one = arith.constant 1.0 : f32
  %0 = ragged.mul %y, %y : !row, !row -> !row
  %1 = ragged.add %0, %one : !row, f32 -> !row
  %2 = ragged.div %x, %1 : !t, !row -> !t
  %3 = ragged.sigmoid %2 : !t -> !t
  return %3 : !t
}

func.func @twice_builtin_open(%x: tensor<?x5xf32>, %y: tensor<5x?xf32>) -> tensor<5x5xf32> {
  %0 = ragged.mul %x, %y : tensor<?x5xf32>, tensor<5x?xf32> -> tensor<5x5xf32>
  %1 = ragged.sigmoid %0 : tensor<5x5xf32> -> tensor<5x5xf32>
  %2 = ragged.mul %1, %x : tensor<5x5xf32>, tensor<?x5xf32> -> tensor<5x5xf32>
  return %2 : tensor<5x5xf32>
}
