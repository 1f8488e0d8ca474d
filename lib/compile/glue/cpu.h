// What LLVM knows of processors, which its C API cannot be asked: it ends the process over a wrong name.
#ifndef RAGGED_COMPILE_GLUE_CPU_H
#define RAGGED_COMPILE_GLUE_CPU_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// Whether code for `triple`, whose target is initialised, can be made for the processor `cpu`.
bool ragged_cpu_is_known(const char *triple, const char *cpu);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_COMPILE_GLUE_CPU_H
