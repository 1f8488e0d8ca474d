// See options.h. One table of flags; each is given once, but for --axis and --input.
#include "options.h"

#include <string.h>

#include "support/checked.h"

const char ragged_run_usage[] =
    "usage: ragged-run FILE.mlir [options]\n"
    "Runs one function of a ragged program.\n"
    "  --entry=NAME           the function; default: the first public one\n"
    "  --axis NAME=LENGTHS    lengths of a ragged axis, one per sample: 57,361,0, or @FILE.fasta\n"
    "                         (of its sequences), or @FILE.npy (int64 or int32, one dimension)\n"
    "  --batch N              number of samples: with @FILE the first N, else as many as lengths;\n"
    "                         0 makes every axis empty\n"
    "  --input K=FILE.npy     argument K, counted from 0: packed values [rows, tail...] (bf16 as\n"
    "                         uint16 bit patterns), dense tensors as they are; others are drawn\n"
    "  --seed S               of the drawn values; default 0\n"
    "  --target=TARGET        cpu (default), cuda, emulated (GPU kernels, checked, on the CPU), or\n"
    "                         reference (the interpreter)\n"
    "  --compare=reference    compare the results with the reference interpreter's\n"
    "  --output DIR           write DIR/result0.npy, ...\n"
    "  --print                print the results, a sample a line\n"
    "  --repeat N             run N times, print the best and the median time\n"
    "  --threads N            threads of compiled code; default: as many as there are\n"
    "  --stats                print time per kernel, what the emulated device counted of each, and\n"
    "                         peak memory\n"
    "  -h, --help             print this\n"
    "Exit status: 0 success; 1 the comparison failed; 2 a mistake in the input.\n";

typedef enum flag {
  FLAG_ENTRY,
  FLAG_AXIS,
  FLAG_BATCH,
  FLAG_INPUT,
  FLAG_SEED,
  FLAG_TARGET,
  FLAG_COMPARE,
  FLAG_OUTPUT,
  FLAG_PRINT,
  FLAG_REPEAT,
  FLAG_THREADS,
  FLAG_STATS,
  FLAG_HELP,
  FLAG_COUNT
} flag;

static const struct {
  const char *name;
  bool has_value, repeatable;
} flags[FLAG_COUNT] = {
    [FLAG_ENTRY] = {"--entry", true, false},     [FLAG_AXIS] = {"--axis", true, true},
    [FLAG_BATCH] = {"--batch", true, false},     [FLAG_INPUT] = {"--input", true, true},
    [FLAG_SEED] = {"--seed", true, false},       [FLAG_TARGET] = {"--target", true, false},
    [FLAG_COMPARE] = {"--compare", true, false}, [FLAG_OUTPUT] = {"--output", true, false},
    [FLAG_PRINT] = {"--print", false, false},    [FLAG_REPEAT] = {"--repeat", true, false},
    [FLAG_THREADS] = {"--threads", true, false}, [FLAG_STATS] = {"--stats", false, false},
    [FLAG_HELP] = {"--help", false, false},
};

#define MISTAKE(...) ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, __VA_ARGS__)

bool ragged_run_parse_integer(const char *text, size_t length, int64_t *out) {
  size_t k = 0;
  bool negative = length && text[0] == '-';
  if (length && (text[0] == '-' || text[0] == '+')) ++k;
  if (k == length) return false;
  int64_t value = 0;
  for (; k < length; ++k) {
    if (text[k] < '0' || text[k] > '9' || !ragged_checked_multiply(value, 10, &value)) return false;
    int64_t digit = text[k] - '0';
    if (!ragged_checked_add(value, negative ? -digit : digit, &value)) return false;
  }
  *out = value;
  return true;
}

static ragged_status parse_bounded(const char *name, const char *text, int64_t least, int64_t most,
                                   int64_t *out) {
  if (ragged_run_parse_integer(text, strlen(text), out) && *out >= least && *out <= most)
    return NULL;
  return MISTAKE("%s is '%s', expected an integer from %lld to %lld", name, text, (long long)least,
                 (long long)most);
}

static ragged_status parse_seed(const char *text, uint64_t *out) {
  uint64_t value = 0;
  bool legal = *text != 0;
  for (const char *c = text; *c && legal; ++c)
    legal = *c >= '0' && *c <= '9' && !__builtin_mul_overflow(value, 10u, &value) &&
            !__builtin_add_overflow(value, (uint64_t)(*c - '0'), &value);
  if (!legal) return MISTAKE("--seed is '%s', expected an integer from 0 to 2^64 - 1", text);
  *out = value;
  return NULL;
}

static ragged_status parse_compare(const char *text, bool *out) {
  *out = !strcmp(text, "reference");
  return *out ? NULL : MISTAKE("--compare is '%s', expected 'reference'", text);
}

