// The C functions behind the passes that Passes.td declares. Each gets the op that the pass is
// anchored on and returns false after emitting a diagnostic; the IR may then be half rewritten.
#ifndef RAGGED_PASSES_PASSES_H
#define RAGGED_PASSES_PASSES_H

#include <stdbool.h>
#include <stdint.h>

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

// --ragged-differentiate. Strings are never null; "" where the option is absent.
typedef struct ragged_differentiate_options {
  const char *entry;    // the function's name
  int num_wrt;          // 0: all arguments of floats
  const int64_t *wrt;   // numbers of arguments, distinct; gradients come in this order
  const char *mode;     // "vjp" or "split"
  const char *keep;     // "minimal", "inputs" or "all"
} ragged_differentiate_options;

bool ragged_differentiate_run(MlirOperation module, const ragged_differentiate_options *options);
bool ragged_verify_axes_run(MlirOperation module);
bool ragged_propagate_schemas_run(MlirOperation module);
bool ragged_inline_run(MlirOperation module);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_PASSES_PASSES_H
