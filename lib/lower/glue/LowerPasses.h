// Registration of the lowering's dialect, passes and pipelines, for C++ callers.
#ifndef RAGGED_LOWER_GLUE_LOWERPASSES_H
#define RAGGED_LOWER_GLUE_LOWERPASSES_H

namespace mlir {
class DialectRegistry;
}

namespace ragged {
void registerLowerPasses();  // passes of LowerPasses.td and the pipeline --lower-to-cpu; once
void registerTileDialect(mlir::DialectRegistry &registry);
}  // namespace ragged

#endif  // RAGGED_LOWER_GLUE_LOWERPASSES_H
