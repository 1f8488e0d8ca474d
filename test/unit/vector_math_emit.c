// Prints a module with one function per elementwise op, type and vector length, for the test
// test/lower/vector-math.test, which compiles and runs it:
//   void f_<op>_<type>_<length>(const T *x, const T *y, T *out, int64_t n)
// n is a multiple of the length; unary ops do not read y. Length 1 means scalars.
#include <stdio.h>
#include <string.h>

#include "ir/build.h"
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

// out[i] = op(x[i], y[i]) at the end of `block`; pointers: x, y, out.
static void emit_step(MlirBlock block, MlirLocation location, const char *op, bool binary,
                      MlirType element, MlirType type, const MlirValue *pointers,
                      MlirValue index) {
  ragged_builder builder = ragged_builder_at_end(block, location);
  MlirContext context = builder.context;
  MlirNamedAttribute alignment = ragged_named(
      context, "alignment", ragged_attribute_i64(context, mlirTypeIsAF32(element) ? 4 : 8));
  MlirValue operands[] = {ragged_value_none(), ragged_value_none()};
  for (int i = 0; i < (binary ? 2 : 1); ++i) {
    MlirValue address = emit_address(&builder, element, pointers[i], index);
    operands[i] = ragged_build_value_with(&builder, "llvm.load", type, RAGGED_VALUES(address), 1,
                                          &alignment);
  }
  MlirValue result = ragged_emit_elementwise(&builder, op, type, operands[0], operands[1]);
  MlirValue address = emit_address(&builder, element, pointers[2], index);
  ragged_build(&builder, "llvm.store", RAGGED_VALUES(result, address), RAGGED_NONE, 1, &alignment,
               RAGGED_NONE);
}

static void emit_function(MlirModule module, const char *op, bool binary, const char *type_name,
                          int length) {
  MlirContext context = mlirModuleGetContext(module);
  MlirLocation location = mlirLocationUnknownGet(context);
  MlirType element = ragged_type_parse(context, type_name);
  int64_t shape = length;
  MlirType type = length == 1 ? element : mlirVectorTypeGet(1, &shape, element);
  MlirType pointer = ragged_type_parse(context, "!llvm.ptr");
  MlirType i64 = mlirIntegerTypeGet(context, 64);

  char name[64];
  snprintf(name, sizeof name, "f_%s_%s_%d", op, type_name, length);
  MlirRegion region = mlirRegionCreate();
  MlirType arguments[] = {pointer, pointer, pointer, i64};
  MlirLocation locations[] = {location, location, location, location};
  MlirBlock entry = mlirBlockCreate(4, arguments, locations);
  mlirRegionAppendOwnedBlock(region, entry);

  MlirBlock loop = mlirBlockCreate(1, &i64, &location);
  MlirValue pointers[] = {mlirBlockGetArgument(entry, 0), mlirBlockGetArgument(entry, 1),
                          mlirBlockGetArgument(entry, 2)};
  MlirValue index = mlirBlockGetArgument(loop, 0);
  emit_step(loop, location, op, binary, element, type, pointers, index);
  ragged_builder tail = ragged_builder_at_end(loop, location);
  ragged_build(&tail, "scf.yield", RAGGED_NONE, RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);

  ragged_builder builder = ragged_builder_at_end(entry, location);
  MlirRegion loop_region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(loop_region, loop);
  ragged_build(&builder, "scf.for",
               RAGGED_VALUES(ragged_build_integer(&builder, i64, 0),
                             mlirBlockGetArgument(entry, 3),
                             ragged_build_integer(&builder, i64, length)),
               RAGGED_NONE, RAGGED_NONE, RAGGED_REGIONS(loop_region));
  ragged_build(&builder, "func.return", RAGGED_NONE, RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);

  MlirType function_type = mlirFunctionTypeGet(context, 4, arguments, 0, NULL);
  ragged_builder top = ragged_builder_at_end(mlirModuleGetBody(module), location);
  ragged_build(
      &top, "func.func", RAGGED_NONE, RAGGED_NONE,
      RAGGED_ATTRIBUTES(ragged_named(context, "sym_name", ragged_attribute_string(context, name)),
                        ragged_named(context, "function_type",
                                     ragged_attribute_type(function_type))),
      RAGGED_REGIONS(region));
}

static void emit_row(MlirModule module, const char *op, bool binary, const char *domain) {
  for (size_t t = 0; t < sizeof types / sizeof *types; ++t) {
    if (!strcmp(types[t], "i64") && strcmp(domain, "number")) continue;
    for (size_t w = 0; w < sizeof lengths / sizeof *lengths; ++w)
      emit_function(module, op, binary, types[t], lengths[w]);
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
#define RAGGED_UNARY(Class, name, domain, summary, formula) emit_row(module, #name, false, domain);
#define RAGGED_BINARY(Class, name, domain, summary, formula) emit_row(module, #name, true, domain);
#include "dialect/elementwise.def"
  mlirOperationPrint(mlirModuleGetOperation(module), print, NULL);
  mlirModuleDestroy(module);
  mlirDialectRegistryDestroy(registry);
  mlirContextDestroy(context);
  return 0;
}
