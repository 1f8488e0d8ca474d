// Training the single–pair–single block (single_pair_single.mlir says what it computes): a loss on both of
// its results, and one step of stochastic gradient descent. Gradients are derived by the compiler:
//
//   ragged-opt examples/single_pair_single_train.mlir \
//       --ragged-differentiate="entry=square_loss" -o train.mlir
//   ragged-run train.mlir --entry=square_loss_vjp --axis n=2,3 --compare=reference
//
// adds @square_loss_vjp, which takes the arguments of @square_loss and the cotangent of the loss (1 for its
// gradient), and returns the loss and the gradients of X, alpha, beta and all weights. @step takes the
// weights' to the new weights; `make demo` runs all that on the lengths of real proteins.
//
//   L = mean of alpha X'^2 + mean of beta P'^2
//
// over all entries of the batch; alpha and beta are one positive number per sample.

!weights = tensor<128x384xf32>
!alpha = !ragged.tensor<[], f32>

// Square: all pairs of residues of one protein.
!square_sequence = !ragged.tensor<[n, 384], f32>
!square_single = !ragged.tensor<[n, 128], f32>
!square_rows = !ragged.tensor<[n, 1, 128], f32>
!square_columns = !ragged.tensor<[1, n, 128], f32>
!square_pair = !ragged.tensor<[n, n, 128], f32>
!square_wide = !ragged.tensor<[n, n, 512], f32>

func.func @square_loss(
    %X: !square_sequence, %alpha: !alpha, %beta_i: !alpha,
    %U: !weights, %V: !weights, %gamma: tensor<128xf32>, %beta: tensor<128xf32>,
    %W1: tensor<512x128xf32>, %b1: tensor<512xf32>, %W2: tensor<128x512xf32>, %b2: tensor<128xf32>,
    %G: tensor<384x128xf32>) -> tensor<f32> {
  %u = ragged.linear %X, %U dim = 1 : !square_sequence, !weights -> !square_single
  %v = ragged.linear %X, %V dim = 1 : !square_sequence, !weights -> !square_single
  %ua = ragged.expand_dims %u dim = 1 : !square_single -> !square_rows
  %vb = ragged.expand_dims %v dim = 0 : !square_single -> !square_columns
  %P = ragged.add %ua, %vb : !square_rows, !square_columns -> !square_pair
  %normal = ragged.layer_norm %P, %gamma, %beta dims = [2] eps = 1.0e-5
      : !square_pair, tensor<128xf32>, tensor<128xf32> -> !square_pair
  %wide = ragged.linear %normal, %W1, %b1 dim = 2
      : !square_pair, tensor<512x128xf32>, tensor<512xf32> -> !square_wide
  %hidden = ragged.gelu %wide : !square_wide -> !square_wide
  %update = ragged.linear %hidden, %W2, %b2 dim = 2
      : !square_wide, tensor<128x512xf32>, tensor<128xf32> -> !square_pair
  %P_new = ragged.add %P, %update : !square_pair, !square_pair -> !square_pair
  %mean = ragged.mean %P_new dims = [1] empty = zero : !square_pair -> !square_single
  %back = ragged.linear %mean, %G dim = 1 : !square_single, tensor<384x128xf32> -> !square_sequence
  %X_new = ragged.add %X, %back : !square_sequence, !square_sequence -> !square_sequence

  // The loss: squares, weighed by sample, their means over the batch.
  %alpha_x = ragged.broadcast %alpha dims = [] like %X_new : !alpha, !square_sequence -> !square_sequence
  %x_square = ragged.mul %X_new, %X_new : !square_sequence, !square_sequence -> !square_sequence
  %x_weighed = ragged.mul %x_square, %alpha_x : !square_sequence, !square_sequence -> !square_sequence
  %x_loss = ragged.mean %x_weighed dims = [0, 1] batch empty = zero : !square_sequence -> tensor<f32>
  %beta_p = ragged.broadcast %beta_i dims = [] like %P_new : !alpha, !square_pair -> !square_pair
  %p_square = ragged.mul %P_new, %P_new : !square_pair, !square_pair -> !square_pair
  %p_weighed = ragged.mul %p_square, %beta_p : !square_pair, !square_pair -> !square_pair
  %p_loss = ragged.mean %p_weighed dims = [0, 1, 2] batch empty = zero : !square_pair -> tensor<f32>
  %loss = ragged.add %x_loss, %p_loss : tensor<f32>, tensor<f32> -> tensor<f32>
  return %loss : tensor<f32>
}

