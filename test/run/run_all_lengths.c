// run-all-lengths [OPTION...] FILE.mlir [FUNCTION...]: compiles a program once and runs each of its
// public functions (or those named) over the length vectors that every executable op has to meet.
//   --target=TARGET    for the CPU (default), the emulated device or CUDA
//   --lowered=TEXT     compiles this file instead, which was lowered from FILE.mlir (run_lowered.h),
//                      for the emulated device
//   --lengths=N,N/M,M  runs on these lengths of the first axis and the second only
//   --patterns         runs on eight batches of four samples instead, as training meets them
// Checks, for each function and vector:
//   - the results agree with the reference interpreter's, where rows beyond the last offset and the
//     padding of boxes are NaN;
//   - two runs, and runs with 1 and 2 threads, give the same bits;
//   - a sample gives the same bits alone, and beside a sample that is all NaN or all infinity
//     (functions called batch_... mix samples and are left out of this);
//   - all memory is given back.
// Prints a line per failure and one at the end; exit status 1 if there was one.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "execute.h"
#include "ragged-c/compile.h"
#include "run_batch.h"
#include "run_lowered.h"

// Lengths of the first axis and of the second (functions with one axis meet the first kind). The
// longest are cut for functions with pairs or triples of ragged dimensions (see limit_of).
static const run_lengths one_axis[] = {
    {0, {0}, {0}},
    {1, {0}, {0}},
    {1, {1}, {0}},
    {2, {0, 0}, {0}},
    {5, {1, 0, 5, 4, 0}, {0}},
    {2, {2, 3}, {0}},
    {3, {7, 7, 7}, {0}},
    {5, {1, 1, 1000, 1, 1}, {0}},
    {4, {96, 0, 0, 128}, {0}},
};

static const run_lengths two_axes[] = {
    {0, {0}, {0}},
    {1, {0}, {0}},
    {1, {1}, {1}},
    {2, {2, 3}, {6, 4}},
    {2, {0, 4}, {5, 0}},
    {5, {1, 0, 5, 4, 0}, {3, 4, 0, 2, 0}},
    {3, {7, 7, 7}, {7, 7, 7}},
    {5, {11, 7, 1, 0, 0}, {13, 9, 1, 3, 7}},
    {3, {1, 60, 1}, {1, 33, 40}},
    {4, {96, 0, 0, 128}, {5, 2, 0, 17}},
};

// What a training run may meet: one total in other partitions, other extents and maxima, the same
// structure once more.
static const run_lengths patterns[] = {
    {4, {3, 9, 6, 2}, {5, 4, 7, 1}}, {4, {5, 5, 5, 5}, {5, 4, 5, 3}}, {4, {20, 0, 0, 0}, {0, 17, 0, 0}},
    {4, {1, 1, 1, 17}, {14, 1, 1, 1}}, {4, {12, 3, 40, 8}, {2, 30, 6, 9}}, {4, {1, 2, 1, 2}, {2, 1, 2, 1}},
    {4, {12, 3, 40, 8}, {2, 30, 6, 9}}, {4, {3, 9, 6, 2}, {5, 4, 7, 1}},
};

typedef struct runner {
  ragged_run_program program;
  ragged_rt_module *module;
  ragged_rt_context *context, *serial;  // 2 threads, and 1
  ragged_arena arena;
  const run_function *function;
  const ragged_rt_entry *compiled;
  const char *target, *lowered;  // null: the program is compiled
  const run_lengths *only;     // null: all vectors
  bool patterns;               // instead of them
  int failures, runs;
  double worst;
} runner;

static void fail(runner *self, const run_batch *batch, const char *what) {
  printf("%s: ", self->function->entry->name);
  run_batch_print(self->function, batch);
  printf("batch %" PRId64 ": %s\n", batch->size, what);
  ++self->failures;
}

static bool fine(runner *self, const run_batch *batch, ragged_status status) {
  if (!status) return true;
  fail(self, batch, ragged_status_message(status));
  ragged_status_free(status);
  return false;
}

static void release_all(int count, ragged_rt_tensor **tensors) {
  for (int k = 0; k < count; ++k) ragged_rt_tensor_release(tensors[k]);
}

// ---- Runs ------------------------------------------------------------------------------------

static bool call(runner *self, const run_batch *batch, ragged_rt_context *context,
                 ragged_rt_tensor *const *arguments, ragged_rt_tensor **results) {
  const ragged_rt_entry *entry = self->compiled;
  ++self->runs;
  return fine(self, batch, ragged_rt_call(context, entry, entry->num_arguments, arguments,
                                          entry->num_results, results));
}

