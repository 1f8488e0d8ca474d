// The single–pair–single block: a sequence (384 features per residue) is widened to a pair state
// (128 features per pair of residues), which a transition refines, and whose mean over the second
// residue updates the sequence. `make demo` runs it on the lengths of real proteins.
//
//   P  = (X U^T)[a] + (X V^T)[b]                      every pair (a, b) of residues of one protein
//   P' = P + W2 gelu(W1 layer_norm(P) + b1) + b2      the transition, pair by pair
//   X' = X + G mean_b P'                              back to one vector per residue
//
// A batch holds proteins of different lengths. `n` in a type is a ragged axis: every protein has
// its own extent along it, and all values of a function that say `n` agree about it. Pair states
// [n, n, 128] of lengths 2 and 3 are 2 x 2 + 3 x 3 rows of 128 numbers, one after the other:
// nothing is padded, and one compilation serves all lengths and batch sizes. To run it on those:
//
//   ragged-run examples/single_pair_single.mlir --axis n=2,3 --compare=reference
//
// Weights are dense tensors [out, in]. `!name = ...` gives a type a short name.

// Square: all pairs of residues of one protein.
!sequence = !ragged.tensor<[n, 384], f32>
!single = !ragged.tensor<[n, 128], f32>
!rows = !ragged.tensor<[n, 1, 128], f32>
!columns = !ragged.tensor<[1, n, 128], f32>
!pair = !ragged.tensor<[n, n, 128], f32>
!pair_wide = !ragged.tensor<[n, n, 512], f32>

func.func @single_pair_single(
    %X: !sequence,
    %U: tensor<128x384xf32>, %V: tensor<128x384xf32>, %gamma: tensor<128xf32>,
    %beta: tensor<128xf32>, %W1: tensor<512x128xf32>, %b1: tensor<512xf32>,
    %W2: tensor<128x512xf32>, %b2: tensor<128xf32>, %G: tensor<384x128xf32>)
    -> (!sequence, !pair) {
  // What residue a, and what residue b, give to their pairs.
  %u = ragged.linear %X, %U dim = 1 : !sequence, tensor<128x384xf32> -> !single
  %v = ragged.linear %X, %V dim = 1 : !sequence, tensor<128x384xf32> -> !single

  // Every u[a] + v[b]: an extent of 1 is repeated along the other operand's.
  %ua = ragged.expand_dims %u dim = 1 : !single -> !rows
  %vb = ragged.expand_dims %v dim = 0 : !single -> !columns
  %P = ragged.add %ua, %vb : !rows, !columns -> !pair

  // The transition: normalise the 128 features, widen to 512, activate, narrow, add.
  %normal = ragged.layer_norm %P, %gamma, %beta dims = [2] eps = 1.0e-5
      : !pair, tensor<128xf32>, tensor<128xf32> -> !pair
  %wide = ragged.linear %normal, %W1, %b1 dim = 2
      : !pair, tensor<512x128xf32>, tensor<512xf32> -> !pair_wide
  %hidden = ragged.gelu %wide : !pair_wide -> !pair_wide
  %update = ragged.linear %hidden, %W2, %b2 dim = 2
      : !pair_wide, tensor<128x512xf32>, tensor<128xf32> -> !pair
  %P_new = ragged.add %P, %update : !pair, !pair -> !pair

  // Mean over b, and back to the sequence.
  %mean = ragged.mean %P_new dims = [1] empty = zero : !pair -> !single
  %back = ragged.linear %mean, %G dim = 1 : !single, tensor<384x128xf32> -> !sequence
  %X_new = ragged.add %X, %back : !sequence, !sequence -> !sequence
  return %X_new, %P_new : !sequence, !pair
}

// Rectangular: pairs of a residue of one protein and a residue of its partner Z, whose length is
// another axis, m. The two are never confused: [n, n, 128] + [n, m, 128] would be rejected.
!partner = !ragged.tensor<[m, 384], f32>
!partner_single = !ragged.tensor<[m, 128], f32>
!partner_columns = !ragged.tensor<[1, m, 128], f32>
!rectangular_pair = !ragged.tensor<[n, m, 128], f32>
!rectangular_pair_wide = !ragged.tensor<[n, m, 512], f32>

