// libragged_rt: owns sizes and offsets, memory, devices and launches. C11, no LLVM, no mutable
// globals, no abort, never prints, never exits.
//
// Ownership: _create and _get give the caller a reference, ended by _release; _retain adds one.
// Parameters named out_... are written on success only. A returned status that is not null is the
// caller's (support/status.h). A context and all objects made from it are used by one thread at a
// time; several contexts run in parallel.
#ifndef RAGGED_RT_H
#define RAGGED_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schema/schema.h"
#include "support/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ragged_rt_context ragged_rt_context;
typedef struct ragged_rt_axis ragged_rt_axis;
typedef struct ragged_rt_space ragged_rt_space;
typedef struct ragged_rt_tensor ragged_rt_tensor;
typedef struct ragged_rt_frame ragged_rt_frame;
typedef struct ragged_rt_module ragged_rt_module;
typedef struct ragged_rt_capture ragged_rt_capture;

// ---- Context -------------------------------------------------------------------------------

// An embedder's allocator of the device's memory. allocate returns null when there is no memory;
// blocks are aligned to at least 64 bytes. Both are called only from the thread that uses the
// context. On a device with a stream a block is freed while work on the stream may still use it:
// free waits for that work, or gives the block out again in the order of that stream only.
typedef struct ragged_rt_allocator {
  void *user;
  void *(*allocate)(void *user, size_t bytes);
  void (*free)(void *user, void *pointer, size_t bytes);
} ragged_rt_allocator;

// A smaller struct_size, of an older header: what is missing is 0. A larger one, of a newer header: what
// this library does not know must be 0.
typedef struct ragged_rt_context_options {
  size_t struct_size;                    // sizeof(ragged_rt_context_options)
  const char *device;                    // "host" (also null), "cuda", "emulated"
  int num_threads;                       // 0: as many as OpenMP offers
  const ragged_rt_allocator *allocator;  // null: the context's own caching allocator
  const char *products;                  // dense products: "library", "generated", or "auto" (the
                                         // faster for each shape; CUDA: the library where it can);
                                         // null: RAGGED_PRODUCTS in the environment, else auto
  const char *trace_file;                // null: RAGGED_TRACE in the environment, else no trace
  void *stream;                          // CUDA: a CUstream of the device's primary context, on which
                                         // everything is done; it outlives the context. Null: one
                                         // of the context's own
  int device_index;                      // CUDA: the device's ordinal
  const char *cuda_driver;               // CUDA: the driver's library; null: RAGGED_CUDA_DRIVER in
                                         // the environment, else libcuda.so.1
  const char *cublaslt;                  // CUDA: the library of dense products; null:
                                         // RAGGED_CUBLASLT in the environment, else
                                         // libcublasLt.so.13, .12 or .11
  bool tf32;                             // CUDA: the library may round the factors of f32 products
                                         // to tf32; false: as RAGGED_TF32 in the environment says
                                         // (0 or 1), else not
} ragged_rt_context_options;

RAGGED_MUST_USE ragged_status ragged_rt_context_create(const ragged_rt_context_options *options,
                                                       ragged_rt_context **out_context);
void ragged_rt_context_retain(ragged_rt_context *context);
void ragged_rt_context_release(ragged_rt_context *context);  // the last one writes the trace
int ragged_rt_context_num_threads(const ragged_rt_context *context);
// "host", "cuda" or "emulated".
const char *ragged_rt_context_device(const ragged_rt_context *context);
// Waits until the device has done all that was asked for. Errors of kernels that no call could
// give, because it had returned, are given here, or by whatever else waits first; so is what kernels
// found wrong with lengths that only the device knows.
RAGGED_MUST_USE ragged_status ragged_rt_context_synchronise(ragged_rt_context *context);
// The library that is loaded for dense products, e.g. "oneDNN 2.6.3"; "generated": none. On CUDA it
// is loaded when the first product needs it, unless products are "library".
const char *ragged_rt_context_product_library(const ragged_rt_context *context);

