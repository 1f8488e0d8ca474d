// Numbers whose bits are known.
// RUN: ragged-run %s --entry=ties --axis n=1 --print | FileCheck %s --check-prefix=TIES
// RUN: ragged-run %s --entry=ties --axis n=1 --print --target=emulated | FileCheck %s --check-prefix=TIES

// 512 equal bf16 values sum to 512 times the value exactly, in every reduction and product: a bf16
// accumulator would stop at 256.
// RUN: ragged-run %s --entry=sums --axis n=512,1,0 --print | FileCheck %s
// RUN: ragged-run %s --entry=sums --axis n=512,1,0 --print --target=emulated | FileCheck %s

// Many terms that round the same way: a sum that is not compensated is off by more than the allowed error.
// RUN: ragged-run %s --entry=tenths --axis n=20000 --axis m=1 --compare=reference
// RUN: ragged-run %s --entry=tenths --axis n=20000 --axis m=1 --compare=reference --target=emulated

!x = !ragged.tensor<[n], bf16>
!wide = !ragged.tensor<[n, 512], bf16>

func.func @sums(%x: !x, %v: !wide, %w: tensor<2x512xbf16>)
    -> (!ragged.tensor<[], bf16>, !ragged.tensor<[], bf16>, tensor<bf16>, !ragged.tensor<[1], bf16>, !ragged.tensor<[2], bf16>) {
  %zero = arith.constant 0.0 : bf16
  %one = arith.constant 1.0 : bf16
  %three = arith.constant 3.0 : bf16
  %0 = ragged.mul %x, %zero : !x, bf16 -> !x
  %threes = ragged.add %0, %three : !x, bf16 -> !x

  // CHECK:      result 0:
  // CHECK-NEXT: sample 0: 1536{{$}}
  // CHECK-NEXT: sample 1: 3{{$}}
  // CHECK-NEXT: sample 2: 0{{$}}
  %sum = ragged.sum %threes dims = [0] : !x -> !ragged.tensor<[], bf16>
  // CHECK-NEXT: result 1:
  // CHECK-NEXT: sample 0: 3{{$}}
  // CHECK-NEXT: sample 1: 3{{$}}
  // CHECK-NEXT: sample 2: nan{{$}}
  %mean = ragged.mean %threes dims = [0] : !x -> !ragged.tensor<[], bf16>
  // CHECK-NEXT: result 2:
  // CHECK-NEXT: 1536{{$}}
  %ones = ragged.div %threes, %three : !x, bf16 -> !x
  %two = ragged.add %ones, %one : !x, bf16 -> !x
  %both = ragged.add %two, %one : !x, bf16 -> !x
  %batch = ragged.sum %both dims = [0] batch : !x -> tensor<bf16>

  // Along static dimensions, of the largest row.
  // CHECK-NEXT: result 3:
  // CHECK-NEXT: sample 0: {{.*}}1536
  %1 = ragged.mul %v, %zero : !wide, bf16 -> !wide
  %rows = ragged.add %1, %three : !wide, bf16 -> !wide
  %features = ragged.sum %rows dims = [1] keep_dims : !wide -> !ragged.tensor<[n, 1], bf16>
  %largest = ragged.max %features dims = [0] : !ragged.tensor<[n, 1], bf16> -> !ragged.tensor<[1], bf16>
  // CHECK:      result 4:
  // CHECK-NEXT: sample 0: {{.*}}1536, 1536
  %2 = ragged.mul %w, %zero : tensor<2x512xbf16>, bf16 -> tensor<2x512xbf16>
  %weight = ragged.add %2, %one : tensor<2x512xbf16>, bf16 -> tensor<2x512xbf16>
  %product = ragged.linear %rows, %weight dim = 1 : !wide, tensor<2x512xbf16> -> !ragged.tensor<[n, 2], bf16>
  %most = ragged.max %product dims = [0] : !ragged.tensor<[n, 2], bf16> -> !ragged.tensor<[2], bf16>
  return %sum, %mean, %batch, %largest, %most
      : !ragged.tensor<[], bf16>, !ragged.tensor<[], bf16>, tensor<bf16>, !ragged.tensor<[1], bf16>, !ragged.tensor<[2], bf16>
}

// bf16 rounds to nearest, ties to even: 1 + 1/256 is 1, 1 + 3/256 is 1 + 4/256 (1.016);
// a little more than the tie is 1 + 2/256 (1.01).
func.func @ties(%x: !x) -> (!x, !x, !x) {
  %zero = arith.constant 0.0 : bf16
  %one = arith.constant 1.0 : bf16
  %half_step = arith.constant 0.00390625 : bf16
  %more = arith.constant 0.00408935546875 : bf16
  %above = arith.constant 1.0078125 : bf16
  %0 = ragged.mul %x, %zero : !x, bf16 -> !x
  %1 = ragged.add %0, %one : !x, bf16 -> !x
  %2 = ragged.add %0, %above : !x, bf16 -> !x
  // TIES:      sample 0: [1]
  %a = ragged.add %1, %half_step : !x, bf16 -> !x
  // TIES:      sample 0: [1.016]
  %b = ragged.add %2, %half_step : !x, bf16 -> !x
  // TIES:      sample 0: [1.01]
  %c = ragged.add %1, %more : !x, bf16 -> !x
  return %a, %b, %c : !x, !x, !x
}

!tenths = !ragged.tensor<[n, m, 2], f32>
func.func @tenths(%x: !tenths) -> !ragged.tensor<[m, 2], f32> {
  %zero = arith.constant 0.0 : f32
  %tenth = arith.constant 0.1 : f32
  %0 = ragged.mul %x, %zero : !tenths, f32 -> !tenths
  %1 = ragged.add %0, %tenth : !tenths, f32 -> !tenths
  %2 = ragged.sum %1 dims = [0] : !tenths -> !ragged.tensor<[m, 2], f32>
  return %2 : !ragged.tensor<[m, 2], f32>
}
