// Programs of the ragged-run tests.
func.func @pair(%x: !ragged.tensor<[n, 2], f32>, %w: tensor<3x2xf32>)
    -> (!ragged.tensor<[n, 3], f32>, !ragged.tensor<*, f32>) {
  %l = ragged.linear %x, %w dim = 1
     : !ragged.tensor<[n, 2], f32>, tensor<3x2xf32> -> !ragged.tensor<[n, 3], f32>
  %a = ragged.expand_dims %x dim = 1 : !ragged.tensor<[n, 2], f32> -> !ragged.tensor<*, f32>
  %b = ragged.expand_dims %x dim = 0 : !ragged.tensor<[n, 2], f32> -> !ragged.tensor<*, f32>
  %p = ragged.add %a, %b
     : !ragged.tensor<*, f32>, !ragged.tensor<*, f32> -> !ragged.tensor<*, f32>
  return %l, %p : !ragged.tensor<[n, 3], f32>, !ragged.tensor<*, f32>
}

// Two axes, two orders of one value.
func.func @rectangular(%p: !ragged.tensor<[n, m, 2], f64, order = [1, 0, 2]>)
    -> (!ragged.tensor<[n, m, 2], f64, order = [1, 0, 2]>, !ragged.tensor<[n, m, 2], f64>) {
  %q = ragged.reorder %p order = [0, 1, 2]
     : !ragged.tensor<[n, m, 2], f64, order = [1, 0, 2]> -> !ragged.tensor<[n, m, 2], f64>
  return %p, %q
    : !ragged.tensor<[n, m, 2], f64, order = [1, 0, 2]>, !ragged.tensor<[n, m, 2], f64>
}

// Every element type, dense tensors, scalars, a value without axes.
func.func @identity(%a: !ragged.tensor<[n], bf16>, %b: !ragged.tensor<[n], i64>,
                    %c: tensor<2x2xf64>, %d: tensor<?xi64>, %e: f32,
                    %f: !ragged.tensor<[2], f32>)
    -> (!ragged.tensor<[n], bf16>, !ragged.tensor<[n], i64>, tensor<2x2xf64>, tensor<?xi64>, f32,
        !ragged.tensor<[2], f32>) {
  return %a, %b, %c, %d, %e, %f
    : !ragged.tensor<[n], bf16>, !ragged.tensor<[n], i64>, tensor<2x2xf64>, tensor<?xi64>, f32,
      !ragged.tensor<[2], f32>
}

// Lengths are data here.
func.func @from_lengths(%v: tensor<?x2xf32>, %n: tensor<?xi64>)
    -> (!ragged.tensor<[n, 2], f32>, tensor<?xi64>) {
  %x = ragged.from_values %v, %n axes = ["n"]
     : tensor<?x2xf32>, tensor<?xi64> -> !ragged.tensor<[n, 2], f32>
  %o = ragged.offsets %x : !ragged.tensor<[n, 2], f32> -> tensor<?xi64>
  return %x, %o : !ragged.tensor<[n, 2], f32>, tensor<?xi64>
}

// An axis that is an expression of others.
func.func @expression(%x: !ragged.tensor<[n, 1], f32>, %y: !ragged.tensor<[2 * n + 1, 1], f32>)
    -> !ragged.tensor<[2 * n + 1, 1], f32> {
  return %y : !ragged.tensor<[2 * n + 1, 1], f32>
}

// One row per sample, no axis.
func.func @rows(%x: !ragged.tensor<[2], f32>) -> !ragged.tensor<[2], f32> {
  return %x : !ragged.tensor<[2], f32>
}

func.func private @hidden(%x: !ragged.tensor<[n, 2], f32>) -> !ragged.tensor<[n, 2], f32> {
  return %x : !ragged.tensor<[n, 2], f32>
}
