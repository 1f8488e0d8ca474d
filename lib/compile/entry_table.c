// See entry_table.h.
#include "compile/entry_table.h"

#include <string.h>

#include "ir/build.h"
#include "lower/signature.h"

static char *copy(ragged_arena *arena, const char *text) {
  return ragged_arena_copy_string(arena, text, strlen(text));
}

static bool is_entry(MlirOperation operation) {
  if (!ragged_operation_is(operation, "func.func") ||
      mlirBlockIsNull(ragged_operation_body(operation)))
    return false;
  const char *visibility = ragged_operation_string(operation, "sym_visibility");
  return !visibility || strcmp(visibility, "public") == 0;
}

static ragged_rt_value_type *copy_types(ragged_arena *arena, int count,
                                        const ragged_value_type *types) {
  ragged_rt_value_type *copies = RAGGED_ARENA_ARRAY(arena, ragged_rt_value_type, count);
  for (int k = 0; k < count; ++k) {
    copies[k].kind = (ragged_rt_value_kind)types[k].kind;
    copies[k].schema = types[k].schema;
    for (int d = 0; d < copies[k].schema.rank; ++d) {
      ragged_dimension *dimension = &copies[k].schema.dimensions[d];
      if (ragged_dimension_is_ragged(*dimension)) dimension->axis = copy(arena, dimension->axis);
    }
  }
  return copies;
}

static ragged_rt_entry copy_entry(ragged_arena *arena, const ragged_signature *signature) {
  const char **axes = RAGGED_ARENA_ARRAY(arena, const char *, signature->num_axes);
  for (int k = 0; k < signature->num_axes; ++k) axes[k] = copy(arena, signature->axes[k]);
  return (ragged_rt_entry){
      .name = copy(arena, signature->name),
      .num_arguments = signature->num_arguments,
      .num_results = signature->num_results,
      .num_axes = signature->num_axes,
      .arguments = copy_types(arena, signature->num_arguments, signature->arguments),
      .results = copy_types(arena, signature->num_results, signature->results),
      .axes = axes,
  };
}

static int count_entries(MlirBlock body) {
  int count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    count += is_entry(op);
  return count;
}

bool ragged_entry_table_fill(MlirOperation module, ragged_entry_table *table) {
  MlirBlock body = ragged_operation_body(module);
  if (mlirBlockIsNull(body)) return true;
  table->entries = RAGGED_ARENA_ARRAY(&table->arena, ragged_rt_entry, count_entries(body));
  ragged_arena scratch = {0};
  bool ok = true;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); ok && !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    if (!is_entry(op)) continue;
    ragged_signature signature;
    ok = ragged_function_signature(op, &scratch, &signature);
    if (ok) table->entries[table->num_entries++] = copy_entry(&table->arena, &signature);
  }
  ragged_arena_free(&scratch);
  return ok;
}

void ragged_entry_table_destroy(ragged_entry_table *table) {
  ragged_arena_free(&table->arena);
  *table = (ragged_entry_table){0};
}
