// A program that was compiled ahead of time: calls @above of examples/first.mlir, with libragged_rt and
// nothing else. docs/ahead-of-time.md says how it is built.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ragged_rt.h"

// What ragged-build puts into the object file: all public functions of the program.
const ragged_rt_entry *ragged_program_entries(int *out_count);

// A function that can fail returns a status: null for success, else a code and a message.
static void check(ragged_status status) {
  if (!status) return;
  fprintf(stderr, "%s: %s\n", ragged_status_code_name(ragged_status_get_code(status)),
          ragged_status_message(status));
  ragged_status_free(status);
  exit(1);
}

static const ragged_rt_entry *find(const char *name) {
  int count;
  const ragged_rt_entry *entries = ragged_program_entries(&count);
  for (int k = 0; k < count; ++k)
    if (!strcmp(entries[k].name, name)) return &entries[k];
  fprintf(stderr, "the program has no function '%s'\n", name);
  exit(1);
}

int main(void) {
  const int64_t lengths[] = {3, 0, 2};
  const float values[] = {1, 4, 2, 5, -1};
  float above[5], means[3];
  ragged_rt_context *context;
  ragged_rt_axis *n;
  ragged_rt_space *space;
  ragged_rt_tensor *x, *results[2];
  check(ragged_rt_context_create(NULL, &context));
  check(ragged_rt_axis_create_from_lengths(context, /*batch=*/3, 64, lengths, &n));
  check(ragged_rt_space_get(context, 3, 1, &n, &space));
  check(ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_F32, space, /*tail_rank=*/0, NULL, values,
                                   &x));
  check(ragged_rt_call(context, find("above"), 1, &x, 2, results));
  check(ragged_rt_tensor_to_host(results[0], above, sizeof above));
  check(ragged_rt_tensor_to_host(results[1], means, sizeof means));
  for (int k = 0; k < 5; ++k) printf("%g ", (double)above[k]);
  printf("| %g %g %g\n", (double)means[0], (double)means[1], (double)means[2]);
  for (int k = 0; k < 2; ++k) ragged_rt_tensor_release(results[k]);
  ragged_rt_tensor_release(x);
  ragged_rt_space_release(space);
  ragged_rt_axis_release(n);
  ragged_rt_context_release(context);
  return 0;
}
