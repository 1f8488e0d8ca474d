// See ragged-c/compile.h.
#include "ragged-c/compile.h"

#include "compile/compile.h"

ragged_status raggedCompile(MlirModule module, const RaggedCompileOptions *options,
                                  ragged_rt_module **outModule) {
  if (!options) return ragged_compile(module, NULL, outModule);
  if (options->structSize < sizeof *options)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "structSize of the compile options is %zu, expected %zu",
                              options->structSize, sizeof *options);
  ragged_compile_options own = {.struct_size = sizeof own,
                                .optimization_level = options->optimizationLevel,
                                .cpu = options->cpu,
                                .target = options->target,
                                .chips = options->chips};
  return ragged_compile(module, &own, outModule);
}

RaggedCompileStatistics raggedGetCompileStatistics(void) {
  ragged_compile_statistics own;
  ragged_compile_get_statistics(&own);
  return (RaggedCompileStatistics){.compilations = own.compilations, .seconds = own.seconds};
}
