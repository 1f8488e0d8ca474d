// ragged-build: compiles a ragged program ahead of time into an object file (raggedCompileToObject).
// Everything a user can get wrong is one line on stderr and exit status 2.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "ragged-c/compile.h"

static const char usage[] =
    "usage: ragged-build FILE.mlir --output FILE.o [options]\n"
    "Compiles a ragged program into an object file, which a linker takes with libragged_rt.\n"
    "  --output=FILE    the object file\n"
    "  --symbol=NAME    its one function, const ragged_rt_entry *NAME(int *out_count);\n"
    "                   default: ragged_program_entries\n"
    "  --target=TARGET  cpu (default), cuda or emulated: the device that kernels run on\n"
    "  --chips=CHIPS    of target cuda; default: sm_80,sm_90\n"
    "  --cpu=NAME       the processor, as LLVM names it; default: this machine's\n"
    "  -h, --help       print this\n";

enum { EXIT_MISTAKE = 2 };

typedef struct arguments {
  const char *file, *output, *symbol, *target, *chips, *cpu;
  bool help;
} arguments;

#define MISTAKE(...) ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, __VA_ARGS__)

static ragged_status parse_flag(int argc, char **argv, int *position, arguments *out) {
  const struct {
    const char *name;
    const char **value;
  } flags[] = {{"--output", &out->output},
               {"--symbol", &out->symbol},
               {"--target", &out->target},
               {"--chips", &out->chips},
               {"--cpu", &out->cpu}};
  const char *text = argv[*position];
  size_t length = strcspn(text, "=");
  for (size_t k = 0; k < sizeof flags / sizeof *flags; ++k) {
    if (strlen(flags[k].name) != length || strncmp(flags[k].name, text, length)) continue;
    if (*flags[k].value) return MISTAKE("%s is given twice", flags[k].name);
    if (!text[length] && *position + 1 == argc) return MISTAKE("%s needs a value", flags[k].name);
    *flags[k].value = text[length] ? text + length + 1 : argv[++*position];
    return NULL;
  }
  return MISTAKE("there is no option '%.*s'; --help lists them", (int)length, text);
}

static ragged_status parse(int argc, char **argv, arguments *out) {
  for (int k = 1; k < argc; ++k) {
    if (!strcmp(argv[k], "-h") || !strcmp(argv[k], "--help")) {
      out->help = true;
    } else if (argv[k][0] == '-') {
      RAGGED_RETURN_IF_ERROR(parse_flag(argc, argv, &k, out));
    } else {
      if (out->file) return MISTAKE("two files, '%s' and '%s', expected one", out->file, argv[k]);
      out->file = argv[k];
    }
  }
  if (out->help) return NULL;
  if (!out->file) return MISTAKE("no file is given; --help shows how to use this");
  if (!out->output) return MISTAKE("--output is missing");
  return NULL;
}

static ragged_status build(const arguments *given, ragged_run_program *program) {
  ragged_arena arena = {0};
  ragged_run_options options = {.file = given->file};
  ragged_status status = ragged_run_program_load(&options, &arena, program);
  ragged_arena_free(&arena);
  RAGGED_RETURN_IF_ERROR(status);
  RaggedCompileOptions compile = {.structSize = sizeof compile, .optimizationLevel = -1,
                                  .cpu = given->cpu, .target = given->target,
                                  .chips = given->chips};
  MlirStringRef symbol = {0};
  if (given->symbol) symbol = mlirStringRefCreateFromCString(given->symbol);
  return raggedCompileToObject(program->module, &compile, symbol, given->output);
}

int main(int argc, char **argv) {
  arguments given = {0};
  ragged_run_program program = {0};
  ragged_status status = parse(argc, argv, &given);
  if (!status && given.help) fputs(usage, stdout);
  else if (!status) status = build(&given, &program);
  // MLIR's diagnostics have said it already.
  if (status && !program.num_errors)
    fprintf(stderr, "ragged-build: error: %s\n", ragged_status_message(status));
  int exit_status = status ? EXIT_MISTAKE : EXIT_SUCCESS;
  ragged_status_free(status);
  ragged_run_program_destroy(&program);
  return exit_status;
}
