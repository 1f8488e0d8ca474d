// Result types that an op gets when it is created without any, through MLIR's C API: the default
// inference of each family, and what only an op that does not exist yet can get wrong (missing
// operands, attributes that no verifier has seen).
#include "dialect/glue/glue.h"
#include "dialect/type_schema.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Diagnostics.h"
#include "unit_test.h"

static MlirContext context;
static ragged_arena arena;
static const char *message;  // the last diagnostic

static MlirStringRef text(const char *string) { return mlirStringRefCreateFromCString(string); }

static void keep_text(MlirStringRef part, void *user) {
  const char **out = user;
  *out = ragged_arena_format(&arena, "%s%.*s", *out ? *out : "", (int)part.length, part.data);
}

static MlirLogicalResult keep_diagnostic(MlirDiagnostic diagnostic, void *user) {
  (void)user;
  message = NULL;
  mlirDiagnosticPrint(diagnostic, keep_text, &message);
  return mlirLogicalResultSuccess();
}

// Creates `name` with operands of the types (null-terminated) and the attributes of a dictionary
// text; returns the text of its only result's type, or the diagnostic.
static const char *infer(const char *name, const char *attributes, const char *const *types) {
  MlirLocation location = mlirLocationUnknownGet(context);
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  MlirOperationState state = mlirOperationStateGet(text(name), location);
  for (; *types; ++types) {
    MlirType type = mlirTypeParseGet(context, text(*types));
    if (!CHECK(!mlirTypeIsNull(type))) break;
    MlirValue operand = mlirBlockAddArgument(block, type, location);
    mlirOperationStateAddOperands(&state, 1, &operand);
  }
  MlirAttribute dictionary = mlirAttributeParseGet(context, text(attributes));
  CHECK(!mlirAttributeIsNull(dictionary));
  for (intptr_t k = 0; k < mlirDictionaryAttrGetNumElements(dictionary); ++k) {
    MlirNamedAttribute attribute = mlirDictionaryAttrGetElement(dictionary, k);
    mlirOperationStateAddAttributes(&state, 1, &attribute);
  }
  mlirOperationStateEnableResultTypeInference(&state);
  message = "no diagnostic";
  MlirOperation operation = mlirOperationCreate(&state);
  const char *found = message;
  if (!mlirOperationIsNull(operation)) {
    found = ragged_type_text(&arena, mlirValueGetType(mlirOperationGetResult(operation, 0)));
    CHECK(mlirOperationVerify(operation));
    mlirOperationDestroy(operation);
  }
  mlirBlockDestroy(block);
  return found;
}

#define TYPES(...) (const char *const[]) { __VA_ARGS__, NULL }
#define NO_TYPES ((const char *const[]){NULL})

#define CHECK_INFERS(name, attributes, types, expected) \
  CHECK_STRING(infer((name), (attributes), (types)), (expected))
// The first diagnostic; mlirOperationCreate adds none of its own.
#define CHECK_REFUSES(name, attributes, types, expected) \
  CHECK_CONTAINS(infer((name), (attributes), (types)), (expected))

