// The walk over a stage-1 function: sends each op to its family, collects row groups, and translates
// structured control flow, a ragged value being one buffer. See to_tiles.h.
#include "lower/tile/to_tiles.h"

#include <string.h>

#include "dialect/diagnostic.h"
#include "dialect/op_table.h"
#include "ir/location.h"
#include "lower/tile/translation.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/checked.h"

static void translate_block(translation *t, MlirBlock block);

static bool is_buffer_type(MlirType type) {
  ragged_schema schema;
  return ragged_type_is_tensor(type) || ragged_type_get_dense(type, &schema);
}

static MlirType host_type(const translation *t, MlirType type) {
  return is_buffer_type(type) ? translation_type(t, RAGGED_HOST_BUFFER) : type;
}

// A stage-1 value as the host program carries it: a buffer or a scalar.
static MlirValue carried(translation *t, MlirValue value) {
  return is_buffer_type(mlirValueGetType(value)) ? host_buffer(t, value) : host_scalar(t, value);
}

static void bind(translation *t, MlirValue value, MlirValue host) {
  ragged_value_map_set(t->arena, is_buffer_type(mlirValueGetType(value)) ? &t->buffers : &t->scalars, value,
                host);
}

// ---- Control flow ----------------------------------------------------------------------------

// A loop that counts its turns from 0: what its counter would be.
typedef struct counted {
  MlirValue lower, step;
} counted;

// The counter of turn `turn` (i64) in the loop's own type.
static MlirValue counter_value(translation *t, const counted *loop, MlirValue turn) {
  MlirType type = mlirValueGetType(loop->lower);
  if (mlirTypeIsAIndex(type))
    turn = ragged_build_value(&t->host, "arith.index_cast", type, RAGGED_VALUES(turn));
  else if (!mlirTypeEqual(type, mlirValueGetType(turn)))
    turn = ragged_build_value(&t->host, "arith.trunci", type, RAGGED_VALUES(turn));
  MlirValue distance =
      ragged_build_value(&t->host, "arith.muli", type, RAGGED_VALUES(turn, loop->step));
  return ragged_build_value(&t->host, "arith.addi", type, RAGGED_VALUES(loop->lower, distance));
}

// The region again, with its ops translated. A null block gives an empty region. `loop`: null, or what
// the first argument becomes.
static MlirRegion translate_region(translation *t, MlirRegion region, const counted *loop) {
  MlirRegion out = mlirRegionCreate();
  MlirBlock block = mlirRegionGetFirstBlock(region);
  if (mlirBlockIsNull(block)) return out;
  MlirBlock body = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(out, body);
  ragged_builder outer = t->host;
  int scope = t->num_axes, dense_scope = t->num_dense_axes, extents = t->num_dense_extents;
  // What was checked in the region is not known behind it.
  dense_extent *known = RAGGED_ARENA_ARRAY(t->arena, dense_extent, extents + 1);
  if (extents) memcpy(known, t->dense_extents, sizeof *known * (size_t)extents);
  t->host = ragged_builder_at_end(body, outer.location);
  for (intptr_t k = 0; k < mlirBlockGetNumArguments(block); ++k) {
    MlirValue argument = mlirBlockGetArgument(block, k);
    bool counts = loop && k == 0;
    MlirType type = counts ? mlirIntegerTypeGet(t->context, 64)
                           : host_type(t, mlirValueGetType(argument));
    MlirValue host = mlirBlockAddArgument(body, type, mlirValueGetLocation(argument));
    bind(t, argument, counts ? counter_value(t, loop, host) : host);
  }
  translate_block(t, block);
  t->host = outer;
  t->num_axes = scope;
  t->num_dense_axes = dense_scope;
  t->num_dense_extents = extents;
  if (extents) memcpy(t->dense_extents, known, sizeof *known * (size_t)extents);
  return out;
}

// A number that the runtime looks at: an error where it makes no sense.
static MlirValue checked(translation *t, const char *name, MlirOperation operation, MlirType result,
                         bool is_unsigned, intptr_t num_operands, const MlirValue *operands) {
  MlirType type = mlirValueGetType(operands[0]);
  if (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 64) {
    t->failed = true;
    ragged_op_error(operation, "is of more than 64 bits, which has no lowering");
  }
  MlirNamedAttribute flag =
      ragged_named(t->context, "is_unsigned", mlirUnitAttrGet(t->context));
  return host_value(t, name, result, num_operands, operands, is_unsigned, &flag);
}

