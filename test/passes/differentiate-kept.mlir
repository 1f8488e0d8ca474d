// What --ragged-differentiate keeps by default: the fewest bytes from which cheap ops rebuild the rest.
// RUN: ragged-opt %s --ragged-differentiate="entry=pairs mode=split" | FileCheck %s --check-prefix=PAIRS
// RUN: ragged-opt %s --ragged-differentiate="entry=sum_of_products mode=split" | FileCheck %s --check-prefix=SUM
// RUN: ragged-opt %s --ragged-differentiate="entry=returned mode=split" | FileCheck %s --check-prefix=RETURNED
// RUN: ragged-opt %s --ragged-differentiate="entry=largest mode=split" | FileCheck %s --check-prefix=LARGEST
// RUN: ragged-opt %s --ragged-differentiate="entry=structures mode=split" | FileCheck %s --check-prefix=STRUCTURE
// RUN: ragged-opt %s --ragged-differentiate="entry=one_structure mode=split keep=all" | FileCheck %s --check-prefix=ONE

!single = !ragged.tensor<[n, 4], f32>
!pair = !ragged.tensor<[n, n, 4], f32>

// A pair state made from singles is made again: only the two products are kept.
// PAIRS-LABEL: func.func @pairs_fwd
// PAIRS-SAME: ragged.kept = {"(n)" = 32 : i64}
func.func @pairs(%x: !single, %w: tensor<4x4xf32>, %v: tensor<4x4xf32>) -> !pair {
  %a = ragged.linear %x, %w dim = 1 : !single, tensor<4x4xf32> -> !single
  %b = ragged.linear %x, %v dim = 1 : !single, tensor<4x4xf32> -> !single
  %c = ragged.expand_dims %a dim = 1 : !single -> !ragged.tensor<[n, 1, 4], f32>
  %d = ragged.expand_dims %b dim = 0 : !single -> !ragged.tensor<[1, n, 4], f32>
  %e = ragged.mul %c, %d : !ragged.tensor<[n, 1, 4], f32>, !ragged.tensor<[1, n, 4], f32> -> !pair
  %f = ragged.gelu %e : !pair -> !pair
  return %f : !pair
}

// The sum of two products is smaller than the two.
// SUM-LABEL: func.func @sum_of_products_fwd
// SUM-SAME: ragged.kept = {"(n)" = 16 : i64}
func.func @sum_of_products(%x: !single, %w: tensor<4x4xf32>, %v: tensor<4x4xf32>) -> !single {
  %a = ragged.linear %x, %w dim = 1 : !single, tensor<4x4xf32> -> !single
  %b = ragged.linear %x, %v dim = 1 : !single, tensor<4x4xf32> -> !single
  %c = ragged.add %a, %b : !single, !single -> !single
  %d = ragged.gelu %c : !single -> !single
  return %d : !single
}

// What is returned anyway costs nothing.
// RETURNED-LABEL: func.func @returned_fwd
// RETURNED-SAME: ragged.kept = {}
func.func @returned(%x: !single, %w: tensor<4x4xf32>) -> (!single, !single) {
  %a = ragged.linear %x, %w dim = 1 : !single, tensor<4x4xf32> -> !single
  %b = ragged.gelu %a : !single -> !single
  return %a, %b : !single, !single
}

// Where the largest entries were, not what they were chosen from.
// LARGEST-LABEL: func.func @largest_fwd
// LARGEST-SAME: ragged.kept = {"()" = 32 : i64}
// LARGEST: ragged.argmax
// LARGEST-LABEL: func.func @largest_bwd
// LARGEST-NOT: ragged.argmax
func.func @largest(%x: !single, %w: tensor<4x4xf32>) -> !ragged.tensor<[4], f32> {
  %a = ragged.linear %x, %w dim = 1 : !single, tensor<4x4xf32> -> !single
  %b = ragged.max %a dims = [0] : !single -> !ragged.tensor<[4], f32>
  return %b : !ragged.tensor<[4], f32>
}

// Of what is only looked at for its structure nothing is kept.
// STRUCTURE-LABEL: func.func @structures_fwd
// STRUCTURE-SAME: ragged.kept = {}
// STRUCTURE-LABEL: func.func @structures_bwd
// STRUCTURE: ragged.broadcast %{{.*}} dims = [1] like %arg0
func.func @structures(%x: !single, %w: tensor<4x4xf32>) -> !ragged.tensor<[4], f32> {
  %a = ragged.linear %x, %w dim = 1 : !single, tensor<4x4xf32> -> !single
  %b = ragged.sum %a dims = [0] : !single -> !ragged.tensor<[4], f32>
  return %b : !ragged.tensor<[4], f32>
}

// What is looked at for its structure is not kept where something else that is kept has the structure.
// ONE-LABEL: func.func @one_structure_fwd
// ONE-SAME: -> (!ragged.tensor<[64], f32>, !ragged.tensor<[n, 64], f32>)
// ONE-SAME: ragged.kept = {"(n)" = 256 : i64}
// ONE: return %{{.*}}, %linear :
// ONE-LABEL: func.func @one_structure_bwd
// ONE-SAME: %arg2: !ragged.tensor<[n, 64], f32>, %arg3: !ragged.tensor<[64], f32>) ->
// ONE: ragged.size %arg2
// ONE: like %arg2
func.func @one_structure(%x: !ragged.tensor<[n, 16], f32>, %w: tensor<64x16xf32>)
    -> !ragged.tensor<[64], f32> {
  %a = ragged.linear %x, %w dim = 1 : !ragged.tensor<[n, 16], f32>, tensor<64x16xf32> -> !ragged.tensor<[n, 64], f32>
  %b = ragged.gelu %a : !ragged.tensor<[n, 64], f32> -> !ragged.tensor<[n, 64], f32>
  %c = ragged.mean %b dims = [0] empty = zero : !ragged.tensor<[n, 64], f32> -> !ragged.tensor<[64], f32>
  return %c : !ragged.tensor<[64], f32>
}