// Draws arguments in a context, runs, gives the results.
static bool run(runner *self, const run_batch *batch, ragged_rt_context *context,
                ragged_rt_tensor **results) {
  ragged_rt_tensor *arguments[RUN_MAX_ARGUMENTS] = {NULL};
  bool done = fine(self, batch, run_batch_arguments(self->function, batch, &self->arena, context,
                                                    arguments)) &&
              call(self, batch, context, arguments, results);
  release_all(self->compiled->num_arguments, arguments);
  return done;
}

static bool compare_one(runner *self, const run_batch *batch, int k, ragged_rt_tensor *result,
                        const ragged_reference_value *expected) {
  ragged_run_value value;
  ragged_reference_value got = {0};
  ragged_reference_comparison comparison;
  if (!fine(self, batch, ragged_run_value_from_tensor(&self->compiled->results[k], result, &value)))
    return false;
  bool done = fine(self, batch, ragged_run_value_to_reference(&value, &got));
  ragged_run_value_free(&value);
  done = done && fine(self, batch, ragged_reference_compare(&got, expected, &comparison));
  ragged_reference_value_free(&got);
  if (!done) return false;
  if (comparison.worst > self->worst) self->worst = comparison.worst;
  if (comparison.worst <= 1) return true;
  bool real = ragged_element_is_float(expected->schema.element_type);
  const char *text = ragged_arena_format(
      &self->arena, "result %d: error / allowed error = %.3g at sample %" PRId64 ", position [", k,
      comparison.worst, comparison.sample);
  for (int d = 0; d < comparison.rank; ++d)
    text = ragged_arena_format(&self->arena, "%s%s%" PRId64, text, d ? ", " : "",
                               comparison.position[d]);
  text = real ? ragged_arena_format(&self->arena, "%s]: got %.17g, expected %.17g", text,
                                    comparison.got.real, comparison.expected.real)
              : ragged_arena_format(&self->arena, "%s]: got %" PRId64 ", expected %" PRId64, text,
                                    comparison.got.integer, comparison.expected.integer);
  fail(self, batch, text);
  return false;
}

static void compare(runner *self, const run_batch *batch, ragged_rt_tensor *const *arguments,
                    ragged_rt_tensor *const *results) {
  const ragged_rt_entry *entry = self->function->entry;
  ragged_reference_value *expected =
      RAGGED_ARENA_ARRAY(&self->arena, ragged_reference_value, entry->num_results);
  ragged_run_program program = self->program;
  program.entry = entry;
  ragged_run_times times;
  if (!fine(self, batch, ragged_run_execute_reference(1, &program, arguments, expected, &times)))
    return;
  for (int k = 0; k < entry->num_results; ++k) {
    compare_one(self, batch, k, results[k], &expected[k]);
    ragged_reference_value_free(&expected[k]);
  }
}

// ---- Equal bits ------------------------------------------------------------------------------

static int64_t row_bytes(const ragged_rt_tensor *tensor) {
  int64_t bytes = (int64_t)ragged_element_size(ragged_rt_tensor_element_type(tensor));
  for (int d = ragged_rt_tensor_space(tensor) ? 0 : 1; d < ragged_rt_tensor_rank(tensor); ++d)
    bytes *= ragged_rt_tensor_shape(tensor)[d];
  return bytes;
}

// The packed rows, in the arena.
static const char *rows_of(runner *self, const run_batch *batch, const ragged_rt_tensor *tensor) {
  int64_t bytes = ragged_rt_tensor_rows(tensor) * row_bytes(tensor);
  char *rows = RAGGED_ARENA_ARRAY(&self->arena, char, bytes + 1);
  fine(self, batch, ragged_rt_tensor_to_host(tensor, rows, bytes));
  return rows;
}

static void check_same(runner *self, const run_batch *batch, const char *what,
                       ragged_rt_tensor *const *a, ragged_rt_tensor *const *b) {
  for (int k = 0; k < self->compiled->num_results; ++k) {
    int64_t rows = ragged_rt_tensor_rows(a[k]);
    bool same = rows == ragged_rt_tensor_rows(b[k]);
    size_t bytes = (size_t)(rows * row_bytes(a[k]));
    if (same && bytes)
      same = !memcmp(rows_of(self, batch, a[k]), rows_of(self, batch, b[k]), bytes);
    if (!same) fail(self, batch, ragged_arena_format(&self->arena, "result %d: bits differ %s", k, what));
  }
}

// Sample i of the ragged results `a` against sample j of `b`.
static void check_sample(runner *self, const run_batch *batch, const char *what,
                         ragged_rt_tensor *const *a, int64_t i, ragged_rt_tensor *const *b,
                         int64_t j) {
  for (int k = 0; k < self->compiled->num_results; ++k) {
    ragged_rt_space *x = ragged_rt_tensor_space(a[k]), *y = ragged_rt_tensor_space(b[k]);
    if (!x || !y) continue;
    const int64_t *from = ragged_rt_space_offsets(x), *other = ragged_rt_space_offsets(y);
    int64_t rows = from[i + 1] - from[i], bytes = row_bytes(a[k]);
    bool same = rows == other[j + 1] - other[j];
    if (same && rows > 0 && bytes > 0)
      same = !memcmp(rows_of(self, batch, a[k]) + from[i] * bytes,
                     rows_of(self, batch, b[k]) + other[j] * bytes, (size_t)(rows * bytes));
    if (!same)
      fail(self, batch, ragged_arena_format(&self->arena, "result %d: sample %" PRId64 " differs %s",
                                            k, i, what));
  }
}