static void test_conversion(void) {
  CHECK_INFERS("ragged.from_values", "{axes = [\"n\", \"m\"]}",
               TYPES("tensor<?x128xf32>", "tensor<?xi64>", "tensor<?xi64>"),
               "!ragged.tensor<[n, m, 128], f32>");
  CHECK_INFERS("ragged.from_offsets", "{axes = [\"n\"]}", TYPES("tensor<?xi64>", "tensor<?xi64>"),
               "!ragged.tensor<[n], i64>");
  CHECK_INFERS("ragged.pack", "{axes = [\"h\", \"w\"]}",
               TYPES("tensor<?x3x?x?xbf16>", "tensor<?xi64>", "tensor<?xi64>"),
               "!ragged.tensor<[3, h, w], bf16>");
  CHECK_INFERS("ragged.pack", "{axes = [\"n\"], batch = 1 : i64}",
               TYPES("tensor<?x?x384xf32>", "tensor<?xi64>"), "!ragged.tensor<[n, 384], f32>");
  CHECK_INFERS("ragged.values", "{}", TYPES("!ragged.tensor<[2, n, 3], f32, order = [1, 2, 0]>"),
               "tensor<?x3x2xf32>");
  CHECK_INFERS("ragged.unpack", "{batch = 2 : i64}", TYPES("!ragged.tensor<[n, 4], f64>"),
               "tensor<?x4x?xf64>");
  CHECK_INFERS("ragged.values", "{}", TYPES("!ragged.tensor<[n, 4], f32>", "tensor<?x4xf32>"),
               "tensor<?x4xf32>");
  CHECK_INFERS("ragged.unpack", "{batch = 1 : i64}",
               TYPES("!ragged.tensor<[n, 4], f64>", "tensor<8x3x4xf64>"), "tensor<8x3x4xf64>");
  CHECK_INFERS("ragged.with_values", "{}",
               TYPES("tensor<?x4xbf16>", "!ragged.tensor<[4, n, m], f32, order = [2, 1, 0]>"),
               "!ragged.tensor<[4, n, m], bf16, order = [2, 1, 0]>");
  CHECK_INFERS("ragged.with_values", "{}", TYPES("tensor<?x4xbf16>", "!ragged.tensor<*, f32>"),
               "!ragged.tensor<*, bf16>");
  CHECK_INFERS("ragged.with_padded", "{batch = 1 : i64}",
               TYPES("tensor<9x?x4xi64>", "!ragged.tensor<[n, 4], f32>"),
               "!ragged.tensor<[n, 4], i64>");
  CHECK_INFERS("ragged.with_padded", "{}", TYPES("tensor<?xi64>", "!ragged.tensor<*, f32>"),
               "!ragged.tensor<*, i64>");
  CHECK_INFERS("ragged.size", "{dims = array<i64: 1, 0>}", TYPES("!ragged.tensor<[n, 4], f64>"),
               "!ragged.tensor<[], i64>");
  CHECK_INFERS("ragged.size", "{dims = array<i64>, batch}", TYPES("!ragged.tensor<*, f64>"),
               "tensor<i64>");
  CHECK_INFERS("ragged.extents", "{dim = 1 : i64}", TYPES("!ragged.tensor<*, f32>"),
               "tensor<?xi64>");
  CHECK_INFERS("ragged.offsets", "{}", TYPES("!ragged.tensor<[n], f32>"), "tensor<?xi64>");
}

static void test_structure(void) {
  CHECK_INFERS("ragged.expand_dims", "{dim = 1 : i64}", TYPES("!ragged.tensor<[n, m], f32>"),
               "!ragged.tensor<[n, 1, m], f32>");
  CHECK_INFERS("ragged.squeeze", "{dims = array<i64: 1>}", TYPES("!ragged.tensor<[n, 1], f32>"),
               "!ragged.tensor<[n], f32>");
  CHECK_INFERS("ragged.broadcast", "{dims = array<i64: 2>}",
               TYPES("tensor<128xf64>", "!ragged.tensor<[n, n, 128], f32>"),
               "!ragged.tensor<[n, n, 128], f64>");
  CHECK_INFERS("ragged.broadcast", "{dims = array<i64>}", TYPES("f64", "!ragged.tensor<*, f32>"),
               "!ragged.tensor<*, f64>");
  CHECK_INFERS("ragged.transpose", "{permutation = array<i64: 1, 0>}",
               TYPES("!ragged.tensor<[n, m], f32>"), "!ragged.tensor<[m, n], f32, order = [1, 0]>");
  CHECK_INFERS("ragged.reorder", "{order = array<i64: 1, 0>}", TYPES("!ragged.tensor<[n, m], f32>"),
               "!ragged.tensor<[n, m], f32, order = [1, 0]>");
  CHECK_INFERS("ragged.assume_same_axis", "{dims = array<i64: 1>, to = \"n\"}",
               TYPES("!ragged.tensor<[m, m], f32>", "!ragged.tensor<[n], i64>"),
               "!ragged.tensor<[m, n], f32>");
  CHECK_INFERS("ragged.schema_cast", "{}", TYPES("!ragged.tensor<[n], f32>"),
               "!ragged.tensor<[n], f32>");
}