// Rectangular: pairs of a residue of one protein and a residue of its partner Z.
!rectangular_sequence = !ragged.tensor<[n, 384], f32>
!rectangular_single = !ragged.tensor<[n, 128], f32>
!rectangular_rows = !ragged.tensor<[n, 1, 128], f32>
!rectangular_columns = !ragged.tensor<[1, m, 128], f32>
!rectangular_pair = !ragged.tensor<[n, m, 128], f32>
!rectangular_wide = !ragged.tensor<[n, m, 512], f32>
!rectangular_partner = !ragged.tensor<[m, 384], f32>
!rectangular_partner_single = !ragged.tensor<[m, 128], f32>

func.func @rectangular_loss(
    %X: !rectangular_sequence, %Z: !rectangular_partner, %alpha: !alpha, %beta_i: !alpha,
    %U: !weights, %V: !weights, %gamma: tensor<128xf32>, %beta: tensor<128xf32>,
    %W1: tensor<512x128xf32>, %b1: tensor<512xf32>, %W2: tensor<128x512xf32>, %b2: tensor<128xf32>,
    %G: tensor<384x128xf32>) -> tensor<f32> {
  %u = ragged.linear %X, %U dim = 1 : !rectangular_sequence, !weights -> !rectangular_single
  %v = ragged.linear %Z, %V dim = 1 : !rectangular_partner, !weights -> !rectangular_partner_single
  %ua = ragged.expand_dims %u dim = 1 : !rectangular_single -> !rectangular_rows
  %vb = ragged.expand_dims %v dim = 0 : !rectangular_partner_single -> !rectangular_columns
  %P = ragged.add %ua, %vb : !rectangular_rows, !rectangular_columns -> !rectangular_pair
  %normal = ragged.layer_norm %P, %gamma, %beta dims = [2] eps = 1.0e-5
      : !rectangular_pair, tensor<128xf32>, tensor<128xf32> -> !rectangular_pair
  %wide = ragged.linear %normal, %W1, %b1 dim = 2
      : !rectangular_pair, tensor<512x128xf32>, tensor<512xf32> -> !rectangular_wide
  %hidden = ragged.gelu %wide : !rectangular_wide -> !rectangular_wide
  %update = ragged.linear %hidden, %W2, %b2 dim = 2
      : !rectangular_wide, tensor<128x512xf32>, tensor<128xf32> -> !rectangular_pair
  %P_new = ragged.add %P, %update : !rectangular_pair, !rectangular_pair -> !rectangular_pair
  %mean = ragged.mean %P_new dims = [1] empty = zero : !rectangular_pair -> !rectangular_single
  %back = ragged.linear %mean, %G dim = 1 : !rectangular_single, tensor<384x128xf32> -> !rectangular_sequence
  %X_new = ragged.add %X, %back : !rectangular_sequence, !rectangular_sequence -> !rectangular_sequence

  // The loss: squares, weighed by sample, their means over the batch.
  %alpha_x = ragged.broadcast %alpha dims = [] like %X_new : !alpha, !rectangular_sequence -> !rectangular_sequence
  %x_square = ragged.mul %X_new, %X_new : !rectangular_sequence, !rectangular_sequence -> !rectangular_sequence
  %x_weighed = ragged.mul %x_square, %alpha_x : !rectangular_sequence, !rectangular_sequence -> !rectangular_sequence
  %x_loss = ragged.mean %x_weighed dims = [0, 1] batch empty = zero : !rectangular_sequence -> tensor<f32>
  %beta_p = ragged.broadcast %beta_i dims = [] like %P_new : !alpha, !rectangular_pair -> !rectangular_pair
  %p_square = ragged.mul %P_new, %P_new : !rectangular_pair, !rectangular_pair -> !rectangular_pair
  %p_weighed = ragged.mul %p_square, %beta_p : !rectangular_pair, !rectangular_pair -> !rectangular_pair
  %p_loss = ragged.mean %p_weighed dims = [0, 1, 2] batch empty = zero : !rectangular_pair -> tensor<f32>
  %loss = ragged.add %x_loss, %p_loss : tensor<f32>, tensor<f32> -> tensor<f32>
  return %loss : tensor<f32>
}

