// ragged.call against its callee: which caller axis stands for which axis of the callee, and what
// the results are. Called by verification, schema propagation and the inliner.
#ifndef RAGGED_DIALECT_CALL_H
#define RAGGED_DIALECT_CALL_H

#include "dialect/op_view.h"

#ifdef __cplusplus
extern "C" {
#endif

// Checks C1 to C4 and binds the axis names of the callee's arguments, and those that its results
// add, to axes of the caller; storage in `arena`, *out_substitution zero-initialised. A name that
// only a `*` operand or argument could bind stays unbound. `callee` may be null (an error).
// False: a diagnostic was emitted.
bool ragged_call_substitution(const ragged_op_view *call, MlirOperation callee,
                              ragged_substitution *out_substitution, ragged_arena *arena);

// The result types: the callee's with its axes substituted, `*` where one of them is unbound.
// `types` has room for as many as the callee has results. False: a diagnostic was emitted.
bool ragged_call_infer(const ragged_op_view *call, MlirOperation callee, MlirType *types,
                       intptr_t *out_count);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_DIALECT_CALL_H