// A loop by steps of 1 ends by itself. Any other counts its turns, which the runtime knows: its step
// may be none, and its counter may leave its type behind the last turn.
static bool count_turns(translation *t, MlirOperation loop, MlirValue *operands, counted *out) {
  int64_t step;
  bool is_unsigned = ragged_operation_has(loop, "unsignedCmp");
  if (!ragged_operation_is(loop, "scf.for") ||
      (ragged_value_is_constant(operands[2], &step) && step == 1 && !is_unsigned))
    return false;
  MlirType i64 = mlirIntegerTypeGet(t->context, 64);
  *out = (counted){operands[0], operands[2]};
  MlirValue turns = checked(t, "ragged_tile.trip_count", loop, i64,
                            is_unsigned, 3, operands);
  operands[0] = host_i64(t, 0);
  operands[1] = turns;
  operands[2] = host_i64(t, 1);
  return true;
}

// scf.if, scf.for, scf.while, and their terminators: the same op on carried values.
static void translate_structured(translation *t, MlirOperation operation) {
  intptr_t num_operands = mlirOperationGetNumOperands(operation);
  intptr_t num_results = mlirOperationGetNumResults(operation);
  intptr_t num_regions = mlirOperationGetNumRegions(operation);
  MlirValue *operands = RAGGED_ARENA_ARRAY(t->arena, MlirValue, num_operands);
  MlirType *results = RAGGED_ARENA_ARRAY(t->arena, MlirType, num_results);
  MlirRegion *regions = RAGGED_ARENA_ARRAY(t->arena, MlirRegion, num_regions);
  for (intptr_t k = 0; k < num_operands; ++k)
    operands[k] = carried(t, mlirOperationGetOperand(operation, k));
  for (intptr_t k = 0; k < num_results; ++k)
    results[k] = host_type(t, mlirValueGetType(mlirOperationGetResult(operation, k)));
  counted loop;
  bool counts = count_turns(t, operation, operands, &loop);
  for (intptr_t k = 0; k < num_regions; ++k)
    regions[k] = translate_region(t, mlirOperationGetRegion(operation, k), counts ? &loop : NULL);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  const char *text = ragged_arena_copy_string(t->arena, name.data, name.length);
  MlirOperation copy = ragged_build(&t->host, text, num_operands, operands, num_results, results,
                                    RAGGED_NONE, num_regions, regions);
  for (intptr_t k = 0; k < num_results; ++k)
    bind(t, mlirOperationGetResult(operation, k), mlirOperationGetResult(copy, k));
}

// A choice between two buffers; canonicalisation makes it from an scf.if that only yields.
static void translate_select(translation *t, MlirOperation operation) {
  MlirRegion regions[2];
  MlirType type = translation_type(t, RAGGED_HOST_BUFFER);
  for (int k = 0; k < 2; ++k) {
    MlirValue chosen = host_buffer(t, mlirOperationGetOperand(operation, k + 1));
    MlirBlock block = mlirBlockCreate(0, NULL, NULL);
    regions[k] = mlirRegionCreate();
    mlirRegionAppendOwnedBlock(regions[k], block);
    ragged_builder b = ragged_builder_at_end(block, t->host.location);
    ragged_build(&b, "scf.yield", RAGGED_VALUES(chosen), RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);
  }
  MlirValue condition = host_scalar(t, mlirOperationGetOperand(operation, 0));
  MlirOperation choice = ragged_build(&t->host, "scf.if", RAGGED_VALUES(condition),
                                      RAGGED_TYPES(type), RAGGED_NONE, 2, regions);
  host_set_buffer(t, mlirOperationGetResult(operation, 0), mlirOperationGetResult(choice, 0));
}

// ---- Other ops -------------------------------------------------------------------------------

// A processor may trap on a quotient that does not exist.
static void check_division(translation *t, MlirOperation operation, MlirOperation copy) {
  static const struct {
    const char *name;
    bool is_unsigned;
  } divisions[] = {{"arith.divsi", false},      {"arith.divui", true},  {"arith.remsi", false},
                   {"arith.remui", true},       {"arith.ceildivsi", false},
                   {"arith.ceildivui", true},   {"arith.floordivsi", false}};
  for (size_t k = 0; k < sizeof divisions / sizeof *divisions; ++k) {
    if (!ragged_operation_is(operation, divisions[k].name)) continue;
    MlirValue operands[] = {mlirOperationGetOperand(copy, 0), mlirOperationGetOperand(copy, 1)};
    int64_t divisor;
    if (ragged_value_is_constant(operands[1], &divisor) && divisor != 0 && divisor != -1) return;
    mlirOperationSetOperand(copy, 1, checked(t, "ragged_tile.checked_divisor", operation,
                                             mlirValueGetType(operands[0]),
                                             divisions[k].is_unsigned, 2, operands));
  }
}

