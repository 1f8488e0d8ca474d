// Runs examples/first.mlir, linked ahead of time, with libragged_rt and nothing else, and shows that a
// second program (examples/single_pair_single.mlir) is there under a symbol of its own.
#include <stdio.h>

#include "ragged_rt.h"

const ragged_rt_entry *ragged_program_entries(int *out_count);
const ragged_rt_entry *other_program(int *out_count);

static void check(ragged_status status) {
  if (status) printf("error: %s\n", ragged_status_message(status));
  ragged_status_free(status);
}

int main(void) {
  int count, others;
  const ragged_rt_entry *entries = ragged_program_entries(&count);
  const ragged_rt_entry *other = other_program(&others);
  printf("%d: %s, axis %s; %d: %s, %s, %s\n", count, entries[0].name, entries[0].axes[0], others,
         other[0].name, other[1].name, other[2].name);
  const int64_t lengths[] = {3, 0, 2};
  float values[] = {1, 4, 2, 5, -1}, above[5], means[3];
  ragged_rt_context_options options = {.struct_size = sizeof options};
  ragged_rt_context *context = NULL;
  ragged_rt_axis *axis = NULL;
  ragged_rt_space *space = NULL;
  ragged_rt_tensor *x = NULL, *results[2] = {NULL, NULL};
  check(ragged_rt_context_create(&options, &context));
  check(ragged_rt_axis_create_from_lengths(context, 3, 64, lengths, &axis));
  check(ragged_rt_space_get(context, 3, 1, &axis, &space));
  check(ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_F32, space, 0, NULL, values, &x));
  check(ragged_rt_call(context, &entries[0], 1, &x, 2, results));
  check(ragged_rt_tensor_to_host(results[0], above, sizeof above));
  check(ragged_rt_tensor_to_host(results[1], means, sizeof means));
  for (int k = 0; k < 5; ++k) printf("%g ", (double)above[k]);
  for (int k = 0; k < 3; ++k) printf("| %g ", (double)means[k]);
  printf("\n");
  for (int k = 0; k < 2; ++k) ragged_rt_tensor_release(results[k]);
  ragged_rt_tensor_release(x);
  ragged_rt_space_release(space);
  ragged_rt_axis_release(axis);
  ragged_rt_context_release(context);
  return 0;
}
