// Reads a module into functions and calls. See program.h.
#include "passes/program.h"

#include <stdlib.h>
#include <string.h>

#include "dialect/diagnostic.h"
#include "ir/build.h"
#include "support/string_buffer.h"

static MlirOperation next_in_block(MlirOperation operation) {
  return mlirOperationGetNextInBlock(operation);
}

bool ragged_function_is_stage1(MlirOperation operation) {
  static const char prefix[] = "ragged_tile.";
  if (!ragged_operation_is(operation, "func.func")) return false;
  for (intptr_t k = 0; k < mlirOperationGetNumDiscardableAttributes(operation); ++k) {
    MlirStringRef name =
        mlirIdentifierStr(mlirOperationGetDiscardableAttribute(operation, k).name);
    if (name.length >= sizeof prefix - 1 && !memcmp(name.data, prefix, sizeof prefix - 1))
      return false;
  }
  return true;
}

bool ragged_function_is_private(MlirOperation function) {
  const char *visibility = ragged_operation_string(function, "sym_visibility");
  return visibility && !strcmp(visibility, "private");
}

MlirType ragged_function_type(MlirOperation function) {
  MlirAttribute type = ragged_operation_attribute(function, "function_type");
  if (mlirAttributeIsNull(type) || !mlirAttributeIsAType(type)) return (MlirType){NULL};
  MlirType value = mlirTypeAttrGetValue(type);
  return mlirTypeIsAFunction(value) ? value : (MlirType){NULL};
}

MlirOperation ragged_function_return(MlirBlock body) {
  MlirOperation last = mlirBlockGetTerminator(body);
  return ragged_operation_is(last, "func.return") ? last : (MlirOperation){NULL};
}

bool ragged_walk(MlirOperation operation, ragged_op_visitor visit, void *user) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(operation); ++r)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
           op = next_in_block(op))
        if (!visit(op, user) || !ragged_walk(op, visit, user)) return false;
  return true;
}

MlirOperation *ragged_ops_between(ragged_arena *arena, MlirOperation first, MlirOperation end,
                                  int *out_count) {
  MlirOperation *operations = NULL;
  int capacity = 0;
  *out_count = 0;
  for (MlirOperation op = first; !mlirOperationIsNull(op) && !mlirOperationEqual(op, end);
       op = next_in_block(op)) {
    operations = ragged_arena_grow(arena, operations, *out_count, &capacity, sizeof *operations);
    operations[(*out_count)++] = op;
  }
  return operations;
}

bool ragged_is_inside(MlirOperation operation, MlirOperation outer) {
  for (MlirOperation parent = mlirOperationGetParentOperation(operation);
       !mlirOperationIsNull(parent); parent = mlirOperationGetParentOperation(parent))
    if (mlirOperationEqual(parent, outer)) return true;
  return false;
}

// ---- Calls ----------------------------------------------------------------------------------

typedef struct reader {
  ragged_program *program;
  MlirSymbolTable symbols;
  ragged_program_function *function;
} reader;

// Number of the stage-1 function that `operation` is, -1 for none: an index by pointer.
typedef struct indexed {
  const void *key;
  int number;
} indexed;

static int compare_indexed(const void *a, const void *b) {
  const void *x = ((const indexed *)a)->key, *y = ((const indexed *)b)->key;
  return x < y ? -1 : x > y;
}

static int find_function(const indexed *index, int size, MlirOperation operation) {
  const indexed key = {operation.ptr, 0};
  const indexed *found = bsearch(&key, index, (size_t)size, sizeof *index, compare_indexed);
  return found ? found->number : -1;
}

static void add_call(reader *reader, MlirOperation call, int callee) {
  ragged_program_function *function = reader->function;
  function->calls = ragged_arena_grow(reader->program->arena, function->calls, function->num_calls,
                                      &function->call_capacity, sizeof *function->calls);
  function->calls[function->num_calls++] = (ragged_program_call){call, callee};
}

static bool read_call(reader *reader, const indexed *index, MlirOperation call) {
  const char *name = ragged_operation_string(call, "callee");
  if (!name) return ragged_op_error(call, "names no callee");
  MlirOperation callee =
      mlirSymbolTableLookup(reader->symbols, mlirStringRefCreateFromCString(name));
  if (mlirOperationIsNull(callee))
    return ragged_op_error(call, "calls @%s, which the module does not have", name);
  if (!ragged_operation_is(callee, "func.func"))
    return ragged_op_error(call, "calls @%s, which is no func.func", name);
  add_call(reader, call, find_function(index, reader->program->size, callee));
  return true;
}

static bool read_calls(reader *reader, const indexed *index, MlirOperation operation, int depth) {
  if (depth > RAGGED_MAX_NESTING)
    return ragged_op_error(operation, "is nested in more than %d regions", RAGGED_MAX_NESTING);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(operation); ++r)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
           op = next_in_block(op)) {
        bool call = ragged_operation_is(op, "func.call") || ragged_operation_is(op, "ragged.call");
        if (call && !read_call(reader, index, op)) return false;
        if (!read_calls(reader, index, op, depth + 1)) return false;
      }
  return true;
}