static void test_arithmetic(void) {
  CHECK_INFERS("ragged.add", "{}",
               TYPES("!ragged.tensor<[n, 1, 4], f32>", "!ragged.tensor<[1, m, 4], f32>"),
               "!ragged.tensor<[n, m, 4], f32>");
  CHECK_INFERS("ragged.mul", "{}", TYPES("f32", "!ragged.tensor<*, f32>"), "!ragged.tensor<*, f32>");
  CHECK_INFERS("ragged.div", "{}", TYPES("f32", "tensor<4xf32>"), "tensor<4xf32>");
  CHECK_INFERS("ragged.exp", "{}", TYPES("f32"), "f32");
  CHECK_INFERS("ragged.linear", "{dim = 1 : i64}",
               TYPES("!ragged.tensor<[n, 4], f32>", "tensor<8x4xf32>"), "!ragged.tensor<[n, 8], f32>");
  CHECK_INFERS("ragged.layer_norm", "{dims = array<i64: 1>, eps = 1.0 : f64}",
               TYPES("!ragged.tensor<[n, 4], bf16>", "tensor<4xbf16>"),
               "!ragged.tensor<[n, 4], bf16>");
  CHECK_INFERS("ragged.softmax", "{dim = 1 : i64}", TYPES("!ragged.tensor<[n, 4], f32>"),
               "!ragged.tensor<[n, 4], f32>");
  CHECK_INFERS("ragged.sum", "{dims = array<i64: 1, 2>}", TYPES("!ragged.tensor<[n, m, 4], i64>"),
               "!ragged.tensor<[n], i64>");
  CHECK_INFERS("ragged.max", "{dims = array<i64: 0>, keep_dims}", TYPES("!ragged.tensor<[n, 4], f32>"),
               "!ragged.tensor<[1, 4], f32>");
  CHECK_INFERS("ragged.mean", "{dims = array<i64: 0>, batch}", TYPES("!ragged.tensor<[n, 4], f32>"),
               "tensor<4xf32>");
}

static void test_truth(void) {
  CHECK_INFERS("ragged.less", "{}", TYPES("!ragged.tensor<[n, 1], f32>", "!ragged.tensor<[1, m], f32>"),
               "!ragged.tensor<[n, m], i1>");
  CHECK_INFERS("ragged.equal", "{}", TYPES("!ragged.tensor<*, i64>", "i64"), "!ragged.tensor<*, i1>");
  CHECK_INFERS("ragged.greater", "{}", TYPES("f64", "f64"), "i1");
  CHECK_INFERS("ragged.where", "{}", TYPES("!ragged.tensor<[n, 1], i1>", "f32", "!ragged.tensor<[1, m], f32>"),
               "!ragged.tensor<[n, m], f32>");
  CHECK_INFERS("ragged.where", "{}", TYPES("!ragged.tensor<*, i1>", "bf16", "bf16"),
               "!ragged.tensor<*, bf16>");
  CHECK_INFERS("ragged.where", "{}", TYPES("tensor<4xi1>", "f32", "f32"), "tensor<4xf32>");
  CHECK_INFERS("ragged.clamp", "{}", TYPES("!ragged.tensor<[n], i64>", "i64", "i64"),
               "!ragged.tensor<[n], i64>");
  CHECK_INFERS("ragged.full", "{}", TYPES("i1", "!ragged.tensor<[n, 4], f32>"),
               "!ragged.tensor<[n, 4], i1>");
  CHECK_INFERS("ragged.sum", "{dims = array<i64: 0>}", TYPES("!ragged.tensor<[n, 4], i1>"),
               "!ragged.tensor<[4], i64>");
  CHECK_INFERS("ragged.sum", "{dims = array<i64: 0>, batch}", TYPES("!ragged.tensor<[n, 4], i1>"),
               "tensor<4xi64>");
}

