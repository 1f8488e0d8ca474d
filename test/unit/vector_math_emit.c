// Prints a module with one function per elementwise op, type and vector length, for the test
// test/lower/vector-math.test, which compiles and runs it:
//   void f_<op>_<type>_<length>(const T *x, const T *y, const T *z, T *out, int64_t n)
// n is a multiple of the length; ops read as many operands as they take. A comparison writes 0 or 1; the
// condition of a choice is whether x is not 0. Length 1 means scalars.
#include <stdio.h>
#include <string.h>

#include "dialect/elementwise_table.h"
#include "ir/build.h"
#include "lower/math/vector_convert.h"
#include "lower/math/vector_math.h"
#include "mlir-c/RegisterEverything.h"

static const char *const types[] = {"f32", "f64", "i64"};
static const int lengths[] = {1, 4, 8, 16};

static MlirValue emit_address(const ragged_builder *builder, MlirType element, MlirValue pointer,
                              MlirValue index) {
  MlirContext context = builder->context;
  MlirAttribute dynamic = ragged_attribute_parse(context, "array<i32: -2147483648>");
  return ragged_build_value_with(
      builder, "llvm.getelementptr", mlirValueGetType(pointer), RAGGED_VALUES(pointer, index),
      RAGGED_ATTRIBUTES(ragged_named(context, "elem_type", ragged_attribute_type(element)),
                        ragged_named(context, "rawConstantIndices", dynamic)));
}

// out[i] = op(x[i], y[i], z[i]) at the end of `block`; pointers: x, y, z, out.
static void emit_step(MlirBlock block, MlirLocation location,
                      const ragged_elementwise_row *row, MlirType element, MlirType type,
                      const MlirValue *pointers, MlirValue index) {
  ragged_builder builder = ragged_builder_at_end(block, location);
  MlirContext context = builder.context;
  MlirNamedAttribute alignment = ragged_named(
      context, "alignment", ragged_attribute_i64(context, mlirTypeIsAF32(element) ? 4 : 8));
  MlirValue operands[3];
  for (int i = 0; i < row->num_operands; ++i) {
    MlirValue address = emit_address(&builder, element, pointers[i], index);
    operands[i] = ragged_build_value_with(&builder, "llvm.load", type, RAGGED_VALUES(address), 1,
                                          &alignment);
    if (i < row->num_conditions)
      operands[i] = ragged_emit_convert(&builder, mlirIntegerTypeGet(context, 1), operands[i]);
  }
  MlirValue result = ragged_emit_elementwise(&builder, row->name, operands);
  if (row->compares) result = ragged_emit_convert(&builder, element, result);
  MlirValue address = emit_address(&builder, element, pointers[3], index);
  ragged_build(&builder, "llvm.store", RAGGED_VALUES(result, address), RAGGED_NONE, 1, &alignment,
               RAGGED_NONE);
}

static void emit_function(MlirModule module, const ragged_elementwise_row *row,
                          const char *type_name, int length) {
  MlirContext context = mlirModuleGetContext(module);
  MlirLocation location = mlirLocationUnknownGet(context);
  MlirType element = ragged_type_parse(context, type_name);
  int64_t shape = length;
  MlirType type = length == 1 ? element : mlirVectorTypeGet(1, &shape, element);
  MlirType pointer = ragged_type_parse(context, "!llvm.ptr");
  MlirType i64 = mlirIntegerTypeGet(context, 64);

  char name[64];
  snprintf(name, sizeof name, "f_%s_%s_%d", row->name, type_name, length);
  MlirRegion region = mlirRegionCreate();
  MlirType arguments[] = {pointer, pointer, pointer, pointer, i64};
  MlirLocation locations[] = {location, location, location, location, location};
  MlirBlock entry = mlirBlockCreate(5, arguments, locations);
  mlirRegionAppendOwnedBlock(region, entry);

  MlirBlock loop = mlirBlockCreate(1, &i64, &location);
  MlirValue pointers[] = {mlirBlockGetArgument(entry, 0), mlirBlockGetArgument(entry, 1),
                          mlirBlockGetArgument(entry, 2), mlirBlockGetArgument(entry, 3)};
  MlirValue index = mlirBlockGetArgument(loop, 0);
  emit_step(loop, location, row, element, type, pointers, index);
  ragged_builder tail = ragged_builder_at_end(loop, location);
  ragged_build(&tail, "scf.yield", RAGGED_NONE, RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);

  ragged_builder builder = ragged_builder_at_end(entry, location);
  MlirRegion loop_region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(loop_region, loop);
  ragged_build(&builder, "scf.for",
               RAGGED_VALUES(ragged_build_integer(&builder, i64, 0),
                             mlirBlockGetArgument(entry, 4),
                             ragged_build_integer(&builder, i64, length)),
               RAGGED_NONE, RAGGED_NONE, RAGGED_REGIONS(loop_region));
  ragged_build(&builder, "func.return", RAGGED_NONE, RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);

  MlirType function_type = mlirFunctionTypeGet(context, 5, arguments, 0, NULL);
  ragged_builder top = ragged_builder_at_end(mlirModuleGetBody(module), location);
  ragged_build(
      &top, "func.func", RAGGED_NONE, RAGGED_NONE,
      RAGGED_ATTRIBUTES(ragged_named(context, "sym_name", ragged_attribute_string(context, name)),
                        ragged_named(context, "function_type",
                                     ragged_attribute_type(function_type))),
      RAGGED_REGIONS(region));
}

static void emit_row(MlirModule module, const char *op) {
  const ragged_elementwise_row *row = ragged_elementwise_find(op, strlen(op));
  for (size_t t = 0; t < sizeof types / sizeof *types; ++t) {
    ragged_element_type element;
    ragged_element_from_name(types[t], strlen(types[t]), &element);
    if (!ragged_elementwise_takes(row, element)) continue;
    for (size_t w = 0; w < sizeof lengths / sizeof *lengths; ++w)
      emit_function(module, row, types[t], lengths[w]);
  }
}

static void print(MlirStringRef text, void *user) {
  (void)user;
  fwrite(text.data, 1, text.length, stdout);
}

int main(void) {
  MlirContext context = mlirContextCreate();
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirContextLoadAllAvailableDialects(context);
  MlirModule module = mlirModuleCreateEmpty(mlirLocationUnknownGet(context));
#define RAGGED_UNARY(Class, name, domain, summary, formula) emit_row(module, #name);
#define RAGGED_BINARY RAGGED_UNARY
#define RAGGED_COMPARE RAGGED_UNARY
#define RAGGED_TERNARY RAGGED_UNARY
#include "dialect/elementwise.def"
  mlirOperationPrint(mlirModuleGetOperation(module), print, NULL);
  mlirModuleDestroy(module);
  mlirDialectRegistryDestroy(registry);
  mlirContextDestroy(context);
  return 0;
}
