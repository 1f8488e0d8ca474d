// The small language of ragged axes: a sum of integer multiples of atoms, where an atom is a
// name, or a floordiv, max, min or product of such expressions.
//   n        n + m        n - 1        2 * n + 3        (h - 1) floordiv 2 + 1
//   max(n, m)   min(n, m)   (n + 1) * m
// Every expression has one canonical text; two axes are the same exactly when their canonical
// texts are equal (there is no proof search). Canonical: terms sorted by atom text, constants last,
// like terms merged, coefficient 1 omitted, `a - b` for negative coefficients; products are
// distributed over sums; floordiv by a positive constant only, rounding down, with multiples of the
// divisor taken out of the numerator ((2 * n + 3) floordiv 2 is n + 1, (h - 1) floordiv 2 + 1 is
// (h + 1) floordiv 2), common divisors cancelled and a floordiv of a floordiv folded; max and min
// flattened, their arguments sorted, those that differ by a constant merged. Texts have at most
// 4096 characters and 64 open parentheses, sums 64 terms; larger ones are refused.
#ifndef RAGGED_SCHEMA_AXIS_EXPRESSION_H
#define RAGGED_SCHEMA_AXIS_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "support/arena.h"
#include "support/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// A name: letter or underscore, then letters, digits, underscores, `.` or `$`; none of the
// reserved words floordiv, max, min, mod, ceildiv, batch, order, true, false.
bool ragged_axis_is_name(const char *text);

// Parses `text` and stores its canonical form (in the arena) in *out_canonical. INVALID_ARGUMENT
// with the offending part otherwise; an expression without any name is one too (it is static).
RAGGED_MUST_USE ragged_status ragged_axis_canonicalize(ragged_arena *arena, const char *text,
                                                       const char **out_canonical);

// The value of an expression when name k of `names` has extent values[k]. Errors: a name
// that is not in the list, overflow, a negative result.
RAGGED_MUST_USE ragged_status ragged_axis_evaluate(const char *canonical, int num_names,
                                                   const char *const *names, const int64_t *values,
                                                   int64_t *out_value);

// Replaces each name from[k] by the expression to[k], all at once; the result is canonical. Other
// names stay. An error when nothing that varies is left (n - m with both replaced by h).
RAGGED_MUST_USE ragged_status ragged_axis_substitute(ragged_arena *arena, const char *canonical,
                                                     int num_names, const char *const *from,
                                                     const char *const *to,
                                                     const char **out_canonical);

// Calls `visit` for each distinct name of the expression, in order of first appearance. The names
// live as long as the arena.
RAGGED_MUST_USE ragged_status ragged_axis_visit_names(ragged_arena *arena, const char *canonical,
                                                      void (*visit)(const char *name, void *user),
                                                      void *user);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_SCHEMA_AXIS_EXPRESSION_H
