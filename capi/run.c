// See ragged-c/run.h.
#include "ragged-c/run.h"

#include <stdlib.h>
#include <string.h>

#include "compile/entry_table.h"

RaggedDescription raggedModuleDescribe(MlirModule module) {
  ragged_entry_table *table = mlirModuleIsNull(module) ? NULL : calloc(1, sizeof *table);
  if (table && !ragged_entry_table_fill(mlirModuleGetOperation(module), table)) {
    ragged_entry_table_destroy(table);
    free(table);
    table = NULL;
  }
  return (RaggedDescription){table};
}

void raggedDescriptionDestroy(RaggedDescription description) {
  if (!description.ptr) return;
  ragged_entry_table_destroy(description.ptr);
  free(description.ptr);
}

intptr_t raggedDescriptionGetNumEntries(RaggedDescription description) {
  return description.ptr ? ((const ragged_entry_table *)description.ptr)->num_entries : 0;
}

const ragged_rt_entry *raggedDescriptionGetEntry(RaggedDescription description,
                                                 intptr_t position) {
  const ragged_entry_table *table = description.ptr;
  return table && position >= 0 && position < table->num_entries ? &table->entries[position] : NULL;
}

static void append_dense(const ragged_schema *schema, ragged_string_buffer *out) {
  ragged_string_appendf(out, "tensor<");
  for (int d = 0; d < schema->rank; ++d) {
    if (schema->dimensions[d].extent < 0)
      ragged_string_appendf(out, "?x");
    else
      ragged_string_appendf(out, "%lldx", (long long)schema->dimensions[d].extent);
  }
  ragged_string_appendf(out, "%s>", ragged_element_name(schema->element_type));
}

static void append_type(const ragged_rt_value_type *type, ragged_string_buffer *out) {
  switch (type->kind) {
    case RAGGED_RT_VALUE_RAGGED:
      ragged_string_appendf(out, "!ragged.tensor<");
      ragged_schema_print(&type->schema, out);
      ragged_string_appendf(out, ">");
      break;
    case RAGGED_RT_VALUE_DENSE:
      append_dense(&type->schema, out);
      break;
    case RAGGED_RT_VALUE_SCALAR:
      ragged_string_appendf(out, "%s", ragged_element_name(type->schema.element_type));
      break;
  }
}

static void append_types(int count, const ragged_rt_value_type *types, ragged_string_buffer *out) {
  ragged_string_appendf(out, "(");
  for (int k = 0; k < count; ++k) {
    if (k) ragged_string_appendf(out, ", ");
    append_type(&types[k], out);
  }
  ragged_string_appendf(out, ")");
}

static void give(ragged_string_buffer *text, MlirStringCallback callback, void *user) {
  callback(mlirStringRefCreate(text->data ? text->data : "", text->length), user);
  ragged_string_free(text);
}

void raggedValueTypePrint(const ragged_rt_value_type *type, MlirStringCallback callback,
                          void *userData) {
  ragged_string_buffer text = {0};
  append_type(type, &text);
  give(&text, callback, userData);
}

void raggedEntryPrint(const ragged_rt_entry *entry, MlirStringCallback callback, void *userData) {
  ragged_string_buffer text = {0};
  ragged_string_appendf(&text, "%s", entry->name);
  append_types(entry->num_arguments, entry->arguments, &text);
  ragged_string_appendf(&text, " -> ");
  append_types(entry->num_results, entry->results, &text);
  ragged_string_appendf(&text, " axes [");
  for (int k = 0; k < entry->num_axes; ++k)
    ragged_string_appendf(&text, "%s%s", k ? ", " : "", entry->axes[k]);
  ragged_string_appendf(&text, "]");
  give(&text, callback, userData);
}

static ragged_status no_entry(const ragged_rt_module *module, MlirStringRef name) {
  ragged_string_buffer names = {0};
  for (int k = 0; k < ragged_rt_module_num_entries(module); ++k)
    ragged_string_appendf(&names, "%s'%s'", k ? ", " : "", ragged_rt_module_entry(module, k)->name);
  ragged_status status =
      ragged_status_make(RAGGED_STATUS_NOT_FOUND, "there is no entry '%.*s', but %s",
                         (int)name.length, name.data, names.data ? names.data : "none at all");
  ragged_string_free(&names);
  return status;
}

ragged_status raggedCall(const ragged_rt_module *module, MlirStringRef name,
                         ragged_rt_context *context, intptr_t numArguments,
                         ragged_rt_tensor *const *arguments, intptr_t numResults,
                         ragged_rt_tensor **results) {
  for (int k = 0; k < ragged_rt_module_num_entries(module); ++k) {
    const ragged_rt_entry *entry = ragged_rt_module_entry(module, k);
    if (strlen(entry->name) == name.length && !memcmp(entry->name, name.data, name.length))
      return ragged_rt_call(context, entry, (int)numArguments, arguments, (int)numResults, results);
  }
  return no_entry(module, name);
}
