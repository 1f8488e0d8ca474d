// Kernels and what stands in their bodies.
#ifndef RAGGED_TILE_KERNEL_OPS_TD
#define RAGGED_TILE_KERNEL_OPS_TD

include "lower/tile/RaggedTileBase.td"
include "mlir/IR/BuiltinTypes.td"

def RaggedTile_KernelOp : RaggedTile_Op<"kernel", [IsolatedFromAbove, Symbol, SingleBlock,
                                                   NoTerminator]> {
  let summary = "What is computed for each row of a space";
  let description = [{
    `axes` names the axes that the kernel knows (by number); `grid` lists those whose positions make
    up its rows, in packed order. Block arguments: the sample, one coordinate per grid axis, then
    the refs, which are the launch's buffers.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$axes, DenseI64ArrayAttr:$grid);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name `axes` `=` $axes `grid` `=` $grid attr-dict-with-keyword $body";
}

def RaggedTile_LoadOp : RaggedTile_Op<"load", [Pure]> {
  let summary = "The row at a position";
  let description = [{
    Coordinates: sample, then one per axis of the ref; none for a dense ref. bf16 is widened to f32.
    With `fill`, coordinates may lie beyond the sample's extents and then give that number.
  }];
  let arguments = (ins RaggedTile_Ref:$ref, Variadic<Index>:$coordinates,
                       OptionalAttr<F64Attr>:$fill);
  let results = (outs RaggedTile_Tile:$result);
  let assemblyFormat = [{
    $ref `[` $coordinates `]` (`fill` `=` $fill^)? attr-dict `:` type($ref) `->` type($result)
  }];
}

def RaggedTile_StoreOp : RaggedTile_Op<"store"> {
  let summary = "Write a row";
  let description = "Rounds once to the ref's element type.";
  let arguments = (ins RaggedTile_Tile:$value, RaggedTile_Ref:$ref, Variadic<Index>:$coordinates);
  let assemblyFormat = [{
    $value `,` $ref `[` $coordinates `]` attr-dict `:` type($value) `,` type($ref)
  }];
}

def RaggedTile_ConstantOp : RaggedTile_Op<"constant", [Pure]> {
  let summary = "A tile of one number";
  let arguments = (ins F64Attr:$value);
  let results = (outs RaggedTile_Tile:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
}

def RaggedTile_ElementwiseOp : RaggedTile_Op<"elementwise", [Pure]> {
  let summary = "A function of numbers, element by element";
  let description = [{
    `function` is a row of elementwise.def or one of: sqrt; lowest_to_zero (-inf becomes 0);
    zero_to_one (0 becomes 1). All tiles have one type.
  }];
  let arguments = (ins StrAttr:$function, Variadic<RaggedTile_Tile>:$operands);
  let results = (outs RaggedTile_Tile:$result);
  let assemblyFormat = "$function `,` $operands attr-dict `:` type($operands) `->` type($result)";
}

def RaggedTile_ConvertOp : RaggedTile_Op<"convert", [Pure]> {
  let summary = "The same numbers in another element type";
  let arguments = (ins RaggedTile_Tile:$value);
  let results = (outs RaggedTile_Tile:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
}

def RaggedTile_ViewOp : RaggedTile_Op<"view", [Pure]> {
  let summary = "The same elements under other indices";
  let description = [{
    Operand dimension k is indexed by result dimension `map[k]`, or by 0 where map[k] is -1. Result
    dimensions that the map does not mention repeat.
  }];
  let arguments = (ins RaggedTile_Tile:$value, DenseI64ArrayAttr:$map);
  let results = (outs RaggedTile_Tile:$result);
  let assemblyFormat = "$value `map` `=` $map attr-dict `:` type($value) `->` type($result)";
}

def RaggedTile_ReduceOp : RaggedTile_Op<"reduce", [Pure]> {
  let summary = "Reduce dimensions of a tile";
  let description = "`kind` is add (0 for none) or maximum (the lowest value for none).";
  let arguments = (ins StrAttr:$kind, RaggedTile_Tile:$value, DenseI64ArrayAttr:$dims);
  let results = (outs RaggedTile_Tile:$result);
  let assemblyFormat = "$kind `,` $value `dims` `=` $dims attr-dict `:` type($value) `->` type($result)";
}

def RaggedTile_AccumulateOp : RaggedTile_Op<"accumulate", [SingleBlock]> {
  let summary = "Reduce over the positions of an axis";
  let description = [{
    Runs the body for each position of axis `axis` in sample `sample` and combines what it yields;
    without `axis`, for each sample of the batch. The body's argument is the position. The back end
    chooses a tree that depends on the extent only.
  }];
  let arguments = (ins StrAttr:$kind, Optional<Index>:$sample, OptionalAttr<I64Attr>:$axis);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs RaggedTile_Tile:$result);
  let assemblyFormat = [{
    $kind (`over` $axis^)? (`of` $sample^)? attr-dict `:` type($result) $body
  }];
}

def RaggedTile_YieldOp : RaggedTile_Op<"yield", [Pure, Terminator]> {
  let summary = "What the body of an accumulation gives";
  let arguments = (ins RaggedTile_Tile:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def RaggedTile_ExtentOp : RaggedTile_Op<"extent", [Pure]> {
  let summary = "The extent of an axis in a sample";
  let arguments = (ins Index:$sample, I64Attr:$axis);
  let results = (outs RaggedTile_Tile:$result);
  let assemblyFormat = "$axis `of` $sample attr-dict `:` type($result)";
}

def RaggedTile_DotOp : RaggedTile_Op<"dot", [Pure]> {
  let summary = "Product of the last dimension with a dense weight";
  let description = [{
    y[..., o] = activation(sum over i of x[..., i] w[o, i] + bias[o]) + residual[..., o]. The weight
    and the bias are dense refs. `activation`: 0 none, 1 relu, 2 gelu, 3 sigmoid.
  }];
  let arguments = (ins RaggedTile_Tile:$value, RaggedTile_Ref:$weight,
                       Variadic<AnyType>:$bias_and_residual, UnitAttr:$has_bias,
                       UnitAttr:$has_residual, DefaultValuedAttr<I64Attr, "0">:$activation);
  let results = (outs RaggedTile_Tile:$result);
  let assemblyFormat = [{
    $value `,` $weight (`,` $bias_and_residual^)? (`bias` $has_bias^)? (`residual` $has_residual^)?
    (`activation` `=` $activation^)? attr-dict
    `:` type($value) `,` type($weight) (`,` type($bias_and_residual)^)? `->` type($result)
  }];
}

#endif  // RAGGED_TILE_KERNEL_OPS_TD
