// The ragged_tile dialect's registration, its types' text form, and their C view.
#include "lower/tile/RaggedTileDialect.h"

#include "dialect/type_schema.h"
#include "llvm/ADT/TypeSwitch.h"
#include "lower/tile/tile_types.h"
#include "lower/tile/verify.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

#include "lib/lower/RaggedTileDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "lib/lower/RaggedTileTypes.cpp.inc"
#define GET_OP_CLASSES
#include "lib/lower/RaggedTileOps.cpp.inc"

void ragged_tile::RaggedTileDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "lib/lower/RaggedTileTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "lib/lower/RaggedTileOps.cpp.inc"
      >();
}

LogicalResult ragged_tile::KernelOp::verifyRegions() {
  return success(ragged_tile_verify_body(wrap(getOperation())));
}

LogicalResult ragged_tile::LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *kernel = symbols.lookupNearestSymbolFrom(*this, getKernelAttr());
  return success(ragged_tile_verify_launch(wrap(getOperation()), wrap(kernel)));
}

// ---- Types -----------------------------------------------------------------------------------

LogicalResult ragged_tile::TileType::verify(function_ref<InFlightDiagnostic()> emitError,
                                            ArrayRef<int64_t> shape, Type element) {
  const char *fault = ragged_tile_shape_fault(static_cast<intptr_t>(shape.size()), shape.data());
  if (!fault) fault = ragged_tile_element_fault(wrap(element), false);
  return fault ? emitError() << fault : success();
}

LogicalResult ragged_tile::RefType::verify(function_ref<InFlightDiagnostic()> emitError,
                                           int64_t kind, ArrayRef<int64_t> layout,
                                           ArrayRef<int64_t> axes, ArrayRef<int64_t> tail,
                                           Type element) {
  const char *fault = ragged_tile_shape_fault(static_cast<intptr_t>(tail.size()), tail.data());
  if (!fault) fault = ragged_tile_element_fault(wrap(element), true);
  if (!fault)
    fault = ragged_ref_layout_fault(kind, static_cast<intptr_t>(layout.size()), layout.data(),
                                    static_cast<intptr_t>(axes.size()), axes.data(),
                                    static_cast<intptr_t>(tail.size()));
  return fault ? emitError() << fault : success();
}

static void printShaped(AsmPrinter &printer, ArrayRef<int64_t> shape, Type element) {
  for (int64_t extent : shape) printer << extent << "x";
  printer << element;
}

Type ragged_tile::TileType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type element;
  if (parser.parseLess() || parser.parseDimensionList(shape, false) || parser.parseType(element) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<TileType>(loc, parser.getContext(), ArrayRef<int64_t>(shape), element);
}

void ragged_tile::TileType::print(AsmPrinter &printer) const {
  printer << "<";
  printShaped(printer, getShape(), getElementType());
  printer << ">";
}

Type ragged_tile::RefType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> layout, axes, tail;
  Type element;
  int64_t kind = RAGGED_REF_PACKED;
  auto parseList = [&](SmallVectorImpl<int64_t> &list) {
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
      return parser.parseInteger(list.emplace_back());
    });
  };
  if (parser.parseLess()) return {};
  if (succeeded(parser.parseOptionalKeyword("dense"))) kind = RAGGED_REF_DENSE;
  else if (succeeded(parser.parseOptionalKeyword("box"))) kind = RAGGED_REF_BOX;
  else if (succeeded(parser.parseOptionalKeyword("slices"))) kind = RAGGED_REF_SLICES;
  if (kind == RAGGED_REF_BOX && parseList(layout)) return {};
  if (kind == RAGGED_REF_SLICES && parser.parseInteger(layout.emplace_back())) return {};
  if ((kind == RAGGED_REF_PACKED || kind == RAGGED_REF_BOX) && parseList(axes)) return {};
  if (parser.parseComma() || parser.parseDimensionList(tail, false) || parser.parseType(element) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<RefType>(loc, parser.getContext(), kind, ArrayRef<int64_t>(layout),
                                    ArrayRef<int64_t>(axes), ArrayRef<int64_t>(tail), element);
}

