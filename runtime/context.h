// The context and the objects made from it, as the runtime's own files see them. Not public.
#ifndef RAGGED_RT_CONTEXT_H
#define RAGGED_RT_CONTEXT_H

#include "allocator.h"
#include "constants.h"
#include "frame.h"
#include "intern_table.h"
#include "observe.h"
#include "ragged_rt.h"

typedef struct ragged_rt_library ragged_rt_library;  // product_library.h

struct ragged_rt_context {
  int64_t references;  // the caller's and one per axis, space and tensor
  ragged_rt_device *device;
  int device_index;
  bool embedder_stream;
  int num_threads;
  int64_t num_calls;
  ragged_rt_memory memory;
  ragged_rt_intern_table axes, spaces;
  ragged_rt_constants constants;
  ragged_rt_capture *capture;     // in progress; null: none is
  int64_t *fault;                 // RAGGED_RT_FAULT_WORDS of the device; null: no axis needs them
  ragged_rt_library *library;  // null: products are generated
  bool library_required;       // the caller asked for the library wherever it has the type
  char product_library[64];
  ragged_rt_observer observer;
};

// What an axis is whose extents only the device knows: B lengths in its memory, or an expression of
// other axes.
typedef struct ragged_rt_device_extents {
  int width;            // of lengths: 32 or 64; 0: an expression
  const void *lengths;  // the embedder's, who may change them between calls
  int64_t max_total;    // most that the extents may sum to
  int num_names;        // of the expression; each with its axis, which is retained
  const char *names[2 * RAGGED_MAX_RANK];
  ragged_rt_axis *axes[2 * RAGGED_MAX_RANK];
  const char *expression;  // canonical; null for lengths
  char text[];
} ragged_rt_device_extents;

// Where a call keeps the numbers of an axis or space that only the device knows (frame_plan.h).
typedef struct ragged_rt_planned {
  int64_t call;  // the call that planned it; others know nothing
  int64_t word;
} ragged_rt_planned;

struct ragged_rt_axis {
  ragged_rt_intern_node node;
  int64_t references;
  ragged_rt_context *context;
  int64_t batch, max_extent;              // on_device: the bound
  ragged_rt_device_extents *on_device;    // null: the host knows the extents
  ragged_rt_planned planned;
  ragged_rt_constant *extents_mirror;     // the device's copy; null until asked for
  int64_t extents[];                      // none when on_device
};

struct ragged_rt_space {
  ragged_rt_intern_node node;
  int64_t references;
  ragged_rt_context *context;
  int64_t batch, rows;  // on_device: the most rows that there can be
  bool on_device;       // some axis is: there are no offsets
  ragged_rt_planned planned;
  int num_axes;
  ragged_rt_axis *axes[RAGGED_MAX_RANK];
  int64_t *splits[RAGGED_MAX_RANK];  // null until asked for
  int64_t split_counts[RAGGED_MAX_RANK];
  int64_t *order;  // B samples, most rows first, then B + 1 running row counts; null until asked for
  ragged_rt_constant *offsets_mirror, *order_mirror;  // the device's copies; null until asked for
  int64_t offsets[];
};

struct ragged_rt_tensor {
  int64_t references;
  ragged_rt_context *context;
  ragged_element_type element_type;
  ragged_rt_space *space;  // null: dense
  int rank;
  int64_t shape[RAGGED_MAX_RANK];  // tail, or dense shape
  int64_t rows, capacity;
  void *data;
  int64_t owned_bytes;  // of the context's memory; 0 when borrowing
  void (*release_data)(void *user);
  void *user;
};

// An axis with uninitialised extents, to be filled and then interned: ragged_rt_axis_intern takes
// it and gives the axis of that content (the same or an older one), or frees it on error.
ragged_rt_axis *ragged_rt_axis_new(ragged_rt_context *context, int64_t batch);
void ragged_rt_axis_discard(ragged_rt_axis *axis);
// `what`: "lengths" or "offsets".
RAGGED_MUST_USE ragged_status ragged_rt_axis_check_source(int64_t batch, int width,
                                                          const void *integers, const char *what);
RAGGED_MUST_USE ragged_status ragged_rt_axis_intern(ragged_rt_axis *axis,
                                                    ragged_rt_axis **out_axis);
// The axis of a canonical expression over exactly these names (axis_expression.c).
RAGGED_MUST_USE ragged_status ragged_rt_axis_compute(ragged_rt_context *context,
                                                     const char *canonical, int num_names,
                                                     const char *const *names,
                                                     ragged_rt_axis *const *axes,
                                                     ragged_rt_axis **out_axis);

// Axes that only the device knows (axis_device.c). Takes `extents` (metadata), also on error.
RAGGED_MUST_USE ragged_status ragged_rt_axis_intern_on_device(ragged_rt_context *context,
                                                              int64_t batch, int64_t max_extent,
                                                              ragged_rt_device_extents *extents,
                                                              ragged_rt_axis **out_axis);
bool ragged_rt_device_extents_equal(const ragged_rt_axis *a, const ragged_rt_axis *b);
void ragged_rt_device_extents_free(ragged_rt_axis *axis);
// The axis with the extents that the device has now; waits for it. A known axis is itself.
RAGGED_MUST_USE ragged_status ragged_rt_axis_resolve(ragged_rt_axis *axis,
                                                     ragged_rt_axis **out_axis);

// What kernels found wrong with lengths that only the device knows (device_fault.c): a record on the
// device, the first fault since it was read.
enum { RAGGED_RT_FAULT_WORDS = 4 };
RAGGED_MUST_USE ragged_status ragged_rt_fault_prepare(ragged_rt_context *context);
// The record as a status; then it is empty again. Waits.
RAGGED_MUST_USE ragged_status ragged_rt_fault_take(ragged_rt_context *context);
void ragged_rt_fault_release(ragged_rt_context *context);

// space_device.c: the most rows that a space that is on_device can have, by its axes.
int64_t ragged_rt_space_bound(const ragged_rt_space *space);

// Makes space->order. O(B log B) the first time.
RAGGED_MUST_USE ragged_status ragged_rt_space_make_order(ragged_rt_space *space);

// *out: where the device reads the `count` numbers at `values`: there on the host, else in
// `mirror`, which is filled the first time.
RAGGED_MUST_USE ragged_status ragged_rt_mirror_get(ragged_rt_context *context,
                                                   ragged_rt_constant **mirror,
                                                   const int64_t *values, int64_t count,
                                                   const int64_t **out);

// Bytes of the tensor's rows (not of its capacity).
int64_t ragged_rt_tensor_bytes(const ragged_rt_tensor *tensor);
int64_t ragged_rt_tensor_elements(const ragged_rt_tensor *tensor);
// Of a dense tensor of that shape. Errors: there is none such.
RAGGED_MUST_USE ragged_status ragged_rt_dense_bytes(ragged_element_type element_type, int rank,
                                                    const int64_t *shape, int64_t *out_bytes);
// Gives an owning tensor a new structure over the same memory. INTERNAL when it does not fit.
RAGGED_MUST_USE ragged_status ragged_rt_tensor_restructure(ragged_rt_tensor *tensor,
                                                           ragged_rt_space *space, int rank,
                                                           const int64_t *shape);

#endif  // RAGGED_RT_CONTEXT_H
