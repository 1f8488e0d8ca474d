// Inside of axis_expression.h: axes as polynomials in canonical form. A sum holds integer multiples
// of products of atoms; every operation gives a canonical sum, so equal sums have equal texts.
// Used by the axis_*.c files only. All memory is the context's arena and nothing is changed after
// it was made, so sums share their parts.
#ifndef RAGGED_SCHEMA_AXIS_SUM_H
#define RAGGED_SCHEMA_AXIS_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/arena.h"
#include "support/status.h"

// Limits that no real axis meets; they bound time, memory and recursion on hostile input, where
// products multiply the number of terms and nesting multiplies the length of the text.
enum {
  RAGGED_AXIS_MAX_TEXT = 4096,    // characters of a source text and of a canonical text
  RAGGED_AXIS_MAX_NESTING = 64,   // open parentheses
  RAGGED_AXIS_MAX_TERMS = 64,     // of one sum
  RAGGED_AXIS_MAX_FACTORS = 16,   // of one term
  RAGGED_AXIS_MAX_ARGUMENTS = 64  // of one max or min, nested ones counted in
};

typedef struct ragged_axis_context {
  ragged_arena *arena;
  const char *source;  // the text that messages quote
} ragged_axis_context;

struct ragged_axis_sum;

typedef enum ragged_axis_atom_kind {
  RAGGED_AXIS_NAME,
  RAGGED_AXIS_FLOORDIV,
  RAGGED_AXIS_MAX,
  RAGGED_AXIS_MIN
} ragged_axis_atom_kind;

typedef struct ragged_axis_atom {
  ragged_axis_atom_kind kind;
  const char *text;  // canonical; of a floordiv without parentheses around it
  int num_arguments;
  const struct ragged_axis_sum *arguments;  // of max and min; a floordiv's only one is divided
  int64_t divisor;                          // of a floordiv, at least 2
} ragged_axis_atom;

typedef struct ragged_axis_term {
  int64_t coefficient;  // never 0, never INT64_MIN (whose magnitude could not be read back)
  int num_factors;      // at least 1
  const ragged_axis_atom *const *factors;  // sorted by text
  const char *text;                        // without the coefficient
} ragged_axis_term;

typedef struct ragged_axis_sum {
  int num_terms;
  const ragged_axis_term *terms;  // sorted by text, texts distinct
  int64_t constant;
} ragged_axis_sum;

// A sum under construction, on the stack.
typedef struct ragged_axis_builder {
  int num_terms;
  int64_t constant;
  ragged_axis_term terms[RAGGED_AXIS_MAX_TERMS];
} ragged_axis_builder;

// axis_sum.c: arithmetic.

// INVALID_ARGUMENT with the source text in front.
RAGGED_MUST_USE RAGGED_PRINTF(2, 3) ragged_status
    ragged_axis_fail(const ragged_axis_context *context, const char *format, ...);
RAGGED_MUST_USE ragged_status ragged_axis_overflow(const ragged_axis_context *context);

// builder += scale * sum.
RAGGED_MUST_USE ragged_status ragged_axis_builder_add(const ragged_axis_context *context,
                                                      ragged_axis_builder *builder,
                                                      const ragged_axis_sum *sum, int64_t scale);
// builder += coefficient * (the factors of `term`); the term's own coefficient is not looked at.
RAGGED_MUST_USE ragged_status ragged_axis_builder_add_term(const ragged_axis_context *context,
                                                           ragged_axis_builder *builder,
                                                           const ragged_axis_term *term,
                                                           int64_t coefficient);
ragged_axis_sum ragged_axis_builder_finish(const ragged_axis_context *context,
                                           const ragged_axis_builder *builder);

ragged_axis_sum ragged_axis_sum_of_constant(int64_t value);
ragged_axis_sum ragged_axis_sum_of_atom(const ragged_axis_context *context,
                                        const ragged_axis_atom *atom);
// The atom when the sum is that atom alone (coefficient 1, no constant), else null.
const ragged_axis_atom *ragged_axis_sum_only_atom(const ragged_axis_sum *sum);
// *out = a + scale * b.
RAGGED_MUST_USE ragged_status ragged_axis_sum_add(const ragged_axis_context *context,
                                                  const ragged_axis_sum *a,
                                                  const ragged_axis_sum *b, int64_t scale,
                                                  ragged_axis_sum *out);
RAGGED_MUST_USE ragged_status ragged_axis_sum_multiply(const ragged_axis_context *context,
                                                       const ragged_axis_sum *a,
                                                       const ragged_axis_sum *b,
                                                       ragged_axis_sum *out);
RAGGED_MUST_USE ragged_status ragged_axis_sum_text(const ragged_axis_context *context,
                                                   const ragged_axis_sum *sum,
                                                   const char **out_text);

// axis_atom.c: names, floordiv, max and min.

ragged_axis_sum ragged_axis_sum_of_name(const ragged_axis_context *context, const char *name,
                                        size_t length);
RAGGED_MUST_USE ragged_status ragged_axis_sum_floordiv(const ragged_axis_context *context,
                                                       const ragged_axis_sum *numerator,
                                                       int64_t divisor, ragged_axis_sum *out);
// `kind` is RAGGED_AXIS_MAX or RAGGED_AXIS_MIN; 1 <= count <= RAGGED_AXIS_MAX_ARGUMENTS.
RAGGED_MUST_USE ragged_status ragged_axis_sum_extremum(const ragged_axis_context *context,
                                                       ragged_axis_atom_kind kind, int count,
                                                       const ragged_axis_sum *arguments,
                                                       ragged_axis_sum *out);
// Rounds towards minus infinity; divisor > 0.
int64_t ragged_axis_floor_divide(int64_t numerator, int64_t divisor);

// axis_parser.c.

// Names found in a text and what stands for them. Each name of `from` becomes the sum in `to`;
// other names stand for themselves. `seen` gets the distinct names in order of first appearance.
typedef struct ragged_axis_names {
  int num_replaced;
  const char *const *from;
  const ragged_axis_sum *to;
  int num_seen, capacity;
  const char **seen;
} ragged_axis_names;

RAGGED_MUST_USE ragged_status ragged_axis_parse(const ragged_axis_context *context,
                                                ragged_axis_names *names, ragged_axis_sum *out);
// The length of the name-like word at the start of `text`, 0 if there is none.
size_t ragged_axis_word_length(const char *text);
bool ragged_axis_is_reserved(const char *word, size_t length);

#endif  // RAGGED_SCHEMA_AXIS_SUM_H
