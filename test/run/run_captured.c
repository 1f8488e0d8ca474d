// run-captured [--target=cpu] FILE.mlir [FUNCTION...]: compiles a program and calls each of its public
// functions (or those named) with axes that only the device knows, in memory that stays the same while
// lengths and values in it change.
//   emulated (default)  the call is captured once and replayed for each length vector
//   cpu                 the call is made again for each
// Checks, for each function and vector: the results have the bits of a call whose lengths the host
// knows, on the same target; lengths out of their bounds, and more rows than a capacity, are an error,
// after which nothing is wrong; all memory is given back. Functions that need the host are refused: a
// line says why. Exit status 1 if there was a failure.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "frame_plan.h"
#include "ragged-c/compile.h"
#include "recording_device.h"
#include "run_batch.h"

enum { BATCH = 5, VECTORS = 5 };

static const int64_t kFirst[VECTORS][BATCH] = {
    {1, 0, 5, 4, 0}, {2, 3, 0, 0, 0}, {30, 1, 0, 12, 1}, {0, 0, 0, 0, 0}, {7, 7, 7, 0, 33}};
static const int64_t kSecond[VECTORS][BATCH] = {
    {3, 4, 0, 2, 0}, {6, 4, 0, 0, 0}, {2, 17, 4, 0, 1}, {0, 0, 0, 0, 0}, {7, 7, 7, 1, 9}};

typedef struct runner {
  ragged_run_program program;
  ragged_rt_module *module;
  bool host;
  ragged_rt_context *known;   // where the host knows the lengths
  ragged_rt_context *device;  // where only the device does
  recording_device *recording;
  ragged_arena arena;
  const run_function *function;
  const ragged_rt_entry *compiled;
  int failures, replays, refused;
} runner;

static void fail(runner *self, const char *what) {
  printf("%s: %s\n", self->function->entry->name, what);
  ++self->failures;
}

static bool fine(runner *self, ragged_status status) {
  if (!status) return true;
  fail(self, ragged_status_message(status));
  ragged_status_free(status);
  return false;
}

static bool is_refused(runner *self, ragged_status status) {
  if (ragged_status_get_code(status) != RAGGED_STATUS_INVALID_ARGUMENT) return !fine(self, status);
  printf("%s: refused: %s\n", self->function->entry->name, ragged_status_message(status));
  ragged_status_free(status);
  ++self->refused;
  return true;
}

static void release_all(int count, ragged_rt_tensor **tensors) {
  for (int k = 0; k < count; ++k) {
    ragged_rt_tensor_release(tensors[k]);
    tensors[k] = NULL;
  }
}

static int64_t row_bytes(const ragged_rt_tensor *tensor) {
  int64_t bytes = (int64_t)ragged_element_size(ragged_rt_tensor_element_type(tensor));
  for (int d = ragged_rt_tensor_space(tensor) ? 0 : 1; d < ragged_rt_tensor_rank(tensor); ++d)
    bytes *= ragged_rt_tensor_shape(tensor)[d];
  return bytes;
}

// ---- Where the host knows ------------------------------------------------------------------------

typedef struct expected {
  run_batch batch;
  ragged_rt_tensor *arguments[RUN_MAX_ARGUMENTS], *results[RUN_MAX_ARGUMENTS];
} expected;

static run_batch make_batch(const runner *self, int vector) {
  int ragged = self->function->most_ragged;
  int64_t limit = ragged < 3 ? INT64_MAX : ragged == 3 ? 9 : 5;
  run_batch batch = {.size = BATCH, .poisoned = -1};
  for (int i = 0; i < BATCH; ++i) {
    batch.identity[i] = i;
    for (int k = 0; k < RUN_MAX_AXES; ++k) {
      int64_t extent = k == 0   ? kFirst[vector][i]
                       : k == 1 ? kSecond[vector][i]
                                : (2 * kFirst[vector][i] + kSecond[vector][i] + k) % 5;
      batch.extents[k][i] = extent < limit ? extent : limit;
    }
  }
  return batch;
}

