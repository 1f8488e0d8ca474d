// Reductions over any set of dimensions, and over the batch.
#ifndef RAGGED_REDUCTION_OPS_TD
#define RAGGED_REDUCTION_OPS_TD

include "dialect/RaggedBase.td"
include "mlir/IR/EnumAttr.td"

class Ragged_ReductionOp<string mnemonic, string what, string semantics>
    : Ragged_PureOp<mnemonic> {
  let summary = what;
  let description = semantics # [{

    Over the listed dimensions of each sample: `ragged.sum %x dims = [0, 2] keep_dims : ...`. The words
    `keep_dims` and `batch` take no value. `keep_dims` leaves static 1 in the dimensions' place. With
    `batch` the reduction also runs across the samples (every stored entry counts equally) and the
    result is a builtin tensor of the dimensions that are left. A builtin tensor is reduced to one of
    the dimensions that are left, of rank 0 where there are none.

    - C1. The operand is a ragged or a builtin tensor of an element type of the op's domain.
    - C2. dims are distinct and within the rank.
    - C3. With `batch`, the operand is ragged and dims list every ragged dimension. While the operand is `*`, any builtin
      tensor of its element type is taken for the result.
  }];
  let results = (outs Ragged_Value:$result);
}

class Ragged_PlainReductionOp<string mnemonic, string what, string semantics>
    : Ragged_ReductionOp<mnemonic, what, semantics> {
  let arguments = (ins Ragged_Value:$x, DenseI64ArrayAttr:$dims, UnitAttr:$keep_dims,
                       UnitAttr:$batch);
  let assemblyFormat = [{
    $x `dims` `=` $dims (`keep_dims` $keep_dims^)? (`batch` $batch^)? attr-dict
    `:` type($x) `->` type($result)
  }];
}

def Ragged_SumOp : Ragged_PlainReductionOp<"sum", "Sum", [{
    Sum of the entries; 0 for none. bf16 is accumulated in f32, integers wrap.}]>;
def Ragged_MaxOp : Ragged_PlainReductionOp<"max", "Largest entry", [{
    The largest entry; NaN if there is one. For none: -inf, or the lowest integer.}]>;

def Ragged_Empty : I32EnumAttr<"Empty", "What an empty group gives", [
    I32EnumAttrCase<"nan", 0>, I32EnumAttrCase<"zero", 1>]> {
  let cppNamespace = "::ragged";
}

def Ragged_MeanOp : Ragged_ReductionOp<"mean", "Mean", [{
    Mean of the entries (float only). An empty group gives NaN, as a dense framework would, or 0
    with `empty = zero`.}]> {
  let arguments = (ins Ragged_Value:$x, DenseI64ArrayAttr:$dims, UnitAttr:$keep_dims,
                       UnitAttr:$batch, DefaultValuedAttr<Ragged_Empty, "Empty::nan">:$empty);
  let assemblyFormat = [{
    $x `dims` `=` $dims (`keep_dims` $keep_dims^)? (`batch` $batch^)? (`empty` `=` $empty^)?
    attr-dict `:` type($x) `->` type($result)
  }];
}

#endif  // RAGGED_REDUCTION_OPS_TD
