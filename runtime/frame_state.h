// One call in progress, as the files frame*.c and entry_check.c see it. Lives on the stack of
// ragged_rt_call.
#ifndef RAGGED_RT_FRAME_STATE_H
#define RAGGED_RT_FRAME_STATE_H

#include "context.h"
#include "product.h"

// A tensor of which the frame owns `count` references.
typedef struct ragged_rt_owned_tensor {
  ragged_rt_tensor *tensor;
  int64_t count;
} ragged_rt_owned_tensor;

// A growing array of handles that live until the frame ends.
typedef struct ragged_rt_handles {
  void **items;
  int64_t count, capacity;
} ragged_rt_handles;

// What a call with axes that only the device knows computes first (frame_plan.c).
typedef struct ragged_rt_plan {
  struct ragged_rt_plan_step *steps;
  int64_t num_steps, capacity;
  int64_t words;                 // numbers that the steps make ...
  int64_t *data;                 // ... and where, on the device; null until they are made
  int64_t data_bytes;
  ragged_rt_constant *uploaded;  // the steps
} ragged_rt_plan;

struct ragged_rt_frame {
  ragged_rt_context *context;
  const ragged_rt_entry *entry;
  ragged_rt_tensor *const *arguments;
  ragged_status status;  // the first error
  const char *where;     // the op that is being done; null: none that is known
  int64_t batch;         // -1 until an argument or an axis fixes it
  int batch_argument;    // the argument that fixed it, -1 otherwise
  ragged_rt_axis **axes;       // num_axes of the entry, the arguments' or the frame's
  int *axis_arguments;         // the argument that gave each axis
  ragged_rt_tensor **results;  // num_results of the entry, owned
  ragged_rt_owned_tensor *tensors;
  int64_t num_tensors, tensors_capacity;
  ragged_rt_handles owned_axes, owned_spaces, owned_products;
  const ragged_rt_kernel_module *kernels;  // of the compiled code; null: it has none of its own
  bool without_host;  // the host must not wait nor know sizes: axes are the device's, or a capture
  bool planning;      // the first of two runs of the host program: nothing reaches the device
  ragged_rt_plan plan;
};

// Keeps the first error and frees later ones. Null is allowed. Returns whether the frame is well.
bool ragged_rt_frame_note(ragged_rt_frame *frame, ragged_status status);

// The tensor itself where the device's kernels can read it; else an aligned copy, which the frame owns.
ragged_rt_tensor *ragged_rt_frame_align(ragged_rt_frame *frame, ragged_rt_tensor *tensor);

// Each takes the caller's reference, also on failure, and returns the handle or null.
ragged_rt_tensor *ragged_rt_frame_own_tensor(ragged_rt_frame *frame, ragged_rt_tensor *tensor);
ragged_rt_axis *ragged_rt_frame_own_axis(ragged_rt_frame *frame, ragged_rt_axis *axis);
ragged_rt_space *ragged_rt_frame_own_space(ragged_rt_frame *frame, ragged_rt_space *space);
ragged_rt_product *ragged_rt_frame_own_product(ragged_rt_frame *frame, ragged_rt_product *product);
// Takes one of the frame's references to `tensor` away from it; false when it has none.
bool ragged_rt_frame_disown_tensor(ragged_rt_frame *frame, ragged_rt_tensor *tensor);
// The tensor whose data and reference a tensor of ragged_rt_frame_values holds; null for others.
ragged_rt_tensor *ragged_rt_frame_viewed(const ragged_rt_tensor *tensor);

// False, after noting an error, where only the device knows the largest extent.
bool ragged_rt_frame_knows_extents(ragged_rt_frame *frame, const ragged_rt_axis *axis);

// Ends what the frame owns of tensors and products.
void ragged_rt_frame_release_tensors(ragged_rt_frame *frame);
// Frees what frame_plan.c made.
void ragged_rt_plan_end(ragged_rt_frame *frame);

// Compares the arguments with the entry (entry_check.c) and fills axes, axis_arguments and batch.
RAGGED_MUST_USE ragged_status ragged_rt_entry_check(ragged_rt_frame *frame, int num_arguments,
                                                    int num_results);

#endif  // RAGGED_RT_FRAME_STATE_H