static bool compute_expected(runner *self, int vector, expected *out) {
  const ragged_rt_entry *entry = self->compiled;
  out->batch = make_batch(self, vector);
  return fine(self, run_batch_arguments(self->function, &out->batch, &self->arena, self->known,
                                        out->arguments)) &&
         fine(self, ragged_rt_call(self->known, entry, entry->num_arguments, out->arguments,
                                   entry->num_results, out->results));
}

// ---- Where only the device knows -----------------------------------------------------------------

typedef struct arena_axis {  // one of the function's
  ragged_rt_tensor *lengths;  // dense, B of `width` bits as i64 words
  ragged_rt_axis *axis;
  int width;
  int64_t largest;
} arena_axis;

typedef struct setup {
  arena_axis axes[RUN_MAX_AXES];
  ragged_rt_tensor *arguments[RUN_MAX_ARGUMENTS];
} setup;

static bool write_lengths(runner *self, arena_axis *axis, const int64_t *extents) {
  int64_t words[BATCH] = {0};
  for (int i = 0; i < BATCH; ++i) {
    int32_t narrow = (int32_t)extents[i];
    if (axis->width == 64) words[i] = extents[i];
    else memcpy((char *)words + 4 * i, &narrow, sizeof narrow);
  }
  ragged_rt_device *device = self->device->device;
  return fine(self, device->table->upload(device, axis->lengths->data, words, sizeof words));
}

static bool make_axis(runner *self, int k, const expected *vectors, arena_axis *out) {
  const int64_t shape = BATCH;
  int64_t most = 0;
  for (int v = 0; v < VECTORS; ++v) {
    int64_t total = 0;
    for (int i = 0; i < BATCH; ++i) {
      int64_t extent = vectors[v].batch.extents[k][i];
      total += extent;
      if (extent > out->largest) out->largest = extent;
    }
    if (total > most) most = total;
  }
  out->width = k % 2 ? 64 : 32;
  return fine(self, ragged_rt_tensor_create_dense(self->device, RAGGED_ELEMENT_I64, 1, &shape,
                                                  &out->lengths)) &&
         fine(self, ragged_rt_axis_create_on_device(self->device, BATCH, out->width,
                                                    out->lengths->data, out->largest, most,
                                                    &out->axis));
}

// The space of an argument: its rows in any of the vectors are its capacity. Expressions are computed,
// unless the argument is the first that has them: then they are lengths of their own.
static bool make_argument(runner *self, int k, const expected *vectors, setup *out) {
  const ragged_rt_tensor *like = vectors[0].arguments[k];
  const char *names[RAGGED_MAX_RANK], *all[RUN_MAX_AXES];
  ragged_rt_axis *axes[RAGGED_MAX_RANK], *known[RUN_MAX_AXES];
  ragged_rt_space *space = NULL;
  int num_known = self->compiled->num_axes;
  for (int j = 0; j < num_known; ++j) {
    all[j] = self->compiled->axes[j];
    known[j] = out->axes[j].axis;
  }
  int count = ragged_schema_space(&self->compiled->arguments[k].schema, names);
  bool made = true;
  for (int d = 0; d < count; ++d) {
    axes[d] = NULL;
    for (int j = 0; j < num_known && !axes[d]; ++j)
      if (!strcmp(names[d], all[j])) ragged_rt_axis_retain(axes[d] = known[j]);
    if (!axes[d])
      made = made && fine(self, ragged_rt_axis_create_from_expression(self->device, names[d],
                                                                      num_known, all, known,
                                                                      &axes[d]));
  }
  made = made && fine(self, ragged_rt_space_get(self->device, BATCH, count, axes, &space));
  int64_t capacity = 0;
  for (int v = 0; v < VECTORS; ++v) {
    int64_t rows = ragged_rt_tensor_rows(vectors[v].arguments[k]);
    if (rows > capacity) capacity = rows;
  }
  made = made && fine(self, ragged_rt_space_set_capacity(space, capacity)) &&
         fine(self, ragged_rt_tensor_create(self->device, like->element_type, space, like->rank,
                                            like->shape, &out->arguments[k]));
  for (int d = 0; d < count; ++d) ragged_rt_axis_release(axes[d]);
  ragged_rt_space_release(space);
  return made;
}

