// Reading and printing of `!ragged.tensor`, and its conversion from and to schemas.
#include "dialect/glue/RaggedDialect.h"
#include "dialect/type_schema.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "llvm/ADT/SmallString.h"
#include "schema/axis_expression.h"

using namespace mlir;

// The tokens of one ragged dimension as text; lib/schema reads it. Only the loop over tokens is here.
static FailureOr<std::string> parseAxisTokens(AsmParser &parser) {
  std::string text;
  int depth = 0;
  bool any = true;
  while (any) {
    any = false;
    StringRef word;
    APInt number;
    if (succeeded(parser.parseOptionalKeyword(&word))) {
      text += " " + word.str();
      any = true;
    } else if (succeeded(parser.parseOptionalMinus())) {
      text += " -";
      any = true;
    } else if (succeeded(parser.parseOptionalPlus())) {
      text += " +";
      any = true;
    } else if (succeeded(parser.parseOptionalStar())) {
      text += " *";
      any = true;
    } else if (succeeded(parser.parseOptionalLParen())) {
      text += " (";
      ++depth;
      any = true;
    } else if (depth > 0 && succeeded(parser.parseOptionalRParen())) {
      text += " )";
      --depth;
      any = true;
    } else if (depth > 0 && succeeded(parser.parseOptionalComma())) {
      text += ",";
      any = true;
    } else if (auto result = parser.parseOptionalInteger(number); result.has_value()) {
      if (failed(*result)) return failure();
      llvm::SmallString<24> digits;
      number.toString(digits, 10, true);
      text += " " + digits.str().str();
      any = true;
    }
  }
  return text;
}

static ParseResult parseDimension(AsmParser &parser, SmallVectorImpl<Attribute> &dimensions) {
  Builder builder(parser.getContext());
  SMLoc loc = parser.getCurrentLocation();
  FailureOr<std::string> text = parseAxisTokens(parser);
  if (failed(text)) return failure();
  StringRef trimmed = StringRef(*text).ltrim(), digits = trimmed;
  if (trimmed.empty()) return parser.emitError(loc) << "expected an extent or an axis";
  bool negative = digits.consume_front("- ");
  int64_t extent;
  if (!digits.getAsInteger(10, extent)) {
    if (negative && extent)
      return parser.emitError(loc) << "a static extent must not be negative, found -" << extent;
    dimensions.push_back(builder.getI64IntegerAttr(extent));
    return success();
  }
  ragged_arena arena = {};
  const char *canonical = nullptr;
  ragged_status status = ragged_axis_canonicalize(&arena, trimmed.data(), &canonical);
  if (status) parser.emitError(loc) << ragged_status_message(status);
  else dimensions.push_back(builder.getStringAttr(canonical));
  bool ok = !status;
  ragged_status_free(status);
  ragged_arena_free(&arena);
  return success(ok);
}

static void setDefaultOrder(ArrayRef<Attribute> dimensions, SmallVectorImpl<int64_t> &order) {
  for (bool ragged : {true, false})
    for (auto [k, dimension] : llvm::enumerate(dimensions))
      if (isa<StringAttr>(dimension) == ragged) order.push_back(static_cast<int64_t>(k));
}

Type ragged::TensorType::parse(AsmParser &parser) {
  SmallVector<Attribute> dimensions;
  SmallVector<int64_t> order;
  Type element;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess()) return {};
  bool known = failed(parser.parseOptionalStar());
  if (known && parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        return parseDimension(parser, dimensions);
      }))
    return {};
  if (parser.parseComma() || parser.parseType(element)) return {};
  bool ordered = known && succeeded(parser.parseOptionalComma());
  if (ordered && (parser.parseKeyword("order") || parser.parseEqual() ||
                  parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
                    return parser.parseInteger(order.emplace_back());
                  })))
    return {};
  if (parser.parseGreater()) return {};
  if (!ordered) setDefaultOrder(dimensions, order);
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), known,
                    ArrayRef<Attribute>(dimensions), ArrayRef<int64_t>(order), element);
}