typedef struct ragged_rt_memory_statistics {
  int64_t allocated, peak_allocated;  // bytes of live tensors and scratch
  int64_t reserved, peak_reserved;    // those plus what the cache keeps for reuse
  int64_t num_live;                   // live allocations
} ragged_rt_memory_statistics;
void ragged_rt_context_memory(const ragged_rt_context *context, ragged_rt_memory_statistics *out);
void ragged_rt_context_reset_peak(ragged_rt_context *context);  // peaks := current
// Makes the n-th allocation from now (0 = the next) and all after it fail; -1 ends that. For tests.
void ragged_rt_context_fail_allocation(ragged_rt_context *context, int64_t n);

// One line per kernel and library call since statistics were enabled, most time first.
typedef struct ragged_rt_kernel_statistics {
  const char *name;
  int64_t calls, rows, bytes, flops;  // totals; bytes and flops as the compiler counted per row. The
                                      // capacity's, where only the device knows the rows
  double seconds;
} ragged_rt_kernel_statistics;
void ragged_rt_context_enable_statistics(ragged_rt_context *context, bool enabled);  // also clears
// Fills up to `capacity` entries, returns how many there are.
int ragged_rt_context_statistics(const ragged_rt_context *context, int capacity,
                                 ragged_rt_kernel_statistics *out);

// What the device itself counted of one kernel since the context was created, whether or not
// statistics are enabled. The emulated device counts; others have none.
enum { RAGGED_RT_ACCESS_WIDTHS = 6 };
typedef struct ragged_rt_device_counts {
  const char *name;                          // of the kernel; the context's
  int64_t launches, blocks, threads;         // totals
  int64_t bytes_loaded, bytes_stored;        // of global memory, by all threads: what several threads
                                             // load, or one loads again, counts each time. Offsets,
                                             // extents and scratch count too; shared memory does not
  int64_t sectors_loaded, sectors_stored;    // of 32 bytes, each once a launch: what reaches memory behind
                                             // caches that hold what a launch touches
  int64_t loads[RAGGED_RT_ACCESS_WIDTHS];    // accesses of 1, 2, 4, 8, 16 and any other number of
  int64_t stores[RAGGED_RT_ACCESS_WIDTHS];   // bytes by one thread
  int64_t barriers, warp_operations;         // a block's barrier counts once, and so does what the
                                             // lanes of a warp do together
} ragged_rt_device_counts;
// Fills up to `capacity` entries, in the order of the kernels' first launches, and returns how many
// there are: 0 on devices that do not count. Valid until the context's next call.
int ragged_rt_context_device_counts(const ragged_rt_context *context, int capacity,
                                    ragged_rt_device_counts *out);

// ---- Axis: the extents of one ragged axis, one per sample ----------------------------------------

// `lengths`: B integers of `width` 32 or 64 bits. Copied. Errors: negative, sum over 2^63 - 1.
RAGGED_MUST_USE ragged_status ragged_rt_axis_create_from_lengths(ragged_rt_context *context,
                                                                 int64_t batch, int width,
                                                                 const void *lengths,
                                                                 ragged_rt_axis **out_axis);
// `offsets`: B + 1 integers; the first is 0, none is smaller than the one before.
RAGGED_MUST_USE ragged_status ragged_rt_axis_create_from_offsets(ragged_rt_context *context,
                                                                 int64_t batch, int width,
                                                                 const void *offsets,
                                                                 ragged_rt_axis **out_axis);
// An axis that only the device knows: `device_lengths` are B integers in memory of the context's device
// (on "host": of the program), which outlive the axis and may be rewritten between calls, and between
// launches of a graph that a call was captured in. What calls allocate follows from the bounds: no
// length is over max_extent, and they sum to max_total at most (-1: B * max_extent). On "host" every
// call reads the lengths, and what is wrong with them is the call's error. Elsewhere the host never
// sees them: a length outside of 0 to max_extent, or more rows than a space's capacity, makes every
// kernel of the call find no rows, so that results hold nothing that means anything, and
// ragged_rt_context_synchronise gives INVALID_ARGUMENT. Made before a capture begins.
RAGGED_MUST_USE ragged_status ragged_rt_axis_create_on_device(ragged_rt_context *context,
                                                              int64_t batch, int width,
                                                              const void *device_lengths,
                                                              int64_t max_extent,
                                                              int64_t max_total,
                                                              ragged_rt_axis **out_axis);
