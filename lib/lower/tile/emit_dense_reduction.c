// Reductions of builtin tensors. Dimensions that stand next to each other and are both reduced, or both
// left, are one; a narrow last one is the tail of rows, the others are axes. Where the first one is
// reduced and long, parts of it are reduced side by side, and then what they gave: two launches.
#include <string.h>

#include "lower/tile/reduction.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/checked.h"

enum {
  MOST_TAIL = 1024,   // elements of a row, at most
  SPLIT_TAIL = 128,   // of a row where all is reduced and there is more than that
  MOST_PARTS = 256,   // of the first dimension
};

// Dimensions of the operand as one.
typedef struct run {
  bool reduced;
  int64_t known;    // extent; -1: at run time
  MlirValue value;  // of the extent, i64
} run;

typedef struct run_list {
  int count;
  run runs[RAGGED_MAX_RANK];
} run_list;

static run_list read_runs(translation *t, const reduction *r) {
  run_list list = {0};
  MlirValue operand = mlirOperationGetOperand(r->operation, 0);
  for (int d = 0; d < r->operand.rank; ++d) {
    int64_t extent = r->operand.dimensions[d].extent;
    if (extent == 1) continue;
    MlirValue value = dense_extent_value(t, dense_name(t, operand, d));
    run *last = list.count ? &list.runs[list.count - 1] : NULL;
    if (!last || last->reduced != r->reduced[d]) {
      list.runs[list.count++] = (run){r->reduced[d], extent, value};
      continue;
    }
    last->value = host_product(t, last->value, value);
    if (last->known < 0 || extent < 0) last->known = -1;
    else if (!ragged_checked_multiply(last->known, extent, &last->known)) last->known = INT64_MAX;
  }
  return list;
}

// All of a tensor is summed side by side first, as wide as an access or a vector allows. (Positions would
// have to be counted along both runs before the second is reduced: argmax does without.)
static bool split_whole(translation *t, run_list *list) {
  run *whole = &list->runs[0];
  if (list->count != 1 || !whole->reduced || whole->known <= MOST_TAIL || whole->known % SPLIT_TAIL)
    return false;
  list->runs[list->count++] = (run){true, SPLIT_TAIL, host_i64(t, SPLIT_TAIL)};
  whole->known /= SPLIT_TAIL;
  whole->value = host_i64(t, whole->known);
  return true;
}

static bool is_tail(const run_list *list, int k) {
  int64_t known = list->runs[k].known;
  return k == list->count - 1 && known > 0 && known <= MOST_TAIL;
}

// The rows of the runs that are chosen (null: all), from run `first` on; dimension k has axis names[k].
static ragged_schema rows_of(const run_list *list, int first, bool kept_only, const char *const *names,
                             ragged_element_type type) {
  ragged_schema rows = {.element_type = type};
  for (int k = first; k < list->count; ++k) {
    if (kept_only && list->runs[k].reduced) continue;
    rows.dimensions[rows.rank++] = is_tail(list, k) ? ragged_dimension_static(list->runs[k].known)
                                                    : ragged_dimension_ragged(names[k]);
  }
  ragged_schema_set_default_order(&rows);
  return rows;
}

static void place_kept(const run_list *list, int first, int place[RAGGED_MAX_RANK]) {
  for (int k = first, next = 0; k < list->count; ++k)
    place[k - first] = list->runs[k].reduced ? -1 : next++;
}

// Rows of what is left from run `first` on, `each` times.
static MlirValue count_rows(translation *t, const run_list *list, int first, MlirValue each) {
  for (int k = first; k < list->count; ++k)
    if (!list->runs[k].reduced && !is_tail(list, k))
      each = mlirValueIsNull(each) ? list->runs[k].value : host_product(t, each, list->runs[k].value);
  return mlirValueIsNull(each) ? host_i64(t, 1) : each;
}

// An axis of one sample for each run that is no tail.
static void name_axes(translation *t, const run_list *list, const char **names) {
  for (int k = 0; k < list->count; ++k) {
    if (is_tail(list, k)) continue;
    names[k] = list->runs[k].known < 0 ? dense_fresh_name(t)
                                       : dense_static_name(t, list->runs[k].known);
    if (list->runs[k].known < 0)
      dense_define_axis(t, names[k], dense_axis(t, list->runs[k].value, 1));
  }
}

// What parts give, [parts, what is left...], an argmax with its matches; and the axis that has as many
// positions as there are parts.
typedef struct part_values {
  MlirValue buffer, matches;
  const char *axis;
} part_values;

