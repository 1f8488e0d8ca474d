// Calls between functions whose axis names differ.
#ifndef RAGGED_CALL_OPS_TD
#define RAGGED_CALL_OPS_TD

include "dialect/RaggedBase.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"

def Ragged_CallOp : Op<Ragged_Dialect, "call", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Call a function under other axis names";
  let description = [{
    Unifies the axes of the callee's arguments with those of the operands, substitutes them in the
    callee's results, and names here the axes that the callee creates, in the order in which its
    result types mention them.

    While an argument or operand is `*`, what hangs on its axes is left open.

    - C1. The callee is a func.func of the module.
    - C2. As many operands as it has arguments; types are equal but for axes.
    - C3. One axis name of the callee stands for one axis of the caller.
    - C4. `axes` names every axis of the results that no argument bears: axis names, distinct, none
      of them an axis of an operand.
    - C5. Result types are the callee's with the axes substituted.
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Ragged_Value>:$inputs,
                       OptionalAttr<StrArrayAttr>:$axes);
  let results = (outs Variadic<Ragged_Value>:$results);
  let assemblyFormat = [{
    $callee `(` $inputs `)` (`axes` `=` $axes^)? attr-dict
    `:` functional-type($inputs, $results)
  }];
}

#endif  // RAGGED_CALL_OPS_TD
