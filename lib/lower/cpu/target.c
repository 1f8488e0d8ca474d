// See target.h.
#include "lower/cpu/target.h"

#include <string.h>

#include "llvm-c/Core.h"
#include "llvm-c/TargetMachine.h"

// Whether LLVM's comma-separated list says that `feature` ("+avx2") is on.
static bool has_feature(const char *list, const char *feature) {
  size_t length = strlen(feature);
  for (const char *at = list; (at = strstr(at, feature)) != NULL; at += length) {
    bool starts = at == list || at[-1] == ',';
    if (starts && (at[length] == ',' || at[length] == '\0')) return true;
  }
  return false;
}

ragged_cpu_target ragged_cpu_target_native(void) {
  char *features = LLVMGetHostCPUFeatures();
  ragged_cpu_target target = {.vector_bytes = 16, .num_registers = 16};
  if (has_feature(features, "+avx512f")) {
    target = (ragged_cpu_target){.vector_bytes = 64, .num_registers = 32};
  } else if (has_feature(features, "+avx2")) {
    target.vector_bytes = 32;
  }
  LLVMDisposeMessage(features);
  return target;
}

int ragged_cpu_lanes(const ragged_cpu_target *target, ragged_element_type element_type) {
  // bf16 is computed with in f32; truth values are masks beside numbers of no less than 4 bytes.
  size_t size = ragged_element_size(element_type), least = ragged_element_size(RAGGED_ELEMENT_F32);
  if (size < least) size = least;
  return target->vector_bytes / (int)size;
}
