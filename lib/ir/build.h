// Building and querying IR through MLIR's C API, in a few words per op. Used by passes and lowerings.
// Everything here trusts its caller to pass what the op demands; results of queries on IR that the
// caller did not build are checked.
#ifndef RAGGED_IR_BUILD_H
#define RAGGED_IR_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/IR.h"

// Where ops go: before `before`, or at the end of `block` when `before` is null.
typedef struct ragged_builder {
  MlirContext context;
  MlirLocation location;
  MlirBlock block;
  MlirOperation before;
} ragged_builder;

ragged_builder ragged_builder_at_end(MlirBlock block, MlirLocation location);
ragged_builder ragged_builder_before(MlirOperation operation);

// Argument lists: RAGGED_LIST(MlirValue, a, b) is (count, pointer).
#define RAGGED_LIST(type, ...)                                             \
  (intptr_t)(sizeof((type[]){__VA_ARGS__}) / sizeof(type)), (type[]) { __VA_ARGS__ }
#define RAGGED_VALUES(...) RAGGED_LIST(MlirValue, __VA_ARGS__)
#define RAGGED_TYPES(...) RAGGED_LIST(MlirType, __VA_ARGS__)
#define RAGGED_ATTRIBUTES(...) RAGGED_LIST(MlirNamedAttribute, __VA_ARGS__)
#define RAGGED_REGIONS(...) RAGGED_LIST(MlirRegion, __VA_ARGS__)
#define RAGGED_NONE 0, NULL

// Any op. Regions are taken.
MlirOperation ragged_build(const ragged_builder *builder, const char *name, intptr_t num_operands,
                           const MlirValue *operands, intptr_t num_results, const MlirType *results,
                           intptr_t num_attributes, const MlirNamedAttribute *attributes,
                           intptr_t num_regions, MlirRegion *regions);
// An op with one result and no attributes or regions.
MlirValue ragged_build_value(const ragged_builder *builder, const char *name, MlirType result,
                             intptr_t num_operands, const MlirValue *operands);
// The same with attributes.
MlirValue ragged_build_value_with(const ragged_builder *builder, const char *name, MlirType result,
                                  intptr_t num_operands, const MlirValue *operands,
                                  intptr_t num_attributes, const MlirNamedAttribute *attributes);
// A private func.func without a body: a function that is defined elsewhere.
void ragged_build_declaration(const ragged_builder *builder, const char *name, MlirType type);
// Inserts an op that was made detached.
void ragged_builder_insert(const ragged_builder *builder, MlirOperation operation);

// Attributes.
MlirNamedAttribute ragged_named(MlirContext context, const char *name, MlirAttribute attribute);
MlirAttribute ragged_attribute_parse(MlirContext context, const char *text);
MlirAttribute ragged_attribute_i64(MlirContext context, int64_t value);
MlirAttribute ragged_attribute_i32(MlirContext context, int32_t value);
MlirAttribute ragged_attribute_index(MlirContext context, int64_t value);
MlirAttribute ragged_attribute_i64_array(MlirContext context, intptr_t count, const int64_t *values);
MlirAttribute ragged_attribute_string(MlirContext context, const char *text);
MlirAttribute ragged_attribute_type(MlirType type);
MlirAttribute ragged_attribute_symbol(MlirContext context, const char *name);

// Types.
MlirType ragged_type_parse(MlirContext context, const char *text);

// arith.constant of index, integer or float type (a float's value is given as a double); vectors of
// them splat.
MlirValue ragged_build_index(const ragged_builder *builder, int64_t value);
MlirValue ragged_build_integer(const ragged_builder *builder, MlirType type, int64_t value);
MlirValue ragged_build_float(const ragged_builder *builder, MlirType type, double value);

// Queries.
bool ragged_operation_is(MlirOperation operation, const char *name);
bool ragged_operation_in_dialect(MlirOperation operation, const char *prefix);  // "ragged."
MlirAttribute ragged_operation_attribute(MlirOperation operation, const char *name);  // null: absent
// The text of a string attribute, null-terminated; never null.
const char *ragged_attribute_text(MlirAttribute string);
const char *ragged_operation_string(MlirOperation operation, const char *name);  // null: absent
int64_t ragged_operation_int(MlirOperation operation, const char *name, int64_t absent);
bool ragged_operation_has(MlirOperation operation, const char *name);
// DenseI64ArrayAttr `name`: stores `capacity` numbers at most and returns how many; 0: absent.
int ragged_operation_int_array(MlirOperation operation, const char *name, int capacity, int64_t *out);
// The symbol op called `name` (NUL-terminated) directly inside `module`; null when there is none.
MlirOperation ragged_module_lookup(MlirOperation module, const char *name);
MlirBlock ragged_operation_body(MlirOperation operation);  // entry block of region 0; null: none
// Whether an arith.constant of an integer or index defines `value`; its number.
bool ragged_value_is_constant(MlirValue value, int64_t *out);
int64_t ragged_value_num_uses(MlirValue value);
bool ragged_value_has_one_use(MlirValue value);
// The op that defines `value`, null for a block argument.
MlirOperation ragged_value_definition(MlirValue value);
MlirValue ragged_value_none(void);  // a null value

#endif  // RAGGED_IR_BUILD_H
