// What compiled host code calls. A frame is one call in progress: its first error is sticky; after
// it every function here does nothing and returns null (or 0), so host code never tests for errors
// except in loops (ragged_rt_frame_ok). Handles given out belong to the frame until released here
// or turned into results; what is left when the frame ends is released. All pointers may be null
// after an error. Every function is safe to call with null handles.
//
// Where only the device knows lengths, or the call is captured, host code runs twice (frame_plan.h): in
// the first run nothing here reaches the device, pointers to its numbers are null, and what would make
// the host wait or know sizes is an error.
//
// The lowering declares these by name and type in lib/lower/runtime_abi.def; keep the two together.
#ifndef RAGGED_RT_FRAME_H
#define RAGGED_RT_FRAME_H

#include "kernels.h"
#include "ragged_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

// The kernels of the compiled code, which outlive the frame: told first by code that has any.
void ragged_rt_frame_kernels(ragged_rt_frame *frame, const ragged_rt_kernel_module *kernels);

// 1 while no error has occurred.
int64_t ragged_rt_frame_ok(ragged_rt_frame *frame);

// What follows is done for the op that `where` names, e.g. "f.mlir:3:8: 'ragged.pack'": errors begin
// with it. Null: for no op that is known. The string outlives the frame.
void ragged_rt_frame_at(ragged_rt_frame *frame, const char *where);

// Entry. Arguments are borrowed. A device's kernels read RAGGED_RT_ACCESS_BYTES at a time: of an argument
// that lies otherwise they get an aligned copy, which the frame owns.
ragged_rt_tensor *ragged_rt_frame_argument(ragged_rt_frame *frame, int64_t k);
ragged_rt_axis *ragged_rt_frame_axis(ragged_rt_frame *frame, int64_t k);

// Result k. `axes` in packed order as the entry's result type says. Takes the frame's reference. What
// somebody else can read is copied: an argument, what was given as a result before, a constant, and
// tensors that share their data with others (frame_values).
void ragged_rt_frame_result(ragged_rt_frame *frame, int64_t k, ragged_rt_tensor *tensor,
                            ragged_rt_space *space);                               // ragged
void ragged_rt_frame_result_dense(ragged_rt_frame *frame, int64_t k, ragged_rt_tensor *tensor);

// Axes and spaces.
// lengths/offsets: a dense i64 tensor of rank 1. `like_batch`: an axis whose batch size must be
// matched, or null. `what` names the op for messages.
ragged_rt_axis *ragged_rt_frame_axis_from_lengths(ragged_rt_frame *frame, ragged_rt_tensor *lengths);
ragged_rt_axis *ragged_rt_frame_axis_from_offsets(ragged_rt_frame *frame, ragged_rt_tensor *offsets);
// The axis of expression `canonical` over the `count` names (null-terminated strings, one after the
// other in `names`) with the given axes. Interned by content per context.
ragged_rt_axis *ragged_rt_frame_axis_expression(ragged_rt_frame *frame, const char *canonical,
                                                int64_t count, const char *names,
                                                ragged_rt_axis *const *axes);
// An axis with every extent equal to max(largest extent of `axis`) (the padded envelope).
ragged_rt_axis *ragged_rt_frame_envelope_axis(ragged_rt_frame *frame, ragged_rt_axis *axis);
// An axis over the batch of `axis` (null: of the call's arguments) with every extent `extent`.
ragged_rt_axis *ragged_rt_frame_constant_axis(ragged_rt_frame *frame, ragged_rt_axis *axis,
                                              int64_t extent);
// An axis whose samples are parts of `extent`: at least one and at most `most`, of equal extents but for
// the last; of at least 32 positions where there are several. It says nothing of the call's batch.
ragged_rt_axis *ragged_rt_frame_parts_axis(ragged_rt_frame *frame, int64_t extent, int64_t most);
// Error unless both have equal extents; the message names both axes (assume_same_axis).
void ragged_rt_frame_check_same_axis(ragged_rt_frame *frame, ragged_rt_axis *found,
                                     const char *found_name, ragged_rt_axis *required,
                                     const char *required_name);
