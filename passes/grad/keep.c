// See keep.h. What the backward part reads must be computable, by ops that the policy allows, from
// kept values and arguments. The cheapest set of kept values is a minimum cut of the graph of values
// (min_cut.c), a value's price being its size.
#include "passes/grad/keep.h"

#include <stdlib.h>
#include <string.h>

#include "dialect/type_schema.h"
#include "ir/build.h"
#include "ir/value_map.h"
#include "passes/grad/fresh_copy.h"
#include "passes/grad/gradient.h"
#include "passes/grad/min_cut.h"
#include "dialect/op_table.h"
#include "passes/program.h"
#include "support/string_buffer.h"

typedef struct node {
  MlirValue value;
  bool is_argument, is_read, is_result, is_kept, is_used;  // used: by what was made to read it
} node;

typedef struct indexed {
  const void *key;
  int number;
} indexed;

typedef struct keeper {
  ragged_arena *arena;
  MlirBlock block;
  MlirOperation mark;
  gradient_keep keep;
  bool apart;
  int size, num_arguments;
  node *nodes;                  // arguments, then results of the forward part in order
  indexed *index;               // by pointer
  ragged_value_map recomputed;  // value of the forward part → its copy
  MlirValue *have;              // what a structure may be taken from where the backward part is now
  int num_have, capacity_have;
  bool failed;                  // a diagnostic was emitted
} keeper;

// ---- Values of the forward part -------------------------------------------------------------

static int compare_indexed(const void *a, const void *b) {
  const void *x = ((const indexed *)a)->key, *y = ((const indexed *)b)->key;
  return x < y ? -1 : x > y;
}

static int find_node(const keeper *k, MlirValue value) {
  const indexed key = {value.ptr, 0};
  const indexed *found = bsearch(&key, k->index, (size_t)k->size, sizeof key, compare_indexed);
  return found ? found->number : -1;
}

static void read_nodes(keeper *k) {
  k->num_arguments = (int)mlirBlockGetNumArguments(k->block);
  int count = k->num_arguments;
  for (MlirOperation op = mlirBlockGetFirstOperation(k->block); !mlirOperationEqual(op, k->mark);
       op = mlirOperationGetNextInBlock(op))
    count += (int)mlirOperationGetNumResults(op);
  k->nodes = RAGGED_ARENA_ARRAY(k->arena, node, count + 1);
  for (int a = 0; a < k->num_arguments; ++a)
    k->nodes[k->size++] = (node){.value = mlirBlockGetArgument(k->block, a), .is_argument = true};
  for (MlirOperation op = mlirBlockGetFirstOperation(k->block); !mlirOperationEqual(op, k->mark);
       op = mlirOperationGetNextInBlock(op))
    for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r)
      k->nodes[k->size++] = (node){.value = mlirOperationGetResult(op, r)};
  k->index = RAGGED_ARENA_ARRAY(k->arena, indexed, count + 1);
  for (int n = 0; n < k->size; ++n) k->index[n] = (indexed){k->nodes[n].value.ptr, n};
  qsort(k->index, (size_t)k->size, sizeof *k->index, compare_indexed);
}

// Calls `visit` with every operand of `operation` and of what is inside it.
typedef void (*operand_visitor)(keeper *k, MlirOperation operation, intptr_t operand, void *user);
typedef struct operand_walk {
  keeper *k;
  operand_visitor visit;
  void *user;
} operand_walk;

static bool visit_operands(MlirOperation operation, void *user) {
  const operand_walk *walk = user;
  for (intptr_t o = 0; o < mlirOperationGetNumOperands(operation); ++o)
    walk->visit(walk->k, operation, o, walk->user);
  return true;
}

static void for_operands(keeper *k, MlirOperation operation, operand_visitor visit, void *user) {
  operand_walk walk = {k, visit, user};
  visit_operands(operation, &walk);
  ragged_walk(operation, visit_operands, &walk);
}

// ---- Structures -----------------------------------------------------------------------------

