// Memory ops of emulated kernels: every load and store gets its check, addresses of variables become
// addresses of this machine, asynchronous copies calls of the device.
#include <string.h>

#include "lower/emulated/emulate.h"

// ---- Loads and stores ----------------------------------------------------------------------------

// Whether the address is one in the thread's own frame, as far as this function shows.
static bool is_private(emulation *self, MlirValue address) {
  for (;;) {
    if (emulate_address_space(self, mlirValueGetType(address)) == 5) return true;
    MlirOperation definition = ragged_value_definition(address);
    if (ragged_operation_is(definition, "llvm.alloca")) return true;
    if (!ragged_operation_is(definition, "llvm.getelementptr") &&
        !ragged_operation_is(definition, "llvm.bitcast") &&
        !ragged_operation_is(definition, "llvm.addrspacecast"))
      return false;
    address = mlirOperationGetOperand(definition, 0);
  }
}

static void build_check(emulation *self, const ragged_builder *at, const char *symbol,
                        MlirValue address, MlirValue bytes, int64_t alignment,
                        MlirOperation operation) {
  int space = emulate_address_space(self, mlirValueGetType(address));
  emulate_call(self, at, symbol,
               RAGGED_VALUES(self->thread, address, bytes, emulate_i64(self, at, alignment),
                             emulate_i32(self, at, space), emulate_where(self, at, operation)));
}

// What says how an access may be moved or joined with others. The check in front of it may not be
// passed, and memory that only some launches read may change between them.
static void remove_promises(MlirOperation operation) {
  static const char *const names[] = {"access_groups", "alias_scopes", "noalias_scopes",
                                      "tbaa",          "nontemporal",  "invariant",
                                      "invariantGroup", "dereferenceable"};
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
    mlirOperationRemoveAttributeByName(operation, mlirStringRefCreateFromCString(names[k]));
}

static bool convert_access(emulation *self, MlirOperation operation, MlirValue address,
                           MlirType type, const char *symbol) {
  int64_t bytes, alignment;
  int space = emulate_address_space(self, mlirValueGetType(address));
  if (ragged_operation_int(operation, "ordering", 0) != 0)
    return ragged_op_error(operation, "is atomic, which the emulated device does not have");
  if (space != 0 && space != 1 && space != 3 && space != 4 && space != 5)
    return ragged_op_error(operation, "accesses address space %d, which the emulated device does "
                           "not have", space);
  if (!emulate_layout(self, type, &bytes, &alignment))
    return ragged_op_error(operation, "accesses a type whose size is not known: %s",
                           emulate_type_text(self, type));
  remove_promises(operation);
  if (is_private(self, address)) return true;
  ragged_builder at = ragged_builder_before(operation);
  build_check(self, &at, symbol, address, emulate_i64(self, &at, bytes),
              ragged_operation_int(operation, "alignment", alignment), operation);
  return true;
}

bool emulate_convert_load(emulation *self, MlirOperation operation) {
  return convert_access(self, operation, mlirOperationGetOperand(operation, 0),
                        mlirValueGetType(mlirOperationGetResult(operation, 0)),
                        "ragged_emulated_check_load");
}

bool emulate_convert_store(emulation *self, MlirOperation operation) {
  return convert_access(self, operation, mlirOperationGetOperand(operation, 1),
                        mlirValueGetType(mlirOperationGetOperand(operation, 0)),
                        "ragged_emulated_check_store");
}

// The length of a memcpy or memset, 64 bits wide.
static MlirValue length_of(emulation *self, const ragged_builder *at, MlirOperation operation) {
  return emulate_cast(at, "llvm.zext", mlirOperationGetOperand(operation, 2), self->i64);
}

bool emulate_convert_block_copy(emulation *self, MlirOperation operation) {
  MlirValue to = mlirOperationGetOperand(operation, 0), from = mlirOperationGetOperand(operation, 1);
  ragged_builder at = ragged_builder_before(operation);
  MlirValue bytes = length_of(self, &at, operation);
  if (!is_private(self, from))
    build_check(self, &at, "ragged_emulated_check_load", from, bytes, 1, operation);
  if (!is_private(self, to))
    build_check(self, &at, "ragged_emulated_check_store", to, bytes, 1, operation);
  remove_promises(operation);
  return true;
}

