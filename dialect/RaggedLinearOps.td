// Products with dense weights.
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

#endif  // RAGGED_LINEAR_OPS_TD
