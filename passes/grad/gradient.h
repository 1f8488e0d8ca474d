// Reverse mode on stage-1 IR: what the derivative rules (rules_*.c, one file a family) see of the
// block that is being differentiated. gradient.c walks the ops of a block backwards and calls the
// rule of each op whose results have cotangents; the rule gives cotangents to the op's operands, made
// of ops of the dialect. A cotangent has its value's type, packed order included.
//
// Rules read values of the forward part as if all of them were there; keep.c decides afterwards which
// ones are kept and which are computed again.
#ifndef RAGGED_PASSES_GRAD_GRADIENT_H
#define RAGGED_PASSES_GRAD_GRADIENT_H

#include <stdbool.h>

#include "ir/build.h"
#include "ir/value_map.h"
#include "schema/schema.h"
#include "support/arena.h"

typedef enum gradient_keep {
  GRADIENT_KEEP_MINIMAL,  // the fewest bytes from which cheap ops rebuild what is read
  GRADIENT_KEEP_INPUTS,   // nothing that can be computed from the function's arguments
  GRADIENT_KEEP_ALL,      // everything that is read
} gradient_keep;

typedef struct gradient {
  MlirContext context;
  ragged_arena *arena;
  ragged_builder b;              // where the backward part grows
  ragged_value_map *active;      // values that depend on what is differentiated for, to themselves
  ragged_value_map *cotangents;  // value → the sum of what was given to it
  MlirOperation operation;       // whose rule runs
  MlirOperation mark;            // begins the backward part of the block
  gradient_keep keep;
  bool failed;                   // a diagnostic was emitted
} gradient;

typedef void (*gradient_rule)(gradient *g);
typedef struct gradient_rule_row {
  const char *name;    // "ragged.add"
  gradient_rule rule;  // null: the results do not depend on the operands continuously
} gradient_rule_row;   // a table ends with a null name

extern const gradient_rule_row gradient_elementwise_rules[];
extern const gradient_rule_row gradient_reduction_rules[];
extern const gradient_rule_row gradient_structure_rules[];
extern const gradient_rule_row gradient_linear_rules[];
extern const gradient_rule_row gradient_normalization_rules[];
extern const gradient_rule_row gradient_conversion_rules[];
extern const gradient_rule_row gradient_control_rules[];
extern const gradient_rule_row gradient_scalar_rules[];
// The row of an op, in any of the tables; null where there is none.
const gradient_rule_row *gradient_find_rule(MlirOperation operation);

// ---- The op in progress ---------------------------------------------------------------------

MlirValue gradient_operand(const gradient *g, intptr_t k);
MlirValue gradient_result(const gradient *g);
// The cotangent of result k; null when nothing was given to it.
MlirValue gradient_of_result(const gradient *g, intptr_t k);
// Whether anybody asks for the cotangent of operand k (false where the op has none).
bool gradient_wants(const gradient *g, intptr_t k);
// Adds to the cotangent of operand k, or of any value. `cotangent` has the value's type.
void gradient_give(gradient *g, intptr_t k, MlirValue cotangent);
void gradient_add(gradient *g, MlirValue value, MlirValue cotangent);
// The cotangent of an operand that was broadcast: `cotangent` has the dimensions of the result, the
// operand static 1 in some of their places, or it is a scalar. Sums over what was repeated. The result's
// type may also say extents that a builtin operand's leaves open.
void gradient_give_repeated(gradient *g, intptr_t k, MlirValue cotangent);
// The cotangent of a value whose dimension d became dimension dims[d] of what `cotangent` belongs to:
// sums over all other dimensions and over those where the value is static 1.
MlirValue gradient_unbroadcast(gradient *g, MlirValue cotangent, const int64_t *dims,
                               MlirValue value);

// ---- Building -------------------------------------------------------------------------------

