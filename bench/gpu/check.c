// The stage that checks: every case of cases/PROGRAM.cases is called twice and held against the
// reference's results with the project's allowed error (lib/reference/reference_compare.c). The two
// calls must give the same bits, and all memory must be given back.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "case_file.h"
#include "driver.h"
#include "value.h"

typedef struct checker {
  const gpu_setting *setting;
  const gpu_program *program;
  gpu_progress *progress;
  ragged_rt_context *context;
  bool faulty, broken;  // this case; the device
} checker;

// The first fault of a case has a row.
static void fault(checker *self, const gpu_case *one, const char *text) {
  if (self->faulty) return;
  self->faulty = true;
  ++self->progress->num_faults;
  char name[sizeof((gpu_row *)0)->name];
  snprintf(name, sizeof name, "%.20s: %.55s", self->program->name, one->entry);
  gpu_row row = gpu_row_make(GPU_ROW_WRONG, "check", name);
  gpu_row_note(&row, "%.90s: %s", one->label, text);
  gpu_row_write(self->setting->out, &row);
}

// Takes the status; true when there was none. After an error of the device nothing else can be
// trusted.
static bool fine(checker *self, const gpu_case *one, ragged_status status) {
  if (!status) return true;
  self->broken = self->broken || ragged_status_get_code(status) == RAGGED_STATUS_INTERNAL;
  fault(self, one, ragged_status_message(status));
  ragged_status_free(status);
  return false;
}

static void release_all(int count, ragged_rt_tensor **tensors) {
  for (int k = 0; k < count; ++k) ragged_rt_tensor_release(tensors[k]);
}

static int64_t value_bytes(const ragged_run_value *value, const ragged_rt_tensor *tensor) {
  int64_t count = value->rows;
  for (int d = 0; d < ragged_rt_tensor_rank(tensor); ++d)
    count *= ragged_rt_tensor_shape(tensor)[d];
  return count * (int64_t)ragged_element_size(value->type->schema.element_type);
}

static void compare(checker *self, const gpu_case *one, int k, const ragged_run_value *value,
                    const ragged_rt_value_type *type) {
  ragged_reference_value got = {0}, expected = {0};
  ragged_reference_comparison comparison;
  if (fine(self, one, gpu_expected_to_value(&one->results[k], type, &expected)) &&
      fine(self, one, ragged_run_value_to_reference(value, &got)) &&
      fine(self, one, ragged_reference_compare(&got, &expected, &comparison))) {
    if (comparison.worst > self->progress->worst) self->progress->worst = comparison.worst;
    char text[160];
    bool real = ragged_element_is_float(type->schema.element_type);
    if (real)
      snprintf(text, sizeof text, "result %d, sample %" PRId64 ": got %.9g, expected %.9g, allowed %.3g",
               k, comparison.sample, comparison.got.real, comparison.expected.real,
               comparison.allowed);
    else
      snprintf(text, sizeof text, "result %d, sample %" PRId64 ": got %" PRId64 ", expected %" PRId64,
               k, comparison.sample, comparison.got.integer, comparison.expected.integer);
    if (!(comparison.worst <= 1)) fault(self, one, text);
  }
  ragged_reference_value_free(&got);
  ragged_reference_value_free(&expected);
}

static void check_result(checker *self, const gpu_case *one, int k, const ragged_rt_value_type *type,
                         ragged_rt_tensor *first, ragged_rt_tensor *second) {
  ragged_run_value a = {0}, b = {0};
  if (fine(self, one, ragged_run_value_from_tensor(type, first, &a)) &&
      fine(self, one, ragged_run_value_from_tensor(type, second, &b))) {
    compare(self, one, k, &a, type);
    int64_t bytes = value_bytes(&a, first);
    if (bytes != value_bytes(&b, second) || (bytes && memcmp(a.data, b.data, (size_t)bytes)))
      fault(self, one, "a second call gives other bits");
  }
  ragged_run_value_free(&a);
  ragged_run_value_free(&b);
}

