// The `ragged` dialect, its type, and the classes that its ops derive from.
#ifndef RAGGED_BASE_TD
#define RAGGED_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Ragged_Dialect : Dialect {
  let name = "ragged";
  let cppNamespace = "::ragged";
  let summary = "Packed, multi-ragged tensors";
  let description = [{
    Whole-tensor operations on batches of samples whose dimensions differ in size from sample to
    sample. A type says how values are laid out; sizes are known at run time only.
  }];
  let useDefaultTypePrinterParser = 1;
  let hasCanonicalizer = 1;
}

def Ragged_Tensor : TypeDef<Ragged_Dialect, "Tensor"> {
  let mnemonic = "tensor";
  let summary = "A batch of samples, packed";
  let description = [{
    A batch of samples, each a dense tensor. A dimension is a name (a ragged axis: its extent
    differs from sample to sample, and all values of a function that say the same name have the
    same extents), an expression of such names (`n + m`, `(h - 1) floordiv 2 + 1`), or a number (a
    static extent). `order` is the permutation in which a sample's dimensions are packed, all
    ragged ones before all static ones; it is printed only where it is not the default. `*` stands
    for dimensions that are still to be inferred.

    ```
    !ragged.tensor<[n, 384], f32>                        // one sequence per sample
    !ragged.tensor<[n, n, 128], bf16>                    // square pair state, N x N rows of 128
    !ragged.tensor<[3, h, w], f32>                       // channel-first; packed order (h, w, 3)
    !ragged.tensor<[n, m, 128], f32, order = [1, 0, 2]>  // columns packed first
    !ragged.tensor<[], f32>                              // one scalar per sample
    !ragged.tensor<*, f32>                               // dimensions to be inferred
    ```
  }];
  // A dimension is a StringAttr (canonical axis expression) or an IntegerAttr (static extent).
  let parameters = (ins
    "bool":$known,
    ArrayRefParameter<"::mlir::Attribute">:$dimensions,
    ArrayRefParameter<"int64_t">:$order,
    "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

// All ops: `ragged.op operands name = value ... : operand types -> result types`. Constraints and
// result types of every op come from one C function (dialect/op_table.c). A result is printed under the
// name that the op's location has, if it has one. The interface's own
// verification would add an error that says nothing: refineReturnTypes leaves it to verify.
class Ragged_Op<string mnemonic, list<Trait> traits = []>
    : Op<Ragged_Dialect, mnemonic,
         traits # [DeclareOpInterfaceMethods<InferTypeOpInterface, ["refineReturnTypes"]>,
                   DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, ::std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return ::ragged::glue::inferTypes<$cppClass>(context, location, operands, attributes,
                                                   properties, types);
    }
    ::llvm::LogicalResult $cppClass::refineReturnTypes(
        ::mlir::MLIRContext *, ::std::optional<::mlir::Location>, ::mlir::ValueRange,
        ::mlir::DictionaryAttr, ::mlir::OpaqueProperties, ::mlir::RegionRange,
        ::llvm::SmallVectorImpl<::mlir::Type> &) {
      return ::llvm::success();
    }
    void $cppClass::getAsmResultNames(::mlir::OpAsmSetValueNameFn set) {
      ::ragged::glue::nameResult(getOperation(), set);
    }
    ::llvm::LogicalResult $cppClass::verify() {
      return ::ragged::glue::verify(getOperation());
    }
  }];
}

// Without side effects, and free to be moved or dropped.
class Ragged_PureOp<string mnemonic, list<Trait> traits = []>
    : Ragged_Op<mnemonic, traits # [Pure]>;

// Operands that are ragged tensors, builtin tensors or builtin scalars; the C function says which.
def Ragged_Value : Type<CPred<"true">, "value">;

#endif  // RAGGED_BASE_TD
