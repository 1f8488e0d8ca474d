// What the rules share: refusing with a message, checking lists of dimensions, finishing a result.
// Used by the rules_*.c files only.
#ifndef RAGGED_SCHEMA_RULES_COMMON_H
#define RAGGED_SCHEMA_RULES_COMMON_H

#include "schema/rules.h"

// Fills *error (null allowed) and returns false, so that a rule can end with it.
RAGGED_PRINTF(4, 5)
bool ragged_rule_fail(ragged_rule_error *error, int operand, int other_operand, const char *format,
                      ...);

// Checks that the result is a legal schema (a broadcast or a linear can make a row too large) and
// stores it in *out, which may be an operand of the rule. Also what says that a rule succeeded:
// returns true after it cleared *error.
bool ragged_rule_finish(const ragged_schema *result, ragged_schema *out, ragged_rule_error *error);

// True when the `num_dims` entries are in [0, rank) and distinct; `selected` (of RAGGED_MAX_RANK)
// is then true at exactly those. `list` names the list in messages, e.g. "dims".
bool ragged_rule_select(int rank, int num_dims, const int64_t *dims, const char *list,
                        bool selected[RAGGED_MAX_RANK], ragged_rule_error *error);

// A dimension as messages name it: "axis n" or "extent 3".
typedef struct ragged_dimension_text {
  char text[160];
} ragged_dimension_text;
ragged_dimension_text ragged_rule_describe(ragged_dimension dimension);
// Only "n" or "3" when `found` is of the same kind, since the message named the kind already.
ragged_dimension_text ragged_rule_describe_expected(ragged_dimension expected,
                                                    ragged_dimension found);

// The schema without the dimensions in `dropped`, the others in their relative packed order.
ragged_schema ragged_rule_drop(const ragged_schema *schema, const bool dropped[RAGGED_MAX_RANK]);

#endif  // RAGGED_SCHEMA_RULES_COMMON_H
