// Results: a tensor of the frame becomes the caller's, with the structure that the entry's result
// type states. The frame's own buffer is handed over where nobody else holds it, else copied.
#include "frame_state.h"

#include <string.h>

#include "support/checked.h"

// The structure a result must have.
typedef struct result_structure {
  ragged_rt_space *space;  // null: dense
  int rank;
  int64_t shape[RAGGED_MAX_RANK];
} result_structure;

static ragged_status result_error(int64_t k, const char *found, int64_t got, int64_t required) {
  return ragged_status_make(RAGGED_STATUS_INTERNAL, "result %lld: %s %lld, but %lld is required",
                            (long long)k, found, (long long)got, (long long)required);
}

static ragged_status structure_elements(int64_t k, const result_structure *structure,
                                        int64_t *out) {
  int64_t elements = structure->space ? structure->space->rows : 1;
  for (int j = 0; j < structure->rank; ++j)
    if (structure->shape[j] == 0) elements = 0;
  for (int j = 0; j < structure->rank; ++j)
    if (!ragged_checked_multiply(elements, structure->shape[j], &elements))
      return ragged_status_make(RAGGED_STATUS_INTERNAL,
                                "result %lld: its size is over 2^63 - 1", (long long)k);
  *out = elements;
  return NULL;
}

static ragged_status copy_result(ragged_rt_frame *frame, const ragged_rt_tensor *tensor,
                                 const result_structure *structure, ragged_rt_tensor **out) {
  ragged_rt_device *device = frame->context->device;
  ragged_rt_tensor *copy = NULL;
  RAGGED_RETURN_IF_ERROR(
      structure->space
          ? ragged_rt_tensor_create(frame->context, tensor->element_type, structure->space,
                                    structure->rank, structure->shape, &copy)
          : ragged_rt_tensor_create_dense(frame->context, tensor->element_type, structure->rank,
                                          structure->shape, &copy));
  ragged_status status = device->table->copy(device, copy->data, tensor->data,
                                             (size_t)ragged_rt_tensor_bytes(copy));
  if (status) ragged_rt_tensor_release(copy);
  else *out = copy;
  return status;
}

// Memory of the context that nobody but the holder of this one reference reads or gives. Not: an
// argument (the caller has a reference), what was given before (the result has one), what borrows
// its data (constants, views). An empty tensor borrows nothing.
static bool is_sole(const ragged_rt_tensor *tensor) {
  return tensor->references == 1 && !tensor->release_data &&
         (tensor->owned_bytes > 0 || !tensor->data);
}

// Takes the frame's reference and returns the tensor that can become the result: `tensor`, or the one
// that it is the last view of. Null: it must be copied, and the frame's reference stays.
static ragged_rt_tensor *take_movable(ragged_rt_frame *frame, ragged_rt_tensor *tensor) {
  ragged_rt_tensor *viewed = ragged_rt_frame_viewed(tensor);
  bool movable = viewed ? tensor->references == 1 && is_sole(viewed) : is_sole(tensor);
  if (!movable || !ragged_rt_frame_disown_tensor(frame, tensor)) return NULL;
  if (!viewed) return tensor;
  ragged_rt_tensor_retain(viewed);
  ragged_rt_tensor_release(tensor);
  return viewed;
}

