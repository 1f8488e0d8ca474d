// Between builtin tensors and ragged ones: values, padded boxes, extents, offsets.
#ifndef RAGGED_CONVERSION_OPS_TD
#define RAGGED_CONVERSION_OPS_TD

include "dialect/RaggedBase.td"

def Ragged_FromValuesOp : Ragged_PureOp<"from_values"> {
  let summary = "A ragged tensor from packed values and lengths";
  let description = [{
    `values` holds the packed rows, `[rows, tail...]`; rows beyond what the lengths say are not
    read. One lengths vector (B long) per name of `axes`, which the op creates. Without a declared
    result type the ragged dimensions are `axes` in their order, followed by the tail.

    - C1. `values` is a builtin tensor `?xtail` of a ragged element type; the tail is static.
    - C2. `axes` holds at least one name; all are axis names, distinct; there is one operand of type
      `tensor<?xi64>` per name.
    - C3. A declared result's ragged axes are exactly those names (each at least once), its tail (in
      packed order) is that of `values`, its element type too.
    - C4. Without a declared result, its rank is within the limit.

    Run time: lengths are not negative, all vectors have one length, there are enough rows.
  }];
  let arguments = (ins Ragged_Value:$values, Variadic<Ragged_Value>:$lengths,
                       StrArrayAttr:$axes);
  let results = (outs Ragged_Value:$result);
  let assemblyFormat = [{
    $values `,` $lengths `axes` `=` $axes attr-dict
    `:` type($values) `,` type($lengths) `->` type($result)
  }];
}

def Ragged_FromOffsetsOp : Ragged_PureOp<"from_offsets"> {
  let summary = "A ragged tensor from packed values and offsets";
  let description = [{
    Like from_values, for one ragged axis that is given by its B + 1 offsets.

    - C1. `values` is a builtin tensor `?xtail` of a ragged element type; the tail is static.
    - C2. `offsets` is `tensor<?xi64>`; `axes` holds one axis name.
    - C3. A declared result has that one ragged dimension, the tail (in packed order) and the element
      type of `values`.

    Run time: offsets begin with 0 and do not decrease; there are enough rows.
  }];
  let arguments = (ins Ragged_Value:$values, Ragged_Value:$offsets, StrArrayAttr:$axes);
  let results = (outs Ragged_Value:$result);
  let assemblyFormat = [{
    $values `,` $offsets `axes` `=` $axes attr-dict
    `:` type($values) `,` type($offsets) `->` type($result)
  }];
}

def Ragged_ValuesOp : Ragged_PureOp<"values"> {
  let summary = "The packed values";
  let description = [{
    The packed rows of a ragged tensor as a builtin tensor `[rows, tail...]`, tail in packed order. With
    `like`, which is not read, there are as many rows as it has: those beyond the packed ones are 0.

    - C1. The operand is a ragged tensor; it has fewer static dimensions than the rank limit.
    - C2. The result is that builtin tensor; while the operand is `*`, any builtin tensor of its
      element type.
    - C3. `like` is a builtin tensor of the result's type.

    Run time: `like` has at least the rows of the operand.
  }];
  let arguments = (ins Ragged_Value:$x, Optional<Ragged_Value>:$like);
  let results = (outs Ragged_Value:$result);
  let assemblyFormat = [{
    $x (`like` $like^)? attr-dict `:` type($x) (`,` type($like)^)? `->` type($result)
  }];
}

def Ragged_WithValuesOp : Ragged_PureOp<"with_values"> {
  let summary = "A ragged tensor from packed values, structured like another one";
  let description = [{
    The structure of `like`, which is not read, with other values: `values` holds the packed rows,
    `[rows, tail...]`, tail in packed order; rows beyond those of `like` are not read. The result has
    the schema of `like` with the element type of `values`.

    - C1. `values` is a builtin tensor `?xtail` of a ragged element type; the tail is static.
    - C2. `like` is a ragged tensor whose tail (in packed order) is that of `values`.

    Run time: `values` has at least the rows of `like`.
  }];
  let arguments = (ins Ragged_Value:$values, Ragged_Value:$like);
  let results = (outs Ragged_Value:$result);
  let assemblyFormat = [{
    $values `like` $like attr-dict `:` type($values) `,` type($like) `->` type($result)
  }];
}

def Ragged_PackOp : Ragged_PureOp<"pack"> {
  let summary = "A padded box to a ragged tensor";
  let description = [{
    Reads the valid cells of a padded box: the batch is dimension `batch` of `padded`, the others
    are the result's dimensions in logical order. Padding is not read. One lengths vector per name
    of `axes`, which the op creates. A declared result says which dimensions are ragged; without one,
    `padded`'s dynamic dimensions other than the batch are the axes in their order.

    - C1. `padded` is a builtin tensor of a ragged element type with at least a batch dimension;
      0 <= batch < rank.
    - C2. `axes` holds at least one name; all are axis names, distinct; there is one operand of type
      `tensor<?xi64>` per name.
    - C3. A declared result's rank is that of `padded` less one; its ragged axes are exactly those
      names (the box may be static there); a static dimension equals `padded`'s static extent;
      the element type is that of `padded`.
    - C4. Without a declared result, there are as many names as dynamic dimensions besides the batch.

    Run time: lengths are not negative and do not exceed the box; as many lengths as the batch.
  }];
  let arguments = (ins Ragged_Value:$padded, Variadic<Ragged_Value>:$lengths,
                       StrArrayAttr:$axes, DefaultValuedAttr<I64Attr, "0">:$batch);
  let results = (outs Ragged_Value:$result);
  let assemblyFormat = [{
    $padded `,` $lengths `axes` `=` $axes (`batch` `=` $batch^)? attr-dict
    `:` type($padded) `,` type($lengths) `->` type($result)
  }];
}