func.func @single_pair_single_rectangular(
    %X: !sequence, %Z: !partner,
    %U: tensor<128x384xf32>, %V: tensor<128x384xf32>, %gamma: tensor<128xf32>,
    %beta: tensor<128xf32>, %W1: tensor<512x128xf32>, %b1: tensor<512xf32>,
    %W2: tensor<128x512xf32>, %b2: tensor<128xf32>, %G: tensor<384x128xf32>)
    -> (!sequence, !rectangular_pair) {
  // What residue a, and what residue b, give to their pairs.
  %u = ragged.linear %X, %U dim = 1 : !sequence, tensor<128x384xf32> -> !single
  %v = ragged.linear %Z, %V dim = 1 : !partner, tensor<128x384xf32> -> !partner_single

  // Every u[a] + v[b]: an extent of 1 is repeated along the other operand's.
  %ua = ragged.expand_dims %u dim = 1 : !single -> !rows
  %vb = ragged.expand_dims %v dim = 0 : !partner_single -> !partner_columns
  %P = ragged.add %ua, %vb : !rows, !partner_columns -> !rectangular_pair

  // The transition: normalise the 128 features, widen to 512, activate, narrow, add.
  %normal = ragged.layer_norm %P, %gamma, %beta dims = [2] eps = 1.0e-5
      : !rectangular_pair, tensor<128xf32>, tensor<128xf32> -> !rectangular_pair
  %wide = ragged.linear %normal, %W1, %b1 dim = 2
      : !rectangular_pair, tensor<512x128xf32>, tensor<512xf32> -> !rectangular_pair_wide
  %hidden = ragged.gelu %wide : !rectangular_pair_wide -> !rectangular_pair_wide
  %update = ragged.linear %hidden, %W2, %b2 dim = 2
      : !rectangular_pair_wide, tensor<128x512xf32>, tensor<128xf32> -> !rectangular_pair
  %P_new = ragged.add %P, %update : !rectangular_pair, !rectangular_pair -> !rectangular_pair

  // Mean over b (0 where the partner is empty), and back to the sequence.
  %mean = ragged.mean %P_new dims = [1] empty = zero : !rectangular_pair -> !single
  %back = ragged.linear %mean, %G dim = 1 : !single, tensor<384x128xf32> -> !sequence
  %X_new = ragged.add %X, %back : !sequence, !sequence -> !sequence
  return %X_new, %P_new : !sequence, !rectangular_pair
}

// The square block with features first, as channel-first programs have it. Ragged dimensions need
// not lead; in memory they do, so the packed values are those of the square function.
!non_leading_sequence = !ragged.tensor<[384, n], f32>
!non_leading_single = !ragged.tensor<[128, n], f32>
!non_leading_rows = !ragged.tensor<[128, n, 1], f32>
!non_leading_columns = !ragged.tensor<[128, 1, n], f32>
!non_leading_pair = !ragged.tensor<[128, n, n], f32>
!non_leading_pair_wide = !ragged.tensor<[512, n, n], f32>

func.func @single_pair_single_non_leading(
    %X: !non_leading_sequence,
    %U: tensor<128x384xf32>, %V: tensor<128x384xf32>, %gamma: tensor<128xf32>,
    %beta: tensor<128xf32>, %W1: tensor<512x128xf32>, %b1: tensor<512xf32>,
    %W2: tensor<128x512xf32>, %b2: tensor<128xf32>, %G: tensor<384x128xf32>)
    -> (!non_leading_sequence, !non_leading_pair) {
  // What residue a, and what residue b, give to their pairs.
  %u = ragged.linear %X, %U dim = 0
      : !non_leading_sequence, tensor<128x384xf32> -> !non_leading_single
  %v = ragged.linear %X, %V dim = 0
      : !non_leading_sequence, tensor<128x384xf32> -> !non_leading_single

  // Every u[a] + v[b]: an extent of 1 is repeated along the other operand's.
  %ua = ragged.expand_dims %u dim = 2 : !non_leading_single -> !non_leading_rows
  %vb = ragged.expand_dims %v dim = 1 : !non_leading_single -> !non_leading_columns
  %P = ragged.add %ua, %vb : !non_leading_rows, !non_leading_columns -> !non_leading_pair

  // The transition: normalise the 128 features, widen to 512, activate, narrow, add.
  %normal = ragged.layer_norm %P, %gamma, %beta dims = [0] eps = 1.0e-5
      : !non_leading_pair, tensor<128xf32>, tensor<128xf32> -> !non_leading_pair
  %wide = ragged.linear %normal, %W1, %b1 dim = 0
      : !non_leading_pair, tensor<512x128xf32>, tensor<512xf32> -> !non_leading_pair_wide
  %hidden = ragged.gelu %wide : !non_leading_pair_wide -> !non_leading_pair_wide
  %update = ragged.linear %hidden, %W2, %b2 dim = 0
      : !non_leading_pair_wide, tensor<128x512xf32>, tensor<128xf32> -> !non_leading_pair
  %P_new = ragged.add %P, %update : !non_leading_pair, !non_leading_pair -> !non_leading_pair

  // Mean over b, and back to the sequence.
  %mean = ragged.mean %P_new dims = [2] empty = zero : !non_leading_pair -> !non_leading_single
  %back = ragged.linear %mean, %G dim = 0
      : !non_leading_single, tensor<384x128xf32> -> !non_leading_sequence
  %X_new = ragged.add %X, %back
      : !non_leading_sequence, !non_leading_sequence -> !non_leading_sequence
  return %X_new, %P_new : !non_leading_sequence, !non_leading_pair
}
