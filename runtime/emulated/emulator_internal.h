// What the files of the emulated device share: the emulator, one launch with its current block, and
// the threads of that block. Everything belongs to the emulator and is found through the thread.
#ifndef RAGGED_RUNTIME_EMULATED_EMULATOR_INTERNAL_H
#define RAGGED_RUNTIME_EMULATED_EMULATOR_INTERNAL_H

#include <stdbool.h>

#include "emulated/emulated_fiber.h"
#include "emulated/emulated_races.h"
#include "emulated/emulator.h"

enum {
  EMULATED_WARP = 32,
  EMULATED_MAX_THREADS = 1024,
  EMULATED_BARRIERS = 16,
  // The block's shared memory: a place for variables, then dynamic memory. The hardware takes 48 KiB
  // of variables; the rest is room for the gaps between them.
  EMULATED_VARIABLE_BYTES = 48 * 1024,
  EMULATED_STATIC_SHARED = 96 * 1024,
  EMULATED_DYNAMIC_SHARED = 232448,
  EMULATED_SHARED = EMULATED_STATIC_SHARED + 1024 + EMULATED_DYNAMIC_SHARED,
  EMULATED_VARIABLES = 64,
  EMULATED_FREED = 64,
  EMULATED_SECTOR = 32,  // bytes
};

// What is known of a byte.
enum { EMULATED_UNWRITTEN = 0, EMULATED_WRITTEN = 1, EMULATED_PENDING = 2 };

typedef struct emulated_allocation {
  char *begin;
  size_t bytes;
  void *memory;            // what to free; null for memory of others
  bool read_only;          // constant data, known until the launch ends
  unsigned char *state;    // of each byte; null for constant data
  // Of each sector, the last launch that loaded it, and the last that stored to it; with the state.
  uint32_t (*touched)[2];
  emulated_race_map races;
} emulated_allocation;

// Freed memory stays away from the C library for a while, so that its use is found.
typedef struct emulated_freed {
  char *begin;
  size_t bytes;
  void *memory;
} emulated_freed;

typedef struct emulated_launch emulated_launch;
typedef enum emulated_thread_state {
  EMULATED_READY,
  EMULATED_AT_BARRIER,  // waits for other threads of the block
  EMULATED_IN_WARP,     // waits for other lanes of its warp
  EMULATED_FINISHED
} emulated_thread_state;

typedef enum emulated_warp_kind {
  EMULATED_WARP_BARRIER,
  EMULATED_SHUFFLE_IDX,
  EMULATED_SHUFFLE_UP,
  EMULATED_SHUFFLE_DOWN,
  EMULATED_SHUFFLE_BFLY,
  EMULATED_VOTE_ALL,
  EMULATED_VOTE_ANY,
  EMULATED_VOTE_UNI,
  EMULATED_VOTE_BALLOT,
  EMULATED_MATRIX,
  EMULATED_LOAD_MATRIX
} emulated_warp_kind;

typedef enum emulated_matrix_type { EMULATED_F16, EMULATED_BF16, EMULATED_TF32 } emulated_matrix_type;

// One lane's part in an operation of its warp.
typedef struct emulated_warp_operation {
  emulated_warp_kind kind;
  uint32_t mask;
  uint32_t value, b, c;  // shuffles; votes use value
  uint32_t result, valid;
  emulated_matrix_type type;  // matrices
  int k;                      // matrices: the inner extent; ldmatrix: how many
  bool transposed;
  const int32_t *a_registers, *b_registers;
  const float *c_registers;
  float *d_registers;
  const char *row;
  int32_t *registers;
} emulated_warp_operation;

typedef struct emulated_async_copy {
  char *to;
  uint32_t bytes;
  int64_t group;
  unsigned char data[16];
} emulated_async_copy;

struct ragged_emulated_thread {
  emulated_launch *launch;
  int32_t index;
  emulated_thread_state state;
  const char *where;  // of what it waits for
  int32_t barrier;
  emulated_warp_operation operation;
  emulated_fiber fiber;
  emulated_async_copy *copies;  // not there yet, in order
  size_t num_copies, copies_capacity;
  int64_t groups;               // committed so far
};

typedef struct emulated_variable {
  int64_t offset, bytes;
} emulated_variable;

typedef struct emulated_barrier {
  int32_t arrived, count;  // count: of threads that must arrive
} emulated_barrier;

// The launch that runs, and its current block.
struct emulated_launch {
  ragged_emulator *emulator;
  const ragged_emulator_launch *what;
  size_t counts;  // index in the emulator's
  int64_t block;
  int32_t num_threads;
  ragged_emulated_thread *threads;
  emulated_fiber scheduler;
  ragged_status fault;  // the first; the launch ends with it
  emulated_variable variables[EMULATED_VARIABLES];
  int num_variables;
  emulated_race_map shared_races;
  emulated_barrier barriers[EMULATED_BARRIERS];
  emulated_order order;
};

