// Normalisations along static dimensions.
#ifndef RAGGED_NORMALIZATION_OPS_TD
#define RAGGED_NORMALIZATION_OPS_TD

include "dialect/RaggedBase.td"

def Ragged_LayerNormOp : Ragged_PureOp<"layer_norm"> {
  let summary = "Layer normalisation over static dimensions";
  let description = [{
    y = (x - mean) / sqrt(var + eps) * scale + bias, mean and (biased) variance over `dims`;
    accumulated in f32 at least. The parameters are none, a scale,
    or a scale and a bias, of the extents of `dims` in that order.

    - C1. x is a ragged tensor of a float element type.
    - C2. dims are distinct, within the rank, static, at least one.
    - C3. At most two parameters, builtin tensors of the extents of dims with x's element type.
    - C4. eps >= 0.
  }];
  let arguments = (ins Ragged_Value:$x, Variadic<Ragged_Value>:$parameters,
                       DenseI64ArrayAttr:$dims, F64Attr:$eps);
  let results = (outs Ragged_Value:$result);
  let assemblyFormat = [{
    $x (`,` $parameters^)? `dims` `=` $dims `eps` `=` $eps attr-dict
    `:` type($x) (`,` type($parameters)^)? `->` type($result)
  }];
}

def Ragged_SoftmaxOp : Ragged_PureOp<"softmax"> {
  let summary = "Softmax along a static dimension";
  let description = [{
    y = e^(x - max x) / sum of e^(x - max x) along `dim`; 0 everywhere in a group that is all -inf.
    Accumulated in f32 at least. Along a ragged dimension it is spelled out: `max` with `keep_dims`, `sub`, `exp`,
    `sum` with `keep_dims`, `div`.

    - C1. x is a ragged tensor of a float element type.
    - C2. dim is within the rank and static.
  }];
  let arguments = (ins Ragged_Value:$x, I64Attr:$dim);
  let results = (outs Ragged_Value:$result);
  let assemblyFormat = "$x `dim` `=` $dim attr-dict `:` type($x) `->` type($result)";
}

#endif  // RAGGED_NORMALIZATION_OPS_TD