static bool make_arguments(checker *self, const gpu_case *one, const ragged_rt_entry *entry,
                           ragged_rt_tensor **out) {
  for (int k = 0; k < one->num_arguments; ++k)
    if (!fine(self, one,
              gpu_argument_to_tensor(&one->arguments[k], entry->arguments[k].schema.element_type,
                                     self->context, &out[k])))
      return false;
  return true;
}

static bool call(checker *self, const gpu_case *one, const ragged_rt_entry *entry,
                 ragged_rt_tensor *const *arguments, ragged_rt_tensor **results) {
  return fine(self, one, ragged_rt_call(self->context, entry, entry->num_arguments, arguments,
                                        entry->num_results, results));
}

static void check_case(checker *self, const gpu_case *one, const ragged_rt_entry *entry) {
  ragged_rt_memory_statistics before, after;
  ragged_rt_tensor *arguments[kCaseMaxValues] = {NULL}, *first[kCaseMaxValues] = {NULL},
                   *second[kCaseMaxValues] = {NULL};
  ragged_rt_context_memory(self->context, &before);
  if (make_arguments(self, one, entry, arguments) && call(self, one, entry, arguments, first) &&
      call(self, one, entry, arguments, second))
    for (int k = 0; k < entry->num_results; ++k)
      check_result(self, one, k, &entry->results[k], first[k], second[k]);
  release_all(entry->num_results, second);
  release_all(entry->num_results, first);
  release_all(entry->num_arguments, arguments);
  ragged_rt_context_memory(self->context, &after);
  if (!self->broken && after.num_live != before.num_live) fault(self, one, "memory is not given back");
}

static void check_next(checker *self, const gpu_case *one) {
  const ragged_rt_entry *entry = gpu_find_entry(self->program->name, one->entry);
  gpu_progress *progress = self->progress;
  ++progress->num_cases;
  if (strcmp(progress->last, one->entry) != 0) ++progress->num_functions;
  memcpy(progress->last, one->entry, sizeof progress->last);
  self->faulty = false;
  if (!entry || entry->num_arguments != one->num_arguments ||
      entry->num_results != one->num_results)
    fault(self, one, "the program and the file of cases do not belong together");
  else
    check_case(self, one, entry);
}

static ragged_status check_file(checker *self, FILE *file) {
  gpu_case *one = malloc(sizeof *one);
  if (!one) return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for a case");
  ragged_status status = NULL;
  for (int k = 0; !self->broken; ++k) {
    bool end;
    status = gpu_case_read(file, one, &end);
    if (status || end) break;
    if (k >= self->progress->next_case) {
      self->progress->next_case = k + 1;
      check_next(self, one);
    }
    gpu_case_free(one);
  }
  free(one);
  return status;
}

static void report(const checker *self) {
  const gpu_progress *progress = self->progress;
  gpu_row row = gpu_row_make(progress->num_faults ? GPU_ROW_WRONG : GPU_ROW_FINE, "check",
                             self->program->name);
  gpu_row_set(&row, progress->worst, "", 1, "allowed error", false);
  gpu_row_note(&row, "largest error / allowed error; %d functions, %d cases, %d faults",
               progress->num_functions, progress->num_cases, progress->num_faults);
  gpu_row_write(self->setting->out, &row);
}

ragged_status gpu_stage_check(const gpu_setting *setting, const gpu_program *program,
                              bool *out_broken) {
  checker self = {.setting = setting, .program = program, .progress = setting->progress};
  char path[128];
  snprintf(path, sizeof path, "cases/%s.cases", program->name);
  FILE *file = fopen(path, "rb");
  if (!file)
    return ragged_status_make(RAGGED_STATUS_NOT_FOUND, "file '%s' cannot be opened", path);
  ragged_status status = gpu_context_create(NULL, false, &self.context);
  if (!status) status = check_file(&self, file);
  fclose(file);
  *out_broken = self.broken;
  if (!status && !self.broken) report(&self);
  ragged_rt_context_release(self.context);
  return status;
}
