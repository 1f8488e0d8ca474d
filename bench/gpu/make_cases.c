// ragged-gpu-cases FILE.mlir OUTPUT [LENGTHS [MOST_BYTES]]: draws arguments for every public function of
// a program, evaluates it with the reference interpreter, and writes arguments and results as cases
// (case_file.h). LENGTHS: `small` (default), `one` (the first of them that is not trivial), `huge`
// (segments of 100,000 and none), `block` (short proteins). Cases of more than MOST_BYTES (4 MiB) are
// left out. Called by bench/gpu.sh.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_file.h"
#include "execute.h"
#include "run_batch.h"

typedef struct length_vector {
  const char *kind;
  run_lengths lengths;
} length_vector;

static const length_vector kVectors[] = {
    {"one small", {5, {1, 0, 5, 4, 0}, {3, 4, 0, 2, 0}}},
    {"small", {0, {0}, {0}}},
    {"small", {2, {0, 0}, {0, 0}}},
    {"small", {3, {7, 7, 7}, {7, 7, 7}}},
    {"small", {4, {1, 40, 0, 1}, {33, 5, 2, 40}}},
    {"small", {3, {96, 0, 128}, {5, 2, 17}}},
    {"huge", {4, {1, 0, 100000, 3}, {2, 1, 3, 0}}},
    {"huge", {1, {100003}, {1}}},
    {"block", {5, {3, 0, 17, 1, 24}, {5, 2, 9, 0, 13}}},
    {"block", {0, {0}, {0}}},
};

typedef struct case_maker {
  ragged_run_program program;
  ragged_rt_context *context;
  ragged_arena arena;
  FILE *file;
  int64_t most_bytes, num_cases, num_left_out;
} case_maker;

// Pairs and triples of ragged dimensions are cut.
static int64_t limit_of(const run_function *function) {
  static const int64_t most[] = {INT64_MAX, INT64_MAX, 40, 9};
  return most[function->most_ragged < 3 ? function->most_ragged : 3];
}

static const char *make_label(ragged_arena *arena, const run_function *function,
                              const run_batch *batch) {
  const char *text = ragged_arena_format(arena, "batch %" PRId64, batch->size);
  for (int k = 0; k < function->axes.count; ++k) {
    text = ragged_arena_format(arena, "%s %s=", text, function->axes.names[k]);
    for (int64_t i = 0; i < batch->size; ++i)
      text = ragged_arena_format(arena, "%s%s%" PRId64, text, i ? "," : "", batch->extents[k][i]);
  }
  return text;
}

static int64_t bytes_of(const ragged_rt_entry *entry, const ragged_reference_value *results) {
  int64_t bytes = 0;
  for (int k = 0; k < entry->num_results; ++k)
    bytes += ragged_reference_num_elements(&results[k]) * (int64_t)sizeof(ragged_reference_number);
  return bytes;
}

static ragged_status make_case(case_maker *self, const run_function *function,
                               const run_lengths *lengths) {
  const ragged_rt_entry *entry = function->entry;
  run_batch batch = run_batch_of_lengths(lengths, limit_of(function));
  ragged_rt_tensor *arguments[RUN_MAX_ARGUMENTS] = {NULL};
  ragged_reference_value *results =
      RAGGED_ARENA_ARRAY(&self->arena, ragged_reference_value, entry->num_results);
  ragged_run_program program = self->program;
  program.entry = entry;
  ragged_run_times times;
  ragged_status status =
      run_batch_arguments(function, &batch, &self->arena, self->context, arguments);
  if (!status) status = ragged_run_execute_reference(1, &program, arguments, results, &times);
  if (!status && bytes_of(entry, results) > self->most_bytes) {
    ++self->num_left_out;
  } else if (!status) {
    ++self->num_cases;
    status = gpu_case_write(self->file, entry->name, make_label(&self->arena, function, &batch),
                            entry->num_arguments, arguments, entry->num_results, results);
  }
  for (int k = 0; k < entry->num_results; ++k) ragged_reference_value_free(&results[k]);
  for (int k = 0; k < entry->num_arguments; ++k) ragged_rt_tensor_release(arguments[k]);
  return status;
}

static ragged_status make_all(case_maker *self, const char *kind) {
  intptr_t count = raggedDescriptionGetNumEntries(self->program.description);
  for (intptr_t k = 0; k < count; ++k) {
    run_function function;
    run_function_read(&self->program, raggedDescriptionGetEntry(self->program.description, k),
                      &self->arena, &function);
    for (size_t v = 0; v < sizeof kVectors / sizeof *kVectors; ++v)
      if (strstr(kVectors[v].kind, kind))
        RAGGED_RETURN_IF_ERROR(make_case(self, &function, &kVectors[v].lengths));
  }
  return NULL;
}

static ragged_status make_file(case_maker *self, const char *program, const char *output,
                               const char *kind) {
  ragged_run_options options = {.file = program};
  RAGGED_RETURN_IF_ERROR(ragged_run_program_load(&options, &self->arena, &self->program));
  ragged_rt_context_options context = {.struct_size = sizeof context};
  RAGGED_RETURN_IF_ERROR(ragged_rt_context_create(&context, &self->context));
  self->file = fopen(output, "wb");
  if (!self->file)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "'%s' cannot be written", output);
  ragged_status status = make_all(self, kind);
  if (fclose(self->file) && !status)
    status = ragged_status_make(RAGGED_STATUS_UNAVAILABLE, "'%s' cannot be written", output);
  return status;
}

int main(int argc, char **argv) {
  if (argc < 3 || argc > 5) {
    fprintf(stderr, "usage: ragged-gpu-cases FILE.mlir OUTPUT [one|small|huge|block [MOST_BYTES]]\n");
    return 2;
  }
  case_maker self = {.most_bytes = argc > 4 ? strtoll(argv[4], NULL, 10) : INT64_C(1) << 22};
  ragged_status status = make_file(&self, argv[1], argv[2], argc > 3 ? argv[3] : "small");
  if (status) fprintf(stderr, "ragged-gpu-cases: error: %s\n", ragged_status_message(status));
  else
    printf("%s: %" PRId64 " cases, %" PRId64 " left out as too large\n", argv[1], self.num_cases,
           self.num_left_out);
  bool failed = status != NULL;
  ragged_status_free(status);
  ragged_rt_context_release(self.context);
  ragged_run_program_destroy(&self.program);
  ragged_arena_free(&self.arena);
  return failed;
}