// The square block with features first.
!non_leading_sequence = !ragged.tensor<[384, n], f32>
!non_leading_single = !ragged.tensor<[128, n], f32>
!non_leading_rows = !ragged.tensor<[128, n, 1], f32>
!non_leading_columns = !ragged.tensor<[128, 1, n], f32>
!non_leading_pair = !ragged.tensor<[128, n, n], f32>
!non_leading_wide = !ragged.tensor<[512, n, n], f32>

func.func @non_leading_loss(
    %X: !non_leading_sequence, %alpha: !alpha, %beta_i: !alpha,
    %U: !weights, %V: !weights, %gamma: tensor<128xf32>, %beta: tensor<128xf32>,
    %W1: tensor<512x128xf32>, %b1: tensor<512xf32>, %W2: tensor<128x512xf32>, %b2: tensor<128xf32>,
    %G: tensor<384x128xf32>) -> tensor<f32> {
  %u = ragged.linear %X, %U dim = 0 : !non_leading_sequence, !weights -> !non_leading_single
  %v = ragged.linear %X, %V dim = 0 : !non_leading_sequence, !weights -> !non_leading_single
  %ua = ragged.expand_dims %u dim = 2 : !non_leading_single -> !non_leading_rows
  %vb = ragged.expand_dims %v dim = 1 : !non_leading_single -> !non_leading_columns
  %P = ragged.add %ua, %vb : !non_leading_rows, !non_leading_columns -> !non_leading_pair
  %normal = ragged.layer_norm %P, %gamma, %beta dims = [0] eps = 1.0e-5
      : !non_leading_pair, tensor<128xf32>, tensor<128xf32> -> !non_leading_pair
  %wide = ragged.linear %normal, %W1, %b1 dim = 0
      : !non_leading_pair, tensor<512x128xf32>, tensor<512xf32> -> !non_leading_wide
  %hidden = ragged.gelu %wide : !non_leading_wide -> !non_leading_wide
  %update = ragged.linear %hidden, %W2, %b2 dim = 0
      : !non_leading_wide, tensor<128x512xf32>, tensor<128xf32> -> !non_leading_pair
  %P_new = ragged.add %P, %update : !non_leading_pair, !non_leading_pair -> !non_leading_pair
  %mean = ragged.mean %P_new dims = [2] empty = zero : !non_leading_pair -> !non_leading_single
  %back = ragged.linear %mean, %G dim = 0 : !non_leading_single, tensor<384x128xf32> -> !non_leading_sequence
  %X_new = ragged.add %X, %back : !non_leading_sequence, !non_leading_sequence -> !non_leading_sequence

  // The loss: squares, weighed by sample, their means over the batch.
  %alpha_x = ragged.broadcast %alpha dims = [] like %X_new : !alpha, !non_leading_sequence -> !non_leading_sequence
  %x_square = ragged.mul %X_new, %X_new : !non_leading_sequence, !non_leading_sequence -> !non_leading_sequence
  %x_weighed = ragged.mul %x_square, %alpha_x : !non_leading_sequence, !non_leading_sequence -> !non_leading_sequence
  %x_loss = ragged.mean %x_weighed dims = [0, 1] batch empty = zero : !non_leading_sequence -> tensor<f32>
  %beta_p = ragged.broadcast %beta_i dims = [] like %P_new : !alpha, !non_leading_pair -> !non_leading_pair
  %p_square = ragged.mul %P_new, %P_new : !non_leading_pair, !non_leading_pair -> !non_leading_pair
  %p_weighed = ragged.mul %p_square, %beta_p : !non_leading_pair, !non_leading_pair -> !non_leading_pair
  %p_loss = ragged.mean %p_weighed dims = [0, 1, 2] batch empty = zero : !non_leading_pair -> tensor<f32>
  %loss = ragged.add %x_loss, %p_loss : tensor<f32>, tensor<f32> -> tensor<f32>
  return %loss : tensor<f32>
}

