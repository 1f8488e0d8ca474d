// The `ragged_tile` dialect: what a kernel computes for one row, and the host program around it.
#ifndef RAGGED_TILE_BASE_TD
#define RAGGED_TILE_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def RaggedTile_Dialect : Dialect {
  let name = "ragged_tile";
  let cppNamespace = "::ragged_tile";
  let summary = "Kernels over rows, and the host programs that launch them";
  let description = [{
    Stage 2 of the lowering. A kernel is a grid over the rows of one space; its body says, in a
    closed list of ops on tiles, what is computed for one row. It knows no threads, vectors or
    pointers: a back end decides how many rows run together. The host program handles axes, spaces
    and buffers, which the runtime owns.

    Every op of a host program:

    - H1. Its frame is the first argument of a func.func without results directly in the module, and
      every region around it has one block.
    - H2. An `index` is not negative, a `dim` is in [0, 16), a `tail` is like a tile's shape.
    - H3. Element types are f64, f32, bf16, i64, i1; numbers may also be of type index.
  }];
  let useDefaultTypePrinterParser = 1;
}

class RaggedTile_Type<string name, string mnemonicText, string what>
    : TypeDef<RaggedTile_Dialect, name> {
  let mnemonic = mnemonicText;
  let summary = what;
}

def RaggedTile_Frame : RaggedTile_Type<"Frame", "frame", "A call in progress">;
def RaggedTile_Axis : RaggedTile_Type<"Axis", "axis", "The extents of a ragged axis">;
def RaggedTile_Space : RaggedTile_Type<"Space", "space", "Ordered axes with their offsets">;
def RaggedTile_Buffer : RaggedTile_Type<"Buffer", "buffer", "Values in memory">;

def RaggedTile_Tile : RaggedTile_Type<"Tile", "tile", "A value of one row"> {
  let description = [{
    `tile<3x4xf32>`: a small dense array of static shape, one per row; `tile<f32>` is a number.

    - C1. At most 16 dimensions of extents that are not negative, and at most 2^31 - 1 elements, an
      extent of 0 counted as 1.
    - C2. The element type is one that is computed with: f32 (also for bf16 in memory), f64, i64.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def RaggedTile_Ref : RaggedTile_Type<"Ref", "ref", "A buffer as a kernel sees it"> {
  let description = [{
    `ref<[0, 1], 128xf32>`: packed rows of `128xf32` in the space of the kernel's axes 0 and 1;
    `ref<dense, 512x128xf32>`: one dense array; `ref<box [0, 2, 1] [1], 3xf32>`: a padded box
    `[batch, 3, axis 1]`: its dimensions in memory are those numbers of (batch, axes..., tail...),
    and every sample's extent is that of the axes given. `ref<slices 512, 128xf32>`: a dense array
    `[slices, 512, 128]` of which a row is reached by its slice and its number.

    - C1. Axes and tail are at most 16 dimensions; the tail is as in a tile (C1 there).
    - C2. The element type is f64, f32, bf16, i64 or i1.
    - C3. The rows of a slice are 0 to 2^31 - 1. The layout of a box is a permutation of 0 (the batch), 1 .. (the axes, then the tail).
  }];
  // kind: ragged_ref_kind.
  let parameters = (ins "int64_t":$kind, ArrayRefParameter<"int64_t">:$layout,
                        ArrayRefParameter<"int64_t">:$axes, ArrayRefParameter<"int64_t">:$tail,
                        "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

// verify() is one C function for all ops (verify.h).
class RaggedTile_Op<string mnemonic, list<Trait> traits = []>
    : Op<RaggedTile_Dialect, mnemonic, traits> {
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::llvm::success(::ragged_tile_verify(::wrap(getOperation())));
    }
  }];
}

// Ops that stand in a kernel's body or in an accumulation.
class RaggedTile_BodyOp<string mnemonic, list<Trait> traits = []>
    : RaggedTile_Op<mnemonic, traits # [ParentOneOf<["KernelOp", "AccumulateOp"]>]>;

#endif  // RAGGED_TILE_BASE_TD
