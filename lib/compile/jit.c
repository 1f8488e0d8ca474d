// See jit.h.
#include "compile/jit.h"

#include <stdlib.h>

#include "compile/runtime_symbols.h"
#include "llvm-c/Core.h"
#include "llvm-c/Error.h"
#include "llvm-c/LLJIT.h"
#include "llvm-c/Orc.h"

struct ragged_jit {
  LLVMOrcLLJITRef lljit;
};

static ragged_status jit_error(const char *what, LLVMErrorRef error) {
  if (!error) return NULL;
  char *text = LLVMGetErrorMessage(error);
  ragged_status status = ragged_status_make(RAGGED_STATUS_INTERNAL, "%s: %s", what, text);
  LLVMDisposeErrorMessage(text);
  return status;
}

// By address and not by the process's symbol table: the program may have been loaded without
// making its symbols global, as an interpreter loads its extensions.
static ragged_status define_runtime(LLVMOrcLLJITRef lljit) {
  size_t count;
  const ragged_runtime_symbol *symbols = ragged_runtime_symbols(&count);
  LLVMOrcCSymbolMapPair *pairs = calloc(count, sizeof *pairs);
  if (!pairs)
    return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for the symbol table");
  for (size_t k = 0; k < count; ++k) {
    pairs[k].Name = LLVMOrcLLJITMangleAndIntern(lljit, symbols[k].name);
    pairs[k].Sym.Address = (LLVMOrcExecutorAddress)(uintptr_t)symbols[k].address;
    pairs[k].Sym.Flags.GenericFlags =
        LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable;
  }
  LLVMOrcMaterializationUnitRef unit = LLVMOrcAbsoluteSymbols(pairs, count);
  free(pairs);
  LLVMErrorRef error = LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(lljit), unit);
  if (error) LLVMOrcDisposeMaterializationUnit(unit);
  return jit_error("the JIT rejected the runtime's symbols", error);
}

static ragged_status fill(LLVMOrcLLJITRef lljit, LLVMMemoryBufferRef object) {
  ragged_status status = define_runtime(lljit);
  if (status) {
    LLVMDisposeMemoryBuffer(object);
    return status;
  }
  return jit_error(
      "the JIT rejected the object code",
      LLVMOrcLLJITAddObjectFile(lljit, LLVMOrcLLJITGetMainJITDylib(lljit), object));
}

// The process's other symbols (memcpy and its like) are LLJIT's default search order.
ragged_status ragged_jit_create(LLVMMemoryBufferRef object, ragged_jit **out_jit) {
  ragged_jit *jit = malloc(sizeof *jit);
  if (!jit) {
    LLVMDisposeMemoryBuffer(object);
    return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for a JIT");
  }
  ragged_status status = jit_error("the JIT cannot be created",
                                   LLVMOrcCreateLLJIT(&jit->lljit, LLVMOrcCreateLLJITBuilder()));
  if (status) {
    LLVMDisposeMemoryBuffer(object);
    free(jit);
    return status;
  }
  status = fill(jit->lljit, object);
  if (status) {
    ragged_jit_destroy(jit);
    return status;
  }
  *out_jit = jit;
  return NULL;
}

ragged_status ragged_jit_lookup(ragged_jit *jit, const char *symbol, void (**out_address)(void)) {
  LLVMOrcExecutorAddress address = 0;
  RAGGED_RETURN_IF_ERROR(jit_error("linking the compiled code failed",
                                   LLVMOrcLLJITLookup(jit->lljit, &address, symbol)));
  *out_address = (void (*)(void))(uintptr_t)address;
  return NULL;
}

void ragged_jit_destroy(ragged_jit *jit) {
  if (!jit) return;
  LLVMErrorRef error = LLVMOrcDisposeLLJIT(jit->lljit);
  if (error) LLVMConsumeError(error);  // nobody could act on it
  free(jit);
}