// An op with one result of the type that it infers. Null operands, and types that cannot be inferred,
// give a null value and fail the pass.
MlirValue gradient_op(gradient *g, const char *name, intptr_t num_operands,
                      const MlirValue *operands, intptr_t num_attributes,
                      const MlirNamedAttribute *attributes);
// The same with a declared type.
MlirValue gradient_typed(gradient *g, const char *name, MlirType type, intptr_t num_operands,
                         const MlirValue *operands, intptr_t num_attributes,
                         const MlirNamedAttribute *attributes);
#define GRADIENT1(g, name, x) gradient_op((g), "ragged." name, RAGGED_VALUES(x), RAGGED_NONE)
#define GRADIENT2(g, name, x, y) gradient_op((g), "ragged." name, RAGGED_VALUES(x, y), RAGGED_NONE)
#define GRADIENT3(g, name, x, y, z) \
  gradient_op((g), "ragged." name, RAGGED_VALUES(x, y, z), RAGGED_NONE)
MlirNamedAttribute gradient_dims(gradient *g, const char *name, int count, const int64_t *dims);
MlirNamedAttribute gradient_flag(gradient *g, const char *name);
MlirNamedAttribute gradient_int(gradient *g, const char *name, int64_t value);

// A builtin scalar of `like`'s element type.
MlirValue gradient_constant(gradient *g, MlirValue like, double value);
// A value of the type of `value` full of one number; `like` is there and has its structure, whatever its
// element type. The same of zeros, like the value itself.
MlirValue gradient_filled(gradient *g, MlirValue value, MlirValue like, double number);
MlirValue gradient_zeros(gradient *g, MlirValue value);
// `x` in `element_type`; itself when it has it already.
MlirValue gradient_cast(gradient *g, MlirValue x, ragged_element_type element_type);
// What sums of this value's element type are accumulated in: f32 for bf16, else the type itself.
ragged_element_type gradient_accumulator(MlirValue value);
// Sums, means over `dims`, which stay as static 1.
MlirValue gradient_reduce(gradient *g, const char *name, MlirValue x, int count,
                          const int64_t *dims);
// `x` repeated along the dimensions of `like` that `dims` does not name.
MlirValue gradient_broadcast(gradient *g, MlirValue x, int count, const int64_t *dims,
                             MlirValue like);
// `x` packed as `like`'s type says: the same dimensions, maybe in another order.
MlirValue gradient_reordered(gradient *g, MlirValue x, MlirType like);

// ---- Queries --------------------------------------------------------------------------------

bool gradient_is_float(MlirType type);  // a ragged tensor, builtin tensor or scalar of floats
// The schema of a ragged tensor, or of a builtin tensor with static dimensions (-1: dynamic); scalars
// have rank 0.
ragged_schema gradient_schema(MlirValue value);
bool gradient_is_ragged(MlirValue value);
bool gradient_is_scalar(MlirValue value);
// The op's dims attribute, and the dimensions of a rank that it leaves out.
int gradient_op_dims(const gradient *g, const char *name, int64_t dims[RAGGED_MAX_RANK]);
int gradient_other_dims(int rank, int count, const int64_t *dims, int64_t out[RAGGED_MAX_RANK]);

// ---- Walking (gradient.c) -------------------------------------------------------------------

// Destroys an op, which may have been marked: other values may come to stand where its values stood in
// memory, and are not active for that.
void gradient_destroy(gradient *g, MlirOperation operation);
// Marks the values of `block` that depend on marked ones.
void gradient_mark_active(gradient *g, MlirBlock block);
// Runs the rules of the ops of `block` behind `after` (null: of all) and before g->mark, last to first,
// at g->b. Cotangents of what the terminator passes on are in g->cotangents.
void gradient_reverse(gradient *g, MlirBlock block, MlirOperation after);
// What a value is called in the text of a program: from its location, else its op.
const char *gradient_name_of(ragged_arena *arena, MlirValue value);

#endif  // RAGGED_PASSES_GRAD_GRADIENT_H
