// What kernels were made into becomes data of the host module, described as runtime/kernels.h says:
// the objects of its gpu.binary, or the host functions of the emulated device. See lower_gpu.h.
#include <string.h>

#include "dialect/type_schema.h"
#include "ir/build.h"
#include "lower/gpu/lower_gpu.h"
#include "mlir-c/Dialect/GPU.h"
#include "support/arena.h"
#include "support/string_buffer.h"

// As in runtime/kernels.h, which the compiler's library does not depend on.
enum { IMAGE_PTX = 1, IMAGE_CUBIN = 2, IMAGE_FATBIN = 3, IMAGE_EMULATED = 4 };
#define EMULATED_PREFIX RAGGED_GPU_MODULE "__"
#define IMAGE_TYPE "struct<(i64, ptr, ptr, i64)>"
#define EMULATED_TYPE "struct<(ptr, ptr)>"

typedef struct embedding {
  MlirContext context;
  MlirOperation module;
  ragged_arena arena;
  ragged_builder top;  // where constants go
  int num_constants;
} embedding;

static MlirType parse_type(embedding *e, const char *text) { return ragged_type_parse(e->context, text); }

// ---- Constants ---------------------------------------------------------------------------------------

static void build_global(embedding *e, const char *name, const char *type, MlirAttribute value,
                         MlirRegion initialiser, int64_t alignment) {
  MlirNamedAttribute list[] = {
      ragged_named(e->context, "sym_name", ragged_attribute_string(e->context, name)),
      ragged_named(e->context, "global_type", ragged_attribute_type(parse_type(e, type))),
      ragged_named(e->context, "linkage",
                   ragged_attribute_parse(e->context, "#llvm.linkage<internal>")),
      ragged_named(e->context, "constant", mlirUnitAttrGet(e->context)),
      ragged_named(e->context, "addr_space", ragged_attribute_i32(e->context, 0)),
      ragged_named(e->context, "alignment", ragged_attribute_i64(e->context, alignment)),
      ragged_named(e->context, "value", value)};
  ragged_build(&e->top, "llvm.mlir.global", RAGGED_NONE, RAGGED_NONE,
               mlirAttributeIsNull(value) ? 6 : 7, list, 1, &initialiser);
}

// Bytes under a name of their own.
static const char *build_bytes(embedding *e, MlirStringRef bytes, int64_t alignment) {
  const char *name = ragged_arena_format(&e->arena, "ragged_image_%d", e->num_constants++);
  const char *type = ragged_arena_format(&e->arena, "!llvm.array<%zu x i8>", bytes.length);
  build_global(e, name, type, mlirStringAttrGet(e->context, bytes), mlirRegionCreate(), alignment);
  return name;
}

static const char *build_text(embedding *e, const char *text) {
  return build_bytes(e, mlirStringRefCreate(text, strlen(text) + 1), 1);
}

static MlirValue address_of(embedding *e, const ragged_builder *at, const char *symbol) {
  MlirType pointer = parse_type(e, "!llvm.ptr");
  if (!symbol) return ragged_build_value(at, "llvm.mlir.zero", pointer, RAGGED_NONE);
  MlirNamedAttribute name =
      ragged_named(e->context, "global_name", ragged_attribute_symbol(e->context, symbol));
  return ragged_build_value_with(at, "llvm.mlir.addressof", pointer, RAGGED_NONE, 1, &name);
}

static MlirValue number(embedding *e, const ragged_builder *at, int64_t value) {
  MlirNamedAttribute attribute =
      ragged_named(e->context, "value", ragged_attribute_i64(e->context, value));
  return ragged_build_value_with(at, "llvm.mlir.constant", mlirIntegerTypeGet(e->context, 64),
                                 RAGGED_NONE, 1, &attribute);
}

static MlirValue undefined(embedding *e, const ragged_builder *at, const char *type) {
  return ragged_build_value(at, "llvm.mlir.undef", parse_type(e, type), RAGGED_NONE);
}

