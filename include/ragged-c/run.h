// What the functions of a program take and give, and calling them. Arguments and results are runtime
// tensors (ragged_rt.h), made from a runtime context.
#ifndef RAGGED_C_RUN_H
#define RAGGED_C_RUN_H

#include "mlir-c/IR.h"
#include "ragged_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

// A description of the public functions of a module, which needs no compilation and outlives the
// module and its MLIR context.
typedef struct RaggedDescription {
  void *ptr;
} RaggedDescription;

// Describes a module whose schemas are known (raggedResolveSchemas). Ended by
// raggedDescriptionDestroy. Null, with a diagnostic, for a null module or a function of a type that
// no tensor or scalar of the runtime can have.
MLIR_CAPI_EXPORTED RaggedDescription raggedModuleDescribe(MlirModule module);
MLIR_CAPI_EXPORTED void raggedDescriptionDestroy(RaggedDescription description);  // null: nothing
static inline bool raggedDescriptionIsNull(RaggedDescription description) {
  return !description.ptr;
}
// Entries are in the order of the module and belong to the description. Their `function` is null:
// only those of a compiled module (ragged_rt_module_entry) can be called.
MLIR_CAPI_EXPORTED intptr_t raggedDescriptionGetNumEntries(RaggedDescription description);
// Null when `position` is out of range. A null description has no entries.
MLIR_CAPI_EXPORTED const ragged_rt_entry *raggedDescriptionGetEntry(RaggedDescription description,
                                                                    intptr_t position);

// Prints one value type as the program spells it: "!ragged.tensor<[n, 128], f32>",
// "tensor<?x4xf32>", "i64".
MLIR_CAPI_EXPORTED void raggedValueTypePrint(const ragged_rt_value_type *type,
                                             MlirStringCallback callback, void *userData);
// Prints an entry in one line without its end: "f(T0, T1) -> (T2) axes [n, m]".
MLIR_CAPI_EXPORTED void raggedEntryPrint(const ragged_rt_entry *entry, MlirStringCallback callback,
                                         void *userData);

// Calls the entry `name` of a compiled module; see ragged_rt_call. NOT_FOUND, with the names that
// there are, when it has no such entry.
RAGGED_MUST_USE MLIR_CAPI_EXPORTED ragged_status raggedCall(
    const ragged_rt_module *module, MlirStringRef name, ragged_rt_context *context,
    intptr_t numArguments, ragged_rt_tensor *const *arguments, intptr_t numResults,
    ragged_rt_tensor **results);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_C_RUN_H