// tensor.extract of rank 0: the number, once it is there.
static void translate_extract(translation *t, MlirOperation operation) {
  MlirValue result = mlirOperationGetResult(operation, 0);
  MlirValue buffer = host_buffer(t, mlirOperationGetOperand(operation, 0));
  bind(t, result, host_value(t, "ragged_tile.to_scalar", mlirValueGetType(result),
                             RAGGED_VALUES(buffer), RAGGED_NONE));
}

// arith on scalars: the same op on host scalars.
static void translate_scalar_op(translation *t, MlirOperation operation) {
  if (is_bf16_arithmetic(operation)) {
    bind(t, mlirOperationGetResult(operation, 0), emit_bf16_arithmetic(t, operation));
    return;
  }
  MlirOperation copy = mlirOperationClone(operation);
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(operation); ++k)
    mlirOperationSetOperand(copy, k, host_scalar(t, mlirOperationGetOperand(operation, k)));
  check_division(t, operation, copy);
  ragged_builder_insert(&t->host, copy);
  for (intptr_t k = 0; k < mlirOperationGetNumResults(operation); ++k)
    bind(t, mlirOperationGetResult(operation, k), mlirOperationGetResult(copy, k));
}

// Of one constant. Code reaches 2 GiB of data, and LLVM takes many times the bytes of a splat to write
// it out.
#define MAX_CONSTANT_BYTES (INT64_C(1) << 30)

static bool is_too_large(MlirType type) {
  ragged_schema schema = {0};
  ragged_type_get_dense(type, &schema);
  int64_t bytes = (int64_t)ragged_element_size(schema.element_type);
  bool fits = true, is_empty = false;
  for (int d = 0; d < schema.rank; ++d) {
    int64_t extent = schema.dimensions[d].extent;
    is_empty |= extent == 0;
    fits = fits && ragged_checked_multiply(bytes, extent, &bytes) && bytes <= MAX_CONSTANT_BYTES;
  }
  return !is_empty && !fits;
}

static void translate_constant(translation *t, MlirOperation operation) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(operation, 0));
  if (is_too_large(type)) {
    t->failed = true;
    ragged_op_error(operation, "is a constant of type %s, but at most %lld bytes are supported",
                    ragged_type_text(t->arena, type), (long long)MAX_CONSTANT_BYTES);
    return;
  }
  MlirNamedAttribute value =
      ragged_named(t->context, "value", ragged_operation_attribute(operation, "value"));
  host_set_buffer(t, mlirOperationGetResult(operation, 0),
                  host_value(t, "ragged_tile.constant_buffer",
                             translation_type(t, RAGGED_HOST_BUFFER), RAGGED_NONE, 1, &value));
}

static void translate_return(translation *t, MlirOperation operation) {
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(operation); ++k) {
    MlirValue value = mlirOperationGetOperand(operation, k);
    MlirNamedAttribute index =
        ragged_named(t->context, "index", ragged_attribute_i64(t->context, k));
    MlirValue buffer = host_buffer(t, value);
    ragged_schema schema;
    if (ragged_type_get_schema(mlirValueGetType(value), &schema))
      host_op(t, "ragged_tile.result", RAGGED_VALUES(buffer, host_space(t, &schema)), 1, &index);
    else
      host_op(t, "ragged_tile.result_dense", RAGGED_VALUES(buffer), 1, &index);
  }
}

// What stands in one row, or in one dense operand of it, must fit a tile.
static bool fits_tiles(translation *t, MlirOperation operation) {
  intptr_t num_operands = mlirOperationGetNumOperands(operation);
  intptr_t count = num_operands + mlirOperationGetNumResults(operation);
  bool any_ragged = false;
  const char *fault = NULL;
  for (intptr_t k = 0; k < count; ++k) {
    MlirValue value = k < num_operands ? mlirOperationGetOperand(operation, k)
                                       : mlirOperationGetResult(operation, k - num_operands);
    ragged_schema schema;
    if (k < num_operands && !ragged_op_reads(operation, k)) continue;
    if (!value_schema(value, &schema)) continue;
    any_ragged |= ragged_type_get_schema(mlirValueGetType(value), &schema);
    ragged_tile_shape shape = schema_tile_shape(&schema);
    bool known = true;
    for (int d = 0; d < shape.rank; ++d) known &= shape.extents[d] >= 0;
    if (known && !fault) fault = ragged_tile_shape_fault(shape.rank, shape.extents);
  }
  if (!fault || !any_ragged) return true;
  translation_fail(t, "'%s' op has a row or a dense operand that %s",
                   mlirIdentifierStr(mlirOperationGetName(operation)).data, fault);
  return false;
}