bool gradient_same_structure(MlirValue a, MlirValue b) {
  ragged_schema x, y;
  if (ragged_type_get_schema(mlirValueGetType(a), &x))
    return ragged_type_get_schema(mlirValueGetType(b), &y) && ragged_schema_same_layout(&x, &y);
  if (!ragged_type_get_dense(mlirValueGetType(a), &x) ||
      !ragged_type_get_dense(mlirValueGetType(b), &y) || !ragged_schema_same_layout(&x, &y))
    return false;
  for (int d = 0; d < x.rank; ++d)
    if (x.dimensions[d].extent < 0) return mlirValueEqual(a, b);
  return true;
}

static void add_have(keeper *k, MlirValue value) {
  k->have = ragged_arena_grow(k->arena, k->have, k->num_have, &k->capacity_have, sizeof *k->have);
  k->have[k->num_have++] = value;
}

static void add_results(keeper *k, MlirOperation operation) {
  for (intptr_t r = 0; r < mlirOperationGetNumResults(operation); ++r)
    add_have(k, mlirOperationGetResult(operation, r));
}

static MlirValue find_structure(const keeper *k, MlirValue like) {
  for (int n = 0; n < k->num_have; ++n)
    if (gradient_same_structure(k->have[n], like)) return k->have[n];
  return ragged_value_none();
}

// Only the structure counts, and another value has it.
static bool is_replaceable(const keeper *k, MlirOperation operation, intptr_t operand) {
  return !ragged_op_reads(operation, operand) &&
         (!k->apart ||
          !mlirValueIsNull(find_structure(k, mlirOperationGetOperand(operation, operand))));
}

// ---- What is kept ---------------------------------------------------------------------------

static bool in_rules(const gradient_rule_row *rows, MlirOperation operation) {
  for (; rows->name; ++rows)
    if (ragged_operation_is(operation, rows->name)) return true;
  return false;
}

// Cheap: element by element, row by row, or nothing but another view.
static bool is_cheap(MlirOperation operation) {
  return in_rules(gradient_elementwise_rules, operation) ||
         in_rules(gradient_structure_rules, operation) ||
         in_rules(gradient_normalization_rules, operation) ||
         ragged_operation_in_dialect(operation, "arith.") ||
         ragged_operation_is(operation, "ragged.size");
}

static bool is_constant(MlirOperation operation) {
  return ragged_operation_is(operation, "arith.constant");
}

// An op that creates an axis stays the only one to do so.
static bool creates_axis(MlirOperation operation) { return ragged_operation_has(operation, "axes"); }

static bool may_recompute(const keeper *k, MlirOperation operation) {
  if (creates_axis(operation)) return false;
  if (is_constant(operation) || k->keep == GRADIENT_KEEP_INPUTS) return true;
  return k->keep == GRADIENT_KEEP_MINIMAL && is_cheap(operation);
}

static void note_read(keeper *k, MlirOperation operation, intptr_t operand, void *user) {
  (void)user;
  int n = find_node(k, mlirOperationGetOperand(operation, operand));
  if (n >= 0 && !is_replaceable(k, operation, operand)) k->nodes[n].is_read = true;
}

static void note_result(keeper *k, MlirOperation terminator) {
  for (intptr_t o = 0; o < mlirOperationGetNumOperands(terminator); ++o) {
    int n = find_node(k, mlirOperationGetOperand(terminator, o));
    if (n >= 0) k->nodes[n].is_result = true;
  }
}

static void note_reads(keeper *k) {
  MlirOperation last = mlirBlockGetTerminator(k->block);
  for (MlirOperation op = mlirOperationGetNextInBlock(k->mark); !mlirOperationEqual(op, last);
       op = mlirOperationGetNextInBlock(op)) {
    for_operands(k, op, note_read, NULL);
    add_results(k, op);
  }
  note_result(k, last);
}

int64_t gradient_row_bytes(ragged_arena *arena, MlirValue value, const char **out_space) {
  ragged_schema schema = gradient_schema(value);
  int64_t bytes = (int64_t)ragged_element_size(schema.element_type);
  const char *axes[RAGGED_MAX_RANK];
  int count = ragged_schema_space(&schema, axes);
  ragged_string_buffer text = {0};
  ragged_string_appendf(&text, "(");
  for (int k = 0; k < count; ++k) ragged_string_appendf(&text, "%s%s", k ? ", " : "", axes[k]);
  ragged_string_appendf(&text, ")");
  *out_space = gradient_is_ragged(value) ? ragged_arena_copy_string(arena, text.data, text.length)
                                         : "dense";
  ragged_string_free(&text);
  for (int d = 0; d < schema.rank; ++d)
    if (!ragged_dimension_is_ragged(schema.dimensions[d]))
      bytes *= schema.dimensions[d].extent < 0 ? 0 : schema.dimensions[d].extent;
  return bytes;
}