// axes: `count` of them; batch_of: any axis or null, used when count is 0.
ragged_rt_space *ragged_rt_frame_space(ragged_rt_frame *frame, int64_t count,
                                       ragged_rt_axis *const *axes, ragged_rt_axis *batch_of);
// The one-row-per-sample space of the batch: like frame_space with count 0 and the batch of the
// arguments when `batch_of` is null.
// Rows: the most that there can be, where only the device knows.
int64_t ragged_rt_frame_space_rows(ragged_rt_frame *frame, ragged_rt_space *space);
// Rows, as a number that the host has to know: error where only the device does.
int64_t ragged_rt_frame_known_rows(ragged_rt_frame *frame, ragged_rt_space *space);
int64_t ragged_rt_frame_space_batch(ragged_rt_frame *frame, ragged_rt_space *space);
// For kernels: the pointers are the device's, and live as long as the axis or space. Made when
// first asked for.
const int64_t *ragged_rt_frame_space_offsets(ragged_rt_frame *frame, ragged_rt_space *space);
const int64_t *ragged_rt_frame_axis_extents(ragged_rt_frame *frame, ragged_rt_axis *axis);
// The B samples from most rows to fewest, those with equally many by number (where only the device
// knows: those with rows by number, then those without); and the B + 1 running row counts in that order.
const int64_t *ragged_rt_frame_space_order(ragged_rt_frame *frame, ragged_rt_space *space);
const int64_t *ragged_rt_frame_space_ordered_offsets(ragged_rt_frame *frame,
                                                     ragged_rt_space *space);
// Error where a sample has more than 2^32 - 1 rows (kernels that divide row numbers in 32 bits).
void ragged_rt_frame_check_rows32(ragged_rt_frame *frame, ragged_rt_space *space);
int64_t ragged_rt_frame_axis_max_extent(ragged_rt_frame *frame, ragged_rt_axis *axis);

// Numbers of control flow, of type iN (N = `bits`), sign-extended, or zero-extended if is_unsigned.
// The divisor; 1 after an error. Error where it is 0 or the signed quotient is no number of the type.
int64_t ragged_rt_frame_checked_divisor(ragged_rt_frame *frame, int64_t dividend, int64_t divisor,
                                        int64_t bits, int64_t is_unsigned);
// Turns of a loop from `lower` up to `upper` by `step`; 0 after an error. Error where the step is less
// than 1 or there are more than 2^63 - 1.
int64_t ragged_rt_frame_trip_count(ragged_rt_frame *frame, int64_t lower, int64_t upper,
                                   int64_t step, int64_t is_unsigned);

// Tensors. element_type: ragged_element_type.
ragged_rt_tensor *ragged_rt_frame_allocate(ragged_rt_frame *frame, int64_t element_type,
                                           ragged_rt_space *space, int64_t tail_elements);
ragged_rt_tensor *ragged_rt_frame_allocate_dense(ragged_rt_frame *frame, int64_t element_type,
                                                 int64_t rank, const int64_t *shape);
void ragged_rt_frame_release(ragged_rt_frame *frame, ragged_rt_tensor *tensor);  // null is fine
void ragged_rt_frame_retain(ragged_rt_frame *frame, ragged_rt_tensor *tensor);
void *ragged_rt_frame_data(ragged_rt_frame *frame, ragged_rt_tensor *tensor);
// Extent `dim` of a dense tensor.
int64_t ragged_rt_frame_dense_extent(ragged_rt_frame *frame, ragged_rt_tensor *tensor, int64_t dim);
// The packed rows [rows of space, tail...] of a tensor as a dense tensor that shares its data and
// keeps it alive.
ragged_rt_tensor *ragged_rt_frame_values(ragged_rt_frame *frame, ragged_rt_tensor *tensor,
                                         ragged_rt_space *space, int64_t tail_rank,
                                         const int64_t *tail);
