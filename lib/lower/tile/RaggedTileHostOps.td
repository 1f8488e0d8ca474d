// The host program: what it asks of the runtime. Most ops are one call of runtime/frame.h.
#ifndef RAGGED_TILE_HOST_OPS_TD
#define RAGGED_TILE_HOST_OPS_TD

include "lower/tile/RaggedTileBase.td"
include "mlir/IR/BuiltinTypes.td"

// What all of them demand, H1 to H3, stands in the dialect's description.
class RaggedTile_HostOp<string mnemonic, string what, dag ins, dag outs>
    : RaggedTile_Op<mnemonic> {
  let summary = what;
  let arguments = ins;
  let results = outs;
}

def RaggedTile_ArgumentOp : RaggedTile_HostOp<"argument", "Argument of the call",
    (ins RaggedTile_Frame:$frame, I64Attr:$index), (outs RaggedTile_Buffer:$result)> {
  let assemblyFormat = "$frame `,` $index attr-dict";
}
def RaggedTile_ArgumentAxisOp : RaggedTile_HostOp<"argument_axis", "An axis that arguments bear",
    (ins RaggedTile_Frame:$frame, I64Attr:$index, StrAttr:$axis_name),
    (outs RaggedTile_Axis:$result)> {
  let assemblyFormat = "$frame `,` $index $axis_name attr-dict";
}
def RaggedTile_AxisFromLengthsOp : RaggedTile_HostOp<"axis_from_lengths", "An axis from B lengths",
    (ins RaggedTile_Frame:$frame, RaggedTile_Buffer:$lengths), (outs RaggedTile_Axis:$result)> {
  let assemblyFormat = "$frame `,` $lengths attr-dict";
}
def RaggedTile_AxisFromOffsetsOp : RaggedTile_HostOp<"axis_from_offsets",
    "An axis from B + 1 offsets",
    (ins RaggedTile_Frame:$frame, RaggedTile_Buffer:$offsets), (outs RaggedTile_Axis:$result)> {
  let assemblyFormat = "$frame `,` $offsets attr-dict";
}
def RaggedTile_AxisExpressionOp : RaggedTile_HostOp<"axis_expression",
    "An axis computed from others",
    (ins RaggedTile_Frame:$frame, StrAttr:$expression, StrArrayAttr:$names,
         Variadic<RaggedTile_Axis>:$axes), (outs RaggedTile_Axis:$result)> {
  let description = [{
    - C1. A name per axis.
    - C2. `expression` can be read, and its names are among `names`.
  }];
  let assemblyFormat = "$frame `,` $expression `names` `=` $names `(` $axes `)` attr-dict";
}
def RaggedTile_EnvelopeAxisOp : RaggedTile_HostOp<"envelope_axis",
    "The largest extent, for every sample",
    (ins RaggedTile_Frame:$frame, RaggedTile_Axis:$axis), (outs RaggedTile_Axis:$result)> {
  let assemblyFormat = "$frame `,` $axis attr-dict";
}
def RaggedTile_ConstantAxisOp : RaggedTile_HostOp<"constant_axis", "One extent for every sample",
    (ins RaggedTile_Frame:$frame, I64:$extent, Optional<RaggedTile_Axis>:$batch_of),
    (outs RaggedTile_Axis:$result)> {
  let assemblyFormat = "$frame `,` $extent (`,` $batch_of^)? attr-dict";
}
def RaggedTile_PartsAxisOp : RaggedTile_HostOp<"parts_axis",
    "An axis whose samples are parts of an extent",
    (ins RaggedTile_Frame:$frame, I64:$extent, I64Attr:$most), (outs RaggedTile_Axis:$result)> {
  let description = [{
    At least one part and at most `most`, of equal extents but for the last, each of 32 positions or
    more where there are several. With `most` = 1 a dimension of a builtin tensor, which is a batch of
    one sample to kernels.

    - C1. `most` is at least 1.
  }];
  let assemblyFormat = "$frame `,` $extent `most` `=` $most attr-dict";
}
def RaggedTile_CheckSameAxisOp : RaggedTile_HostOp<"check_same_axis", "Error unless equal",
    (ins RaggedTile_Frame:$frame, RaggedTile_Axis:$found, RaggedTile_Axis:$required,
         StrAttr:$found_name, StrAttr:$required_name), (outs)> {
  let assemblyFormat = "$frame `,` $found $found_name `,` $required $required_name attr-dict";
}
def RaggedTile_SpaceOp : RaggedTile_HostOp<"space", "The space of axes in packed order",
    (ins RaggedTile_Frame:$frame, Variadic<RaggedTile_Axis>:$axes),
    (outs RaggedTile_Space:$result)> {
  let description = "- C1. 1 to 16 axes; the space of none is batch_space.";
  let assemblyFormat = "$frame `(` $axes `)` attr-dict";
}
// Of the batch of an axis, or of the call's arguments.
def RaggedTile_BatchSpaceOp : RaggedTile_HostOp<"batch_space", "One row per sample",
    (ins RaggedTile_Frame:$frame, Optional<RaggedTile_Axis>:$batch_of),
    (outs RaggedTile_Space:$result)> {
  let assemblyFormat = "$frame (`,` $batch_of^)? attr-dict";
}
def RaggedTile_SpaceRowsOp : RaggedTile_HostOp<"space_rows", "Rows of a space, for launches",
    (ins RaggedTile_Frame:$frame, RaggedTile_Space:$space), (outs I64:$result)> {
  let description = [{Where only the device knows the lengths: the most that there can be.}];
  let assemblyFormat = "$frame `,` $space attr-dict";
}
def RaggedTile_KnownRowsOp : RaggedTile_HostOp<"known_rows", "Rows of a space, as a number",
    (ins RaggedTile_Frame:$frame, RaggedTile_Space:$space), (outs I64:$result)> {
  let description = [{An error where only the device knows the lengths.}];
  let assemblyFormat = "$frame `,` $space attr-dict";
}
def RaggedTile_SpaceBatchOp : RaggedTile_HostOp<"space_batch", "Samples of a space",
    (ins RaggedTile_Frame:$frame, RaggedTile_Space:$space), (outs I64:$result)> {
  let assemblyFormat = "$frame `,` $space attr-dict";
}
def RaggedTile_MaxExtentOp : RaggedTile_HostOp<"max_extent", "Largest extent of an axis",
    (ins RaggedTile_Frame:$frame, RaggedTile_Axis:$axis), (outs I64:$result)> {
  let assemblyFormat = "$frame `,` $axis attr-dict";
}
def RaggedTile_DenseExtentOp : RaggedTile_HostOp<"dense_extent", "Extent of a dense buffer",
    (ins RaggedTile_Frame:$frame, RaggedTile_Buffer:$buffer, I64Attr:$dim), (outs I64:$result)> {
  let assemblyFormat = "$frame `,` $buffer `dim` `=` $dim attr-dict";
}
def RaggedTile_AllocateOp : RaggedTile_HostOp<"allocate", "Rows of a space",
    (ins RaggedTile_Frame:$frame, RaggedTile_Space:$space, TypeAttr:$element_type,
         I64Attr:$tail_elements), (outs RaggedTile_Buffer:$result)> {
  let description = "- C1. `tail_elements` is not negative.";
  let assemblyFormat = "$frame `,` $space `of` $tail_elements `x` $element_type attr-dict";
}
def RaggedTile_AllocateDenseOp : RaggedTile_HostOp<"allocate_dense", "A dense buffer",
    (ins RaggedTile_Frame:$frame, TypeAttr:$element_type, Variadic<I64>:$shape),
    (outs RaggedTile_Buffer:$result)> {
  let description = "- C1. At most 16 extents.";
  let assemblyFormat = "$frame `of` $element_type `[` $shape `]` attr-dict";
}
def RaggedTile_ReleaseOp : RaggedTile_HostOp<"release", "End a reference",
    (ins RaggedTile_Frame:$frame, RaggedTile_Buffer:$buffer), (outs)> {
  let assemblyFormat = "$frame `,` $buffer attr-dict";
}
def RaggedTile_RetainOp : RaggedTile_HostOp<"retain", "Add a reference",
    (ins RaggedTile_Frame:$frame, RaggedTile_Buffer:$buffer), (outs)> {
  let assemblyFormat = "$frame `,` $buffer attr-dict";
}
def RaggedTile_ExtentsOp : RaggedTile_HostOp<"extents", "The extents as a dense buffer",
    (ins RaggedTile_Frame:$frame, RaggedTile_Axis:$axis), (outs RaggedTile_Buffer:$result)> {
  let assemblyFormat = "$frame `,` $axis attr-dict";
}
def RaggedTile_OffsetsOp : RaggedTile_HostOp<"offsets", "The offsets as a dense buffer",
    (ins RaggedTile_Frame:$frame, RaggedTile_Space:$space), (outs RaggedTile_Buffer:$result)> {
  let assemblyFormat = "$frame `,` $space attr-dict";
}
def RaggedTile_RowCountOp : RaggedTile_HostOp<"row_count", "The number of rows as a dense buffer",
    (ins RaggedTile_Frame:$frame, RaggedTile_Space:$space), (outs RaggedTile_Buffer:$result)> {
  let assemblyFormat = "$frame `,` $space attr-dict";
}
def RaggedTile_ValuesOp : RaggedTile_HostOp<"values", "Packed rows as a dense buffer",
    (ins RaggedTile_Frame:$frame, RaggedTile_Buffer:$buffer, RaggedTile_Space:$space,
         DenseI64ArrayAttr:$tail), (outs RaggedTile_Buffer:$result)> {
  let assemblyFormat = "$frame `,` $buffer `,` $space `tail` `=` $tail attr-dict";
}
def RaggedTile_ExtendOp : RaggedTile_HostOp<"extend", "Rows of zeros behind those of a dense buffer",
    (ins RaggedTile_Frame:$frame, RaggedTile_Buffer:$buffer, I64:$rows),
    (outs RaggedTile_Buffer:$result)> {
  let assemblyFormat = "$frame `,` $buffer `to` $rows attr-dict";
}
def RaggedTile_CheckValuesOp : RaggedTile_HostOp<"check_values",
    "Error unless a dense buffer holds the rows of a space",
    (ins RaggedTile_Frame:$frame, RaggedTile_Buffer:$values, RaggedTile_Space:$space,
         DenseI64ArrayAttr:$tail), (outs)> {
  let assemblyFormat = "$frame `,` $values `,` $space `tail` `=` $tail attr-dict";
}
def RaggedTile_CheckExtentOp : RaggedTile_HostOp<"check_extent",
    "Error unless an extent of a dense buffer is what is required",
    (ins RaggedTile_Frame:$frame, RaggedTile_Buffer:$buffer, I64:$required, I64Attr:$dim,
         StrAttr:$what), (outs)> {
  let assemblyFormat = "$frame `,` $buffer `dim` `=` $dim `is` $required $what attr-dict";
}
def RaggedTile_CheckEqualOp : RaggedTile_HostOp<"check_equal",
    "Error unless an extent is what is required",
    (ins RaggedTile_Frame:$frame, I64:$found, I64:$required, StrAttr:$what), (outs)> {
  let assemblyFormat = "$frame `,` $found `is` $required $what attr-dict";
}
def RaggedTile_CheckLimitOp : RaggedTile_HostOp<"check_limit",
    "Error if an extent exceeds a limit",
    (ins RaggedTile_Frame:$frame, RaggedTile_Axis:$axis, I64:$limit, StrAttr:$what), (outs)> {
  let assemblyFormat = "$frame `,` $axis `within` $limit $what attr-dict";
}
def RaggedTile_CheckedDivisorOp
    : RaggedTile_Op<"checked_divisor", [AllTypesMatch<["dividend", "divisor", "result"]>]> {
  let summary = "The divisor of a division that has a result";
  let description = [{
    An error where the divisor is 0 or the signed quotient leaves its type; then 1 stands in for it.

    - C1. At most 64 bits.
  }];
  let arguments = (ins RaggedTile_Frame:$frame, AnySignlessIntegerOrIndex:$dividend,
                       AnySignlessIntegerOrIndex:$divisor, UnitAttr:$is_unsigned);
  let results = (outs AnySignlessIntegerOrIndex:$result);
  let assemblyFormat = [{
    $frame `,` $dividend `by` $divisor (`unsigned` $is_unsigned^)? attr-dict `:` type($result)
  }];
}
def RaggedTile_TripCountOp
    : RaggedTile_Op<"trip_count", [AllTypesMatch<["lower", "upper", "step"]>]> {
  let summary = "How many turns a loop takes";
  let description = [{
    From `lower` up to `upper`, which is not reached, by `step`. An error where the step is less than 1
    or there are more than 2^63 - 1 turns; 0 after any error.

    - C1. At most 64 bits.
  }];
  let arguments = (ins RaggedTile_Frame:$frame, AnySignlessIntegerOrIndex:$lower,
                       AnySignlessIntegerOrIndex:$upper, AnySignlessIntegerOrIndex:$step,
                       UnitAttr:$is_unsigned);
  let results = (outs I64:$result);
  let assemblyFormat = [{
    $frame `,` $lower `to` $upper `step` $step (`unsigned` $is_unsigned^)? attr-dict `:` type($step)
  }];
}
def RaggedTile_ConstantBufferOp : RaggedTile_HostOp<"constant_buffer", "A dense constant",
    (ins RaggedTile_Frame:$frame, ElementsAttr:$value), (outs RaggedTile_Buffer:$result)> {
  let description = "- C1. Dense elements, or a resource of them, of rank 16 at most.";
  let assemblyFormat = "$frame `,` $value attr-dict";
}
def RaggedTile_FromScalarOp : RaggedTile_HostOp<"from_scalar", "A number as a dense buffer",
    (ins RaggedTile_Frame:$frame, AnyType:$value), (outs RaggedTile_Buffer:$result)> {
  let assemblyFormat = "$frame `,` $value attr-dict `:` type($value)";
}
def RaggedTile_ToScalarOp : RaggedTile_HostOp<"to_scalar", "The number in a dense buffer",
    (ins RaggedTile_Frame:$frame, RaggedTile_Buffer:$buffer), (outs AnyType:$result)> {
  let assemblyFormat = "$frame `,` $buffer attr-dict `:` type($result)";
}
def RaggedTile_LaunchOp : RaggedTile_Op<"launch", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Run a kernel over its rows";
  let description = [{
    `items` rows (the grid space's; 1 for a kernel that runs once) of a batch of `batch` samples;
    axes and buffers in the order in which the kernel knows them.

    - C1. The kernel is one of the module's.
    - C2. As many axes as the kernel names, as many buffers as it has refs.
  }];
  let arguments = (ins RaggedTile_Frame:$frame, FlatSymbolRefAttr:$kernel, I64:$items, I64:$batch,
                       Variadic<RaggedTile_Axis>:$axes, Variadic<RaggedTile_Buffer>:$buffers);
  let assemblyFormat = [{
    $frame `,` $kernel `items` $items `batch` $batch `axes` `(` $axes `)` `buffers` `(` $buffers `)`
    attr-dict
  }];
}
def RaggedTile_ResultOp : RaggedTile_HostOp<"result", "A ragged result of the call",
    (ins RaggedTile_Frame:$frame, RaggedTile_Buffer:$buffer, RaggedTile_Space:$space,
         I64Attr:$index), (outs)> {
  let assemblyFormat = "$frame `,` $index `,` $buffer `,` $space attr-dict";
}
def RaggedTile_ResultDenseOp : RaggedTile_HostOp<"result_dense", "A dense result of the call",
    (ins RaggedTile_Frame:$frame, RaggedTile_Buffer:$buffer, I64Attr:$index), (outs)> {
  let assemblyFormat = "$frame `,` $index `,` $buffer attr-dict";
}

#endif  // RAGGED_TILE_HOST_OPS_TD