void ragged::TensorType::print(AsmPrinter &printer) const {
  printer << "<";
  if (!getKnown()) {
    printer << "*, " << getElementType() << ">";
    return;
  }
  printer << "[";
  llvm::interleaveComma(getDimensions(), printer, [&](Attribute dimension) {
    if (auto axis = dyn_cast<StringAttr>(dimension)) printer << axis.getValue();
    else printer << cast<IntegerAttr>(dimension).getInt();
  });
  printer << "], " << getElementType();
  SmallVector<int64_t> order;
  setDefaultOrder(getDimensions(), order);
  if (ArrayRef<int64_t>(order) != getOrder()) {
    printer << ", order = [";
    llvm::interleaveComma(getOrder(), printer);
    printer << "]";
  }
  printer << ">";
}

static void fillSchema(ArrayRef<Attribute> dimensions, ArrayRef<int64_t> order,
                       ragged_schema *out) {
  out->rank = static_cast<int>(std::min<size_t>(dimensions.size(), RAGGED_MAX_RANK));
  for (int k = 0; k < out->rank; ++k) {
    if (auto axis = dyn_cast<StringAttr>(dimensions[k]))
      out->dimensions[k] = ragged_dimension_ragged(axis.getValue().data());
    else
      out->dimensions[k] = ragged_dimension_static(cast<IntegerAttr>(dimensions[k]).getInt());
    out->order[k] = static_cast<int>(order[k]);
  }
}

LogicalResult ragged::TensorType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                                         bool known, ArrayRef<Attribute> dimensions,
                                         ArrayRef<int64_t> order, Type element) {
  ragged_schema schema = {};
  if (!ragged_type_is_scalar(wrap(element)) ||
      !ragged_type_get_element(wrap(element), &schema.element_type))
    return emitError() << "'!ragged.tensor' has element type " << element
                       << ", expected f64, f32, bf16, i64 or i1";
  if (!known) return success();
  if (dimensions.size() > RAGGED_MAX_RANK)
    return emitError() << "'!ragged.tensor' has rank " << dimensions.size() << ", at most "
                       << RAGGED_MAX_RANK << " is supported";
  if (order.size() != dimensions.size())
    return emitError() << "'!ragged.tensor' order has " << order.size()
                       << (order.size() == 1 ? " entry" : " entries") << ", expected "
                       << dimensions.size();
  // A schema's order is narrower: what would not fit it is no dimension either.
  for (auto [k, dimension] : llvm::enumerate(order))
    if (dimension < 0 || dimension >= static_cast<int64_t>(order.size()))
      return emitError() << "'!ragged.tensor' order names dimension " << dimension
                         << " at position " << k << ", expected 0 to " << order.size() - 1;
  fillSchema(dimensions, order, &schema);
  ragged_status status = ragged_schema_validate(&schema);
  if (!status) return success();
  emitError() << "'!ragged.tensor' " << ragged_status_message(status);
  ragged_status_free(status);
  return failure();
}

bool ragged_type_is_tensor(MlirType type) { return isa<ragged::TensorType>(unwrap(type)); }

bool ragged_type_is_unknown(MlirType type) {
  auto tensor = dyn_cast<ragged::TensorType>(unwrap(type));
  return tensor && !tensor.getKnown();
}

bool ragged_type_get_schema(MlirType type, ragged_schema *out) {
  auto tensor = dyn_cast<ragged::TensorType>(unwrap(type));
  if (!tensor || !tensor.getKnown()) return false;
  *out = ragged_schema{};
  fillSchema(tensor.getDimensions(), tensor.getOrder(), out);
  return ragged_type_get_element(wrap(tensor.getElementType()), &out->element_type);
}

