// What the files of --ragged-emulate-kernels share: the conversion in progress, how host code is
// built, and what is known of LLVM types. Types of the LLVM dialect are handled by their text, which
// is all that MLIR's C API gives without an archive of its own.
#ifndef RAGGED_LOWER_EMULATED_EMULATE_H
#define RAGGED_LOWER_EMULATED_EMULATE_H

#include "dialect/diagnostic.h"
#include "ir/build.h"
#include "support/arena.h"

// A variable of a gpu.module.
typedef struct emulate_global {
  struct emulate_global *next;
  const char *name;
  const char *host_name;   // of constant data; null in shared memory
  int64_t offset, bytes;   // in static shared memory; offset -1: the dynamic memory
} emulate_global;

// A function of a gpu.module.
typedef struct emulate_function {
  struct emulate_function *next;
  const char *name;
  bool defined, kernel;
} emulate_function;

typedef struct emulate_text {
  struct emulate_text *next;
  const char *text, *symbol;
} emulate_text;

typedef struct emulation {
  MlirContext context;
  ragged_arena arena;
  MlirOperation host;        // the module
  MlirBlock body;            // its
  MlirType pointer, i1, i16, i32, i64, f32, f64;
  emulate_text *texts;       // source ops that host code names
  int num_texts;
  bool failed;
  // The gpu.module that is being converted:
  MlirOperation device;
  const char *prefix;        // "NAME__"
  emulate_global *globals;
  emulate_function *functions;
  int64_t shared_bytes;
  // The function:
  MlirBlock entry;
  MlirValue thread;          // first argument
} emulation;

// ---- emulate_build.c -----------------------------------------------------------------------------

MlirValue emulate_i32(emulation *self, const ragged_builder *at, int64_t value);
MlirValue emulate_i64(emulation *self, const ragged_builder *at, int64_t value);
// Static text that names the op: the name that its location carries, else its own.
MlirValue emulate_where(emulation *self, const ragged_builder *at, MlirOperation operation);
// A call of a function of emulated_abi.def; null where that returns nothing.
MlirValue emulate_call(emulation *self, const ragged_builder *at, const char *symbol,
                       intptr_t num_arguments, const MlirValue *arguments);
// A call of a function of the host module.
MlirOperation emulate_call_function(emulation *self, const ragged_builder *at, const char *symbol,
                                    intptr_t num_arguments, const MlirValue *arguments,
                                    intptr_t num_results, const MlirType *results);
// Room for `count` elements in the function's frame.
MlirValue emulate_alloca(emulation *self, MlirType element, int64_t count);
MlirValue emulate_element(emulation *self, const ragged_builder *at, MlirValue array,
                          MlirType element, int64_t index);  // its address
MlirValue emulate_load(const ragged_builder *at, MlirValue address, MlirType type);
void emulate_store(const ragged_builder *at, MlirValue value, MlirValue address);
MlirValue emulate_cast(const ragged_builder *at, const char *name, MlirValue value, MlirType type);
MlirValue emulate_insert_value(const ragged_builder *at, MlirValue aggregate, MlirValue value,
                               int64_t position);
MlirValue emulate_is_set(emulation *self, const ragged_builder *at, MlirValue value);  // i32 → i1
// Uses of the op's result become `value`; the op goes.
void emulate_replace(MlirOperation operation, MlirValue value);

// ---- emulate_types.c -----------------------------------------------------------------------------

const char *emulate_type_text(emulation *self, MlirType type);
const char *emulate_attribute_text(emulation *self, MlirOperation operation, const char *name);
// The type with all pointers in the default address space; null when it cannot be written.
MlirType emulate_host_type(emulation *self, MlirType type);
// Address space of a pointer type; -1: no pointer type.
int emulate_address_space(emulation *self, MlirType type);
// Bytes that an access touches, and the alignment that LLVM assumes for it. False: not known.
bool emulate_layout(emulation *self, MlirType type, int64_t *bytes, int64_t *alignment);

// ---- emulate_kernels.c ---------------------------------------------------------------------------

const emulate_function *emulate_find_function(const emulation *self, const char *name);  // or null

// ---- Conversions of one op; each false after a diagnostic ----------------------------------------

// emulate_memory.c
bool emulate_convert_load(emulation *self, MlirOperation operation);
bool emulate_convert_store(emulation *self, MlirOperation operation);
bool emulate_convert_address(emulation *self, MlirOperation operation);
bool emulate_convert_space_cast(emulation *self, MlirOperation operation);
bool emulate_convert_block_copy(emulation *self, MlirOperation operation);
bool emulate_convert_block_fill(emulation *self, MlirOperation operation);
bool emulate_convert_async_copy(emulation *self, MlirOperation operation);
bool emulate_convert_async_commit(emulation *self, MlirOperation operation);
bool emulate_convert_async_wait(emulation *self, MlirOperation operation);
// emulate_warp.c
bool emulate_convert_register(emulation *self, MlirOperation operation);
bool emulate_convert_barrier(emulation *self, MlirOperation operation);
bool emulate_convert_warp_barrier(emulation *self, MlirOperation operation);
bool emulate_convert_shuffle(emulation *self, MlirOperation operation);
bool emulate_convert_vote(emulation *self, MlirOperation operation);
bool emulate_convert_product(emulation *self, MlirOperation operation);
bool emulate_convert_load_matrix(emulation *self, MlirOperation operation);
// emulate_math.c
bool emulate_convert_math(emulation *self, MlirOperation operation);  // llvm.intr.* of its table
bool emulate_convert_rcp(emulation *self, MlirOperation operation);
bool emulate_convert_intrinsic(emulation *self, MlirOperation operation);
bool emulate_convert_narrowing(emulation *self, MlirOperation operation);
bool emulate_convert_widening(emulation *self, MlirOperation operation);
bool emulate_convert_arithmetic(emulation *self, MlirOperation operation);
// A call of CUDA's device library; false without a diagnostic when `callee` is none that is known.
bool emulate_convert_library_call(emulation *self, MlirOperation operation, const char *callee);
// emulate_ops.c: of any op
bool emulate_convert_op(emulation *self, MlirOperation operation);

#endif  // RAGGED_LOWER_EMULATED_EMULATE_H