// A dense tensor whose first extent is `rows`: that of `tensor` and, behind its rows, zeros. The tensor
// itself where it has that many; error where it has more.
ragged_rt_tensor *ragged_rt_frame_extend(ragged_rt_frame *frame, ragged_rt_tensor *tensor,
                                         int64_t rows);
// A dense tensor of constant data of the compiled code, which outlives the frame. Never written to.
// On a device that is not the host: a copy.
ragged_rt_tensor *ragged_rt_frame_constant(ragged_rt_frame *frame, int64_t element_type,
                                           int64_t rank, const int64_t *shape, const void *data);
// Dense i64 tensors: B extents; B + 1 offsets; the number of rows, of rank 0.
ragged_rt_tensor *ragged_rt_frame_extents(ragged_rt_frame *frame, ragged_rt_axis *axis);
ragged_rt_tensor *ragged_rt_frame_offsets(ragged_rt_frame *frame, ragged_rt_space *space);
ragged_rt_tensor *ragged_rt_frame_row_count(ragged_rt_frame *frame, ragged_rt_space *space);
// A dense tensor of rank 0 that holds the low bits of `bits`, as many as the element type has.
ragged_rt_tensor *ragged_rt_frame_scalar(ragged_rt_frame *frame, int64_t element_type,
                                         int64_t bits);
// The bits of a dense tensor of rank 0, zero-extended; 0 after an error. Waits for the device, which is
// an error where the host takes no part.
int64_t ragged_rt_frame_scalar_bits(ragged_rt_frame *frame, ragged_rt_tensor *tensor);
// from_values: the dense tensor must have at least the space's rows and the tail's extents.
// Error otherwise.
void ragged_rt_frame_check_values(ragged_rt_frame *frame, ragged_rt_tensor *values,
                                  ragged_rt_space *space, int64_t tail_rank, const int64_t *tail);
// A dense tensor's extent must equal (exact != 0) or be at least `required`; `what` names it in the
// message, e.g. "'ragged.pack' operand #0, dimension 0 (the batch)".
void ragged_rt_frame_check_extent(ragged_rt_frame *frame, ragged_rt_tensor *tensor, int64_t dim,
                                  int64_t required, int64_t exact, const char *what);
// An extent must be `required`; `what` names whose it is.
void ragged_rt_frame_check_equal(ragged_rt_frame *frame, int64_t found, int64_t required,
                                 const char *what);
// An axis' largest extent must be at most `limit` (pack: a length beyond the envelope).
void ragged_rt_frame_check_limit(ragged_rt_frame *frame, ragged_rt_axis *axis, int64_t limit,
                                 const char *what);

// Kernels of the host. One function per kernel: items [first, last) of the grid, arguments in
// `slots` (pointers and 64-bit integers), `scratch` of the launch's size, private to the worker and
// aligned to 64.
typedef void (*ragged_rt_kernel_function)(const int64_t *slots, int64_t first, int64_t last,
                                          void *scratch);
// Runs items 0 .. items-1 in chunks of `grain` on the context's threads, each chunk once, chunk
// boundaries at multiples of grain (so that results never depend on the number of threads). `name`,
// `bytes_per_item`, `flops_per_item` feed statistics and the trace.
void ragged_rt_frame_launch(ragged_rt_frame *frame, ragged_rt_kernel_function kernel,
                            const char *name, const int64_t *slots, int64_t items, int64_t grain,
                            int64_t scratch_bytes, int64_t bytes_per_item, int64_t flops_per_item);

// Kernels of devices that have their own. Runs `kernel` of `module` over items 0 .. items-1, of
// which a block takes `items_per_block` at a time: a one-dimensional grid of ceil(items /
// items_per_block) blocks of `threads` threads, or of as many as there may be: 2^31 - 1, or, where
// scratch_bytes_per_block > 0, as many as run at once. The kernel strides over the items by the
// grid's size. Its parameters are 64-bit words: items, the scratch pointer (block b uses the
// scratch_bytes_per_block from scratch + b * scratch_bytes_per_block; 0 when there is none), then
// words[0 .. num_words). Where `space` (may be null) is one that only the device knows, `items` bounds
// its rows, and the kernel is given -1: it finds their number in the offsets. `shared_bytes`: dynamic
// shared memory of a block. Nothing is launched when items <= 0. Returns when the launch is queued; what
// it did wrong shows when the device is waited for.
void ragged_rt_frame_launch_grid(ragged_rt_frame *frame, const ragged_rt_kernel_module *module,
                                 const char *kernel, const int64_t *words, int64_t num_words,
                                 ragged_rt_space *space, int64_t items, int64_t items_per_block,
                                 int64_t threads, int64_t shared_bytes,
                                 int64_t scratch_bytes_per_block, int64_t bytes_per_item,
                                 int64_t flops_per_item);

