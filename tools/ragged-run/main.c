// ragged-run: runs one function of a ragged program from the command line, on the public C API, the
// runtime and the reference interpreter. Everything a user can get wrong is one line on stderr and
// exit status 2; files appear only after all else has succeeded.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "execute.h"
#include "inputs.h"
#include "lengths.h"
#include "options.h"
#include "output.h"
#include "print.h"
#include "program.h"
#include "report.h"

enum { EXIT_DIFFERENT = 1, EXIT_MISTAKE = 2 };

typedef struct run {
  ragged_arena arena;
  ragged_run_options options;
  ragged_run_program program;
  ragged_rt_context *context;
  ragged_rt_tensor **arguments;
  ragged_reference_value *expected;  // of the reference interpreter, when it is asked for
  ragged_run_value *results;
  ragged_run_times times;
  ragged_run_output output;
  bool different;
} run;

static ragged_status create_context(run *self) {
  const char *target = self->options.target;
  bool host = !target || !strcmp(target, "cpu");
  ragged_rt_context_options options = {.struct_size = sizeof options,
                                       .device = host ? "host" : target,
                                       .num_threads = self->options.threads};
  RAGGED_RETURN_IF_ERROR(ragged_rt_context_create(&options, &self->context));
  ragged_rt_context_enable_statistics(self->context, self->options.stats);
  return NULL;
}

static ragged_status make_arguments(run *self) {
  const ragged_rt_entry *entry = self->program.entry;
  ragged_run_lengths lengths;
  RAGGED_RETURN_IF_ERROR(
      ragged_run_lengths_read(&self->options, entry, &self->arena, &lengths));
  self->arguments = RAGGED_ARENA_ARRAY(&self->arena, ragged_rt_tensor *, entry->num_arguments);
  return ragged_run_inputs_make(&self->options, entry, &lengths, &self->arena, self->context,
                                self->arguments);
}

static ragged_status execute(run *self) {
  const ragged_rt_entry *entry = self->program.entry;
  self->results = RAGGED_ARENA_ARRAY(&self->arena, ragged_run_value, entry->num_results);
  bool compiled = self->options.target != NULL;
  if (compiled)
    RAGGED_RETURN_IF_ERROR(ragged_run_execute_compiled(&self->options, &self->program,
                                                       self->context, self->arguments,
                                                       self->results, &self->times));
  if (compiled && !self->options.compare) return NULL;
  self->expected = RAGGED_ARENA_ARRAY(&self->arena, ragged_reference_value, entry->num_results);
  ragged_run_times times;
  RAGGED_RETURN_IF_ERROR(
      ragged_run_execute_reference(compiled ? 1 : self->options.repeat,
                                   &self->program, self->arguments, self->expected, &times));
  if (compiled) return NULL;
  self->times = times;
  for (int k = 0; k < entry->num_results; ++k)
    RAGGED_RETURN_IF_ERROR(ragged_run_value_from_reference(
        &entry->results[k], &self->expected[k], &self->results[k]));
  return NULL;
}

static ragged_status report(run *self) {
  const ragged_rt_entry *entry = self->program.entry;
  for (int k = 0; k < entry->num_results && self->options.print; ++k) {
    printf("result %d: %s\n", k, ragged_run_type_text(&self->arena, &entry->results[k]));
    ragged_run_print_value(stdout, &self->results[k]);
  }
  for (int k = 0; k < entry->num_results && self->options.compare; ++k) {
    bool agrees;
    RAGGED_RETURN_IF_ERROR(
        ragged_run_report_comparison(k, &self->results[k], &self->expected[k], &agrees));
    self->different = self->different || !agrees;
  }
  if (self->options.repeat > 1) ragged_run_report_times(self->options.repeat, &self->times);
  if (self->options.stats)
    RAGGED_RETURN_IF_ERROR(ragged_run_report_statistics(self->context, self->times.total));
  if (fflush(stdout) || ferror(stdout))
    return ragged_status_make(RAGGED_STATUS_UNAVAILABLE, "standard output cannot be written");
  return NULL;
}

// Files are staged before anything is printed, so that a folder that cannot be written is the only
// thing that is said, and appear after all else has succeeded.
static ragged_status finish(run *self) {
  const char *folder = self->options.output;
  if (folder)
    RAGGED_RETURN_IF_ERROR(ragged_run_output_stage(folder, self->program.entry->num_results,
                                                   self->results, &self->arena, &self->output));
  RAGGED_RETURN_IF_ERROR(report(self));
  if (folder && self->different)
    fprintf(stderr, "ragged-run: note: the results differ, so nothing is written to '%s'\n", folder);
  return self->different ? NULL : ragged_run_output_commit(&self->output);
}

static ragged_status run_all(run *self) {
  RAGGED_RETURN_IF_ERROR(ragged_run_program_load(&self->options, &self->arena, &self->program));
  RAGGED_RETURN_IF_ERROR(create_context(self));
  RAGGED_RETURN_IF_ERROR(make_arguments(self));
  RAGGED_RETURN_IF_ERROR(execute(self));
  return finish(self);
}

static void destroy(run *self) {
  const ragged_rt_entry *entry = self->program.entry;
  ragged_run_output_discard(&self->output);
  for (int k = 0; entry && self->results && k < entry->num_results; ++k)
    ragged_run_value_free(&self->results[k]);
  for (int k = 0; entry && self->expected && k < entry->num_results; ++k)
    ragged_reference_value_free(&self->expected[k]);
  for (int k = 0; entry && self->arguments && k < entry->num_arguments; ++k)
    ragged_rt_tensor_release(self->arguments[k]);
  ragged_rt_context_release(self->context);
  ragged_run_program_destroy(&self->program);
  ragged_arena_free(&self->arena);
}

int main(int argc, char **argv) {
  run self = {0};
  // A closed pipe and a file that may not grow are errors of the write, after which staged files go.
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  ragged_status status =
      ragged_run_options_parse(argc, argv, &self.arena, &self.options);
  if (!status && self.options.help)
    fputs(ragged_run_usage, stdout);
  else if (!status)
    status = run_all(&self);
  // MLIR's diagnostics have said it already.
  if (status && !self.program.num_errors)
    fprintf(stderr, "ragged-run: error: %s\n", ragged_status_message(status));
  int exit_status = status ? EXIT_MISTAKE : self.different ? EXIT_DIFFERENT : EXIT_SUCCESS;
  ragged_status_free(status);
  destroy(&self);
  return exit_status;
}
