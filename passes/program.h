// The stage-1 functions of a module and who calls whom: what every module pass reads first.
// Functions that carry an attribute of the `ragged_tile` dialect are of stage 2 and left out.
#ifndef RAGGED_PASSES_PROGRAM_H
#define RAGGED_PASSES_PROGRAM_H

#include <stdbool.h>

#include "mlir-c/IR.h"
#include "support/arena.h"

typedef struct ragged_program_call {
  MlirOperation operation;  // func.call or ragged.call
  int callee;               // its function's number; -1: none of this program
} ragged_program_call;

typedef struct ragged_program_function {
  MlirOperation operation;
  const char *name;
  MlirType type;    // as read; passes that change signatures ask the op
  MlirBlock body;   // the only block; null for a declaration
  int num_calls, call_capacity;
  ragged_program_call *calls;  // in program order
} ragged_program_function;

typedef struct ragged_program {
  ragged_arena *arena;
  MlirOperation module;
  int size;
  ragged_program_function *functions;  // in module order
  int *order;       // numbers of functions, callees before callers where no recursion forbids it
  int num_cycle;    // a cycle of calls, if there is one: calls[k] leads to the next one's function
  ragged_program_call *cycle;
  const char *cycle_text;  // "@f -> @g -> @f"; null without recursion
} ragged_program;

// Regions nested deeper than this are an error, so that walks may recurse.
#define RAGGED_MAX_NESTING 200

// False: a diagnostic was emitted (a function of several blocks, a call of a function that does not
// exist, regions nested too deeply).
bool ragged_program_read(MlirOperation module, ragged_arena *arena, ragged_program *out);
// From here on, order and cycle are those of what function `root` calls, directly or not.
void ragged_program_narrow(ragged_program *program, int root);

bool ragged_function_is_stage1(MlirOperation operation);
bool ragged_function_is_private(MlirOperation function);
// The current function type; null when the op has none.
MlirType ragged_function_type(MlirOperation function);
// The op that returns from a body; null when the block does not end in func.return.
MlirOperation ragged_function_return(MlirBlock body);

// Calls `visit` for every op below `operation` in program order, an op before its regions.
typedef bool (*ragged_op_visitor)(MlirOperation operation, void *user);
bool ragged_walk(MlirOperation operation, ragged_op_visitor visit, void *user);

// The ops of a block from `first` to the one before `end` (null: to the last), as they are now: for whoever
// changes the block on the way.
MlirOperation *ragged_ops_between(ragged_arena *arena, MlirOperation first, MlirOperation end,
                                  int *out_count);
// Whether `operation` stands in a region of `outer`, at any depth.
bool ragged_is_inside(MlirOperation operation, MlirOperation outer);

#endif  // RAGGED_PASSES_PROGRAM_H
