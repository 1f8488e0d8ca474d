// The emulated GPU: memory and launches. It runs kernels that are written against emulated_abi.h on
// the CPU and checks what they do; it proves GPU kernels on machines without a GPU. An emulator is
// used by one thread at a time; several can be used in parallel. It needs no LLVM.
#ifndef RAGGED_RUNTIME_EMULATED_EMULATOR_H
#define RAGGED_RUNTIME_EMULATED_EMULATOR_H

#include <stddef.h>
#include <stdint.h>

#include "emulated/emulated_abi.h"
#include "support/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ragged_emulator ragged_emulator;

RAGGED_MUST_USE ragged_status ragged_emulator_create(ragged_emulator **out_emulator);
// Frees what is still allocated. Null is allowed.
void ragged_emulator_destroy(ragged_emulator *emulator);

// ---- Memory --------------------------------------------------------------------------------------
// Device memory is host memory of which the emulator knows, byte by byte, what was ever written.
// Addresses that do not lie in one live allocation are INVALID_ARGUMENT.

// Aligned to 256; nothing in it counts as written. 0 bytes are allowed.
RAGGED_MUST_USE ragged_status ragged_emulator_allocate(ragged_emulator *emulator, size_t bytes,
                                                       void **out_address);
RAGGED_MUST_USE ragged_status ragged_emulator_free(ragged_emulator *emulator, void *address);
// Memory of the caller's that kernels may use, all of it written, until it is forgotten.
RAGGED_MUST_USE ragged_status ragged_emulator_adopt(ragged_emulator *emulator, void *address,
                                                    size_t bytes);
RAGGED_MUST_USE ragged_status ragged_emulator_forget(ragged_emulator *emulator, void *address);
// The bytes no longer count as written: for a pool that gives memory to another value.
RAGGED_MUST_USE ragged_status ragged_emulator_discard(ragged_emulator *emulator, void *address,
                                                      size_t bytes);

RAGGED_MUST_USE ragged_status ragged_emulator_upload(ragged_emulator *emulator, void *to,
                                                     const void *host, size_t bytes);
// INTERNAL when a byte was never written.
RAGGED_MUST_USE ragged_status ragged_emulator_download(ragged_emulator *emulator, void *host,
                                                       const void *from, size_t bytes);
// Both on the device. Bytes that were never written stay so.
RAGGED_MUST_USE ragged_status ragged_emulator_copy(ragged_emulator *emulator, void *to,
                                                   const void *from, size_t bytes);
RAGGED_MUST_USE ragged_status ragged_emulator_fill(ragged_emulator *emulator, void *to, int byte,
                                                   size_t bytes);

// ---- Launches ------------------------------------------------------------------------------------

typedef struct ragged_emulator_launch {
  const char *name;                 // of the kernel, for messages and counts
  ragged_emulated_kernel function;
  int64_t grid;                     // blocks, 0 to 2^31 - 1
  int32_t block;                    // threads of each, 1 to 1024
  int64_t dynamic_shared_bytes;     // of each block, at most 232,448
  const int64_t *words;             // the parameters
  int64_t num_words;
} ragged_emulator_launch;

// Runs all blocks, one after another. INVALID_ARGUMENT: such a launch is none; INTERNAL: the first
// fault of the kernel, with kernel, block, thread, source op, and what was found. After a fault the
// memory has what was stored before it, and the emulator can be used further. A kernel that uses more
// than 256 KiB of stack runs into a guard page, which ends the process.
RAGGED_MUST_USE ragged_status ragged_emulator_run(ragged_emulator *emulator,
                                                  const ragged_emulator_launch *launch);

// ---- Counts --------------------------------------------------------------------------------------

enum { RAGGED_EMULATOR_WIDTHS = 6 };
// Of all launches under one name. Accesses to global memory only; an access's width is that of the
// one load, store or asynchronous copy of one thread.
typedef struct ragged_emulator_counts {
  const char *name;                                // the emulator's
  int64_t launches, blocks, threads;
  int64_t bytes_loaded, bytes_stored;
  int64_t sectors_loaded, sectors_stored;          // different ones of each launch, of 32 bytes
  int64_t loads[RAGGED_EMULATOR_WIDTHS];           // of 1, 2, 4, 8, 16 and any other number of bytes
  int64_t stores[RAGGED_EMULATOR_WIDTHS];
  int64_t barriers, warp_operations;               // completed; a block or warp counts once
} ragged_emulator_counts;

size_t ragged_emulator_num_kernels(const ragged_emulator *emulator);
// 0 <= index < num_kernels, in the order of their first launches. Valid until the next launch.
const ragged_emulator_counts *ragged_emulator_kernel(const ragged_emulator *emulator, size_t index);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_RUNTIME_EMULATED_EMULATOR_H
