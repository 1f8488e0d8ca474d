// See unused_functions.h. Marks from all ops of the module that are not private functions on, along
// the symbols that their attributes hold.
#include "passes/unused_functions.h"

#include "ir/build.h"
#include "passes/name_table.h"

// Attributes nested deeper than this are not searched; then nothing is erased.
#define MAX_ATTRIBUTE_DEPTH 64

typedef struct marker {
  ragged_name_table private_functions;
  bool *used;            // by number of the name
  MlirOperation *operations;
  int *pending;          // names that are marked but not walked yet
  int num_pending;
  bool gave_up;
} marker;

static void mark_name(marker *m, MlirStringRef name) {
  // Symbol names are null-terminated in the context's storage.
  int number = ragged_name_table_find(&m->private_functions, name.data);
  if (number < 0 || m->used[number]) return;
  m->used[number] = true;
  m->pending[m->num_pending++] = number;
}

static void mark_attribute(marker *m, MlirAttribute attribute, int depth) {
  if (mlirAttributeIsNull(attribute)) return;
  if (mlirAttributeIsASymbolRef(attribute)) {
    mark_name(m, mlirSymbolRefAttrGetRootReference(attribute));
  } else if (mlirAttributeIsAArray(attribute)) {
    if (depth == MAX_ATTRIBUTE_DEPTH) m->gave_up = true;
    for (intptr_t k = 0; !m->gave_up && k < mlirArrayAttrGetNumElements(attribute); ++k)
      mark_attribute(m, mlirArrayAttrGetElement(attribute, k), depth + 1);
  } else if (mlirAttributeIsADictionary(attribute)) {
    if (depth == MAX_ATTRIBUTE_DEPTH) m->gave_up = true;
    for (intptr_t k = 0; !m->gave_up && k < mlirDictionaryAttrGetNumElements(attribute); ++k)
      mark_attribute(m, mlirDictionaryAttrGetElement(attribute, k).attribute, depth + 1);
  }
}

static bool mark_operation(MlirOperation operation, void *user) {
  marker *m = user;
  for (intptr_t k = 0; k < mlirOperationGetNumAttributes(operation); ++k)
    mark_attribute(m, mlirOperationGetAttribute(operation, k).attribute, 0);
  return !m->gave_up;
}

void ragged_erase_unused_functions(const ragged_program *program) {
  ragged_arena *arena = program->arena;
  marker m = {.private_functions.arena = arena};
  m.used = RAGGED_ARENA_ARRAY(arena, bool, program->size + 1);
  m.operations = RAGGED_ARENA_ARRAY(arena, MlirOperation, program->size + 1);
  m.pending = RAGGED_ARENA_ARRAY(arena, int, program->size + 1);
  for (int k = 0; k < program->size; ++k)
    if (ragged_function_is_private(program->functions[k].operation))
      m.operations[ragged_name_table_add(&m.private_functions, program->functions[k].name)] =
          program->functions[k].operation;
  MlirBlock body = ragged_operation_body(program->module);
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op) && !m.gave_up;
       op = mlirOperationGetNextInBlock(op)) {
    if (ragged_function_is_stage1(op) && ragged_function_is_private(op)) continue;
    if (mark_operation(op, &m)) ragged_walk(op, mark_operation, &m);
  }
  while (m.num_pending && !m.gave_up) {
    MlirOperation function = m.operations[m.pending[--m.num_pending]];
    if (mark_operation(function, &m)) ragged_walk(function, mark_operation, &m);
  }
  for (int k = 0; k < m.private_functions.size && !m.gave_up; ++k)
    if (!m.used[k]) mlirOperationDestroy(m.operations[k]);
}