def Ragged_WithPaddedOp : Ragged_PureOp<"with_padded"> {
  let summary = "A padded box to a ragged tensor that is structured like another one";
  let description = [{
    The structure of `like`, which is not read, with the numbers in the valid cells of a padded box: the
    batch is dimension `batch` of `padded`, the others are those of `like` in logical order. Padding is
    not read. The result has the schema of `like` with the element type of `padded`.

    - C1. `padded` is a builtin tensor of a ragged element type with at least a batch dimension;
      0 <= batch < rank.
    - C2. `like` is a ragged tensor whose rank is that of `padded` less one; a static dimension equals
      `padded`'s static extent (the box may be static where `like` is ragged).

    Run time: the box has as many samples as `like`, and no sample of it exceeds the box.
  }];
  let arguments = (ins Ragged_Value:$padded, Ragged_Value:$like,
                       DefaultValuedAttr<I64Attr, "0">:$batch);
  let results = (outs Ragged_Value:$result);
  let assemblyFormat = [{
    $padded `like` $like (`batch` `=` $batch^)? attr-dict
    `:` type($padded) `,` type($like) `->` type($result)
  }];
}

def Ragged_UnpackOp : Ragged_PureOp<"unpack"> {
  let summary = "A ragged tensor to a padded box";
  let description = [{
    The padded box of a ragged tensor: the batch as dimension `batch`, the other dimensions in
    logical order, padding filled with `fill` (default 0). A ragged dimension is dynamic in the
    result (the largest extent of the batch), or static by declaration: then that is the box's
    extent, and a longer sample is an error at run time. With `like`, which is not read, the box has
    the extents of `like`.

    - C1. The operand is a ragged tensor of a rank below the limit; 0 <= batch <= rank.
    - C2. `fill` is a whole number that the element type holds where that is an integer.
    - C3. The result is a builtin tensor of rank + 1 dimensions with the operand's element type; a
      static dimension of the operand has its extent in the result; without `like` the batch is
      dynamic. While the operand is `*`, any builtin tensor of its element type will do.
    - C4. `like` is a builtin tensor of the result's type.

    Run time: `like` has as many samples as the operand, and no sample exceeds it.
  }];
  let arguments = (ins Ragged_Value:$x, Optional<Ragged_Value>:$like, OptionalAttr<F64Attr>:$fill,
                       DefaultValuedAttr<I64Attr, "0">:$batch);
  let results = (outs Ragged_Value:$result);
  let assemblyFormat = [{
    $x (`like` $like^)? (`fill` `=` $fill^)? (`batch` `=` $batch^)? attr-dict
    `:` type($x) (`,` type($like)^)? `->` type($result)
  }];
}

def Ragged_ExtentsOp : Ragged_PureOp<"extents"> {
  let summary = "The extents of one dimension";
  let description = [{
    B extents of dimension `dim` as `tensor<?xi64>` (all equal for a static one).

    - C1. The operand is a ragged tensor; 0 <= dim < rank.
  }];
  let arguments = (ins Ragged_Value:$x, I64Attr:$dim);
  let results = (outs Ragged_Value:$result);
  let assemblyFormat = "$x `dim` `=` $dim attr-dict `:` type($x) `->` type($result)";
}

def Ragged_OffsetsOp : Ragged_PureOp<"offsets"> {
  let summary = "The offsets of the space";
  let description = [{
    B + 1 running row counts of the operand's space as `tensor<?xi64>`.

    - C1. The operand is a ragged tensor.
  }];
  let arguments = (ins Ragged_Value:$x);
  let results = (outs Ragged_Value:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
}

def Ragged_SizeOp : Ragged_PureOp<"size"> {
  let summary = "How many positions dimensions span";
  let description = [{
    The product of the extents of the listed dimensions: one i64 per sample, 1 for no dimensions. The
    word `batch` takes no value: with it, the sum of these over the samples, as `tensor<i64>`. The
    operand's numbers are not read.

    The product divides the number of the sample's elements, which fits 63 bits; only where another
    dimension has extent 0 may it be larger, and then it wraps as all arithmetic on i64.

    - C1. The operand is a ragged tensor.
    - C2. dims are distinct and within the rank.
  }];
  let arguments = (ins Ragged_Value:$x, DenseI64ArrayAttr:$dims, UnitAttr:$batch);
  let results = (outs Ragged_Value:$result);
  let assemblyFormat = [{
    $x `dims` `=` $dims (`batch` $batch^)? attr-dict `:` type($x) `->` type($result)
  }];
}

#endif  // RAGGED_CONVERSION_OPS_TD
