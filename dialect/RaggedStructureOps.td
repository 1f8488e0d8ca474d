// Ops that change schemas: ranks, orders, broadcasts, axis names.
#ifndef RAGGED_STRUCTURE_OPS_TD
#define RAGGED_STRUCTURE_OPS_TD

include "dialect/RaggedBase.td"

def Ragged_ExpandDimsOp : Ragged_PureOp<"expand_dims"> {
  let summary = "Insert a static dimension of extent 1";
  let description = [{
    The result's dimension `dim` is static 1, packed last unless the declared type puts it elsewhere among
    the static dimensions (no position depends on it). Moves no data.

    - C1. The operand is a ragged tensor; 0 <= dim <= rank; the result's rank is within the limit.
  }];
  let arguments = (ins Ragged_Value:$x, I64Attr:$dim);
  let results = (outs Ragged_Value:$result);
  let assemblyFormat = "$x `dim` `=` $dim attr-dict `:` type($x) `->` type($result)";
}

def Ragged_SqueezeOp : Ragged_PureOp<"squeeze"> {
  let summary = "Drop static dimensions of extent 1";
  let description = [{
    Drops the listed dimensions; what is left keeps its relative packed order. Moves no data.

    - C1. The operand is a ragged tensor; dims are distinct, within the rank, and static 1.
  }];
  let arguments = (ins Ragged_Value:$x, DenseI64ArrayAttr:$dims);
  let results = (outs Ragged_Value:$result);
  let assemblyFormat = "$x `dims` `=` $dims attr-dict `:` type($x) `->` type($result)";
}

def Ragged_BroadcastOp : Ragged_PureOp<"broadcast"> {
  let summary = "Repeat along dimensions of another value";
  let description = [{
    Dimension k of the operand becomes dimension `dims[k]` of the result; along all others it is
    repeated. The result has the schema of `like` with the operand's element type; `like` is not
    read. A builtin `like` gives a builtin tensor of its shape; extents that no type says are compared
    at run time. A scalar becomes a tensor of rank 0 with `dims = []` and a `like` of rank 0.

    - C1. `like` is a ragged or a builtin tensor. The operand is a builtin scalar, a builtin tensor (of
      static shape where `like` is ragged) or, where `like` is ragged, a ragged tensor.
    - C2. dims has as many entries as the operand has dimensions, distinct, within `like`'s rank.
    - C3. Each operand dimension equals the dimension it becomes, or is static 1.
  }];
  let arguments = (ins Ragged_Value:$x, DenseI64ArrayAttr:$dims, Ragged_Value:$like);
  let results = (outs Ragged_Value:$result);
  let assemblyFormat = [{
    $x `dims` `=` $dims `like` $like attr-dict `:` type($x) `,` type($like) `->` type($result)
  }];
}

def Ragged_FullOp : Ragged_PureOp<"full"> {
  let summary = "One number everywhere";
  let description = [{
    The result has the schema of `like` with the scalar's element type, and the scalar at every position;
    `like` is not read. `broadcast` does the same with a scalar and `dims = []`.

    - C1. The operand is a builtin scalar; `like` is a ragged or a builtin tensor.
  }];
  let arguments = (ins Ragged_Value:$value, Ragged_Value:$like);
  let results = (outs Ragged_Value:$result);
  let assemblyFormat = [{
    $value `like` $like attr-dict `:` type($value) `,` type($like) `->` type($result)
  }];
}

def Ragged_TransposeOp : Ragged_PureOp<"transpose"> {
  let summary = "Permute logical dimensions";
  let description = [{
    Dimension k of the result is dimension `permutation[k]` of the operand. Changes the schema
    (dimensions and order) and moves no data.

    - C1. The operand is a ragged tensor; permutation names each of its dimensions once.
  }];
  let arguments = (ins Ragged_Value:$x, DenseI64ArrayAttr:$permutation);
  let results = (outs Ragged_Value:$result);
  let assemblyFormat = [{
    $x `permutation` `=` $permutation attr-dict `:` type($x) `->` type($result)
  }];
}

def Ragged_ReorderOp : Ragged_PureOp<"reorder"> {
  let summary = "Pack in another order";
  let description = [{
    The same logical value, its rows and tails laid out in packed order `order`. Moves data.

    - C1. The operand is a ragged tensor; order is a permutation of its dimensions with all ragged
      ones before all static ones.
  }];
  let arguments = (ins Ragged_Value:$x, DenseI64ArrayAttr:$order);
  let results = (outs Ragged_Value:$result);
  let assemblyFormat = "$x `order` `=` $order attr-dict `:` type($x) `->` type($result)";
}

def Ragged_AssumeSameAxisOp : Ragged_Op<"assume_same_axis", [MemoryEffects<[MemWrite]>]> {
  let summary = "Rename axes after a run-time check";
  let description = [{
    Retypes a value: the dimensions `dims` are said to run along `to`, an axis of `like`. The call
    fails at run time if their extents differ, whether or not the result is used: the write effect
    keeps the op where it is, as `cf.assert` has it.

    - C1. The operand and `like` are ragged tensors.
    - C2. `dims` names ragged dimensions of the operand, each once.
    - C3. `to` is an axis of `like`.
  }];
  let arguments = (ins Ragged_Value:$x, DenseI64ArrayAttr:$dims, StrAttr:$to, Ragged_Value:$like);
  let results = (outs Ragged_Value:$result);
  let assemblyFormat = [{
    $x `dims` `=` $dims `to` `=` $to `like` $like attr-dict
    `:` type($x) `,` type($like) `->` type($result)
  }];
}

def Ragged_SchemaCastOp : Ragged_PureOp<"schema_cast"> {
  let summary = "Between a known schema and an unknown one";
  let description = [{
    Stands where other dialects demand equal types; folds away once schemas are inferred. A cast
    between two known schemas that differ is an error.

    - C1. Operand and result are ragged tensors of one element type; their schemas are equal or at
      least one is `*`.
  }];
  let arguments = (ins Ragged_Value:$x);
  let results = (outs Ragged_Value:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
  let hasFolder = 1;
}

#endif  // RAGGED_STRUCTURE_OPS_TD
