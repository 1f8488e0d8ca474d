// Registration of the project's passes, for C++ callers (ragged-opt, the C API's glue).
#ifndef RAGGED_PASSES_GLUE_PASSES_H
#define RAGGED_PASSES_GLUE_PASSES_H

namespace ragged {
// All passes of Passes.td, by name. Call once per process.
void registerRaggedPasses();
}  // namespace ragged

#endif  // RAGGED_PASSES_GLUE_PASSES_H