// A value's price. Sizes are known at run time only; a space with more axes has more rows.
static int64_t price(const keeper *k, const node *n) {
  enum { MOST = 1 << 20, PER_AXIS = 16, MOST_SHIFT = 40 };
  if (n->is_result) return 1;  // stored anyway
  const char *space;
  int64_t bytes = gradient_row_bytes(k->arena, n->value, &space);
  ragged_schema schema = gradient_schema(n->value);
  int shift = PER_AXIS * ragged_schema_num_ragged(&schema);
  if (bytes < 1) bytes = 1;
  return (bytes < MOST ? bytes : MOST) << (shift < MOST_SHIFT ? shift : MOST_SHIFT);
}

typedef struct cut_edges {
  ragged_min_cut *cut;
  int to;
} cut_edges;

static void add_dependency(keeper *k, MlirOperation operation, intptr_t operand, void *user) {
  const cut_edges *edges = user;
  int n = find_node(k, mlirOperationGetOperand(operation, operand));
  if (n >= 0 && !is_replaceable(k, operation, operand))
    ragged_min_cut_add(edges->cut, 2 * n + 1, edges->to, RAGGED_MIN_CUT_UNLIMITED);
}

// Node n of the graph is 2n, where it is computed, and 2n + 1, where it is used; between the two it is
// kept, for its price.
static void cut(keeper *k) {
  int source = 2 * k->size, sink = source + 1;
  ragged_min_cut graph = ragged_min_cut_make(k->arena, sink + 1);
  for (int n = 0; n < k->size; ++n) {
    const node *own = &k->nodes[n];
    if (own->is_argument) continue;
    MlirOperation definition = ragged_value_definition(own->value);
    ragged_min_cut_add(&graph, 2 * n, 2 * n + 1, price(k, own));
    if (own->is_read) ragged_min_cut_add(&graph, 2 * n + 1, sink, RAGGED_MIN_CUT_UNLIMITED);
    if (may_recompute(k, definition)) {
      cut_edges edges = {&graph, 2 * n};
      for_operands(k, definition, add_dependency, &edges);
    } else {
      ragged_min_cut_add(&graph, source, 2 * n, RAGGED_MIN_CUT_UNLIMITED);
    }
  }
  const bool *on_sink_side = ragged_min_cut_run(&graph, source, sink);
  for (int n = 0; n < k->size; ++n)
    k->nodes[n].is_kept = !k->nodes[n].is_argument && !on_sink_side[2 * n] && on_sink_side[2 * n + 1];
}

// ---- Computing again ------------------------------------------------------------------------

static MlirValue provide(keeper *k, MlirValue value, MlirOperation before);


static void replace_operand(keeper *k, MlirOperation operation, intptr_t operand, void *user) {
  const MlirOperation *before = user;
  MlirValue value = mlirOperationGetOperand(operation, operand), own = ragged_value_none();
  int n = find_node(k, value);
  if (n < 0) return;
  if (!ragged_op_reads(operation, operand)) {
    if (!k->apart) return;
    own = find_structure(k, value);
  }
  if (mlirValueIsNull(own)) own = provide(k, value, *before);
  mlirOperationSetOperand(operation, operand, own);
}

// What was `add` is `re_add` where it is computed again.
static void name_again(const keeper *k, MlirOperation clone) {
  MlirLocation location = mlirOperationGetLocation(clone);
  if (!mlirLocationIsAName(location)) return;
  MlirStringRef own = mlirIdentifierStr(mlirLocationNameGetName(location));
  const char *name = ragged_arena_format(k->arena, "re_%.*s", (int)own.length, own.data);
  mlirOperationSetLocation(clone, mlirLocationNameGet(mlirOperationGetContext(clone),
                                                      mlirStringRefCreateFromCString(name),
                                                      mlirLocationNameGetChildLoc(location)));
}