static void check_neighbours(runner *self, const run_batch *batch, ragged_rt_tensor *const *results) {
  for (int kind = 0; kind < 2; ++kind) {
    run_batch other = *batch;
    other.poisoned = batch->size / 2;
    other.poison = kind ? INFINITY : NAN;
    ragged_rt_tensor *poisoned[RUN_MAX_ARGUMENTS] = {NULL};
    if (run(self, &other, self->context, poisoned))
      for (int64_t i = 0; i < batch->size; ++i)
        if (i != other.poisoned)
          check_sample(self, batch, kind ? "beside infinities" : "beside NaN", results, i, poisoned, i);
    release_all(self->compiled->num_results, poisoned);
  }
}

static void check_alone(runner *self, const run_batch *batch, ragged_rt_tensor *const *results) {
  for (int64_t i = 0; i < batch->size; ++i) {
    run_batch one = {.size = 1, .poisoned = -1};
    one.identity[0] = batch->identity[i];
    for (int k = 0; k < RUN_MAX_AXES; ++k) one.extents[k][0] = batch->extents[k][i];
    ragged_rt_tensor *alone[RUN_MAX_ARGUMENTS] = {NULL};
    if (run(self, &one, self->context, alone)) check_sample(self, batch, "alone", results, i, alone, 0);
    release_all(self->compiled->num_results, alone);
  }
}

// ---- One function, one vector ------------------------------------------------------------------

static void check(runner *self, const run_batch *batch) {
  ragged_rt_memory_statistics before, after;
  ragged_rt_context_memory(self->context, &before);
  ragged_rt_tensor *arguments[RUN_MAX_ARGUMENTS] = {NULL}, *results[RUN_MAX_ARGUMENTS] = {NULL};
  ragged_rt_tensor *again[RUN_MAX_ARGUMENTS] = {NULL}, *serial[RUN_MAX_ARGUMENTS] = {NULL};
  int num_results = self->compiled->num_results;
  if (fine(self, batch, run_batch_arguments(self->function, batch, &self->arena, self->context,
                                            arguments)) &&
      call(self, batch, self->context, arguments, results)) {
    compare(self, batch, arguments, results);
    if (call(self, batch, self->context, arguments, again))
      check_same(self, batch, "in a second run", results, again);
    if (run(self, batch, self->serial, serial))
      check_same(self, batch, "with one thread", results, serial);
    bool local = strncmp(self->compiled->name, "batch_", 6) != 0;
    if (local && batch->size > 1) {
      check_neighbours(self, batch, results);
      check_alone(self, batch, results);
    }
  }
  release_all(num_results, serial);
  release_all(num_results, again);
  release_all(num_results, results);
  release_all(self->compiled->num_arguments, arguments);
  ragged_rt_context_memory(self->context, &after);
  if (after.num_live != before.num_live || after.allocated != before.allocated)
    fail(self, batch, "memory is not given back");
  ragged_arena_free(&self->arena);
}

// The longest samples by the largest number of ragged dimensions of a value; on a device that is slow
// a space then has at most 5,000 rows.
static const int64_t longest[] = {INT64_MAX, INT64_MAX, 128, 12};
static const int64_t longest_emulated[] = {300, 300, 44, 12};

static int64_t limit_of(const runner *self) {
  const int64_t *most = strcmp(self->target, "emulated") ? longest : longest_emulated;
  int ragged = self->function->most_ragged;
  return self->only ? INT64_MAX : most[ragged < 3 ? ragged : 3];
}

static void check_function(runner *self, const ragged_rt_entry *entry) {
  ragged_arena arena = {0};
  run_function function;
  run_function_read(&self->program, entry, &arena, &function);
  self->function = &function;
  run_batch none = {.poisoned = -1};
  if (!fine(self, &none, run_function_check(&function))) {
    ragged_arena_free(&arena);
    return;
  }
  self->compiled = ragged_rt_module_find(self->module, entry->name);
  bool one = function.axes.count < 2;
  const run_lengths *vectors = one ? one_axis : two_axes;
  size_t count = one ? sizeof one_axis / sizeof *one_axis : sizeof two_axes / sizeof *two_axes;
  if (self->only) {
    vectors = self->only;
    count = 1;
  }
  if (self->patterns) {
    vectors = patterns;
    count = sizeof patterns / sizeof *patterns;
  }
  for (size_t k = 0; k < count; ++k) {
    run_batch batch = run_batch_of_lengths(&vectors[k], limit_of(self));
    check(self, &batch);
  }
  ragged_arena_free(&arena);
}

