// The samples of a block's rows. Two threads search for those of its first and last row; as many
// threads as there are samples load a sample each, into a table in shared memory; every row finds its
// own there. So what a row costs in offsets and extents does not depend on how long its sample is, and
// many short samples cost no more than they have numbers. Called by the loops over rows.
#include "lower/gpu/gpu_emit.h"

static MlirValue narrow(gpu_emission *g, number n) {
  return ragged_build_value(&g->e.b, "arith.trunci", g->i32, RAGGED_VALUES(number_emit(&g->e, n)));
}

// Word `word` of entry `place` of the table. Entries of one word lie next to each other: threads with
// entries of their own write without conflicts.
static number place_in_table(gpu_emission *g, int word, number place) {
  return number_add(&g->e, number_of(GPU_SAMPLE_PLACES + word * g->layout->rows_per_block), place);
}

static number load_word(gpu_emission *g, int word, number place) {
  return number_value(emit_load_i64(&g->e, g->samples, place_in_table(g, word, place)));
}

static void store_word(gpu_emission *g, int word, number place, number value) {
  emit_store(&g->e, g->samples, RAGGED_ELEMENT_I64, place_in_table(g, word, place),
             number_emit(&g->e, value));
}

static bool in_table(const gpu_emission *g, int slot) {
  int word = gpu_sample_word(g->layout, slot);
  return word >= 0 && word < g->layout->sample_words;
}

// Samples are numbered as they are visited; those of rows `first` and `last` are left at the table's
// start. None of those between is empty: empty ones come last, whatever the order of the others.
static void find_ends(gpu_emission *g, number first, number last) {
  emission *e = &g->e;
  guard searches;
  begin_if(&g->e, &searches, gpu_compare(g, COMPARE_LT, g->thread, gpu_i32(g, GPU_SAMPLE_PLACES)));
  MlirValue is_first = gpu_compare(g, COMPARE_EQ, g->thread, gpu_i32(g, 0));
  number row = number_value(ragged_build_value(
      &e->b, "arith.select", e->i64,
      RAGGED_VALUES(is_first, number_emit(e, first), number_emit(e, last))));
  number batch = number_value(e->slots[kernel_layout_find(&e->layout, SLOT_BATCH, 0)]);
  number found = emit_find_sample(e, g->ordered_offsets, batch, row);
  emit_store(e, g->samples, RAGGED_ELEMENT_I64, gpu_number(g, g->thread), number_emit(e, found));
  end_if(&g->e, &searches);
}

// Entry `place` of the table by the thread of that number.
static void load_entry(gpu_emission *g, number place, number sample) {
  emission *e = &g->e;
  for (int k = 0; k < e->layout.num_slots; ++k)
    if (in_table(g, k))
      store_word(g, gpu_sample_word(g->layout, k), place,
                 number_value(emit_load_i64(e, e->slots[k], sample)));
}

void gpu_load_samples(gpu_emission *g, number first, number rows) {
  emission *e = &g->e;
  if (g->layout->samples_bytes == 0) return;
  number thread = gpu_number(g, g->thread), count = rows, visited = first;
  if (g->layout->ordered) {
    find_ends(g, first, number_sub(e, number_add(e, first, rows), number_of(1)));
    gpu_block_barrier(g);
    visited = number_value(emit_load_i64(e, g->samples, number_of(0)));
    number last = number_value(emit_load_i64(e, g->samples, number_of(1)));
    count = number_add(e, number_sub(e, last, visited), number_of(1));
    g->num_samples = count;
  } else {
    gpu_block_barrier(g);  // the rows before have read theirs
  }
  guard loads;
  begin_if(&g->e, &loads, emit_compare(e, COMPARE_LT, thread, count));
  number sample = number_add(e, visited, thread);
  if (g->layout->ordered) {
    store_word(g, GPU_WORD_BEGIN, thread, number_value(emit_load_i64(e, g->ordered_offsets, sample)));
    sample = number_value(emit_load_i64(e, g->order, sample));
    store_word(g, GPU_WORD_SAMPLE, thread, sample);
  }
  load_entry(g, thread, sample);
  end_if(&g->e, &loads);
  gpu_block_barrier(g);
}

// Coordinates of row number `local` of the sample. A sample has fewer than 2^32 rows: the runtime
// refuses more before the launch.
static void set_coordinates(gpu_emission *g, number local) {
  emission *e = &g->e;
  const kernel_layout *layout = &e->layout;
  MlirValue rest = narrow(g, local);
  for (int k = layout->num_grid - 1; k >= 0; --k) {
    MlirValue at = rest;
    if (k > 0) {
      MlirValue extent = narrow(g, axis_extent(e, layout->grid[k], e->sample));
      at = gpu_op(g, "arith.remui", rest, extent);
      rest = gpu_op(g, "arith.divui", rest, extent);
    }
    set_coordinate(e, emit_argument(e, 1 + k), gpu_number(g, at));
  }
}

void gpu_find_row(gpu_emission *g, number first, number n) {
  emission *e = &g->e;
  number row = number_add(e, first, n), place = n;
  e->row = e->sample = row;
  if (!e->layout.has_sample || e->flat) return;
  if (g->layout->ordered) {
    MlirValue begins = emit_pointer(e, g->samples, e->i64, place_in_table(g, GPU_WORD_BEGIN, number_of(0)));
    place = emit_find_sample(e, begins, g->num_samples, row);
    e->sample = load_word(g, GPU_WORD_SAMPLE, place);
  }
  set_coordinate(e, emit_argument(e, 0), e->sample);
  emit_forget_sample(e);
  for (int k = 0; k < e->layout.num_slots; ++k) {
    const kernel_slot *slot = &e->layout.slots[k];
    if (gpu_sample_word(g->layout, k) < 0) continue;
    number word = in_table(g, k) ? load_word(g, gpu_sample_word(g->layout, k), place)
                                 : number_value(emit_load_i64(e, e->slots[k], e->sample));
    if (slot->kind == SLOT_EXTENTS) e->axis_extents[slot->number] = word;
    else e->space_offsets[k] = word;
  }
  if (g->layout->ordered)
    set_coordinates(g, number_sub(e, row, load_word(g, GPU_WORD_BEGIN, place)));
}
