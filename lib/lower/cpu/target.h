// What CPU code is generated for: the width and number of vector registers.
#ifndef RAGGED_LOWER_CPU_TARGET_H
#define RAGGED_LOWER_CPU_TARGET_H

#include <stdint.h>

#include "schema/element_type.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ragged_cpu_target {
  int vector_bytes;      // 64 with AVX-512, 32 with AVX2, else 16
  int num_registers;     // 32 with AVX-512, else 16
} ragged_cpu_target;

ragged_cpu_target ragged_cpu_target_native(void);
// Lanes of one vector register for an element type as computed with (bf16 computes in f32).
int ragged_cpu_lanes(const ragged_cpu_target *target, ragged_element_type element_type);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_LOWER_CPU_TARGET_H