static bool is_named(const char *name, int count, char **names) {
  for (int k = 0; k < count; ++k)
    if (!strcmp(name, names[k])) return true;
  return count == 0;
}

static ragged_status create_context(const runner *self, int threads, ragged_rt_context **out) {
  ragged_rt_context_options options = {.struct_size = sizeof options,
                                       .device = strcmp(self->target, "cpu") ? self->target : "host",
                                       .num_threads = threads};
  return ragged_rt_context_create(&options, out);
}

static ragged_status compile_lowered(runner *self, ragged_arena *arena) {
  int count = (int)raggedDescriptionGetNumEntries(self->program.description);
  const ragged_rt_entry **entries = RAGGED_ARENA_ARRAY(arena, const ragged_rt_entry *, count);
  for (int k = 0; k < count; ++k)
    entries[k] = raggedDescriptionGetEntry(self->program.description, k);
  return run_lowered_compile(self->lowered, count, entries, &self->module);
}

static ragged_status compile(runner *self) {
  if (self->lowered) {
    ragged_arena arena = {0};
    ragged_status status = compile_lowered(self, &arena);
    ragged_arena_free(&arena);
    return status;
  }
  RaggedCompileOptions options = {.structSize = sizeof options, .optimizationLevel = -1,
                                  .target = self->target};
  return raggedCompile(self->program.module, &options, &self->module);
}

static ragged_status run_program(runner *self, int count, char **names) {
  RAGGED_RETURN_IF_ERROR(compile(self));
  RAGGED_RETURN_IF_ERROR(create_context(self, 2, &self->context));
  RAGGED_RETURN_IF_ERROR(create_context(self, 1, &self->serial));
  intptr_t num_entries = raggedDescriptionGetNumEntries(self->program.description);
  int functions = 0;
  for (intptr_t k = 0; k < num_entries; ++k) {
    const ragged_rt_entry *entry = raggedDescriptionGetEntry(self->program.description, k);
    if (!is_named(entry->name, count, names)) continue;
    ++functions;
    check_function(self, entry);
  }
  printf("%d functions, %d runs, compiled in %.0f ms, largest error / allowed error = %.3g, "
         "%d failures\n",
         functions, self->runs, raggedGetCompileStatistics().seconds * 1e3, self->worst,
         self->failures);
  return NULL;
}

// Numbers with commas between them; how many. `text` moves behind them.
static int64_t read_numbers(const char **text, int64_t *out) {
  int64_t count = 0;
  for (char *end; count < RUN_MAX_BATCH; *text = end + (*end == ',')) {
    long long number = strtoll(*text, &end, 10);
    if (end == *text) break;
    out[count++] = number;
  }
  return count;
}

// Takes the options; how many there were.
static int read_options(runner *self, run_lengths *lengths, int argc, char **argv) {
  static const char target[] = "--target=", lowered[] = "--lowered=", only[] = "--lengths=";
  int k = 1;
  for (; k < argc && !strncmp(argv[k], "--", 2); ++k) {
    if (!strcmp(argv[k], "--patterns")) {
      self->patterns = true;
    } else if (!strncmp(argv[k], target, sizeof target - 1)) {
      self->target = argv[k] + sizeof target - 1;
    } else if (!strncmp(argv[k], lowered, sizeof lowered - 1)) {
      self->target = "emulated";
      self->lowered = argv[k] + sizeof lowered - 1;
    } else if (!strncmp(argv[k], only, sizeof only - 1)) {
      const char *text = argv[k] + sizeof only - 1;
      lengths->batch = read_numbers(&text, lengths->first);
      if (*text == '/') ++text;
      read_numbers(&text, lengths->second);
      self->only = lengths;
    } else {
      break;
    }
  }
  return k - 1;
}

int main(int argc, char **argv) {
  runner self = {.target = "cpu"};
  run_lengths lengths = {0};
  int taken = read_options(&self, &lengths, argc, argv);
  argc -= taken;
  argv += taken;
  ragged_arena arena = {0};
  ragged_run_options options = {.file = argc > 1 ? argv[1] : ""};
  ragged_status status = ragged_run_program_load(&options, &arena, &self.program);
  if (!status) status = run_program(&self, argc - 2, argv + 2);
  if (status) printf("error: %s\n", ragged_status_message(status));
  bool failed = status || self.failures;
  ragged_status_free(status);
  ragged_rt_context_release(self.serial);
  ragged_rt_context_release(self.context);
  ragged_rt_module_release(self.module);
  ragged_run_program_destroy(&self.program);
  ragged_arena_free(&arena);
  return failed;
}
