// See entry_code.h. The types below spell the structs of ragged_rt.h and schema.h; check_layout
// compares them.
#include "compile/entry_code.h"

#include <stddef.h>
#include <string.h>

#include "llvm-c/Core.h"
#include "llvm-c/Target.h"

typedef struct entry_code {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMTypeRef i32, i64, pointer, dimension, schema, value_type, entry;
  ragged_arena arena;
} entry_code;

#define COUNT(array) ((unsigned)(sizeof(array) / sizeof *(array)))

static LLVMTypeRef struct_of(entry_code *self, unsigned count, LLVMTypeRef *fields) {
  return LLVMStructTypeInContext(self->context, fields, count, false);
}

static void make_types(entry_code *self) {
  self->i32 = LLVMInt32TypeInContext(self->context);
  self->i64 = LLVMInt64TypeInContext(self->context);
  self->pointer = LLVMPointerTypeInContext(self->context, 0);
  LLVMTypeRef dimension[] = {self->pointer, self->i64};
  self->dimension = struct_of(self, COUNT(dimension), dimension);
  LLVMTypeRef schema[] = {self->i32, self->i32,
                          LLVMArrayType2(self->dimension, RAGGED_MAX_RANK),
                          LLVMArrayType2(self->i32, RAGGED_MAX_RANK)};
  self->schema = struct_of(self, COUNT(schema), schema);
  LLVMTypeRef value_type[] = {self->i32, self->schema};
  self->value_type = struct_of(self, COUNT(value_type), value_type);
  LLVMTypeRef entry[] = {self->pointer, self->pointer, self->i32,     self->i32,
                         self->i32,     self->pointer, self->pointer, self->pointer};
  self->entry = struct_of(self, COUNT(entry), entry);
}

static ragged_status check_layout(const entry_code *self) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(self->module);
  bool same =
      LLVMABISizeOfType(layout, self->entry) == sizeof(ragged_rt_entry) &&
      LLVMOffsetOfElement(layout, self->entry, 4) == offsetof(ragged_rt_entry, num_axes) &&
      LLVMOffsetOfElement(layout, self->entry, 5) == offsetof(ragged_rt_entry, arguments) &&
      LLVMOffsetOfElement(layout, self->entry, 7) == offsetof(ragged_rt_entry, axes) &&
      LLVMABISizeOfType(layout, self->value_type) == sizeof(ragged_rt_value_type) &&
      LLVMOffsetOfElement(layout, self->value_type, 1) == offsetof(ragged_rt_value_type, schema) &&
      LLVMABISizeOfType(layout, self->schema) == sizeof(ragged_schema) &&
      LLVMOffsetOfElement(layout, self->schema, 2) == offsetof(ragged_schema, dimensions) &&
      LLVMOffsetOfElement(layout, self->schema, 3) == offsetof(ragged_schema, order) &&
      LLVMABISizeOfType(layout, self->dimension) == sizeof(ragged_dimension);
  if (same) return NULL;
  return ragged_status_make(RAGGED_STATUS_INTERNAL,
                            "the target lays the runtime's structs out otherwise than this machine");
}

static LLVMValueRef int32(const entry_code *self, int value) {
  return LLVMConstInt(self->i32, (unsigned long long)(long long)value, true);
}

static LLVMValueRef null(const entry_code *self) { return LLVMConstNull(self->pointer); }

// Constant data under a name that LLVM makes unique.
static LLVMValueRef constant(entry_code *self, const char *name, LLVMValueRef value) {
  LLVMValueRef global = LLVMAddGlobal(self->module, LLVMTypeOf(value), name);
  LLVMSetInitializer(global, value);
  LLVMSetGlobalConstant(global, true);
  LLVMSetLinkage(global, LLVMInternalLinkage);
  return global;
}

static LLVMValueRef text(entry_code *self, const char *value) {
  return constant(self, "ragged_text",
                  LLVMConstStringInContext2(self->context, value, strlen(value), false));
}

// The address of an array of `count` elements; null for none.
static LLVMValueRef array(entry_code *self, const char *name, LLVMTypeRef type, int count,
                          LLVMValueRef *elements) {
  if (count == 0) return null(self);
  return constant(self, name, LLVMConstArray2(type, elements, (uint64_t)count));
}

static LLVMValueRef struct_value(entry_code *self, unsigned count, LLVMValueRef *fields) {
  return LLVMConstStructInContext(self->context, fields, count, false);
}

