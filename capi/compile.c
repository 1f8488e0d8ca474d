// See ragged-c/compile.h.
#include "ragged-c/compile.h"

#include <stddef.h>

#include "compile/compile.h"
#include "support/arena.h"
#include "support/struct_size.h"

static ragged_status convert(const RaggedCompileOptions *options, ragged_compile_options *out) {
  *out = (ragged_compile_options){.optimization_level = -1};
  if (!options) return NULL;
  RaggedCompileOptions known;
  RAGGED_RETURN_IF_ERROR(ragged_struct_read("RaggedCompileOptions.structSize", options,
                                            offsetof(RaggedCompileOptions, cpu), sizeof known,
                                            &known));
  *out = (ragged_compile_options){.optimization_level = known.optimizationLevel,
                                  .cpu = known.cpu,
                                  .target = known.target,
                                  .chips = known.chips};
  return NULL;
}

ragged_status raggedCompile(MlirModule module, const RaggedCompileOptions *options,
                            ragged_rt_module **outModule) {
  ragged_compile_options own;
  RAGGED_RETURN_IF_ERROR(convert(options, &own));
  return ragged_compile(module, &own, outModule);
}

ragged_status raggedCompileToObject(MlirModule module, const RaggedCompileOptions *options,
                                    MlirStringRef symbol, const char *path) {
  ragged_compile_options own;
  RAGGED_RETURN_IF_ERROR(convert(options, &own));
  ragged_arena arena = {0};
  const char *name =
      symbol.data ? ragged_arena_copy_string(&arena, symbol.data, symbol.length) : NULL;
  ragged_status status = ragged_compile_to_object(module, &own, name, path);
  ragged_arena_free(&arena);
  return status;
}

RaggedCompileStatistics raggedGetCompileStatistics(void) {
  ragged_compile_statistics own;
  ragged_compile_get_statistics(&own);
  return (RaggedCompileStatistics){.compilations = own.compilations, .seconds = own.seconds};
}