struct ragged_emulator {
  emulated_allocation *allocations;  // by address, not overlapping
  size_t num_allocations, allocations_capacity, last_hit;
  emulated_freed freed[EMULATED_FREED];  // a ring
  size_t next_freed, freed_bytes;
  ragged_emulator_counts *counts;
  size_t num_kernels, kernels_capacity;
  uint32_t launch_number;  // of the launch that runs, from 1
  ragged_emulated_thread *threads;  // EMULATED_MAX_THREADS, from the first launch on
  emulated_stacks stacks;
  char *shared;                     // EMULATED_SHARED bytes, from the first launch on
  unsigned char *shared_state;
  emulated_race_pages pages;
};

#pragma GCC visibility push(hidden)

// ---- emulated_memory.c ---------------------------------------------------------------------------

// The live allocation that holds the whole range; null when there is none.
emulated_allocation *emulated_find(ragged_emulator *emulator, const void *address, size_t bytes);
// The live allocation that begins last at or below `address`; null when there is none.
emulated_allocation *emulated_find_below(ragged_emulator *emulator, const void *address);
const emulated_freed *emulated_find_freed(const ragged_emulator *emulator, const void *address);
// Adds memory; status INVALID_ARGUMENT when it overlaps some that is there. `allocation` is taken on
// success.
RAGGED_MUST_USE ragged_status emulated_insert(ragged_emulator *emulator,
                                              const emulated_allocation *allocation);
void emulated_forget_constants(ragged_emulator *emulator);

// ---- emulated_fault.c ----------------------------------------------------------------------------

// Ends the launch with this fault of `thread`, which runs. `where` may be null.
_Noreturn RAGGED_PRINTF(3, 4) void emulated_fault(ragged_emulated_thread *thread, const char *where,
                                                  const char *format, ...);
_Noreturn void emulated_out_of_memory(ragged_emulated_thread *thread);
// A fault that no running thread reports: the scheduler's.
RAGGED_PRINTF(3, 4) void emulated_set_fault(ragged_emulated_thread *thread, const char *where,
                                            const char *format, ...);
// "address 0x... (offset 16 of the 64 bytes at 0x...)", into text. Returns text.
enum { EMULATED_TEXT = 256 };
const char *emulated_describe_address(ragged_emulated_thread *thread, const void *address,
                                      char text[EMULATED_TEXT]);
// What a thread waits for, or that it has finished.
const char *emulated_describe_state(const ragged_emulated_thread *thread, char text[EMULATED_TEXT]);

// ---- emulated_check.c ----------------------------------------------------------------------------

// A range of memory that a thread may use: the states of its bytes and its races.
typedef struct emulated_range {
  unsigned char *state;  // null: constant data
  emulated_race_map *races;
  uint32_t (*touched)[2];  // of the allocation; null: not global
  size_t offset;         // of the range in `races`
  size_t covered;        // bytes that `races` is about
  bool global, read_only;
} emulated_range;
// Bounds, alignment and space; a fault when they are wrong. False: nothing to check, no bytes or the
// thread's own stack.
bool emulated_locate(ragged_emulated_thread *thread, const void *address, int64_t bytes,
                     int64_t alignment, int32_t space, const char *verb, const char *where,
                     emulated_range *out);
// Against the accesses of other threads; a fault when they are not ordered.
void emulated_record(ragged_emulated_thread *thread, const emulated_range *range,
                     const void *address, int64_t bytes, bool store, const char *where);
void emulated_count(ragged_emulated_thread *thread, const emulated_range *range, int64_t bytes,
                    bool store);

// ---- emulated_block.c, emulated_barrier.c, emulated_warp.c, emulated_matrix.c --------------------

// Runs the launch's current block; false when a fault ended it.
bool emulated_run_block(emulated_launch *launch);
// Switches to the scheduler until the thread is ready again.
void emulated_wait(ragged_emulated_thread *thread, emulated_thread_state state, const char *where);
// Completes the matrix operation of a warp whose lanes have all arrived; `lanes` is lane 0.
void emulated_multiply(ragged_emulated_thread *lanes);
void emulated_distribute_matrix(ragged_emulated_thread *lanes);
// All lanes that `operation` names do it together.
void emulated_warp_execute(ragged_emulated_thread *thread, const emulated_warp_operation *operation,
                           const char *where);

#pragma GCC visibility pop

#endif  // RAGGED_RUNTIME_EMULATED_EMULATOR_INTERNAL_H
