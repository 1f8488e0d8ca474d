// The functions of libragged_rt that compiled code calls, by name and address.
#ifndef RAGGED_COMPILE_RUNTIME_SYMBOLS_H
#define RAGGED_COMPILE_RUNTIME_SYMBOLS_H

#include <stddef.h>

typedef struct ragged_runtime_symbol {
  const char *name;
  void (*address)(void);
} ragged_runtime_symbol;

const ragged_runtime_symbol *ragged_runtime_symbols(size_t *out_count);

#endif  // RAGGED_COMPILE_RUNTIME_SYMBOLS_H