// The same for a kernel that is one dense product: on a device with a library that can do it, the
// library does (docs/runtime.md, Dense products); otherwise, and where only the device knows the rows,
// the kernel is launched.
void ragged_rt_frame_launch_product(ragged_rt_frame *frame, const ragged_rt_kernel_module *module,
                                    const char *kernel, const int64_t *words, int64_t num_words,
                                    ragged_rt_space *space, int64_t items, int64_t items_per_block,
                                    int64_t threads, int64_t shared_bytes,
                                    int64_t scratch_bytes_per_block, int64_t bytes_per_item,
                                    int64_t flops_per_item, const ragged_rt_plain_product *product);

// Dense products of row blocks with shared weights: C[r, n] = act(sum_k A[r, k] W[n, k] + bias[n])
// (+ C[r, n] as it was, if residual). Types: f32, f64, i64; a bf16 weight is widened to f32.
typedef struct ragged_rt_product ragged_rt_product;
// The compiler's own kernel for one product shape: `rows` rows of A (contiguous, K each) times the
// packed weight [ceil(N / panel)][K][panel] (zero beyond N), C contiguous, N each. bias may be null.
typedef void (*ragged_rt_product_function)(const void *a, const void *packed_weight,
                                           const void *bias, void *c, int64_t rows);
// transposed: the weight is stored as [K][N], not as [N][K]. activation: 0 none, 1 relu, 2 gelu (erf), 3 sigmoid (frame.h's own numbering). block_rows: the row
// count that library primitives are made for. The handle lives until the frame ends; primitives are
// cached in the context. Chosen as the context's `products` option says.
ragged_rt_product *ragged_rt_frame_product(ragged_rt_frame *frame, int64_t element_type, int64_t k,
                                           int64_t n, int64_t block_rows, ragged_rt_tensor *weight,
                                           int64_t transposed, ragged_rt_tensor *bias,
                                           int64_t activation, int64_t residual, int64_t panel,
                                           ragged_rt_product_function generated);
// Ends a product before the frame does (its packed weight is memory; loops need this). Optional.
void ragged_rt_frame_release_product(ragged_rt_frame *frame, ragged_rt_product *product);
// Called inside kernels, by any worker thread. `a` and `c` have room for block_rows rows even where
// rows < block_rows (what is beyond `rows` has no meaning before and after). Bits of a row do not
// depend on `rows`.
void ragged_rt_product_run(ragged_rt_product *product, const void *a, void *c, int64_t rows);

// Products over rows: sums[slice, m, n] = sum of a[r, m] b[r, n] over the slice's rows r.
// The compiler's own kernel for one m and n: C[m, n] += sum over k < steps of A[k, m] B[k, n], with A in
// lines of `line` and B packed [ceil(n / panel)][steps][panel]. Asks for the memory at next_a and next_b.
typedef void (*ragged_rt_over_rows_function)(const void *a, const void *packed, void *c,
                                             const void *next_a, const void *next_b, int64_t steps);
// The host kernel that is launched for them; slots: a, b, sums, the function, rows, rows of a slice, element
// type of a and b (sums of bf16 are f32), m, n, line, panel, steps at a time. Items are slices. Scratch:
// steps * (line + ceil(n / panel) * panel) sums' elements.
void ragged_rt_product_over_rows(const int64_t *slots, int64_t first_item, int64_t last_item,
                                 void *scratch);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_RT_FRAME_H