static bool make_setup(runner *self, const expected *vectors, setup *out) {
  bool made = true;
  for (int k = 0; k < self->compiled->num_axes && made; ++k)
    made = make_axis(self, k, vectors, &out->axes[k]);
  for (int k = 0; k < self->compiled->num_arguments && made; ++k) {
    const ragged_rt_tensor *like = vectors[0].arguments[k];
    made = like->space ? make_argument(self, k, vectors, out)
                       : fine(self, ragged_rt_tensor_create_dense(self->device, like->element_type,
                                                                  like->rank, like->shape,
                                                                  &out->arguments[k]));
  }
  return made;
}

static void end_setup(runner *self, setup *out) {
  release_all(self->compiled->num_arguments, out->arguments);
  for (int k = 0; k < RUN_MAX_AXES; ++k) {
    ragged_rt_axis_release(out->axes[k].axis);
    ragged_rt_tensor_release(out->axes[k].lengths);
  }
}

static bool copy_values(runner *self, const ragged_rt_tensor *from, ragged_rt_tensor *to) {
  ragged_rt_device *device = self->device->device;
  int64_t bytes = ragged_rt_tensor_bytes(from);
  void *values = malloc((size_t)bytes + 1);
  // What lies beyond the rows is NaN, or -1.
  bool copied =
      fine(self, device->table->fill(device, to->data, 0xff, (size_t)ragged_rt_tensor_bytes(to))) &&
      fine(self, ragged_rt_tensor_to_host(from, values, bytes)) &&
      fine(self, device->table->upload(device, to->data, values, (size_t)bytes));
  free(values);
  return copied;
}

static bool write_vector(runner *self, const expected *vector, setup *to) {
  bool written = true;
  for (int k = 0; k < self->compiled->num_axes && written; ++k)
    written = write_lengths(self, &to->axes[k], vector->batch.extents[k]);
  for (int k = 0; k < self->compiled->num_arguments && written; ++k)
    written = copy_values(self, vector->arguments[k], to->arguments[k]);
  return written;
}

// ---- Comparing -----------------------------------------------------------------------------------

static void compare_one(runner *self, int vector, int k, const ragged_rt_tensor *want,
                        ragged_rt_tensor *got) {
  int64_t rows = ragged_rt_tensor_rows(want), got_rows = ragged_rt_tensor_rows(got);
  int64_t bytes = rows * row_bytes(want);
  bool same = true;
  if (got->space) {
    ragged_rt_space *space = NULL;
    if (!fine(self, ragged_rt_space_resolve(got->space, &space))) return;
    got_rows = space->rows;
    same = !memcmp(space->offsets, want->space->offsets, (BATCH + 1) * sizeof *space->offsets);
    ragged_rt_space_release(space);
  }
  char *a = malloc((size_t)bytes + 1), *b = malloc((size_t)bytes + 1);
  same = same && rows == got_rows && row_bytes(want) == row_bytes(got);
  if (same && fine(self, ragged_rt_tensor_to_host(want, a, bytes)) &&
      fine(self, ragged_rt_tensor_to_host(got, b, bytes)))
    same = !memcmp(a, b, (size_t)bytes);
  free(a);
  free(b);
  if (!same)
    fail(self, ragged_arena_format(&self->arena, "result %d of vector %d differs", k, vector));
}

static void compare(runner *self, int vector, const expected *want, ragged_rt_tensor **got) {
  for (int k = 0; k < self->compiled->num_results; ++k)
    compare_one(self, vector, k, want->results[k], got[k]);
}

// ---- One function --------------------------------------------------------------------------------

static ragged_status call(runner *self, setup *on, ragged_rt_tensor **results) {
  return ragged_rt_call(self->device, self->compiled, self->compiled->num_arguments, on->arguments,
                        self->compiled->num_results, results);
}

static void poison(runner *self, ragged_rt_tensor **results) {
  ragged_rt_device *device = self->device->device;
  for (int k = 0; k < self->compiled->num_results; ++k)
    (void)fine(self, device->table->fill(device, results[k]->data, 0xff,
                                         (size_t)ragged_rt_tensor_bytes(results[k])));
}

