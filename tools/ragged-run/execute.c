// See execute.h.
#include "execute.h"

#include <stdlib.h>
#include <time.h>

#include "ragged-c/compile.h"

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int compare_times(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// One call into `user`; `last` of the series.
typedef ragged_status (*one_run)(void *user, bool last);

static ragged_status run_repeatedly(int repeat, one_run run, void *user, ragged_run_times *times) {
  double *seconds = calloc((size_t)repeat, sizeof *seconds);
  if (!seconds)
    return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for %d times", repeat);
  ragged_status status = NULL;
  double total = 0;
  for (int k = 0; k < repeat && !status; ++k) {
    double begin = now();
    status = run(user, k + 1 == repeat);
    seconds[k] = now() - begin;
    total += seconds[k];
  }
  qsort(seconds, (size_t)repeat, sizeof *seconds, compare_times);
  *times = (ragged_run_times){.best = seconds[0], .median = seconds[repeat / 2],
                              .total = total};
  free(seconds);
  return status;
}

// ---- Compiled -------------------------------------------------------------------------------

typedef struct compiled_run {
  ragged_rt_context *context;
  const ragged_rt_entry *entry;
  ragged_rt_tensor *const *arguments;
  ragged_rt_tensor **results;
} compiled_run;

static void release_all(int count, ragged_rt_tensor **tensors) {
  for (int k = 0; k < count; ++k) {
    ragged_rt_tensor_release(tensors[k]);
    tensors[k] = NULL;
  }
}

static ragged_status call_once(void *user, bool last) {
  compiled_run *self = user;
  RAGGED_RETURN_IF_ERROR(ragged_rt_call(self->context, self->entry, self->entry->num_arguments,
                                        self->arguments, self->entry->num_results, self->results));
  if (!last) release_all(self->entry->num_results, self->results);
  return NULL;
}

static ragged_status call_compiled(const ragged_run_options *options,
                                   const ragged_run_program *program,
                                   const ragged_rt_module *module, compiled_run *run,
                                   ragged_run_value *results, ragged_run_times *times) {
  const ragged_rt_entry *entry = program->entry;
  run->entry = ragged_rt_module_find(module, entry->name);
  if (!run->entry)
    return ragged_status_make(RAGGED_STATUS_INTERNAL, "the compiled module lacks '%s'",
                              entry->name);
  RAGGED_RETURN_IF_ERROR(run_repeatedly(options->repeat, call_once, run, times));
  for (int k = 0; k < entry->num_results; ++k)
    RAGGED_RETURN_IF_ERROR(
        ragged_run_value_from_tensor(&entry->results[k], run->results[k], &results[k]));
  return NULL;
}

ragged_status ragged_run_execute_compiled(const ragged_run_options *options,
                                     const ragged_run_program *program, ragged_rt_context *context,
                                     ragged_rt_tensor *const *arguments, ragged_run_value *results,
                                     ragged_run_times *times) {
  ragged_rt_module *module;
  RaggedCompileOptions compile = {.structSize = sizeof compile, .optimizationLevel = -1,
                                  .target = options->target};
  RAGGED_RETURN_IF_ERROR(raggedCompile(program->module, &compile, &module));
  int num_results = program->entry->num_results;
  compiled_run run = {.context = context, .arguments = arguments};
  run.results = calloc((size_t)num_results + 1, sizeof *run.results);
  ragged_status status =
      run.results ? call_compiled(options, program, module, &run, results, times)
                  : ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for results");
  if (run.results) release_all(num_results, run.results);
  free(run.results);
  ragged_rt_module_release(module);
  return status;
}

// ---- Reference ------------------------------------------------------------------------------

typedef struct reference_run {
  MlirOperation function;
  int num_arguments, num_results;
  ragged_reference_value *arguments, *results;
} reference_run;

static void free_all(int count, ragged_reference_value *values) {
  for (int k = 0; k < count; ++k) ragged_reference_value_free(&values[k]);
}

static ragged_status interpret_once(void *user, bool last) {
  reference_run *self = user;
  RAGGED_RETURN_IF_ERROR(ragged_reference_run(self->function, NULL, self->num_arguments,
                                              self->arguments, self->num_results, self->results));
  if (!last) free_all(self->num_results, self->results);
  return NULL;
}

static ragged_status convert_arguments(const ragged_rt_entry *entry,
                                       ragged_rt_tensor *const *tensors,
                                       ragged_reference_value *out) {
  for (int k = 0; k < entry->num_arguments; ++k) {
    ragged_run_value value;
    RAGGED_RETURN_IF_ERROR(
        ragged_run_value_from_tensor(&entry->arguments[k], tensors[k], &value));
    ragged_status status = ragged_run_value_to_reference(&value, &out[k]);
    ragged_run_value_free(&value);
    if (status) return status;
  }
  return NULL;
}

ragged_status ragged_run_execute_reference(int repeat, const ragged_run_program *program,
                                           ragged_rt_tensor *const *arguments,
                                           ragged_reference_value *results,
                                           ragged_run_times *times) {
  const ragged_rt_entry *entry = program->entry;
  reference_run run = {.function = ragged_run_program_function(program),
                       .num_arguments = entry->num_arguments,
                       .num_results = entry->num_results,
                       .results = results};
  run.arguments = calloc((size_t)entry->num_arguments + 1, sizeof *run.arguments);
  if (!run.arguments)
    return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for arguments");
  ragged_status status = convert_arguments(entry, arguments, run.arguments);
  if (!status) status = run_repeatedly(repeat, interpret_once, &run, times);
  free_all(entry->num_arguments, run.arguments);
  free(run.arguments);
  return status;
}