// ---- Deferred reductions ---------------------------------------------------------------------

static bool is_reducing(MlirOperation operation) {
  return is_reduction_op(operation) || ragged_operation_is(operation, "ragged.product_over_rows");
}

static void translate_reducing(translation *t, MlirOperation operation) {
  if (is_reduction_op(operation)) translate_reduction(t, operation);
  else translate_product_over_rows(t, operation);
}

// A reduction of what the open group computes waits until the group is closed, so that rows behind it in
// the program can still join: in a backward pass the gradients of weights stand between the rows.
static void defer(translation *t, MlirOperation operation) {
  t->deferred = ragged_arena_grow(t->arena, t->deferred, t->num_deferred, &t->capacity_deferred,
                                  sizeof *t->deferred);
  t->deferred[t->num_deferred++] = operation;
}

static void finish_group(translation *t) {
  MlirLocation location = t->host.location;  // of the op that comes next
  group_close(t);
  int count = t->num_deferred;
  t->num_deferred = 0;
  for (int k = 0; k < count && !t->failed; ++k) {
    t->host.location = ragged_location_of(t->deferred[k]);
    translate_reducing(t, t->deferred[k]);
  }
  t->host.location = location;
}

// Whether an operand comes from a deferred op, maybe through views.
static bool reads_deferred(const translation *t, MlirOperation operation) {
  for (intptr_t k = 0; t->num_deferred && k < mlirOperationGetNumOperands(operation); ++k) {
    MlirOperation definition = ragged_value_definition(mlirOperationGetOperand(operation, k));
    while (!mlirOperationIsNull(definition) && is_view_op(definition))
      definition = ragged_value_definition(mlirOperationGetOperand(definition, 0));
    for (int d = 0; d < t->num_deferred; ++d)
      if (mlirOperationEqual(t->deferred[d], definition)) return true;
  }
  return false;
}

static void add_rows(translation *t, MlirOperation operation) {
  if (!group_try_add(t, operation)) {
    finish_group(t);
    group_try_add(t, operation);
  }
  if (!t->fuse) finish_group(t);
}

// What was left for the rows that read it.
static void add_late_operands(translation *t, MlirOperation operation) {
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(operation); ++k) {
    MlirValue operand = mlirOperationGetOperand(operation, k);
    MlirOperation definition = ragged_value_definition(operand);
    bool skip = mlirOperationIsNull(definition) || !is_late(t, definition);
    for (intptr_t j = 0; j < k; ++j) skip |= mlirValueEqual(mlirOperationGetOperand(operation, j), operand);
    if (skip) continue;
    add_late_operands(t, definition);
    add_rows(t, definition);
  }
}

static void translate_operation(translation *t, MlirOperation operation) {
  t->host.location = ragged_location_of(operation);
  if (ragged_operation_is(operation, "ragged.assume_same_axis")) {
    translate_metadata(t, operation);
    return;
  }
  if (is_unread(t, operation)) {
    define_axes(t, operation);
    return;
  }
  if (ragged_operation_in_dialect(operation, "ragged.") && !fits_tiles(t, operation)) return;
  if (is_remade_op(operation) ? !value_needs_buffer(t, mlirOperationGetResult(operation, 0))
                              : is_view_op(operation))
    return;
  if (reads_deferred(t, operation)) finish_group(t);
  if (is_late(t, operation)) return;
  if (is_row_local(operation)) {
    add_late_operands(t, operation);
    if (!ragged_type_is_tensor(mlirValueGetType(mlirOperationGetResult(operation, 0))))
      dense_check_shapes(t, operation);
    add_rows(t, operation);
    return;
  }
  bool structured = ragged_operation_in_dialect(operation, "scf."), feeds = group_feeds(t, operation);
  if (is_reducing(operation)) {
    if (feeds) defer(t, operation);
    else translate_reducing(t, operation);
    return;
  }
  if (structured || feeds) finish_group(t);
  if (ragged_operation_is(operation, "func.return")) {
    finish_group(t);
    translate_return(t, operation);
  } else if (structured) {
    translate_structured(t, operation);
  } else if (is_conversion_op(operation)) {
    translate_conversion(t, operation);
  } else if (is_box_op(operation)) {
    translate_box(t, operation);
  } else if (is_metadata_op(operation)) {
    translate_metadata(t, operation);
  } else if (ragged_operation_is(operation, "tensor.extract")) {
    translate_extract(t, operation);
  } else if (ragged_operation_is(operation, "arith.constant") &&
             is_buffer_type(mlirValueGetType(mlirOperationGetResult(operation, 0)))) {
    translate_constant(t, operation);
  } else if (ragged_operation_is(operation, "arith.select") &&
             is_buffer_type(mlirValueGetType(mlirOperationGetResult(operation, 0)))) {
    translate_select(t, operation);
  } else if (ragged_operation_in_dialect(operation, "arith.")) {
    translate_scalar_op(t, operation);
  } else {
    t->failed = true;
    ragged_op_error(operation, "has no lowering to tiles%s",
                    ragged_operation_in_dialect(operation, "func.") ||
                            ragged_operation_is(operation, "ragged.call")
                        ? "; calls are inlined first (--ragged-inline), which needs functions with bodies"
                        : "");
  }
}

