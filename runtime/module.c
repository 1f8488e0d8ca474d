// Modules: a list of compiled entry points and what keeps their code alive. A module belongs to no
// context, so its count of references is atomic.
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "ragged_rt.h"

struct ragged_rt_module {
  atomic_long references;
  int num_entries;
  const ragged_rt_entry *entries;
  void (*release)(void *user);
  void *user;
};

static ragged_status check_entry(const ragged_rt_entry *entry, int position) {
  if (!entry->name || !entry->function)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "entry %d of a module lacks its name or its function", position);
  if (entry->num_arguments < 0 || entry->num_results < 0 || entry->num_axes < 0)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "entry '%s' of a module has a negative count", entry->name);
  return NULL;
}

ragged_status ragged_rt_module_create(int num_entries, const ragged_rt_entry *entries,
                                      void (*release)(void *user), void *user,
                                      ragged_rt_module **out_module) {
  if (num_entries < 0)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "a module of %d entries was asked for", num_entries);
  for (int k = 0; k < num_entries; ++k) RAGGED_RETURN_IF_ERROR(check_entry(&entries[k], k));
  ragged_rt_module *module = malloc(sizeof *module);
  if (!module) return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for a module");
  atomic_init(&module->references, 1);
  module->num_entries = num_entries;
  module->entries = entries;
  module->release = release;
  module->user = user;
  *out_module = module;
  return NULL;
}

void ragged_rt_module_retain(ragged_rt_module *module) {
  if (module) atomic_fetch_add(&module->references, 1);
}

void ragged_rt_module_release(ragged_rt_module *module) {
  if (!module || atomic_fetch_sub(&module->references, 1) > 1) return;
  if (module->release) module->release(module->user);
  free(module);
}

int ragged_rt_module_num_entries(const ragged_rt_module *module) { return module->num_entries; }

const ragged_rt_entry *ragged_rt_module_entry(const ragged_rt_module *module, int k) {
  return k >= 0 && k < module->num_entries ? &module->entries[k] : NULL;
}

const ragged_rt_entry *ragged_rt_module_find(const ragged_rt_module *module, const char *name) {
  for (int k = 0; k < module->num_entries; ++k)
    if (strcmp(module->entries[k].name, name) == 0) return &module->entries[k];
  return NULL;
}
