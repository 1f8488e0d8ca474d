// The context and the objects made from it, as the runtime's own files see them. Not public.
#ifndef RAGGED_RT_CONTEXT_H
#define RAGGED_RT_CONTEXT_H

#include "allocator.h"
#include "frame.h"
#include "intern_table.h"
#include "observe.h"
#include "ragged_rt.h"

typedef struct ragged_rt_library ragged_rt_library;  // product_library.h

struct ragged_rt_context {
  int64_t references;  // the caller's and one per axis, space and tensor
  ragged_rt_device *device;
  int device_index;
  int num_threads;
  int64_t num_calls;
  ragged_rt_memory memory;
  ragged_rt_intern_table axes, spaces;
  ragged_rt_library *library;  // null: products are generated
  bool library_required;       // the caller asked for the library wherever it has the type
  char product_library[64];
  ragged_rt_observer observer;
};

// A device's copy of numbers of the host, kept with the object that has them.
typedef struct ragged_rt_mirror {
  int64_t *data;  // memory of the context; null until asked for
  int64_t bytes;
} ragged_rt_mirror;

struct ragged_rt_axis {
  ragged_rt_intern_node node;
  int64_t references;
  ragged_rt_context *context;
  int64_t batch, max_extent;
  ragged_rt_mirror extents_mirror;
  int64_t extents[];
};

struct ragged_rt_space {
  ragged_rt_intern_node node;
  int64_t references;
  ragged_rt_context *context;
  int64_t batch, rows;
  int num_axes;
  ragged_rt_axis *axes[RAGGED_MAX_RANK];
  int64_t *splits[RAGGED_MAX_RANK];  // null until asked for
  int64_t split_counts[RAGGED_MAX_RANK];
  int64_t *order;  // B samples, most rows first, then B + 1 running row counts; null until asked for
  ragged_rt_mirror offsets_mirror, order_mirror;
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
RAGGED_MUST_USE ragged_status ragged_rt_axis_intern(ragged_rt_axis *axis,
                                                    ragged_rt_axis **out_axis);

// Makes space->order. O(B log B) the first time.
RAGGED_MUST_USE ragged_status ragged_rt_space_make_order(ragged_rt_space *space);

// *out: where the device reads the `count` numbers at `values`: there on the host, else in
// `mirror`, which is filled the first time.
RAGGED_MUST_USE ragged_status ragged_rt_mirror_get(ragged_rt_context *context,
                                                   ragged_rt_mirror *mirror,
                                                   const int64_t *values, int64_t count,
                                                   const int64_t **out);
void ragged_rt_mirror_release(ragged_rt_context *context, ragged_rt_mirror *mirror);

// Bytes of the tensor's rows (not of its capacity).
int64_t ragged_rt_tensor_bytes(const ragged_rt_tensor *tensor);
int64_t ragged_rt_tensor_elements(const ragged_rt_tensor *tensor);
// Gives an owning tensor a new structure over the same memory. INTERNAL when it does not fit.
RAGGED_MUST_USE ragged_status ragged_rt_tensor_restructure(ragged_rt_tensor *tensor,
                                                           ragged_rt_space *space, int rank,
                                                           const int64_t *shape);

#endif  // RAGGED_RT_CONTEXT_H