void ragged_tile::RefType::print(AsmPrinter &printer) const {
  printer << "<";
  auto printList = [&](ArrayRef<int64_t> list) {
    printer << "[";
    llvm::interleaveComma(list, printer);
    printer << "]";
  };
  if (getKind() == RAGGED_REF_DENSE) printer << "dense";
  if (getKind() == RAGGED_REF_BOX) {
    printer << "box ";
    printList(getLayout());
    printer << " ";
  }
  if (getKind() == RAGGED_REF_SLICES) printer << "slices " << getLayout().front();
  if (getKind() == RAGGED_REF_PACKED || getKind() == RAGGED_REF_BOX) printList(getAxes());
  printer << ", ";
  printShaped(printer, getTail(), getElementType());
  printer << ">";
}

static ArrayRef<int64_t> extentsOf(const ragged_tile_shape *shape) {
  return ArrayRef<int64_t>(shape->extents, static_cast<size_t>(shape->rank));
}

static bool fillShape(ArrayRef<int64_t> extents, Type element, ragged_tile_shape *out) {
  *out = ragged_tile_shape{};
  if (extents.size() > RAGGED_MAX_RANK) return false;
  out->rank = static_cast<int>(extents.size());
  std::copy(extents.begin(), extents.end(), out->extents);
  return ragged_type_get_element(wrap(element), &out->element_type);
}

MlirType ragged_tile_type(MlirContext context, const ragged_tile_shape *shape) {
  return wrap(Type(ragged_tile::TileType::get(
      unwrap(context), extentsOf(shape),
      unwrap(ragged_element_to_mlir(context, shape->element_type)))));
}

bool ragged_tile_type_get(MlirType type, ragged_tile_shape *out) {
  auto tile = dyn_cast<ragged_tile::TileType>(unwrap(type));
  return tile && fillShape(tile.getShape(), tile.getElementType(), out);
}

MlirType ragged_ref_type(MlirContext context, const ragged_ref_shape *shape) {
  return wrap(Type(ragged_tile::RefType::get(
      unwrap(context), shape->kind,
      ArrayRef<int64_t>(shape->layout, static_cast<size_t>(ragged_ref_layout_size(
                                           shape->kind, shape->num_axes, shape->tail.rank))),
      ArrayRef<int64_t>(shape->axes, static_cast<size_t>(shape->num_axes)),
      extentsOf(&shape->tail),
      unwrap(ragged_element_to_mlir(context, shape->tail.element_type)))));
}

bool ragged_ref_type_get(MlirType type, ragged_ref_shape *out) {
  auto ref = dyn_cast<ragged_tile::RefType>(unwrap(type));
  *out = ragged_ref_shape{};
  if (!ref || ref.getAxes().size() > RAGGED_MAX_RANK ||
      ref.getLayout().size() > RAGGED_MAX_RANK + 1)
    return false;
  out->kind = static_cast<ragged_ref_kind>(ref.getKind());
  std::copy(ref.getLayout().begin(), ref.getLayout().end(), out->layout);
  out->num_axes = static_cast<int>(ref.getAxes().size());
  std::copy(ref.getAxes().begin(), ref.getAxes().end(), out->axes);
  return fillShape(ref.getTail(), ref.getElementType(), &out->tail);
}

MlirType ragged_host_type_get(MlirContext context, ragged_host_type kind) {
  MLIRContext *own = unwrap(context);
  switch (kind) {
    case RAGGED_HOST_FRAME: return wrap(Type(ragged_tile::FrameType::get(own)));
    case RAGGED_HOST_AXIS: return wrap(Type(ragged_tile::AxisType::get(own)));
    case RAGGED_HOST_SPACE: return wrap(Type(ragged_tile::SpaceType::get(own)));
    default: return wrap(Type(ragged_tile::BufferType::get(own)));
  }
}

bool ragged_type_is_buffer(MlirType type) { return isa<ragged_tile::BufferType>(unwrap(type)); }

bool ragged_type_is_host_handle(MlirType type) {
  return isa<ragged_tile::FrameType, ragged_tile::AxisType, ragged_tile::SpaceType,
             ragged_tile::BufferType>(unwrap(type));
}

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(RaggedTile, ragged_tile, ragged_tile::RaggedTileDialect)