static void test_refusals(void) {
  CHECK_REFUSES("ragged.where", "{}", TYPES("i1", "f32"), "has 2 operands, expected at least 3");
  CHECK_REFUSES("ragged.full", "{}", TYPES("f32"), "has 1 operands, expected at least 2");
  CHECK_REFUSES("ragged.cast", "{}", TYPES("f32"),
                "needs a declared result, which says the element type");
  CHECK_REFUSES("ragged.values", "{}", NO_TYPES, "has 0 operands, expected at least 1");
  CHECK_REFUSES("ragged.exp", "{}", NO_TYPES, "has 0 operands, expected at least 1");
  CHECK_REFUSES("ragged.add", "{}", TYPES("f32"), "has 1 operands, expected at least 2");
  CHECK_REFUSES("ragged.broadcast", "{dims = array<i64>}", TYPES("f32"),
                "has 1 operands, expected at least 2");
  CHECK_REFUSES("ragged.unpack", "{}", TYPES("!ragged.tensor<*, f32>"),
                "cannot infer its result while the schema of operand #0 is *");
  CHECK_REFUSES("ragged.values", "{}", TYPES("!ragged.tensor<*, f32>"),
                "cannot infer its result while the schema of operand #0 is *");
  CHECK_REFUSES("ragged.sum", "{dims = array<i64: 0>, batch}", TYPES("!ragged.tensor<*, f32>"),
                "cannot infer its result while the schema of operand #0 is *");
  CHECK_REFUSES("ragged.with_values", "{}", TYPES("tensor<?xf32>"),
                "has 1 operands, expected at least 2");
  CHECK_REFUSES("ragged.unpack", "{}", TYPES("!ragged.tensor<[n, 4], f64>", "tensor<?x3xf64>"),
                "operand #1 is tensor<?x3xf64>, expected tensor<?x?x4xf64>");
  CHECK_REFUSES("ragged.size", "{}", TYPES("!ragged.tensor<[n, 1], f32>"),
                "needs an integer array 'dims'");
  CHECK_REFUSES("ragged.from_values", "{axes = [1]}", TYPES("tensor<?xf32>", "tensor<?xi64>"),
                "'axes' entry 0 is no string");
  CHECK_REFUSES("ragged.from_values", "{}", TYPES("tensor<?xf32>", "tensor<?xi64>"),
                "'axes' has no name, expected at least one");
  CHECK_REFUSES("ragged.squeeze", "{}", TYPES("!ragged.tensor<[n, 1], f32>"),
                "needs an integer array 'dims'");
  CHECK_REFUSES("ragged.extents", "{}", TYPES("!ragged.tensor<[n, 1], f32>"),
                "'dim' is -1, but operand #0 has rank 2");
  CHECK_REFUSES("ragged.layer_norm", "{dims = array<i64: 1>}", TYPES("!ragged.tensor<[n, 4], f32>"),
                "'eps' is -1, expected 0 or more");
  CHECK_REFUSES("ragged.assume_same_axis", "{dims = array<i64: 0>}",
                TYPES("!ragged.tensor<[n], f32>", "!ragged.tensor<[n], f32>"), "'to' is no axis");
}

int main(void) {
  context = mlirContextCreate();
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__ragged__(), context);
  mlirContextAttachDiagnosticHandler(context, keep_diagnostic, NULL, NULL);
  test_conversion();
  test_structure();
  test_arithmetic();
  test_truth();
  test_refusals();
  mlirContextDestroy(context);
  ragged_arena_free(&arena);
  return unit_test_finish();
}
