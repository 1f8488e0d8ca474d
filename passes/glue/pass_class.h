// How a pass that a .td file declares becomes a class: its run is one C call. Used by the glue of
// stage 1 and of the lowering, inside the namespace that holds the generated base classes.
#ifndef RAGGED_PASSES_GLUE_PASSCLASS_H
#define RAGGED_PASSES_GLUE_PASSCLASS_H

#include "mlir/CAPI/IR.h"
#include "mlir/Pass/Pass.h"

// `...` is the call of the C function; `op` is the handle of the op that the pass is anchored on. A
// pass with options fills its C struct of them there.
#define RAGGED_PASS(Class, ...)                            \
  struct Class : impl::Class##Base<Class> {                \
    using Class##Base::Class##Base;                        \
    void runOnOperation() override {                       \
      MlirOperation op = wrap(getOperation().getOperation()); \
      if (!(__VA_ARGS__)) signalPassFailure();             \
    }                                                      \
  };

#endif  // RAGGED_PASSES_GLUE_PASSCLASS_H