MlirType ragged_element_to_mlir(MlirContext context, ragged_element_type element_type) {
  Builder builder(unwrap(context));
  switch (element_type) {
    case RAGGED_ELEMENT_F64: return wrap(Type(builder.getF64Type()));
    case RAGGED_ELEMENT_F32: return wrap(Type(builder.getF32Type()));
    case RAGGED_ELEMENT_BF16: return wrap(Type(builder.getBF16Type()));
    case RAGGED_ELEMENT_I64: return wrap(Type(builder.getI64Type()));
    case RAGGED_ELEMENT_I1: return wrap(Type(builder.getI1Type()));
    default: return MlirType{nullptr};
  }
}

MlirType ragged_type_from_schema(MlirContext context, const ragged_schema *schema) {
  Builder builder(unwrap(context));
  SmallVector<Attribute> dimensions;
  SmallVector<int64_t> order;
  for (int k = 0; k < schema->rank; ++k) {
    const ragged_dimension &dimension = schema->dimensions[k];
    dimensions.push_back(dimension.axis ? Attribute(builder.getStringAttr(dimension.axis))
                                        : Attribute(builder.getI64IntegerAttr(dimension.extent)));
    order.push_back(schema->order[k]);
  }
  return wrap(Type(ragged::TensorType::get(
      unwrap(context), true, ArrayRef<Attribute>(dimensions), ArrayRef<int64_t>(order),
      unwrap(ragged_element_to_mlir(context, schema->element_type)))));
}

MlirType ragged_type_unknown(MlirContext context, ragged_element_type element_type) {
  return wrap(Type(ragged::TensorType::get(unwrap(context), false, ArrayRef<Attribute>(), ArrayRef<int64_t>(),
                                           unwrap(ragged_element_to_mlir(context, element_type)))));
}

bool ragged_type_get_element(MlirType handle, ragged_element_type *out) {
  Type type = unwrap(handle);
  if (auto tensor = dyn_cast<ragged::TensorType>(type)) type = tensor.getElementType();
  else if (auto dense = dyn_cast<RankedTensorType>(type)) type = dense.getElementType();
  if (type.isF64()) return *out = RAGGED_ELEMENT_F64, true;
  if (type.isF32()) return *out = RAGGED_ELEMENT_F32, true;
  if (type.isBF16()) return *out = RAGGED_ELEMENT_BF16, true;
  if (type.isSignlessInteger(64)) return *out = RAGGED_ELEMENT_I64, true;
  if (type.isSignlessInteger(1)) return *out = RAGGED_ELEMENT_I1, true;
  return false;
}

bool ragged_type_get_dense(MlirType handle, ragged_schema *out) {
  auto dense = dyn_cast<RankedTensorType>(unwrap(handle));
  if (!dense || dense.getRank() > RAGGED_MAX_RANK || dense.getEncoding()) return false;
  *out = ragged_schema{};
  out->rank = static_cast<int>(dense.getRank());
  for (int k = 0; k < out->rank; ++k) {
    bool dynamic = dense.isDynamicDim(static_cast<unsigned>(k));
    out->dimensions[k].extent = dynamic ? -1 : dense.getDimSize(static_cast<unsigned>(k));
    out->order[k] = k;
  }
  return ragged_type_get_element(handle, &out->element_type);
}

bool ragged_type_is_scalar(MlirType handle) {
  ragged_element_type ignored;
  Type type = unwrap(handle);
  return type.isIntOrFloat() && ragged_type_get_element(handle, &ignored);
}

MlirType ragged_type_dense(MlirContext context, ragged_element_type element_type, int rank,
                           const int64_t *shape) {
  SmallVector<int64_t> extents;
  for (int k = 0; k < rank; ++k) extents.push_back(shape[k] < 0 ? ShapedType::kDynamic : shape[k]);
  return wrap(Type(RankedTensorType::get(
      extents, unwrap(ragged_element_to_mlir(context, element_type)))));
}

const char *ragged_type_text(ragged_arena *arena, MlirType type) {
  std::string text;
  llvm::raw_string_ostream(text) << unwrap(type);
  return ragged_arena_copy_string(arena, text.data(), text.size());
}