// The axis of an expression ("2 * n + 1", schema/axis_expression.h) of other axes, of which names[k] is
// the name of axes[k]; more than it needs may be given. Only the device knows it if one of its names is
// such. Errors: a name that is not given, different batch sizes, negative extents, overflow.
RAGGED_MUST_USE ragged_status ragged_rt_axis_create_from_expression(ragged_rt_context *context,
                                                                    const char *expression,
                                                                    int num_names,
                                                                    const char *const *names,
                                                                    ragged_rt_axis *const *axes,
                                                                    ragged_rt_axis **out_axis);
void ragged_rt_axis_retain(ragged_rt_axis *axis);
void ragged_rt_axis_release(ragged_rt_axis *axis);
int64_t ragged_rt_axis_batch(const ragged_rt_axis *axis);
bool ragged_rt_axis_on_device(const ragged_rt_axis *axis);          // only the device knows it
const int64_t *ragged_rt_axis_extents(const ragged_rt_axis *axis);  // B; null: on the device only
int64_t ragged_rt_axis_max_extent(const ragged_rt_axis *axis);      // 0 for B = 0; or the bound
bool ragged_rt_axis_equal(const ragged_rt_axis *a, const ragged_rt_axis *b);

// ---- Space: ordered axes, interned -----------------------------------------------------------------

// The space of `num_axes` axes in packed order (0 axes: one row per sample; `batch` is needed then
// and checked against the axes otherwise, -1 = take it from the axes). Interned: by pointer for the
// same axis objects (O(1)), by content for equal ones. Errors: different batch sizes, rows over
// 2^63 - 1. O(B) memory.
RAGGED_MUST_USE ragged_status ragged_rt_space_get(ragged_rt_context *context, int64_t batch,
                                                  int num_axes, ragged_rt_axis *const *axes,
                                                  ragged_rt_space **out_space);
// A space with an axis that only the device knows is such itself. Its rows are then its *capacity*: what
// calls allocate for it, and buffers must have room for. By itself that is the sum of one axis times the
// largest extents of the others, where that is least; set_capacity states less, for as long as the
// space is (a space that a call makes is the same one while the caller holds it). More is without
// effect, as for a space that the host knows, where less than its rows is an error.
RAGGED_MUST_USE ragged_status ragged_rt_space_set_capacity(ragged_rt_space *space, int64_t rows);
// The space with the extents that the device has now, which the host knows; itself when it does so
// already. Waits. Errors: lengths out of their bounds, more rows than the capacity.
RAGGED_MUST_USE ragged_status ragged_rt_space_resolve(ragged_rt_space *space,
                                                      ragged_rt_space **out_space);
bool ragged_rt_space_on_device(const ragged_rt_space *space);
void ragged_rt_space_retain(ragged_rt_space *space);
void ragged_rt_space_release(ragged_rt_space *space);
int64_t ragged_rt_space_batch(const ragged_rt_space *space);
int64_t ragged_rt_space_rows(const ragged_rt_space *space);
int ragged_rt_space_num_axes(const ragged_rt_space *space);
ragged_rt_axis *ragged_rt_space_axis(const ragged_rt_space *space, int k);      // borrowed
const int64_t *ragged_rt_space_offsets(const ragged_rt_space *space);  // B + 1; null: on the device
// Row splits of `level` (0 .. axes - 1): begins of the groups that share sample and coordinates
// 0 .. level - 1, counted in groups of the next level; level 0 of (n, n) for 2, 3: 0 2 5;
// level 1: 0 2 4 7 10 13. Made when first asked for, kept with the space.
RAGGED_MUST_USE ragged_status ragged_rt_space_row_splits(ragged_rt_space *space, int level,
                                                         const int64_t **out_splits,
                                                         int64_t *out_count);

// ---- Tensor: values with their structure ----------------------------------------------------------