static void translate_block(translation *t, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op) && !t->failed;
       op = mlirOperationGetNextInBlock(op)) {
    // A yield reads the group like any op; it stands in the region that ends with it.
    translate_operation(t, op);
  }
}

// ---- Functions -------------------------------------------------------------------------------

static void bind_arguments(translation *t, MlirBlock entry) {
  for (int k = 0; k < t->signature.num_axes; ++k) {
    MlirNamedAttribute attributes[] = {
        ragged_named(t->context, "index", ragged_attribute_i64(t->context, k)),
        ragged_named(t->context, "axis_name", translation_string(t, t->signature.axes[k]))};
    host_define_axis(t, t->signature.axes[k],
                     host_value(t, "ragged_tile.argument_axis",
                                translation_type(t, RAGGED_HOST_AXIS), RAGGED_NONE, 2, attributes));
  }
  for (intptr_t k = 0; k < mlirBlockGetNumArguments(entry); ++k) {
    MlirNamedAttribute index =
        ragged_named(t->context, "index", ragged_attribute_i64(t->context, k));
    MlirValue buffer =
        host_value(t, "ragged_tile.argument", translation_type(t, RAGGED_HOST_BUFFER), RAGGED_NONE, 1, &index);
    host_set_buffer(t, mlirBlockGetArgument(entry, k), buffer);
  }
}

static bool translate_function(MlirOperation module, MlirOperation function, bool fuse) {
  ragged_arena arena = {0};
  MlirContext context = mlirOperationGetContext(module);
  MlirLocation location = mlirOperationGetLocation(function);
  translation t = {.context = context, .arena = &arena, .module = module, .function = function,
                   .fuse = fuse};
  if (!ragged_function_signature(function, &arena, &t.signature)) {
    ragged_arena_free(&arena);
    return false;
  }
  MlirBlock entry = ragged_operation_body(function);
  MlirType frame_type = translation_type(&t, RAGGED_HOST_FRAME);
  MlirBlock body = mlirBlockCreate(1, &frame_type, &location);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, body);
  t.kernels = ragged_builder_before(function);
  MlirType type = mlirFunctionTypeGet(context, 1, &frame_type, 0, NULL);
  const char *name = ragged_arena_format(&arena, "ragged_entry_%s", t.signature.name);
  MlirOperation host = ragged_build(
      &t.kernels, "func.func", RAGGED_NONE, RAGGED_NONE,
      RAGGED_ATTRIBUTES(ragged_named(context, "sym_name", translation_string(&t, name)),
                        ragged_named(context, "function_type", ragged_attribute_type(type))),
      1, &region);
  t.kernels.before = host;
  t.frame = mlirBlockGetArgument(body, 0);
  t.host = ragged_builder_at_end(body, location);
  find_reads(&t);
  if (fuse) find_late(&t);
  bind_arguments(&t, entry);
  translate_block(&t, entry);
  if (!t.failed) {
    ragged_build(&t.host, "func.return", RAGGED_NONE, RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);
    insert_releases(context, host, t.frame);
    mlirOperationDestroy(function);
  }
  ragged_arena_free(&arena);
  return !t.failed;
}

bool ragged_to_tiles_run(MlirOperation module, bool fuse) {
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(ragged_operation_body(module));
       !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    const char *name = ragged_operation_string(op, "sym_name");
    if (!ragged_operation_is(op, "func.func") || !name) continue;
    if (mlirBlockIsNull(ragged_operation_body(op))) continue;  // a declaration
    if (!strncmp(name, "ragged_entry_", 13)) continue;          // stage 2 already
    const char *visibility = ragged_operation_string(op, "sym_visibility");
    if (visibility && strcmp(visibility, "public") != 0) {
      mlirOperationDestroy(op);  // every call of it was inlined
      continue;
    }
    if (!translate_function(module, op, fuse)) return false;
  }
  return true;
}
