// State of the lowering of host programs, shared by the files lower_host*.c: how runtime functions are
// called, and where their arrays, strings and constants live.
#ifndef RAGGED_LOWER_HOST_LOWER_HOST_H
#define RAGGED_LOWER_HOST_LOWER_HOST_H

#include "ir/build.h"
#include "lower/kernel/kernel_layout.h"
#include "support/arena.h"

typedef struct host_text {  // a string constant of the module
  const char *data, *symbol;
  size_t length;  // with its terminator
  struct host_text *next;
} host_text;

typedef struct host_constant {  // a dense constant of the module
  MlirAttribute value;
  const char *symbol;
  struct host_constant *next;
} host_constant;

typedef struct host_lowering host_lowering;

// How kernels are launched is the back end's business; the rest of a host program is the same for all.
typedef struct host_backend {
  // Replaces a ragged_tile.launch. False after a diagnostic.
  bool (*lower_launch)(host_lowering *self, MlirOperation launch);
  const void *target;  // the back end's own
  // What a host program does first. Null: nothing.
  void (*begin_program)(host_lowering *self, const ragged_builder *at);
} host_backend;

struct host_lowering {
  MlirContext context;
  MlirOperation module;
  const host_backend *backend;
  ragged_arena *arena;
  ragged_builder top;  // where globals and declarations go: before all else in the module
  MlirType pointer, i64, i1;
  host_text *texts;
  host_constant *constants;
  int num_globals;
  bool *declared;         // per function of runtime_abi.def
  kernel_layout *layout;  // of the launch in progress
  // The function in progress: its frame, and one array on its stack, through which every call that
  // takes arrays gets them. The array has room for the words of the largest call.
  MlirValue frame, array;
  MlirOperation array_size;  // the constant that says how many
  int64_t num_words;
  const char *where;  // what ragged_rt_frame_at was told last in this block; null: nothing
};

// Replaces every host op of the module. Runs before its kernels are replaced, since launches are
// lowered by their layouts. False after a diagnostic.
bool ragged_lower_host(MlirOperation module, const host_backend *backend);

// ---- lower_host_data.c ---------------------------------------------------------------------------

// Starts a function whose entry block is `entry`; ends it by giving the array its size.
void lower_host_begin_function(host_lowering *self, MlirBlock entry);
void lower_host_end_function(host_lowering *self);

// Calls a function of runtime_abi.def and declares it first. A null value when it returns nothing.
MlirValue lower_host_call(host_lowering *self, const ragged_builder *at, const char *symbol,
                          intptr_t num_arguments, const MlirValue *arguments);
MlirValue lower_host_i64(const host_lowering *self, const ragged_builder *at, int64_t value);
MlirValue lower_host_null(const host_lowering *self, const ragged_builder *at);
// Whether a pointer is not null, a number not 0: an i1.
MlirValue lower_host_is_set(const host_lowering *self, const ragged_builder *at, MlirValue value);
// Pointers and i64, one after the other in memory; null for none. They stay there until the next
// array of the function is made: the call that reads them comes before that.
MlirValue lower_host_array(host_lowering *self, const ragged_builder *at, intptr_t count,
                           const MlirValue *words);
MlirValue lower_host_i64_array(host_lowering *self, const ragged_builder *at, intptr_t count,
                               const int64_t *values);
// Address of a constant of `length` bytes and a null byte.
MlirValue lower_host_string(host_lowering *self, const ragged_builder *at, const char *text,
                            size_t length);
// Address of the elements of a dense constant, aligned to 64 bytes; null when it has none.
MlirValue lower_host_elements(host_lowering *self, const ragged_builder *at, MlirAttribute value);
// Address of a function of runtime_abi.def that returns nothing.
MlirValue lower_host_runtime_function(host_lowering *self, const ragged_builder *at,
                                      const char *symbol);
// Address of a func.func of the module, which may be made later, with arguments of these types and no
// result.
MlirValue lower_host_function(const host_lowering *self, const ragged_builder *at,
                              const char *symbol, intptr_t num_arguments,
                              const MlirType *arguments);

// ---- lower_host_launch.c -------------------------------------------------------------------------

typedef struct launch_operands {
  MlirValue items, batch;
  const MlirValue *axes, *buffers;  // as many as the layout says
} launch_operands;

// Splits a launch's operands as self->layout counts them.
launch_operands lower_host_launch_operands(host_lowering *self, MlirOperation launch);
// The space of some of the kernel's axes.
MlirValue lower_host_launch_space(host_lowering *self, const ragged_builder *at,
                                  const launch_operands *operands, int num_axes,
                                  const int64_t *axes);
// What a slot holds that is no product: a pointer or an i64.
MlirValue lower_host_slot(host_lowering *self, const ragged_builder *at,
                          const launch_operands *operands, const kernel_slot *slot);

// ---- lower_host_ops.c ----------------------------------------------------------------------------

// Replaces a host op, whose operands have been lowered. False after a diagnostic.
bool lower_host_operation(host_lowering *self, MlirOperation operation);

#endif  // RAGGED_LOWER_HOST_LOWER_HOST_H
