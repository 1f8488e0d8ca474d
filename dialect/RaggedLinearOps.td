// Products with dense weights, and those of rows that give a weight's gradient.
#ifndef RAGGED_LINEAR_OPS_TD
#define RAGGED_LINEAR_OPS_TD

include "dialect/RaggedBase.td"

def Ragged_LinearOp : Ragged_PureOp<"linear"> {
  let summary = "Linear map of one static dimension";
  let description = [{
    y[..., o, ...] = sum over i of x[..., i, ...] w[o, i] (+ bias[o]), along dimension `dim`; the
    weight is `[out, in]`. bf16 accumulates in f32 and is rounded once; integers wrap. With
    `transposed` the weight is `[in, out]` and read as w[i, o]: y = x w instead of y = x w^T, which
    takes the gradient of y back to x.

    - C1. x is a ragged tensor; dim is one of its dimensions, and static.
    - C2. The weight is a builtin tensor of static shape `[out, in]`, or `[in, out]` with `transposed`,
      of x's element type; `in` is the extent of `dim`.
    - C3. The bias, if there is one, is a builtin tensor `[out]` of x's element type.
    - C4. The number of elements in the result's static dimensions fits 63 bits.
  }];
  let arguments = (ins Ragged_Value:$x, Ragged_Value:$weight, Optional<Ragged_Value>:$bias,
                       I64Attr:$dim, UnitAttr:$transposed);
  let results = (outs Ragged_Value:$result);
  let assemblyFormat = [{
    $x `,` $weight (`,` $bias^)? `dim` `=` $dim (`transposed` $transposed^)? attr-dict
    `:` type($x) `,` type($weight) (`,` type($bias)^)? `->` type($result)
  }];
}

def Ragged_ProductOverRowsOp : Ragged_PureOp<"product_over_rows"> {
  let summary = "Product that is summed over all rows";
  let description = [{
    result[o, c] = sum of dy[..., o, ...] x[..., c, ...] over the samples and over every position of the
    other dimensions, where c stands in dimension `dims[0]` of x and o in dimension `dims[1]` of dy: the
    gradient of linear's weight, `[out, in]`. No rows give zeros. bf16 accumulates in f32 and is rounded
    once; integers wrap. The order of the sum depends on the number of rows only.

    - C1. x and dy are ragged tensors of one element type, of numbers.
    - C2. dims are two numbers: a static dimension of x and one of dy.
    - C3. x without dims[0] and dy without dims[1] have the same dimensions, whatever their packed
      orders.
    - C4. The number of elements in the result fits 63 bits. While an operand is `*`, any builtin tensor
      of x's element type is taken for the result.
  }];
  let arguments = (ins Ragged_Value:$x, Ragged_Value:$dy, DenseI64ArrayAttr:$dims);
  let results = (outs Ragged_Value:$result);
  let assemblyFormat = [{
    $x `,` $dy `dims` `=` $dims attr-dict `:` type($x) `,` type($dy) `->` type($result)
  }];
}

#endif  // RAGGED_LINEAR_OPS_TD
