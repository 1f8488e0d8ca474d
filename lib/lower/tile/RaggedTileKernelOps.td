// Kernels and what stands in their bodies.
#ifndef RAGGED_TILE_KERNEL_OPS_TD
#define RAGGED_TILE_KERNEL_OPS_TD

include "lower/tile/RaggedTileBase.td"
include "mlir/IR/BuiltinTypes.td"

def RaggedTile_KernelOp : RaggedTile_Op<"kernel", [IsolatedFromAbove, Symbol, SingleBlock,
                                                   NoTerminator,
                                                   HasParent<"::mlir::ModuleOp">]> {
  let summary = "What is computed for each row of a space";
  let description = [{
    `axes` names the axes that the kernel knows (by number); `grid` lists those whose positions make
    up its rows, in packed order. The refs are the launch's buffers.

    - C1. At most 32 axes; `grid` holds at most 16 numbers of them.
    - C2. Block arguments: the sample, one coordinate per grid axis, then refs. A kernel that runs
      once has an empty grid and refs only.
    - C3. At most 96 refs, whose axes are numbers of `axes`.
    - C4. In the body stand ops of this file only: no others, nested or not.
    - C5. At most 1024 ops, nested ones included, among them 32 accumulations and 32 dots.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$axes, DenseI64ArrayAttr:$grid);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name `axes` `=` $axes `grid` `=` $grid attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def RaggedTile_LoadOp : RaggedTile_BodyOp<"load", [Pure]> {
  let summary = "The row at a position";
  let description = [{
    Coordinates: sample, then one per axis of the ref; none for a dense ref; slice and row for slices. bf16 is widened to f32.
    With `fill`, coordinates may lie beyond the sample's extents and then give that number.

    - C1. As many coordinates as the ref takes. The first is a sample: the kernel's, or the position
      of an accumulation over samples. The others are coordinates of the kernel or positions of
      accumulations over axes. A slice and a row are samples.
    - C2. The result is the ref's tail in the type that it is computed with.
    - C3. `fill` not for a dense ref; a whole number of 64 bits where elements are i64, 0 or 1 where they
      are i1.
  }];
  let arguments = (ins RaggedTile_Ref:$ref, Variadic<Index>:$coordinates,
                       OptionalAttr<F64Attr>:$fill);
  let results = (outs RaggedTile_Tile:$result);
  let assemblyFormat = [{
    $ref `[` $coordinates `]` (`fill` `=` $fill^)? attr-dict `:` type($ref) `->` type($result)
  }];
}

def RaggedTile_StoreOp : RaggedTile_Op<"store", [HasParent<"KernelOp">]> {
  let summary = "Write a row";
  let description = [{
    Rounds once to the ref's element type.

    - C1. Coordinates as for load.
    - C2. The value is the ref's tail in the type that it is computed with.
  }];
  let arguments = (ins RaggedTile_Tile:$value, RaggedTile_Ref:$ref, Variadic<Index>:$coordinates);
  let assemblyFormat = [{
    $value `,` $ref `[` $coordinates `]` attr-dict `:` type($value) `,` type($ref)
  }];
}

def RaggedTile_ConstantOp : RaggedTile_BodyOp<"constant", [Pure]> {
  let summary = "A tile of one number";
  let description = "- C1. A whole number of 64 bits where elements are i64, 0 or 1 where they are i1.";
  let arguments = (ins F64Attr:$value);
  let results = (outs RaggedTile_Tile:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
}

def RaggedTile_ElementwiseOp : RaggedTile_BodyOp<"elementwise", [Pure]> {
  let summary = "A function of numbers, element by element";
  let description = [{
    `function` is a row of elementwise.def or one of: lowest_to_zero (-inf becomes 0); zero_to_one
    (0 becomes 1).

    - C1. The function is known and has that many operands.
    - C2. All tiles have one type, but for a condition and for the result of a comparison, which have
      its shape and elements of i1.
    - C3. Elements are of the function's domain; that of lowest_to_zero is floats, of zero_to_one numbers.
  }];
  let arguments = (ins StrAttr:$function, Variadic<RaggedTile_Tile>:$operands);
  let results = (outs RaggedTile_Tile:$result);
  let assemblyFormat = "$function `,` $operands attr-dict `:` type($operands) `->` type($result)";
}

def RaggedTile_ConvertOp : RaggedTile_BodyOp<"convert", [Pure]> {
  let summary = "The same numbers in another element type";
  let description = [{
    As ragged.cast converts. With `bf16` the result holds numbers of bf16, rounded once; it is an f32 tile
    as all tiles of bf16 numbers are.

    - C1. Shapes are equal. Element types differ, or `bf16` is set and the result's is f32.
  }];
  let arguments = (ins RaggedTile_Tile:$value, UnitAttr:$bf16);
  let results = (outs RaggedTile_Tile:$result);
  let assemblyFormat = "$value (`bf16` $bf16^)? attr-dict `:` type($value) `->` type($result)";
}

def RaggedTile_ViewOp : RaggedTile_BodyOp<"view", [Pure]> {
  let summary = "The same elements under other indices";
  let description = [{
    Operand dimension k is indexed by result dimension `map[k]`, or by 0 where map[k] is -1. Result
    dimensions that the map does not mention repeat.

    - C1. Element types are equal.
    - C2. `map` has an entry per operand dimension: -1 or a result dimension, none of these twice.
    - C3. Extents agree: that of operand dimension k with that of result dimension map[k]; where
      map[k] is -1 it is at least 1.
  }];
  let arguments = (ins RaggedTile_Tile:$value, DenseI64ArrayAttr:$map);
  let results = (outs RaggedTile_Tile:$result);
  let assemblyFormat = "$value `map` `=` $map attr-dict `:` type($value) `->` type($result)";
}

def RaggedTile_ReduceOp : RaggedTile_BodyOp<"reduce", [Pure]> {
  let summary = "Reduce dimensions of a tile";
  let description = [{
    `kind` is add (0 for none) or maximum (the lowest value for none).

    - C1. `kind` is one of these.
    - C2. `dims` holds at least one dimension of the operand, each once.
    - C3. The result has the dimensions that are left, in their order.
  }];
  let arguments = (ins StrAttr:$kind, RaggedTile_Tile:$value, DenseI64ArrayAttr:$dims);
  let results = (outs RaggedTile_Tile:$result);
  let assemblyFormat = "$kind `,` $value `dims` `=` $dims attr-dict `:` type($value) `->` type($result)";
}

def RaggedTile_AccumulateOp : RaggedTile_BodyOp<"accumulate", [SingleBlock]> {
  let summary = "Reduce over the positions of an axis";
  let description = [{
    Runs the body for each position of axis `axis` in sample `sample` and combines what it yields;
    without `axis`, for each sample of the batch. The body's argument is the position. The back end
    chooses a tree that depends on the extent only. Sums of floats are compensated, unless they are
    `plain`: zeros behind the other positions then change nothing. With two results, the greatest pair:
    `match` is the greatest number that was yielded beside the maximum, the lowest integer for none. NaN is
    the greatest number and equals NaN here, and -0 equals +0.

    - C1. `kind` is add or maximum, with two results maximum.
    - C2. `axis` and `sample` are both given or neither; the axis is a number of the kernel's, the
      sample a sample (load C1).
    - C3. The body has one argument, an index, and yields a tile of each result's type.
    - C4. The match has i64 elements and the result's extents.
  }];
  let arguments = (ins StrAttr:$kind, Optional<Index>:$sample, OptionalAttr<I64Attr>:$axis,
                       UnitAttr:$plain);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs RaggedTile_Tile:$result, Optional<RaggedTile_Tile>:$match);
  let assemblyFormat = [{
    $kind (`plain` $plain^)? (`over` $axis^)? (`of` $sample^)? attr-dict
    `:` type($result) (`,` type($match)^)? $body
  }];
}

def RaggedTile_YieldOp : RaggedTile_Op<"yield", [Pure, Terminator,
                                                 HasParent<"AccumulateOp">]> {
  let summary = "What the body of an accumulation gives";
  let arguments = (ins RaggedTile_Tile:$value, Optional<RaggedTile_Tile>:$match);
  let assemblyFormat =
      "$value (`,` $match^)? attr-dict `:` type($value) (`,` type($match)^)?";
}

def RaggedTile_ExtentOp : RaggedTile_BodyOp<"extent", [Pure]> {
  let summary = "The extent of an axis in a sample";
  let description = [{
    - C1. The axis is a number of the kernel's, the sample a sample (load C1).
    - C2. The result is `tile<i64>`.
  }];
  let arguments = (ins Index:$sample, I64Attr:$axis);
  let results = (outs RaggedTile_Tile:$result);
  let assemblyFormat = "$axis `of` $sample attr-dict `:` type($result)";
}

def RaggedTile_PositionOp : RaggedTile_BodyOp<"position", [Pure]> {
  let summary = "A coordinate as a number";
  let description = [{
    - C1. The coordinate is a sample, a coordinate of the kernel or the position of an accumulation.
    - C2. The result is `tile<i64>`.
  }];
  let arguments = (ins Index:$coordinate);
  let results = (outs RaggedTile_Tile:$result);
  let assemblyFormat = "$coordinate attr-dict `:` type($result)";
}

def RaggedTile_IotaOp : RaggedTile_BodyOp<"iota", [Pure]> {
  let summary = "Each element's index along one dimension";
  let description = "- C1. The result has elements of i64 and that dimension.";
  let arguments = (ins I64Attr:$dim);
  let results = (outs RaggedTile_Tile:$result);
  let assemblyFormat = "`dim` `=` $dim attr-dict `:` type($result)";
}

def RaggedTile_WhereEqualOp : RaggedTile_BodyOp<"where_equal", [Pure]> {
  let summary = "x where a equals b, else y";
  let description = [{
    Element by element. NaN equals NaN here, and -0 equals +0.

    - C1. a and b have one type; x, y and the result have one type.
    - C2. Both are of one shape.
  }];
  let arguments = (ins RaggedTile_Tile:$a, RaggedTile_Tile:$b, RaggedTile_Tile:$x, RaggedTile_Tile:$y);
  let results = (outs RaggedTile_Tile:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $x `,` $y attr-dict `:` type($a) `,` type($b) `,` type($x) `,` type($y) `->`
    type($result)
  }];
}

def RaggedTile_DotOp : RaggedTile_Op<"dot", [Pure, HasParent<"KernelOp">]> {
  let summary = "Product of the last dimension with a dense weight";
  let description = [{
    y[..., o] = activation(sum over i of x[..., i] w[o, i] + bias[o]) + residual[..., o]. The weight
    and the bias are dense refs. With `transposed` the weight is read as w[i, o]. `activation`: 0 none, 1 relu, 2 gelu, 3 sigmoid.

    - C1. The value has a last dimension k; the weight is `ref<dense, n x k>`, transposed
      `ref<dense, k x n>`, of elements that are computed with in the value's type.
    - C2. The result is the value with n for k.
    - C3. After the weight come the bias, `ref<dense, n>` as the weight, and the residual, a tile of
      the result's type, as has_bias and has_residual say.
    - C4. The activation is one of these; none or relu where elements are i64.
  }];
  let arguments = (ins RaggedTile_Tile:$value, RaggedTile_Ref:$weight,
                       Variadic<AnyType>:$bias_and_residual, UnitAttr:$has_bias,
                       UnitAttr:$has_residual, UnitAttr:$transposed,
                       DefaultValuedAttr<I64Attr, "0">:$activation);
  let results = (outs RaggedTile_Tile:$result);
  let assemblyFormat = [{
    $value `,` $weight (`,` $bias_and_residual^)? (`bias` $has_bias^)? (`residual` $has_residual^)?
    (`transposed` $transposed^)? (`activation` `=` $activation^)? attr-dict
    `:` type($value) `,` type($weight) (`,` type($bias_and_residual)^)? `->` type($result)
  }];
}

def RaggedTile_ProductOverRowsOp : RaggedTile_Op<"product_over_rows", [HasParent<"KernelOp">]> {
  let summary = "Sum over a slice of rows of the products of two rows' elements";
  let description = [{
    sums[slice, m, n] = sum of a[r, m] b[r, n] over the rows r of the slice, in an order that depends on
    their number only. Rows are lines of the last dimension. Slice s has the rows from s * per on, at
    most per of them, per being the larger of slice_rows and rows / most_slices, rounded up to a multiple
    of 16. The launch gives the number of slices as its rows: as many as there are, or more, whose sums
    are then 0.

    - C1. a is a `ref<[A...], ...xMxT>`, b a `ref<[A...], ...xNxT>` of the same axes and leading
      extents, sums a `ref<slices M, NxC>`, C being what T is computed with.
    - C2. The slice is the kernel's sample, and its grid is empty.
    - C3. No other op stands in the kernel.
    - C4. slice_rows and most_slices are positive.
  }];
  let arguments = (ins RaggedTile_Ref:$a, RaggedTile_Ref:$b, RaggedTile_Ref:$sums, Index:$slice,
                       I64Attr:$slice_rows, I64Attr:$most_slices);
  let assemblyFormat = [{
    $a `,` $b `,` $sums `[` $slice `]` `of` $slice_rows `at_most` $most_slices attr-dict `:` type($a) `,`
    type($b) `,` type($sums)
  }];
}

#endif  // RAGGED_TILE_KERNEL_OPS_TD