// One step down the gradient: each weight less `rate` times its gradient.
func.func @step(
    %rate: f32,
    %U: !weights, %V: !weights, %gamma: tensor<128xf32>,
    %beta: tensor<128xf32>, %W1: tensor<512x128xf32>, %b1: tensor<512xf32>,
    %W2: tensor<128x512xf32>, %b2: tensor<128xf32>, %G: tensor<384x128xf32>,
    %d_U: !weights, %d_V: !weights, %d_gamma: tensor<128xf32>,
    %d_beta: tensor<128xf32>, %d_W1: tensor<512x128xf32>, %d_b1: tensor<512xf32>,
    %d_W2: tensor<128x512xf32>, %d_b2: tensor<128xf32>, %d_G: tensor<384x128xf32>)
    -> (!weights, !weights, tensor<128xf32>, tensor<128xf32>, tensor<512x128xf32>,
        tensor<512xf32>, tensor<128x512xf32>, tensor<128xf32>, tensor<384x128xf32>) {
  %move_U = ragged.mul %d_U, %rate : !weights, f32 -> !weights
  %new_U = ragged.sub %U, %move_U : !weights, !weights -> !weights
  %move_V = ragged.mul %d_V, %rate : !weights, f32 -> !weights
  %new_V = ragged.sub %V, %move_V : !weights, !weights -> !weights
  %move_gamma = ragged.mul %d_gamma, %rate : tensor<128xf32>, f32 -> tensor<128xf32>
  %new_gamma = ragged.sub %gamma, %move_gamma : tensor<128xf32>, tensor<128xf32> -> tensor<128xf32>
  %move_beta = ragged.mul %d_beta, %rate : tensor<128xf32>, f32 -> tensor<128xf32>
  %new_beta = ragged.sub %beta, %move_beta : tensor<128xf32>, tensor<128xf32> -> tensor<128xf32>
  %move_W1 = ragged.mul %d_W1, %rate : tensor<512x128xf32>, f32 -> tensor<512x128xf32>
  %new_W1 = ragged.sub %W1, %move_W1 : tensor<512x128xf32>, tensor<512x128xf32> -> tensor<512x128xf32>
  %move_b1 = ragged.mul %d_b1, %rate : tensor<512xf32>, f32 -> tensor<512xf32>
  %new_b1 = ragged.sub %b1, %move_b1 : tensor<512xf32>, tensor<512xf32> -> tensor<512xf32>
  %move_W2 = ragged.mul %d_W2, %rate : tensor<128x512xf32>, f32 -> tensor<128x512xf32>
  %new_W2 = ragged.sub %W2, %move_W2 : tensor<128x512xf32>, tensor<128x512xf32> -> tensor<128x512xf32>
  %move_b2 = ragged.mul %d_b2, %rate : tensor<128xf32>, f32 -> tensor<128xf32>
  %new_b2 = ragged.sub %b2, %move_b2 : tensor<128xf32>, tensor<128xf32> -> tensor<128xf32>
  %move_G = ragged.mul %d_G, %rate : tensor<384x128xf32>, f32 -> tensor<384x128xf32>
  %new_G = ragged.sub %G, %move_G : tensor<384x128xf32>, tensor<384x128xf32> -> tensor<384x128xf32>
  return %new_U, %new_V, %new_gamma, %new_beta, %new_W1, %new_b1, %new_W2, %new_b2, %new_G
      : !weights, !weights, tensor<128xf32>, tensor<128xf32>, tensor<512x128xf32>,
        tensor<512xf32>, tensor<128x512xf32>, tensor<128xf32>, tensor<384x128xf32>
}