static ragged_status make_result(ragged_rt_frame *frame, int64_t k, ragged_rt_tensor *tensor,
                                 const result_structure *structure) {
  ragged_element_type required = frame->entry->results[k].schema.element_type;
  if (tensor->element_type != required)
    return ragged_status_make(RAGGED_STATUS_INTERNAL,
                              "result %lld: its element type is %s, but %s is required",
                              (long long)k, ragged_element_name(tensor->element_type),
                              ragged_element_name(required));
  int64_t elements = 0;
  RAGGED_RETURN_IF_ERROR(structure_elements(k, structure, &elements));
  if (ragged_rt_tensor_elements(tensor) < elements)
    return result_error(k, "elements in its buffer:", ragged_rt_tensor_elements(tensor), elements);
  if (frame->planning) return NULL;
  ragged_rt_tensor *movable = take_movable(frame, tensor);
  if (movable) {
    ragged_status status =
        ragged_rt_tensor_restructure(movable, structure->space, structure->rank, structure->shape);
    if (status) ragged_rt_tensor_release(movable);
    else frame->results[k] = movable;
    return status;
  }
  RAGGED_RETURN_IF_ERROR(copy_result(frame, tensor, structure, &frame->results[k]));
  // The reference that the result would have taken: none for an argument or a second result.
  if (ragged_rt_frame_disown_tensor(frame, tensor)) ragged_rt_tensor_release(tensor);
  return NULL;
}

static bool may_give(ragged_rt_frame *frame, int64_t k, const ragged_rt_tensor *tensor,
                     bool ragged) {
  if (frame->status || !tensor) return false;
  ragged_status status = NULL;
  if (k < 0 || k >= frame->entry->num_results)
    status = ragged_status_make(RAGGED_STATUS_INTERNAL, "there is no result %lld", (long long)k);
  else if (frame->results[k])
    status = ragged_status_make(RAGGED_STATUS_INTERNAL, "result %lld was given twice",
                                (long long)k);
  else if ((frame->entry->results[k].kind == RAGGED_RT_VALUE_RAGGED) != ragged)
    status = ragged_status_make(RAGGED_STATUS_INTERNAL, "result %lld was given as %s", (long long)k,
                                ragged ? "ragged, but is dense" : "dense, but is ragged");
  return ragged_rt_frame_note(frame, status);
}

void ragged_rt_frame_result(ragged_rt_frame *frame, int64_t k, ragged_rt_tensor *tensor,
                            ragged_rt_space *space) {
  if (!space || !may_give(frame, k, tensor, true)) return;
  const ragged_schema *schema = &frame->entry->results[k].schema;
  result_structure structure = {.space = space};
  structure.rank = ragged_schema_tail(schema, structure.shape);
  if (space->num_axes != ragged_schema_num_ragged(schema)) {
    (void)ragged_rt_frame_note(frame, result_error(k, "axes of its space:", space->num_axes,
                                                   ragged_schema_num_ragged(schema)));
    return;
  }
  (void)ragged_rt_frame_note(frame, make_result(frame, k, tensor, &structure));
}

// Open extents come from the tensor: dimension by dimension when it is dense and of the same rank;
// the rows of a ragged one are the first open extent.
static ragged_status dense_structure(const ragged_rt_frame *frame, int64_t k,
                                     const ragged_rt_tensor *tensor, result_structure *structure) {
  const ragged_schema *schema = &frame->entry->results[k].schema;
  structure->rank = schema->rank;
  bool same_rank = !tensor->space && tensor->rank == schema->rank;
  int num_open = 0;
  for (int j = 0; j < schema->rank; ++j) {
    structure->shape[j] = schema->dimensions[j].extent;
    if (structure->shape[j] >= 0) continue;
    structure->shape[j] = same_rank ? tensor->shape[j] : tensor->rows;
    ++num_open;
  }
  if (!same_rank && num_open > 1)
    return ragged_status_make(RAGGED_STATUS_INTERNAL,
                              "result %lld: %d of its extents are open, but the tensor given has "
                              "another rank",
                              (long long)k, num_open);
  return NULL;
}

void ragged_rt_frame_result_dense(ragged_rt_frame *frame, int64_t k, ragged_rt_tensor *tensor) {
  if (!may_give(frame, k, tensor, false)) return;
  result_structure structure = {0};
  ragged_status status = dense_structure(frame, k, tensor, &structure);
  if (!status) status = make_result(frame, k, tensor, &structure);
  (void)ragged_rt_frame_note(frame, status);
}
