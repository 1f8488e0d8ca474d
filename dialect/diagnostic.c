// Diagnostics about the user's IR. Called by verifiers and passes; never about anything else.
#include "dialect/diagnostic.h"

#include <stdarg.h>
#include <stdbool.h>

#include "ir/build.h"
#include "support/arena.h"

bool ragged_op_error(MlirOperation operation, const char *format, ...) {
  ragged_arena arena = {0};
  va_list arguments;
  va_start(arguments, format);
  char *message = ragged_arena_vformat(&arena, format, arguments);
  va_end(arguments);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  MlirLocation location = mlirOperationGetLocation(operation);
  ragged_emit_error(location,
                    ragged_arena_format(&arena, "'%.*s' op %s", (int)name.length, name.data, message),
                    location, NULL);
  ragged_arena_free(&arena);
  return false;
}

// A module that the parser adds around a file's ops is at line 0.
static bool has_no_line(MlirLocation location) {
  return mlirLocationIsAFileLineColRange(location) &&
         mlirLocationFileLineColRangeGetStartLine(location) == 0;
}

MlirLocation ragged_module_location(MlirOperation module) {
  MlirLocation location = mlirOperationGetLocation(module);
  if (!has_no_line(location)) return location;
  MlirBlock body = ragged_operation_body(module);
  if (mlirBlockIsNull(body)) return location;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    if (ragged_operation_is(op, "func.func")) return mlirOperationGetLocation(op);
  return location;
}

bool ragged_op_error_status(MlirOperation operation, ragged_status status) {
  ragged_op_error(operation, "%s", ragged_status_message(status));
  ragged_status_free(status);
  return false;
}

MlirLocation ragged_value_location(MlirValue value) {
  if (mlirValueIsAOpResult(value)) return mlirOperationGetLocation(mlirOpResultGetOwner(value));
  return mlirValueGetLocation(value);
}
