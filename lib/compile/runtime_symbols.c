// See runtime_symbols.h. The lists are the lowering's.
#include "compile/runtime_symbols.h"

#include "emulated/emulated_abi.h"
#include "frame.h"

static const ragged_runtime_symbol symbols[] = {
#define RUNTIME_FUNCTION(symbol, ...) {#symbol, (void (*)(void))symbol},
#include "lower/runtime_abi.def"
#define EMULATED_FUNCTION(symbol, ...) {#symbol, (void (*)(void))symbol},
#include "lower/emulated/emulated_abi.def"
};

const ragged_runtime_symbol *ragged_runtime_symbols(size_t *out_count) {
  *out_count = sizeof symbols / sizeof *symbols;
  return symbols;
}
