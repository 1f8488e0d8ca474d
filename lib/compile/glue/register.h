// Registration of the project's passes and pipelines, which MLIR's C API cannot express.
#ifndef RAGGED_COMPILE_GLUE_REGISTER_H
#define RAGGED_COMPILE_GLUE_REGISTER_H

#ifdef __cplusplus
extern "C" {
#endif

void ragged_register_project_passes(void);  // once per process; see ragged_register_passes

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_COMPILE_GLUE_REGISTER_H