static MlirValue insert(embedding *e, const ragged_builder *at, MlirValue whole, MlirValue part,
                        intptr_t count, const int64_t *position) {
  MlirNamedAttribute attribute = ragged_named(
      e->context, "position", ragged_attribute_i64_array(e->context, count, position));
  return ragged_build_value_with(at, "llvm.insertvalue", mlirValueGetType(whole),
                                 RAGGED_VALUES(whole, part), 1, &attribute);
}

static ragged_builder begin_initialiser(embedding *e, MlirRegion *out) {
  *out = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(*out, block);
  return ragged_builder_at_end(block, e->top.location);
}

static void end_initialiser(const ragged_builder *at, MlirValue value) {
  ragged_build(at, "llvm.return", RAGGED_VALUES(value), RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);
}

// ---- Images ------------------------------------------------------------------------------------------

typedef struct image {
  int64_t kind, size;
  const char *chip, *data;  // symbols; chip may be null
  struct image *next;
} image;

static void add_image(embedding *e, image **list, image value) {
  image *own = RAGGED_ARENA_ARRAY(&e->arena, image, 1);
  *own = value;
  while (*list) list = &(*list)->next;
  *list = own;
}

static void append(MlirStringRef text, void *buffer) {
  ragged_string_append(buffer, text.data, text.length);
}

// The chip of a #nvvm.target.
static const char *target_chip(embedding *e, MlirAttribute target) {
  ragged_string_buffer text = {0};
  mlirAttributePrint(target, append, &text);
  const char *chip = text.data ? strstr(text.data, "chip = \"") : NULL;
  const char *copy = NULL;
  if (chip) {
    chip += strlen("chip = \"");
    copy = ragged_arena_copy_string(&e->arena, chip, strcspn(chip, "\""));
  }
  ragged_string_free(&text);
  return copy;
}

static void collect_objects(embedding *e, MlirOperation binary, image **list) {
  // gpu::CompilationTarget: offload, assembly, binary, fat binary.
  static const int64_t kinds[] = {0, 0, IMAGE_PTX, IMAGE_CUBIN, IMAGE_FATBIN};
  MlirAttribute objects = ragged_operation_attribute(binary, "objects");
  for (intptr_t k = 0; k < mlirArrayAttrGetNumElements(objects); ++k) {
    MlirAttribute object = mlirArrayAttrGetElement(objects, k);
    if (!mlirAttributeIsAGPUObjectAttr(object)) continue;
    uint32_t format = mlirGPUObjectAttrGetFormat(object);
    if (format >= sizeof kinds / sizeof *kinds || !kinds[format]) continue;
    MlirStringRef bytes = mlirGPUObjectAttrGetObject(object);
    const char *chip = target_chip(e, mlirGPUObjectAttrGetTarget(object));
    add_image(e, list, (image){.kind = kinds[format], .size = (int64_t)bytes.length,
                               .chip = chip ? build_text(e, chip) : NULL,
                               .data = build_bytes(e, bytes, 64)});
  }
}

// Kernels are the functions that other modules may call; what they call is internal.
static bool is_emulated_kernel(MlirOperation operation) {
  const char *name = ragged_operation_string(operation, "sym_name");
  return ragged_operation_is(operation, "llvm.func") && name &&
         !strncmp(name, EMULATED_PREFIX, strlen(EMULATED_PREFIX)) &&
         mlirAttributeEqual(ragged_operation_attribute(operation, "linkage"),
                            ragged_attribute_parse(mlirOperationGetContext(operation),
                                                   "#llvm.linkage<external>"));
}

static MlirOperation next_kernel(MlirOperation operation) {
  while (!mlirOperationIsNull(operation) && !is_emulated_kernel(operation))
    operation = mlirOperationGetNextInBlock(operation);
  return operation;
}