// ---- Order ----------------------------------------------------------------------------------

// One level of the depth-first search: a function, and which of its calls is followed.
typedef struct search_level {
  int function, call;
} search_level;

// The calls on the stack from `callee` on, which call it again.
static void note_cycle(ragged_program *program, const search_level *stack, int depth, int callee) {
  if (program->cycle_text) return;
  int first = depth;
  while (first > 0 && stack[first].function != callee) --first;
  program->num_cycle = depth - first + 1;
  program->cycle = RAGGED_ARENA_ARRAY(program->arena, ragged_program_call, program->num_cycle);
  ragged_string_buffer text = {0};
  for (int k = first; k <= depth; ++k) {
    const ragged_program_function *function = &program->functions[stack[k].function];
    program->cycle[k - first] = function->calls[stack[k].call];
    // A message shows the ends of a long cycle.
    if (k - first < 8 || k == depth)
      ragged_string_appendf(&text, "@%s -> ", function->name);
    else if (k - first == 8)
      ragged_string_appendf(&text, "... -> ");
  }
  ragged_string_appendf(&text, "@%s", program->functions[callee].name);
  program->cycle_text = ragged_arena_copy_string(program->arena, text.data, text.length);
  ragged_string_free(&text);
}

// From the roots `first` to the one before `end`.
static void find_order(ragged_program *program, int first, int end) {
  enum { UNSEEN, OPEN, DONE };
  int *state = RAGGED_ARENA_ARRAY(program->arena, int, program->size + 1);
  search_level *stack = RAGGED_ARENA_ARRAY(program->arena, search_level, program->size + 1);
  int num_ordered = 0;
  program->order = RAGGED_ARENA_ARRAY(program->arena, int, program->size + 1);
  program->cycle_text = NULL;
  for (int root = first; root < end; ++root) {
    if (state[root] != UNSEEN) continue;
    int depth = 0;
    stack[0] = (search_level){root, 0};
    state[root] = OPEN;
    while (depth >= 0) {
      search_level *level = &stack[depth];
      const ragged_program_function *function = &program->functions[level->function];
      if (level->call == function->num_calls) {
        state[level->function] = DONE;
        program->order[num_ordered++] = level->function;
        if (--depth >= 0) ++stack[depth].call;
        continue;
      }
      int callee = function->calls[level->call].callee;
      if (callee >= 0 && state[callee] == UNSEEN) {
        state[callee] = OPEN;
        stack[++depth] = (search_level){callee, 0};
        continue;
      }
      if (callee >= 0 && state[callee] == OPEN) note_cycle(program, stack, depth, callee);
      ++level->call;
    }
  }
}

void ragged_program_narrow(ragged_program *program, int root) {
  find_order(program, root, root + 1);
}

// ---- The module -----------------------------------------------------------------------------

static bool read_function(ragged_program_function *function, MlirOperation operation) {
  const char *name = ragged_operation_string(operation, "sym_name");
  MlirType type = ragged_function_type(operation);
  if (!name || mlirTypeIsNull(type) || mlirOperationGetNumRegions(operation) != 1)
    return ragged_op_error(operation, "is no complete function");
  *function = (ragged_program_function){.operation = operation, .name = name, .type = type};
  function->body = mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, 0));
  if (mlirBlockIsNull(function->body)) return true;
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(function->body)))
    return ragged_op_error(operation, "@%s has several blocks, expected one with structured "
                           "control flow (scf)", name);
  if (mlirOperationIsNull(ragged_function_return(function->body)))
    return ragged_op_error(operation, "@%s does not end in func.return", name);
  return true;
}

static bool read_functions(ragged_program *program) {
  MlirBlock body = ragged_operation_body(program->module);
  if (mlirBlockIsNull(body)) return true;
  int count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = next_in_block(op))
    count += ragged_function_is_stage1(op);
  program->functions = RAGGED_ARENA_ARRAY(program->arena, ragged_program_function, count + 1);
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = next_in_block(op))
    if (ragged_function_is_stage1(op) &&
        !read_function(&program->functions[program->size++], op))
      return false;
  return true;
}

bool ragged_program_read(MlirOperation module, ragged_arena *arena, ragged_program *out) {
  *out = (ragged_program){.arena = arena, .module = module};
  if (!read_functions(out)) return false;
  reader reader = {.program = out, .symbols = mlirSymbolTableCreate(module)};
  if (mlirSymbolTableIsNull(reader.symbols))
    return ragged_op_error(module, "holds no symbols, expected a module");
  indexed *index = RAGGED_ARENA_ARRAY(arena, indexed, out->size + 1);
  for (int k = 0; k < out->size; ++k)
    index[k] = (indexed){out->functions[k].operation.ptr, k};
  qsort(index, (size_t)out->size, sizeof *index, compare_indexed);
  bool ok = true;
  for (int k = 0; k < out->size && ok; ++k) {
    reader.function = &out->functions[k];
    ok = read_calls(&reader, index, reader.function->operation, 0);
  }
  mlirSymbolTableDestroy(reader.symbols);
  if (ok) find_order(out, 0, out->size);
  return ok;
}
