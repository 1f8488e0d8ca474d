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
    - C3. With `batch`, the operand is ragged and dims list every ragged dimension. While the operand is
      `*`, any builtin tensor of the result's element type is taken for the result.
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

def Ragged_Empty : I32EnumAttr<"Empty", "0 (nan) or 1 (zero), what an empty group gives", [
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

def Ragged_ArgmaxOp : Ragged_PlainReductionOp<"argmax", "Position of the largest entry", [{
    The position of the first largest entry, an i64: counted in the row-major order of the listed
    dimensions, the last of them fastest, whatever their order in the list and in memory. With `batch`
    counting goes on from sample to sample. The first NaN is larger than any number; -0 and +0 are
    equal. An empty group gives -1.}]>;

def Ragged_ScatterMaxOp : Ragged_PureOp<"scatter_max"> {
  let summary = "Put values where the largest entries were";
  let description = [{
    The derivative of `max`, taken back to its operand, whose schema `like` has (it is not read): an
    entry whose position in its group, counted as `argmax` counts, is that of `positions` gets the
    group's entry of dy, every other one 0. The result has the element type of dy.

    - C1. `like` is a ragged or a builtin tensor; dims, `keep_dims` and `batch` are those of a reduction
      of it.
    - C2. positions has the type of `argmax` of `like` with these, and dy the same with numbers of an
      element type of its own.
  }];
  let arguments = (ins Ragged_Value:$dy, Ragged_Value:$positions, DenseI64ArrayAttr:$dims,
                       UnitAttr:$keep_dims, UnitAttr:$batch, Ragged_Value:$like);
  let results = (outs Ragged_Value:$result);
  let assemblyFormat = [{
    $dy `,` $positions `dims` `=` $dims (`keep_dims` $keep_dims^)? (`batch` $batch^)? `like` $like
    attr-dict `:` type($dy) `,` type($positions) `,` type($like) `->` type($result)
  }];
}

#endif  // RAGGED_REDUCTION_OPS_TD