// The captured call does nothing by itself; each replay is for the lengths of that time.
static void replay_all(runner *self, const expected *vectors, setup *on,
                       ragged_rt_tensor **results) {
  for (int turn = 0; turn <= VECTORS; ++turn) {
    int v = turn % VECTORS;
    if (!write_vector(self, &vectors[v], on)) return;
    poison(self, results);
    if (!fine(self, recording_device_replay(self->recording)) ||
        !fine(self, ragged_rt_context_synchronise(self->device)))
      return;
    ++self->replays;
    compare(self, v, &vectors[v], results);
  }
}

static void expect_fault(runner *self, ragged_status status, const char *what) {
  if (ragged_status_get_code(status) != RAGGED_STATUS_INVALID_ARGUMENT)
    fail(self, ragged_arena_format(&self->arena, "%s: '%s'", what, ragged_status_message(status)));
  ragged_status_free(status);
}

// Each axis too long, then negative, in its last sample. The device checks every access.
static void replay_faults(runner *self, const expected *vectors, setup *on,
                          ragged_rt_tensor **results) {
  for (int k = 0; k < 2 * self->compiled->num_axes; ++k) {
    arena_axis *axis = &on->axes[k / 2];
    int64_t extents[BATCH];
    if (!write_vector(self, &vectors[2], on)) return;
    memcpy(extents, vectors[2].batch.extents[k / 2], sizeof extents);
    extents[BATCH - 1] = k % 2 ? -1 : axis->largest + 1;
    if (!write_lengths(self, axis, extents) ||
        !fine(self, recording_device_replay(self->recording)))
      return;
    expect_fault(self, ragged_rt_context_synchronise(self->device), "lengths out of bounds");
    (void)fine(self, ragged_rt_context_synchronise(self->device));  // once
  }
  // All samples as long as any may be: more rows than there is room for.
  bool beyond = false;
  for (int k = 0; k < self->compiled->num_axes; ++k) {
    int64_t extents[BATCH];
    for (int i = 0; i < BATCH; ++i) extents[i] = on->axes[k].largest;
    beyond = beyond || on->axes[k].axis->on_device->max_total < BATCH * on->axes[k].largest;
    if (!write_lengths(self, &on->axes[k], extents)) return;
  }
  if (beyond) {
    if (!fine(self, recording_device_replay(self->recording))) return;
    expect_fault(self, ragged_rt_context_synchronise(self->device), "rows beyond the capacity");
  }
  if (!write_vector(self, &vectors[2], on) || !fine(self, recording_device_replay(self->recording)))
    return;
  if (fine(self, ragged_rt_context_synchronise(self->device)))
    compare(self, 2, &vectors[2], results);
}

static void check_captured(runner *self, const expected *vectors, setup *on) {
  ragged_rt_tensor *warm[RUN_MAX_ARGUMENTS] = {NULL}, *results[RUN_MAX_ARGUMENTS] = {NULL};
  ragged_rt_capture *capture = NULL;
  if (!write_vector(self, &vectors[0], on) || is_refused(self, call(self, on, warm))) return;
  compare(self, 0, &vectors[0], warm);
  if (fine(self, ragged_rt_capture_begin(self->device, &capture))) {
    recording_device_begin(self->recording);
    ragged_status status = call(self, on, results);
    recording_device_end(self->recording);
    ragged_rt_capture_end(capture);
    if (!is_refused(self, status)) {
      release_all(self->compiled->num_results, warm);
      replay_all(self, vectors, on, results);
      if (recording_device_launches(self->recording, RAGGED_RT_PLAN_KERNEL))
        replay_faults(self, vectors, on, results);
    }
  }
  release_all(self->compiled->num_results, warm);
  release_all(self->compiled->num_results, results);
  ragged_rt_capture_release(capture);
}

static void check_repeated(runner *self, const expected *vectors, setup *on) {
  for (int v = 0; v < VECTORS; ++v) {
    ragged_rt_tensor *results[RUN_MAX_ARGUMENTS] = {NULL};
    if (write_vector(self, &vectors[v], on) && fine(self, call(self, on, results))) {
      ++self->replays;
      compare(self, v, &vectors[v], results);
    }
    release_all(self->compiled->num_results, results);
  }
  for (int k = 0; k < self->compiled->num_axes; ++k) {
    ragged_rt_tensor *results[RUN_MAX_ARGUMENTS] = {NULL};
    int64_t extents[BATCH] = {on->axes[k].largest + 1};
    if (!write_lengths(self, &on->axes[k], extents)) return;
    expect_fault(self, call(self, on, results), "lengths out of bounds");
    if (!write_lengths(self, &on->axes[k], vectors[0].batch.extents[k])) return;
  }
}

