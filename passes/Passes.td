// The passes of the project. Each is one C function (passes/passes.h), called by a class of three
// lines (passes/glue/Passes.cpp). To add one: a `def` here, a row in glue/Passes.cpp, a declaration
// in passes.h, a file passes/<name>.c.
#ifndef RAGGED_PASSES_TD
#define RAGGED_PASSES_TD

include "mlir/Pass/PassBase.td"

def RaggedVerifyAxes : Pass<"ragged-verify-axes", "mlir::ModuleOp"> {
  let summary = "Check where axis names are introduced and used";
  let description = [{
    An axis name is introduced by the function arguments that bear it as a dimension of its own, or
    by exactly one op that creates it (`axes` of from_values, from_offsets, pack and call). This
    pass reports

    - a name that two ops create, or that an op creates and an argument bears;
    - a name, alone or inside an expression such as `n + m`, that is used where it is not
      introduced: nowhere, later, or in a region that has ended;
    - an axis born in a region of scf.if, scf.for or scf.while that appears in the op's results;
    - func.call of a function that creates an axis of its results (ragged.call names it);
    - functions of several blocks, and ops that have no place in a ragged program: all but those of
      `ragged`, func.call and func.return, scf.if, scf.for and scf.while, arith on scalars and
      indices, dense constants, and tensor.extract of rank 0.

    Unknown schemas (`*`) are accepted. Functions that carry a `ragged_tile.` attribute, and
    `ragged_tile` ops, are not looked at. Every pipeline runs this pass first.
  }];
}

def RaggedPropagateSchemas : Pass<"ragged-propagate-schemas", "mlir::ModuleOp"> {
  let summary = "Infer unknown schemas";
  let description = [{
    Gives every value of type `!ragged.tensor<*, T>` the schema that its op infers from its
    operands, callees before callers and in the order of execution: through scf.if, scf.for and
    scf.while, calls and function results. schema_cast folds away. What a loop carries has one
    schema in all iterations. A schema that cannot be inferred is an error that says what is
    missing; an argument of a function is never inferred.
  }];
}

def RaggedInline : Pass<"ragged-inline", "mlir::ModuleOp"> {
  let summary = "Inline calls under the caller's axis names";
  let description = [{
    Replaces every ragged.call and func.call of a function of the module that has a body. Axes of
    the callee's arguments take the caller's names, axes of its results those that the call's `axes`
    say; others that it creates keep their names, or get one that is free in the caller (`k_1`).
    Private functions that nothing refers to any longer are erased. Recursion is an error that
    shows the cycle; calls of declarations stay.
  }];
  let dependentDialects = ["::ragged::RaggedDialect"];
}

def RaggedDifferentiate : Pass<"ragged-differentiate", "mlir::ModuleOp"> {
  let summary = "Add a function's derivative";
  let description = [{
    Reverse mode on ragged ops: the result is made of ops of the dialect again. For `entry=f` the pass
    adds, with the calls of @f inlined,

    - `mode=vjp`: `@f_vjp(arguments..., cotangents...) -> (results..., gradients...)`;
    - `mode=split`: `@f_fwd(arguments...) -> (results..., kept...)` and
      `@f_bwd(arguments..., kept..., cotangents...) -> (gradients...)`.

    There is one cotangent per result of floats and one gradient per argument in `wrt`, in the order of
    `wrt` (default: all of floats), each of its value's type, packed order included. Integers, booleans
    and what is only looked at for its structure have none. An op without a rule that the gradients
    depend on is an error.

    `keep` says what the backward part reads from memory:

    - `minimal`: the fewest bytes from which elementwise, broadcast, structure and normalisation ops
      rebuild the rest (a minimum cut, rows of more axes counting as more);
    - `inputs`: what cannot be computed from the arguments, which are the results of ops that create an
      axis; products are computed again;
    - `all`: every value that some rule reads.

    `ragged.kept` on @f_vjp or @f_fwd says how many bytes a row of each space that is. In @f_vjp, what is
    computed again carries `ragged.recomputed`, which keeps CSE from joining it with the forward part.

    Where the printer is free to name a result, `%d_NAME` is the cotangent of the value called NAME by its
    location, or made by the op NAME.
  }];
  let dependentDialects = ["::ragged::RaggedDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"", "The function to differentiate">,
    ListOption<"wrt", "wrt", "int64_t", "Numbers of the arguments to differentiate for, each at most once">,
    Option<"mode", "mode", "std::string", /*default=*/"\"vjp\"", "vjp or split">,
    Option<"keep", "keep", "std::string", /*default=*/"\"minimal\"", "minimal, inputs or all">
  ];
}

#endif  // RAGGED_PASSES_TD
