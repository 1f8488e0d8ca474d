// Casts between all element types over all length vectors, alone and in one kernel with other ops.
// RUN: %run_all_lengths %s
// RUN: %run_all_lengths --target=emulated %s

!f64 = !ragged.tensor<[n, 33], f64>
!f32 = !ragged.tensor<[n, 33], f32>
!bf16 = !ragged.tensor<[n, 33], bf16>
!i64 = !ragged.tensor<[n, 33], i64>
!i1 = !ragged.tensor<[n, 33], i1>

func.func @from_f64(%x: !f64) -> (!f64, !f32, !bf16, !i64, !i1) {
  %0 = ragged.cast %x : !f64 -> !f64
  %1 = ragged.cast %x : !f64 -> !f32
  %2 = ragged.cast %x : !f64 -> !bf16
  %3 = ragged.cast %x : !f64 -> !i64
  %4 = ragged.cast %x : !f64 -> !i1
  return %0, %1, %2, %3, %4 : !f64, !f32, !bf16, !i64, !i1
}

func.func @from_f32(%x: !f32) -> (!f64, !f32, !bf16, !i64, !i1) {
  %0 = ragged.cast %x : !f32 -> !f64
  %1 = ragged.cast %x : !f32 -> !f32
  %2 = ragged.cast %x : !f32 -> !bf16
  %3 = ragged.cast %x : !f32 -> !i64
  %4 = ragged.cast %x : !f32 -> !i1
  return %0, %1, %2, %3, %4 : !f64, !f32, !bf16, !i64, !i1
}

func.func @from_bf16(%x: !bf16) -> (!f64, !f32, !bf16, !i64, !i1) {
  %0 = ragged.cast %x : !bf16 -> !f64
  %1 = ragged.cast %x : !bf16 -> !f32
  %2 = ragged.cast %x : !bf16 -> !bf16
  %3 = ragged.cast %x : !bf16 -> !i64
  %4 = ragged.cast %x : !bf16 -> !i1
  return %0, %1, %2, %3, %4 : !f64, !f32, !bf16, !i64, !i1
}

func.func @from_i64(%x: !i64) -> (!f64, !f32, !bf16, !i64, !i1) {
  %0 = ragged.cast %x : !i64 -> !f64
  %1 = ragged.cast %x : !i64 -> !f32
  %2 = ragged.cast %x : !i64 -> !bf16
  %3 = ragged.cast %x : !i64 -> !i64
  %4 = ragged.cast %x : !i64 -> !i1
  return %0, %1, %2, %3, %4 : !f64, !f32, !bf16, !i64, !i1
}

func.func @from_i1(%x: !i1) -> (!f64, !f32, !bf16, !i64, !i1) {
  %0 = ragged.cast %x : !i1 -> !f64
  %1 = ragged.cast %x : !i1 -> !f32
  %2 = ragged.cast %x : !i1 -> !bf16
  %3 = ragged.cast %x : !i1 -> !i64
  %4 = ragged.cast %x : !i1 -> !i1
  return %0, %1, %2, %3, %4 : !f64, !f32, !bf16, !i64, !i1
}

// A cast rounds where it stands: the results are the same to the last bit, whether a kernel holds all
// or each has its own (the reference rounds too).
func.func @rounds(%x: !f64, %y: !f32) -> (!f64, !f32, !bf16) {
  %0 = ragged.cast %x : !f64 -> !bf16
  %1 = ragged.cast %0 : !bf16 -> !f64
  %2 = ragged.cast %y : !f32 -> !bf16
  %3 = ragged.cast %2 : !bf16 -> !f32
  %4 = ragged.cast %x : !f64 -> !f32
  %5 = ragged.cast %4 : !f32 -> !bf16
  return %1, %3, %5 : !f64, !f32, !bf16
}

// What was computed in a coarse type is no finer in another.
func.func @coarse(%x: !bf16, %y: !f32) -> (!f64, !f64, !f32) {
  %0 = ragged.exp %x : !bf16 -> !bf16
  %1 = ragged.cast %0 : !bf16 -> !f64
  %2 = ragged.mul %1, %1 : !f64, !f64 -> !f64
  %3 = ragged.sigmoid %y : !f32 -> !f32
  %4 = ragged.cast %3 : !f32 -> !f64
  %5 = ragged.cast %2 : !f64 -> !f32
  return %2, %4, %5 : !f64, !f64, !f32
}