// The first run in parts, each a sample.
static part_values reduce_parts(translation *t, const reduction *whole, const run_list *list) {
  MlirType i64 = mlirIntegerTypeGet(t->context, 64), axis = translation_type(t, RAGGED_HOST_AXIS);
  const char *names[RAGGED_MAX_RANK] = {dense_fresh_name(t)};
  MlirValue parts = dense_axis(t, list->runs[0].value, MOST_PARTS);
  dense_define_axis(t, names[0], parts);
  MlirValue space = host_value(t, "ragged_tile.batch_space", translation_type(t, RAGGED_HOST_SPACE),
                               RAGGED_VALUES(parts), RAGGED_NONE);
  MlirValue count = host_value(t, "ragged_tile.space_batch", i64, RAGGED_VALUES(space), RAGGED_NONE);
  MlirValue shape[RAGGED_MAX_RANK] = {count};
  int rank = 1;
  for (int k = 1; k < list->count; ++k) {
    if (!list->runs[k].reduced) shape[rank++] = list->runs[k].value;
    if (is_tail(list, k)) continue;
    names[k] = dense_fresh_name(t);
    dense_define_axis(t, names[k],
                      host_value(t, "ragged_tile.constant_axis", axis,
                                 RAGGED_VALUES(list->runs[k].value, parts), RAGGED_NONE));
  }
  reduction r = *whole;
  for (int k = 0; k < list->count; ++k) r.reduced[k] = r.group[k] = list->runs[k].reduced;
  r.operand = rows_of(list, 0, false, names, whole->operand.element_type);
  ragged_schema grid = rows_of(list, 0, true, names, whole->element);
  part_values out = {.buffer = host_allocate_dense(t, whole->element, rank, shape),
                     .axis = dense_fresh_name(t)};
  reduction_target target = {.grid = &grid, .kind = KERNEL_DENSE, .batch = count,
                             .buffer = out.buffer, .items = count_rows(t, list, 1, count)};
  if (whole->argmax) {
    r.batch = true;  // counted through the parts
    grid.element_type = RAGGED_ELEMENT_I64;
    out.matches = host_allocate_dense(t, grid.element_type, rank, shape);
    target.maxima = out.buffer;
    target.buffer = out.matches;
  }
  place_kept(list, 0, target.place);
  reduction_launch(t, &r, &target);
  dense_define_axis(t, out.axis, dense_axis(t, count, 1));
  return out;
}

void translate_dense_reduction(translation *t, MlirOperation operation) {
  reduction own = reduction_read(operation), r = own;
  MlirValue result = mlirOperationGetResult(operation, 0);
  run_list list = read_runs(t, &own);
  bool split = !own.argmax && split_whole(t, &list);
  const char *names[RAGGED_MAX_RANK] = {NULL};
  name_axes(t, &list, names);
  ragged_schema dense;
  value_schema(result, &dense);
  r.source = host_buffer(t, mlirOperationGetOperand(operation, 0));
  r.operand = rows_of(&list, 0, false, names, own.operand.element_type);
  for (int k = 0; k < list.count; ++k) r.reduced[k] = r.group[k] = list.runs[k].reduced;
  ragged_schema grid = rows_of(&list, 0, true, names, dense.element_type);
  reduction counted = r;
  reduction_target target = {.grid = &grid, .kind = KERNEL_DENSE, .counted = r.mean ? &counted : NULL};
  place_kept(&list, 0, target.place);
  if (list.count && list.runs[0].reduced && !is_tail(&list, 0)) {
    run_list first = list;
    if (split) first.runs[1].reduced = false;  // reduced behind the parts
    part_values parts = reduce_parts(t, &r, &first);
    ragged_schema left = rows_of(&first, 0, true, names, r.element);
    r.source = parts.buffer;
    r.matches = parts.matches;
    r.operand = (ragged_schema){.element_type = left.element_type, .rank = left.rank + 1};
    r.operand.dimensions[0] = ragged_dimension_ragged(parts.axis);
    for (int d = 0; d < left.rank; ++d) {
      r.operand.dimensions[d + 1] = left.dimensions[d];
      r.reduced[d + 1] = split;
      target.place[d + 1] = d;
    }
    ragged_schema_set_default_order(&r.operand);
  }
  target.buffer = dense_allocate(t, result);
  target.items = count_rows(t, &list, 0, ragged_value_none());
  reduction_launch(t, &r, &target);
  host_set_buffer(t, result, target.buffer);
}