static bool has_open_shapes(const runner *self) {
  for (int k = 0; k < self->compiled->num_arguments; ++k)
    if (self->function->arguments[k].kind != ARGUMENT_PLAIN) return true;
  return false;
}

static void check_function(runner *self, const ragged_rt_entry *entry) {
  ragged_arena arena = {0};
  run_function function;
  expected vectors[VECTORS] = {0};
  setup on = {0};
  ragged_rt_memory_statistics before, after;
  ragged_rt_context_memory(self->device, &before);
  run_function_read(&self->program, entry, &arena, &function);
  self->function = &function;
  self->compiled = ragged_rt_module_find(self->module, entry->name);
  bool ready = fine(self, run_function_check(&function));
  if (!ready) {
    ragged_arena_free(&arena);
    return;
  }
  for (int v = 0; v < VECTORS && ready; ++v) ready = compute_expected(self, v, &vectors[v]);
  if (has_open_shapes(self)) {
    printf("%s: left out: an argument has another shape for other lengths\n", entry->name);
  } else if (ready && make_setup(self, vectors, &on)) {
    if (self->host) check_repeated(self, vectors, &on);
    else check_captured(self, vectors, &on);
  }
  end_setup(self, &on);
  for (int v = 0; v < VECTORS; ++v) {
    release_all(self->compiled->num_arguments, vectors[v].arguments);
    release_all(self->compiled->num_results, vectors[v].results);
  }
  ragged_rt_context_memory(self->device, &after);
  if (after.num_live != before.num_live || after.allocated != before.allocated)
    fail(self, "memory is not given back");
  ragged_arena_free(&self->arena);
  ragged_arena_free(&arena);
}

// ---- The program ---------------------------------------------------------------------------------

static ragged_status make_contexts(runner *self) {
  ragged_rt_context_options options = {.struct_size = sizeof options, .num_threads = 2,
                                       .device = self->host ? "host" : "emulated"};
  RAGGED_RETURN_IF_ERROR(ragged_rt_context_create(&options, &self->known));
  if (self->host) return ragged_rt_context_create(&options, &self->device);
  return recording_device_create(&self->device, &self->recording);
}

static bool is_named(const char *name, int count, char **names) {
  for (int k = 0; k < count; ++k)
    if (!strcmp(name, names[k])) return true;
  return count == 0;
}

static ragged_status run_program(runner *self, int count, char **names) {
  RaggedCompileOptions options = {.structSize = sizeof options, .optimizationLevel = -1,
                                  .target = self->host ? "cpu" : "emulated"};
  RAGGED_RETURN_IF_ERROR(raggedCompile(self->program.module, &options, &self->module));
  RAGGED_RETURN_IF_ERROR(make_contexts(self));
  int functions = 0;
  for (intptr_t k = 0; k < raggedDescriptionGetNumEntries(self->program.description); ++k) {
    const ragged_rt_entry *entry = raggedDescriptionGetEntry(self->program.description, k);
    if (!is_named(entry->name, count, names)) continue;
    ++functions;
    check_function(self, entry);
  }
  printf("%d functions, %d replays, %d refused, %d failures\n", functions, self->replays,
         self->refused, self->failures);
  return NULL;
}

int main(int argc, char **argv) {
  runner self = {.host = argc > 1 && !strcmp(argv[1], "--target=cpu")};
  argc -= self.host;
  argv += self.host;
  ragged_arena arena = {0};
  ragged_run_options options = {.file = argc > 1 ? argv[1] : ""};
  ragged_status status = ragged_run_program_load(&options, &arena, &self.program);
  if (!status) status = run_program(&self, argc - 2, argv + 2);
  if (status) printf("error: %s\n", ragged_status_message(status));
  bool failed = status || self.failures;
  ragged_status_free(status);
  ragged_rt_context_release(self.device);
  ragged_rt_context_release(self.known);
  recording_device_destroy(self.recording);
  ragged_rt_module_release(self.module);
  ragged_run_program_destroy(&self.program);
  ragged_arena_free(&arena);
  return failed;
}