// `value` of the forward part as the backward part has it at `before`.
static MlirValue provide(keeper *k, MlirValue value, MlirOperation before) {
  const node *n = &k->nodes[find_node(k, value)];
  if (n->is_argument || n->is_kept) return value;
  MlirValue copy = ragged_value_map_get(&k->recomputed, value);
  if (!mlirValueIsNull(copy)) return copy;
  MlirOperation definition = ragged_value_definition(value);
  bool constant = is_constant(definition);
  if (constant && !k->apart) return value;
  MlirOperation clone = gradient_fresh_copy(k->arena, definition);
  k->failed |= mlirOperationIsNull(clone);
  if (k->failed) return value;
  MlirContext context = mlirOperationGetContext(clone);
  if (!k->apart)
    mlirOperationSetDiscardableAttributeByName(
        clone, mlirStringRefCreateFromCString("ragged.recomputed"), mlirUnitAttrGet(context));
  name_again(k, clone);
  mlirBlockInsertOwnedOperationBefore(k->block, before, clone);
  for_operands(k, clone, replace_operand, &clone);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(definition); ++i)
    ragged_value_map_set(k->arena, &k->recomputed, mlirOperationGetResult(definition, i),
                         mlirOperationGetResult(clone, i));
  add_results(k, clone);
  return ragged_value_map_get(&k->recomputed, value);
}

static void recompute(keeper *k) {
  MlirOperation last = mlirBlockGetTerminator(k->block), next;
  k->num_have = 0;
  for (int n = 0; n < k->size; ++n)
    if (k->nodes[n].is_argument || k->nodes[n].is_kept) add_have(k, k->nodes[n].value);
  for (MlirOperation op = mlirOperationGetNextInBlock(k->mark); !mlirOperationEqual(op, last);
       op = next) {
    next = mlirOperationGetNextInBlock(op);
    for_operands(k, op, replace_operand, &op);
    add_results(k, op);
  }
}

static void note_use(keeper *k, MlirOperation operation, intptr_t operand, void *user) {
  (void)user;
  int n = find_node(k, mlirOperationGetOperand(operation, operand));
  if (n >= 0) k->nodes[n].is_used = true;
}

// What was kept for its structure has gone unused where another kept value has it.
static void drop_unused(keeper *k) {
  MlirOperation last = mlirBlockGetTerminator(k->block);
  for (MlirOperation op = mlirOperationGetNextInBlock(k->mark); !mlirOperationEqual(op, last);
       op = mlirOperationGetNextInBlock(op))
    for_operands(k, op, note_use, NULL);
  for (int n = 0; n < k->size; ++n) k->nodes[n].is_kept &= k->nodes[n].is_used;
}

static void collect(const keeper *k, gradient_kept *out) {
  out->count = 0;
  out->values = RAGGED_ARENA_ARRAY(k->arena, MlirValue, k->size + 1);
  for (int n = 0; n < k->size; ++n)
    if (k->nodes[n].is_kept) out->values[out->count++] = k->nodes[n].value;
}

static keeper decide(ragged_arena *arena, MlirBlock block, MlirOperation mark, gradient_keep keep,
                     bool apart) {
  keeper k = {.arena = arena, .block = block, .mark = mark, .keep = keep, .apart = apart};
  read_nodes(&k);
  for (int a = 0; a < k.num_arguments; ++a) add_have(&k, k.nodes[a].value);
  int num_arguments = k.num_have;
  note_reads(&k);
  k.num_have = num_arguments;  // what every copy finds
  cut(&k);
  return k;
}

void gradient_decide_kept(ragged_arena *arena, MlirBlock block, MlirOperation mark,
                          gradient_keep keep, gradient_kept *out) {
  keeper k = decide(arena, block, mark, keep, false);
  collect(&k, out);
}

bool gradient_choose_kept(ragged_arena *arena, MlirBlock block, MlirOperation mark,
                          gradient_keep keep, bool apart, gradient_kept *out) {
  keeper k = decide(arena, block, mark, keep, apart);
  recompute(&k);
  drop_unused(&k);
  collect(&k, out);
  return !k.failed;
}