static LLVMValueRef schema_value(entry_code *self, const ragged_schema *schema) {
  LLVMValueRef dimensions[RAGGED_MAX_RANK], order[RAGGED_MAX_RANK];
  for (int d = 0; d < RAGGED_MAX_RANK; ++d) {
    bool used = d < schema->rank;
    const char *axis = used ? schema->dimensions[d].axis : NULL;
    int64_t extent = used && !axis ? schema->dimensions[d].extent : 0;
    LLVMValueRef fields[] = {axis ? text(self, axis) : null(self),
                             LLVMConstInt(self->i64, (unsigned long long)extent, true)};
    dimensions[d] = struct_value(self, COUNT(fields), fields);
    order[d] = int32(self, used ? schema->order[d] : 0);
  }
  LLVMValueRef fields[] = {int32(self, (int)schema->element_type), int32(self, schema->rank),
                           LLVMConstArray2(self->dimension, dimensions, RAGGED_MAX_RANK),
                           LLVMConstArray2(self->i32, order, RAGGED_MAX_RANK)};
  return struct_value(self, COUNT(fields), fields);
}

static LLVMValueRef types_value(entry_code *self, int count, const ragged_rt_value_type *types) {
  LLVMValueRef *values = RAGGED_ARENA_ARRAY(&self->arena, LLVMValueRef, count);
  for (int k = 0; k < count; ++k) {
    LLVMValueRef fields[] = {int32(self, (int)types[k].kind), schema_value(self, &types[k].schema)};
    values[k] = struct_value(self, COUNT(fields), fields);
  }
  return array(self, "ragged_types", self->value_type, count, values);
}

static LLVMValueRef axes_value(entry_code *self, const ragged_rt_entry *entry) {
  LLVMValueRef *values = RAGGED_ARENA_ARRAY(&self->arena, LLVMValueRef, entry->num_axes);
  for (int k = 0; k < entry->num_axes; ++k) values[k] = text(self, entry->axes[k]);
  return array(self, "ragged_axes", self->pointer, entry->num_axes, values);
}

static ragged_status entry_value(entry_code *self, const ragged_rt_entry *entry,
                                 LLVMValueRef *out) {
  LLVMValueRef function = LLVMGetNamedFunction(
      self->module, ragged_arena_format(&self->arena, RAGGED_ENTRY_PREFIX "%s", entry->name));
  if (!function)
    return ragged_status_make(RAGGED_STATUS_INTERNAL, "the compiled code lacks '%s'", entry->name);
  LLVMValueRef fields[] = {text(self, entry->name),
                           function,
                           int32(self, entry->num_arguments),
                           int32(self, entry->num_results),
                           int32(self, entry->num_axes),
                           types_value(self, entry->num_arguments, entry->arguments),
                           types_value(self, entry->num_results, entry->results),
                           axes_value(self, entry)};
  *out = struct_value(self, COUNT(fields), fields);
  return NULL;
}

// All of the program is reached through the table.
static void make_internal(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f)) LLVMSetLinkage(f, LLVMInternalLinkage);
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (!LLVMIsDeclaration(g)) LLVMSetLinkage(g, LLVMInternalLinkage);
}

static void add_function(entry_code *self, const char *symbol, int count, LLVMValueRef table) {
  LLVMTypeRef parameter = self->pointer;
  LLVMValueRef function = LLVMAddFunction(
      self->module, symbol, LLVMFunctionType(self->pointer, &parameter, 1, false));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(self->context);
  LLVMPositionBuilderAtEnd(builder,
                           LLVMAppendBasicBlockInContext(self->context, function, "entry"));
  LLVMBuildStore(builder, int32(self, count), LLVMGetParam(function, 0));
  LLVMBuildRet(builder, table);
  LLVMDisposeBuilder(builder);
}

static ragged_status add(entry_code *self, const ragged_entry_table *table, const char *symbol) {
  if (LLVMGetNamedFunction(self->module, symbol) || LLVMGetNamedGlobal(self->module, symbol))
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "the symbol '%s' is one of the program's own", symbol);
  make_types(self);
  RAGGED_RETURN_IF_ERROR(check_layout(self));
  LLVMValueRef *entries = RAGGED_ARENA_ARRAY(&self->arena, LLVMValueRef, table->num_entries);
  for (int k = 0; k < table->num_entries; ++k)
    RAGGED_RETURN_IF_ERROR(entry_value(self, &table->entries[k], &entries[k]));
  make_internal(self->module);
  add_function(self, symbol, table->num_entries,
               array(self, "ragged_entries", self->entry, table->num_entries, entries));
  return NULL;
}

ragged_status ragged_entry_code_add(LLVMModuleRef module, const ragged_entry_table *table,
                                    const char *symbol) {
  entry_code self = {.module = module, .context = LLVMGetModuleContext(module)};
  ragged_status status = add(&self, table, symbol);
  ragged_arena_free(&self.arena);
  return status;
}