// A tensor has an element type, a buffer of `capacity` rows, and either a space and a tail (packed
// order) or, for a dense value, no space and a shape. Its data is memory of the context's device:
// only on "host" may the program read it.
// Owning, uninitialised:
RAGGED_MUST_USE ragged_status ragged_rt_tensor_create(ragged_rt_context *context,
                                                      ragged_element_type element_type,
                                                      ragged_rt_space *space, int tail_rank,
                                                      const int64_t *tail,
                                                      ragged_rt_tensor **out_tensor);
RAGGED_MUST_USE ragged_status ragged_rt_tensor_create_dense(ragged_rt_context *context,
                                                            ragged_element_type element_type,
                                                            int rank, const int64_t *shape,
                                                            ragged_rt_tensor **out_tensor);
// Copies between the program's memory and tensors of any device. _from_host makes an owning tensor
// of the `space` (null: dense) with a copy of its packed rows; `values` may be reused on return.
// _to_host writes the packed rows to `values`, which has room for `bytes` bytes, and waits for
// them. Errors: fewer bytes than the rows need. Where only the device knows the rows, both copy those
// of the lengths that it has now, for which they wait.
RAGGED_MUST_USE ragged_status ragged_rt_tensor_from_host(ragged_rt_context *context,
                                                         ragged_element_type element_type,
                                                         ragged_rt_space *space, int rank,
                                                         const int64_t *shape, const void *values,
                                                         ragged_rt_tensor **out_tensor);
RAGGED_MUST_USE ragged_status ragged_rt_tensor_to_host(const ragged_rt_tensor *tensor,
                                                       void *values, int64_t bytes);
// Borrowing `data`, which holds `capacity` rows (more than the space has are allowed and never
// touched; fewer are INVALID_ARGUMENT) and outlives the tensor, and on a device with a stream also
// the work that uses it. Aligned to its element at least; on a device a call copies what is not
// aligned to 16 bytes. `release_data` (may be null) is called with `user` when the tensor ends.
RAGGED_MUST_USE ragged_status ragged_rt_tensor_wrap(ragged_rt_context *context,
                                                    ragged_element_type element_type,
                                                    ragged_rt_space *space, int tail_rank,
                                                    const int64_t *tail, int64_t capacity,
                                                    void *data, void (*release_data)(void *user),
                                                    void *user, ragged_rt_tensor **out_tensor);
RAGGED_MUST_USE ragged_status ragged_rt_tensor_wrap_dense(ragged_rt_context *context,
                                                          ragged_element_type element_type,
                                                          int rank, const int64_t *shape,
                                                          void *data,
                                                          void (*release_data)(void *user),
                                                          void *user,
                                                          ragged_rt_tensor **out_tensor);
void ragged_rt_tensor_retain(ragged_rt_tensor *tensor);
void ragged_rt_tensor_release(ragged_rt_tensor *tensor);
void *ragged_rt_tensor_data(const ragged_rt_tensor *tensor);
ragged_element_type ragged_rt_tensor_element_type(const ragged_rt_tensor *tensor);
ragged_rt_space *ragged_rt_tensor_space(const ragged_rt_tensor *tensor);  // borrowed; null: dense
int64_t ragged_rt_tensor_rows(const ragged_rt_tensor *tensor);      // dense: first extent (1: rank 0)
int64_t ragged_rt_tensor_capacity(const ragged_rt_tensor *tensor);
// Tail of a packed tensor, shape of a dense one.
int ragged_rt_tensor_rank(const ragged_rt_tensor *tensor);
const int64_t *ragged_rt_tensor_shape(const ragged_rt_tensor *tensor);

// DLPack (dlpack.h's DLManagedTensor, version 0.8). _to_ gives the values [rows, tail...] or the
// dense tensor, keeping a reference; _from_ takes ownership of `managed` on success; strides must be
// those of a contiguous tensor, the device the context's: the CPU or its CUDA device, on whose
// stream the data is ready. Rows are the capacity where only the device knows them.
struct DLManagedTensor;
RAGGED_MUST_USE ragged_status ragged_rt_tensor_to_dlpack(ragged_rt_tensor *tensor,
                                                         struct DLManagedTensor **out_managed);
RAGGED_MUST_USE ragged_status ragged_rt_tensor_from_dlpack(ragged_rt_context *context,
                                                           struct DLManagedTensor *managed,
                                                           ragged_rt_space *space,  // null: dense
                                                           ragged_rt_tensor **out_tensor);