static ragged_status parse_assignment(ragged_arena *arena, const char *name, const char *text,
                                      int *count, ragged_run_assignment *list) {
  const char *equals = strchr(text, '=');
  if (!equals || equals == text || !equals[1])
    return MISTAKE("%s is '%s', expected %s", name, text,
                   name[2] == 'a' ? "NAME=LENGTHS" : "K=FILE.npy");
  const char *key = ragged_arena_copy_string(arena, text, (size_t)(equals - text));
  for (int k = 0; k < *count; ++k)
    if (!strcmp(list[k].key, key)) return MISTAKE("%s %s is given twice", name, key);
  list[(*count)++] = (ragged_run_assignment){key, equals + 1};
  return NULL;
}

static ragged_status parse_target(const char *value, const char **out) {
  static const char *const targets[] = {"cpu", "cuda", "emulated"};
  *out = NULL;
  if (!strcmp(value, "reference")) return NULL;
  for (size_t k = 0; k < sizeof targets / sizeof *targets; ++k)
    if (!strcmp(value, targets[k])) *out = targets[k];
  if (*out) return NULL;
  return MISTAKE("--target is '%s', expected 'cpu', 'cuda', 'emulated' or 'reference'", value);
}

static ragged_status set(flag which, const char *value, ragged_arena *arena,
                         ragged_run_options *out) {
  const char *name = flags[which].name;
  int64_t number = 0;
  ragged_status status = NULL;
  switch (which) {
    case FLAG_ENTRY: out->entry = value; break;
    case FLAG_OUTPUT:
      if (!*value) return MISTAKE("--output is empty, expected a folder");
      out->output = value;
      break;
    case FLAG_AXIS: return parse_assignment(arena, name, value, &out->num_axes, out->axes);
    case FLAG_INPUT: return parse_assignment(arena, name, value, &out->num_inputs, out->inputs);
    case FLAG_BATCH: return parse_bounded(name, value, 0, INT64_MAX - 1, &out->batch);
    case FLAG_SEED: return parse_seed(value, &out->seed);
    case FLAG_TARGET: return parse_target(value, &out->target);
    case FLAG_COMPARE: return parse_compare(value, &out->compare);
    case FLAG_REPEAT:
      status = parse_bounded(name, value, 1, 1000000, &number);
      out->repeat = (int)number;
      break;
    case FLAG_THREADS:
      status = parse_bounded(name, value, 1, 1024, &number);
      out->threads = (int)number;
      break;
    case FLAG_PRINT: out->print = true; break;
    case FLAG_STATS: out->stats = true; break;
    case FLAG_HELP: out->help = true; break;
    case FLAG_COUNT: break;
  }
  return status;
}

static ragged_status parse_flag(int argc, char **argv, int *position, bool *given,
                                ragged_arena *arena, ragged_run_options *out) {
  const char *text = argv[*position];
  size_t length = strcspn(text, "=");
  int which = 0;
  if (!strcmp(text, "-h")) {
    which = FLAG_HELP;
    length = 2;
  } else {
    while (which < FLAG_COUNT &&
           (strlen(flags[which].name) != length || strncmp(flags[which].name, text, length)))
      ++which;
  }
  if (which == FLAG_COUNT)
    return MISTAKE("there is no option '%.*s'; --help lists them", (int)length, text);
  if (given[which] && !flags[which].repeatable)
    return MISTAKE("%s is given twice", flags[which].name);
  given[which] = true;
  const char *value = text[length] ? text + length + 1 : NULL;
  if (!flags[which].has_value && value) return MISTAKE("%s takes no value", flags[which].name);
  if (flags[which].has_value && !value) {
    if (++*position == argc || !strncmp(argv[*position], "--", 2))
      return MISTAKE("%s needs a value; --help shows which", flags[which].name);
    value = argv[*position];
  }
  return set((flag)which, value, arena, out);
}

ragged_status ragged_run_options_parse(int argc, char **argv, ragged_arena *arena,
                                       ragged_run_options *out) {
  *out = (ragged_run_options){.batch = -1, .repeat = 1, .target = "cpu"};
  out->axes = RAGGED_ARENA_ARRAY(arena, ragged_run_assignment, argc);
  out->inputs = RAGGED_ARENA_ARRAY(arena, ragged_run_assignment, argc);
  bool given[FLAG_COUNT] = {false};
  for (int k = 1; k < argc; ++k) {
    if (argv[k][0] == '-' && argv[k][1]) {
      RAGGED_RETURN_IF_ERROR(parse_flag(argc, argv, &k, given, arena, out));
    } else {
      if (out->file) return MISTAKE("two files, '%s' and '%s', expected one", out->file, argv[k]);
      out->file = argv[k];
    }
  }
  if (!out->file && !out->help) return MISTAKE("no file is given; --help shows how to use this");
  return NULL;
}
