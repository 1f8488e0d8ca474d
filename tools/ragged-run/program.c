// See program.h.
#include "program.h"

#include <stdlib.h>
#include <string.h>

#include "diagnostics.h"
#include "file.h"
#include "mlir-c/BuiltinAttributes.h"
#include "ragged-c/dialect.h"
#include "ragged-c/passes.h"

#define MISTAKE(...) ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, __VA_ARGS__)

static MlirContext create_context(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  raggedRegisterDialects(registry);
  // One thread: programs are small, and diagnostics come in order.
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  return context;
}

// MLIR's parser recurses: text that nests without end would end the process.
static ragged_status check_nesting(const char *path) {
  enum { kDeepest = 1000 };
  char *text;
  int64_t size;
  RAGGED_RETURN_IF_ERROR(ragged_run_file_read(path, &text, &size));
  ragged_status status = NULL;
  int64_t line = 1, depth = 0, signs = 0;  // one after the other: each is an operand of the one before
  for (const char *c = text, *end = text + size; c < end && !status; ++c) {
    line += *c == '\n';
    if (*c == '-') ++signs;
    else if (!strchr(" \t\r\n", *c)) signs = 0;
    if (signs > kDeepest)
      status = MISTAKE("'%s' has more than %d signs in a row at line %lld", path, kDeepest,
                       (long long)line);
    if (*c == '"') {  // a string, which ends at its line
      for (++c; c < end && *c != '"' && *c != '\n'; ++c) c += *c == '\\';
      line += c < end && *c == '\n';
    } else if (*c == '/' && c + 1 < end && c[1] == '/') {
      for (; c + 1 < end && c[1] != '\n';) ++c;
    } else if (*c && strchr("({[<", *c)) {
      if (++depth > kDeepest)
        status = MISTAKE("'%s' nests more than %d deep at line %lld", path, kDeepest,
                         (long long)line);
    } else if (*c && strchr(")}]>", *c) && !(*c == '>' && c > text && c[-1] == '-')) {
      depth -= depth > 0;
    }
  }
  free(text);
  return status;
}

static ragged_status find_entry(const ragged_run_options *options, ragged_arena *arena,
                                ragged_run_program *program) {
  intptr_t count = raggedDescriptionGetNumEntries(program->description);
  const char *names = NULL;
  for (intptr_t k = 0; k < count; ++k) {
    const ragged_rt_entry *entry = raggedDescriptionGetEntry(program->description, k);
    if (!options->entry || !strcmp(options->entry, entry->name)) {
      program->entry = entry;
      return NULL;
    }
    names = ragged_arena_format(arena, "%s%s%s", names ? names : "", names ? ", " : "", entry->name);
  }
  if (!count) return MISTAKE("'%s' has no public function", options->file);
  return MISTAKE("--entry=%s: '%s' has no such public function; it has %s", options->entry,
                 options->file, names);
}

ragged_status ragged_run_program_load(const ragged_run_options *options, ragged_arena *arena,
                                      ragged_run_program *program) {
  RAGGED_RETURN_IF_ERROR(check_nesting(options->file));
  program->path = options->file;
  program->context = create_context();
  ragged_run_diagnostics_attach(program->context, program->path, &program->num_errors);
  program->module = mlirModuleCreateParseFromFile(
      program->context, mlirStringRefCreateFromCString(options->file));
  if (mlirModuleIsNull(program->module)) return MISTAKE("'%s' is no program", options->file);
  RAGGED_RETURN_IF_ERROR(raggedResolveSchemas(program->module));
  program->description = raggedModuleDescribe(program->module);
  if (raggedDescriptionIsNull(program->description))
    return MISTAKE("'%s' has a function that cannot be called", options->file);
  return find_entry(options, arena, program);
}

MlirOperation ragged_run_program_function(const ragged_run_program *program) {
  MlirSymbolTable symbols = mlirSymbolTableCreate(mlirModuleGetOperation(program->module));
  MlirOperation function =
      mlirSymbolTableLookup(symbols, mlirStringRefCreateFromCString(program->entry->name));
  mlirSymbolTableDestroy(symbols);
  return function;
}

void ragged_run_program_destroy(ragged_run_program *program) {
  raggedDescriptionDestroy(program->description);
  if (!mlirModuleIsNull(program->module)) mlirModuleDestroy(program->module);
  if (!mlirContextIsNull(program->context)) mlirContextDestroy(program->context);
  *program = (ragged_run_program){0};
}
