// The command line of ragged-run.
#ifndef RAGGED_RUN_OPTIONS_H
#define RAGGED_RUN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "support/arena.h"
#include "support/status.h"

typedef struct ragged_run_assignment {  // KEY=VALUE of --axis and --input
  const char *key, *value;
} ragged_run_assignment;

typedef struct ragged_run_options {
  const char *file;
  const char *entry;   // null: the first public function
  const char *output;  // a folder; null: nothing is written
  int num_axes, num_inputs;
  ragged_run_assignment *axes, *inputs;
  int64_t batch;  // -1: as many as there are lengths
  uint64_t seed;
  int repeat, threads;  // threads 0: as many as there are
  const char *target;  // "cpu", "cuda", "emulated"; null: the reference interpreter
  bool compare, print, stats, help;
} ragged_run_options;

// Strings point into argv or the arena. INVALID_ARGUMENT: one line about the first mistake.
RAGGED_MUST_USE ragged_status ragged_run_options_parse(int argc, char **argv, ragged_arena *arena,
                                                       ragged_run_options *out);
extern const char ragged_run_usage[];

// A decimal integer of `length` characters, with sign, nothing else. False: malformed or over 64 bits.
bool ragged_run_parse_integer(const char *text, size_t length, int64_t *out);

#endif  // RAGGED_RUN_OPTIONS_H