bool emulate_convert_block_fill(emulation *self, MlirOperation operation) {
  MlirValue to = mlirOperationGetOperand(operation, 0);
  ragged_builder at = ragged_builder_before(operation);
  if (!is_private(self, to))
    build_check(self, &at, "ragged_emulated_check_store", to, length_of(self, &at, operation), 1,
                operation);
  remove_promises(operation);
  return true;
}

// ---- Addresses -----------------------------------------------------------------------------------

static const emulate_global *find_global(const emulation *self, const char *name) {
  for (const emulate_global *global = self->globals; global; global = global->next)
    if (name && !strcmp(global->name, name)) return global;
  return NULL;
}

bool emulate_convert_address(emulation *self, MlirOperation operation) {
  const char *name = ragged_operation_string(operation, "global_name");
  const emulate_global *global = find_global(self, name);
  if (!global)
    return ragged_op_error(operation, "refers to @%s, which is no variable of the gpu.module",
                           name ? name : "");
  ragged_builder at = ragged_builder_before(operation);
  if (global->host_name) {
    MlirValue address = ragged_build_value_with(
        &at, "llvm.mlir.addressof", self->pointer, RAGGED_NONE,
        RAGGED_ATTRIBUTES(ragged_named(
            self->context, "global_name",
            ragged_attribute_symbol(self->context, global->host_name))));
    emulate_replace(operation,
                    emulate_call(self, &at, "ragged_emulated_constant",
                                 RAGGED_VALUES(self->thread, address,
                                               emulate_i64(self, &at, global->bytes),
                                               emulate_where(self, &at, operation))));
  } else if (global->offset < 0) {
    emulate_replace(operation, emulate_call(self, &at, "ragged_emulated_dynamic_shared",
                                            RAGGED_VALUES(self->thread)));
  } else {
    emulate_replace(operation,
                    emulate_call(self, &at, "ragged_emulated_static_shared",
                                 RAGGED_VALUES(self->thread,
                                               emulate_i64(self, &at, global->offset),
                                               emulate_i64(self, &at, global->bytes),
                                               emulate_where(self, &at, operation))));
  }
  return true;
}

// All spaces are one on this machine. The operand keeps its type, and with it its space, until all
// ops are converted; so does the result, through this cast, for the checks behind it.
bool emulate_convert_space_cast(emulation *self, MlirOperation operation) {
  return emulate_address_space(self, mlirValueGetType(mlirOperationGetOperand(operation, 0))) >= 0 ||
         ragged_op_error(operation, "casts no plain pointer");
}

// ---- Asynchronous copies -------------------------------------------------------------------------

bool emulate_convert_async_copy(emulation *self, MlirOperation operation) {
  ragged_builder at = ragged_builder_before(operation);
  MlirValue bytes = emulate_i64(self, &at, ragged_operation_int(operation, "size", 0)), read = bytes;
  if (mlirOperationGetNumOperands(operation) > 2)
    read = emulate_cast(&at, "llvm.sext", mlirOperationGetOperand(operation, 2), self->i64);
  emulate_call(self, &at, "ragged_emulated_async_copy",
               RAGGED_VALUES(self->thread, mlirOperationGetOperand(operation, 0),
                             mlirOperationGetOperand(operation, 1), bytes, read,
                             emulate_where(self, &at, operation)));
  mlirOperationDestroy(operation);
  return true;
}

bool emulate_convert_async_commit(emulation *self, MlirOperation operation) {
  ragged_builder at = ragged_builder_before(operation);
  emulate_call(self, &at, "ragged_emulated_async_commit", RAGGED_VALUES(self->thread));
  mlirOperationDestroy(operation);
  return true;
}

bool emulate_convert_async_wait(emulation *self, MlirOperation operation) {
  ragged_builder at = ragged_builder_before(operation);
  emulate_call(self, &at, "ragged_emulated_async_wait",
               RAGGED_VALUES(self->thread,
                             emulate_i64(self, &at, ragged_operation_int(operation, "n", 0)),
                             emulate_where(self, &at, operation)));
  mlirOperationDestroy(operation);
  return true;
}