// ---- Modules and calls -----------------------------------------------------------------------------

typedef enum ragged_rt_value_kind {
  RAGGED_RT_VALUE_RAGGED,  // schema as the type says
  RAGGED_RT_VALUE_DENSE,   // static dimensions only; extent -1 = any
  RAGGED_RT_VALUE_SCALAR,  // rank 0
} ragged_rt_value_kind;

typedef struct ragged_rt_value_type {
  ragged_rt_value_kind kind;
  ragged_schema schema;
} ragged_rt_value_type;

// What compiled host code is: reads arguments from the frame, writes results to it (frame.h).
typedef void (*ragged_rt_entry_function)(ragged_rt_frame *frame);

typedef struct ragged_rt_entry {
  const char *name;
  ragged_rt_entry_function function;
  int num_arguments, num_results, num_axes;
  const ragged_rt_value_type *arguments, *results;
  // Axis names of the arguments, in order of first appearance; frame_axis(k) gives axis k.
  const char *const *axes;
} ragged_rt_entry;

// `entries` and all they point to are borrowed and outlive the module; `release` (may be null) is
// called with `user` when the last reference ends, e.g. to free JIT memory.
RAGGED_MUST_USE ragged_status ragged_rt_module_create(int num_entries,
                                                      const ragged_rt_entry *entries,
                                                      void (*release)(void *user), void *user,
                                                      ragged_rt_module **out_module);
void ragged_rt_module_retain(ragged_rt_module *module);
void ragged_rt_module_release(ragged_rt_module *module);
int ragged_rt_module_num_entries(const ragged_rt_module *module);
const ragged_rt_entry *ragged_rt_module_entry(const ragged_rt_module *module, int k);
// Null when there is none of that name.
const ragged_rt_entry *ragged_rt_module_find(const ragged_rt_module *module, const char *name);

// Checks the arguments against the entry (number, kind, element types, tails and shapes, one batch
// size, equal extents for equal axis names, expressions, rows against capacity), runs it, and gives
// the caller one reference to each result. Results never alias arguments. On error nothing was
// written to results and nothing leaks; the message names argument, axis, found and required.
// A function whose arguments have no ragged value takes its batch from what it creates.
// On a device with a stream it returns when everything is queued: results are ready in the order of
// the stream, and errors of kernels show when something waits (ragged_rt_context_synchronise).
// With axes that only the device knows, or while the stream is captured, the host must neither wait nor
// know sizes: what asks for that (a box with open extents, the rows of a ragged value as the extent of a
// dense one, control flow that reads the device, lengths that are a tensor) is an error that names the
// op, before anything is launched. Equal axis names and expressions are compared on the device.
RAGGED_MUST_USE ragged_status ragged_rt_call(ragged_rt_context *context,
                                             const ragged_rt_entry *entry, int num_arguments,
                                             ragged_rt_tensor *const *arguments, int num_results,
                                             ragged_rt_tensor **results);

// ---- Captures: calls in a graph --------------------------------------------------------------------

// A CUDA graph that the embedder captures on the context's stream (ragged_rt_context_options.stream)
// may hold calls:
//   the same calls once, uncaptured: this loads their code and uploads their constants
//   ragged_rt_capture_begin, and the beginning of the stream's capture, in any order
//   the calls
//   the end of the stream's capture, and ragged_rt_capture_end, in any order
//   launches of the graph; between them, other calls, and other lengths and values in the same memory
//   ragged_rt_capture_release when the graph is launched no more and the stream comes after it
// Until then the memory that the captured calls used is theirs, and results, which every launch writes
// anew, hold what the last one wrote. The caller keeps the arguments. An allocator of the embedder's
// keeps memory for graphs by itself. Errors: no stream of the embedder's, a capture in progress.
RAGGED_MUST_USE ragged_status ragged_rt_capture_begin(ragged_rt_context *context,
                                                      ragged_rt_capture **out_capture);
void ragged_rt_capture_end(ragged_rt_capture *capture);
void ragged_rt_capture_release(ragged_rt_capture *capture);  // ends it, too; null is allowed

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_RT_H