static void collect_emulated(embedding *e, image **list) {
  MlirOperation first =
      next_kernel(mlirBlockGetFirstOperation(ragged_operation_body(e->module)));
  int64_t count = 0;
  for (MlirOperation k = first; !mlirOperationIsNull(k);
       k = next_kernel(mlirOperationGetNextInBlock(k)))
    ++count;
  if (count == 0) return;
  const char *type = ragged_arena_format(&e->arena, "!llvm.array<%lld x " EMULATED_TYPE ">", (long long)count);
  MlirRegion region;
  ragged_builder at = begin_initialiser(e, &region);
  MlirValue table = undefined(e, &at, type);
  int64_t place[2] = {0, 0};
  for (MlirOperation k = first; !mlirOperationIsNull(k);
       k = next_kernel(mlirOperationGetNextInBlock(k)), ++place[0]) {
    const char *name = ragged_operation_string(k, "sym_name");
    const char *own = build_text(e, name + strlen(EMULATED_PREFIX));
    place[1] = 0;
    table = insert(e, &at, table, address_of(e, &at, own), 2, place);
    place[1] = 1;
    table = insert(e, &at, table,
                   address_of(e, &at, ragged_arena_format(&e->arena, "%s", name)), 2, place);
  }
  end_initialiser(&at, table);
  build_global(e, "ragged_emulated_kernels", type, mlirAttributeGetNull(), region, 8);
  add_image(e, list,
            (image){.kind = IMAGE_EMULATED, .size = count, .data = "ragged_emulated_kernels"});
}

static void build_images(embedding *e, const image *list) {
  int64_t count = 0;
  for (const image *i = list; i; i = i->next) ++count;
  if (count == 0) return;  // the address stays one that is defined elsewhere
  const char *type = ragged_arena_format(&e->arena, "!llvm.array<%lld x " IMAGE_TYPE ">", (long long)count);
  MlirRegion region;
  ragged_builder at = begin_initialiser(e, &region);
  MlirValue table = undefined(e, &at, type);
  int64_t place[2] = {0, 0};
  for (const image *i = list; i; i = i->next, ++place[0]) {
    MlirValue fields[] = {number(e, &at, i->kind), address_of(e, &at, i->chip),
                          address_of(e, &at, i->data), number(e, &at, i->size)};
    for (place[1] = 0; place[1] < 4; ++place[1])
      table = insert(e, &at, table, fields[place[1]], 2, place);
  }
  end_initialiser(&at, table);
  build_global(e, "ragged_kernel_images", type, mlirAttributeGetNull(), region, 8);
  enum { MODULE_SIZE = 24 };  // sizeof(ragged_rt_kernel_module)
  at = begin_initialiser(e, &region);
  MlirValue module = undefined(e, &at, "!llvm.struct<(i64, i64, ptr)>");
  MlirValue fields[] = {number(e, &at, MODULE_SIZE), number(e, &at, count),
                        address_of(e, &at, "ragged_kernel_images")};
  for (int64_t k = 0; k < 3; ++k) module = insert(e, &at, module, fields[k], 1, &k);
  end_initialiser(&at, module);
  build_global(e, RAGGED_GPU_IMAGES, "!llvm.struct<(i64, i64, ptr)>", mlirAttributeGetNull(), region,
               8);
}

bool ragged_embed_kernels(MlirOperation module) {
  MlirOperation declared = ragged_module_lookup(module, RAGGED_GPU_IMAGES);
  if (mlirOperationIsNull(declared)) return true;  // nothing is launched
  embedding e = {.context = mlirOperationGetContext(module), .module = module,
                 .top = ragged_builder_before(declared)};
  image *list = NULL;
  MlirOperation binary = ragged_module_lookup(module, RAGGED_GPU_MODULE);
  if (!mlirOperationIsNull(binary) && ragged_operation_is(binary, "gpu.binary")) {
    collect_objects(&e, binary, &list);
    mlirOperationDestroy(binary);
  } else {
    collect_emulated(&e, &list);
  }
  build_images(&e, list);
  if (list) mlirOperationDestroy(declared);
  ragged_arena_free(&e.arena);
  return true;
}
