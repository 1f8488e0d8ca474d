// See diagnostics.h.
#include "diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mlir-c/Diagnostics.h"

typedef struct handler {
  const char *path;
  int64_t *num_errors;
} handler;

static void print(MlirStringRef text, void *file) { fwrite(text.data, 1, text.length, file); }

// Line `line` (from 1) and a mark under `column` (from 1).
static void print_line(const char *path, int line, int column) {
  FILE *file = fopen(path, "r");
  if (!file) return;
  char *text = NULL;
  size_t capacity = 0;
  ssize_t length = -1;
  for (int k = 0; k < line; ++k)
    if ((length = getline(&text, &capacity, file)) < 0) break;
  fclose(file);
  if (length >= 0) {
    text[strcspn(text, "\r\n")] = 0;
    fprintf(stderr, "%s\n", text);
    for (int k = 0; k + 1 < column && text[k]; ++k) fputc(text[k] == '\t' ? '\t' : ' ', stderr);
    fputs("^\n", stderr);
  }
  free(text);
}

static void print_diagnostic(const handler *self, MlirDiagnostic diagnostic) {
  static const char *const names[] = {
      [MlirDiagnosticError] = "error",
      [MlirDiagnosticWarning] = "warning",
      [MlirDiagnosticNote] = "note",
      [MlirDiagnosticRemark] = "remark",
  };
  MlirLocation location = mlirDiagnosticGetLocation(diagnostic);
  while (mlirLocationIsAName(location)) location = mlirLocationNameGetChildLoc(location);
  bool known = mlirLocationIsAFileLineColRange(location);
  int line = 0, column = 0;
  MlirStringRef name = {0};
  if (known) {
    name = mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location));
    line = mlirLocationFileLineColRangeGetStartLine(location);
    column = mlirLocationFileLineColRangeGetStartColumn(location);
    fprintf(stderr, "%.*s:%d:%d: ", (int)name.length, name.data, line, column);
  } else if (!mlirLocationEqual(location,
                                mlirLocationUnknownGet(mlirLocationGetContext(location)))) {
    mlirLocationPrint(location, print, stderr);
    fputs(": ", stderr);
  }
  fprintf(stderr, "%s: ", names[mlirDiagnosticGetSeverity(diagnostic)]);
  mlirDiagnosticPrint(diagnostic, print, stderr);
  fputc('\n', stderr);
  if (known && mlirStringRefEqual(name, mlirStringRefCreateFromCString(self->path)))
    print_line(self->path, line, column);
  for (intptr_t k = 0; k < mlirDiagnosticGetNumNotes(diagnostic); ++k)
    print_diagnostic(self, mlirDiagnosticGetNote(diagnostic, k));
}

static MlirLogicalResult handle(MlirDiagnostic diagnostic, void *user) {
  handler *self = user;
  if (mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError) ++*self->num_errors;
  print_diagnostic(self, diagnostic);
  return mlirLogicalResultSuccess();
}

void ragged_run_diagnostics_attach(MlirContext context, const char *path, int64_t *num_errors) {
  handler *self = malloc(sizeof *self);
  if (!self) return;  // MLIR's own handler prints then
  *self = (handler){path, num_errors};
  mlirContextAttachDiagnosticHandler(context, handle, self, free);
}
