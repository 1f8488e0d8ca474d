// Canonical sums: adding, multiplying, printing. Called by the axis parser and by axis_atom.c.
// Keeps terms sorted by text and merged; must report overflow, never wrap.
#include "schema/axis_sum.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "support/checked.h"
#include "support/string_buffer.h"

ragged_status ragged_axis_fail(const ragged_axis_context *context, const char *format, ...) {
  ragged_arena scratch = {0};
  va_list arguments;
  va_start(arguments, format);
  const char *what = ragged_arena_vformat(&scratch, format, arguments);
  va_end(arguments);
  bool cut = strlen(context->source) > 80;
  ragged_status status =
      ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "axis expression \"%.80s%s\": %s",
                         context->source, cut ? "..." : "", what);
  ragged_arena_free(&scratch);
  return status;
}

ragged_status ragged_axis_overflow(const ragged_axis_context *context) {
  return ragged_axis_fail(context, "a number in it does not fit 64 bits");
}

// INT64_MIN counts as overflow: its magnitude is no literal, so its text could not be read back.
static bool add_to(int64_t *target, int64_t value) {
  return ragged_checked_add(*target, value, target) && *target != INT64_MIN;
}

ragged_status ragged_axis_builder_add_term(const ragged_axis_context *context,
                                           ragged_axis_builder *builder,
                                           const ragged_axis_term *term, int64_t coefficient) {
  if (coefficient == 0) return NULL;
  int k = 0, comparison = 1;
  while (k < builder->num_terms && (comparison = strcmp(builder->terms[k].text, term->text)) < 0)
    ++k;
  ragged_axis_term *place = &builder->terms[k];
  size_t behind = (size_t)(builder->num_terms - k) * sizeof *place;
  if (k < builder->num_terms && comparison == 0) {
    if (!add_to(&place->coefficient, coefficient)) return ragged_axis_overflow(context);
    if (place->coefficient != 0) return NULL;
    memmove(place, place + 1, behind - sizeof *place);
    --builder->num_terms;
    return NULL;
  }
  if (coefficient == INT64_MIN) return ragged_axis_overflow(context);
  if (builder->num_terms == RAGGED_AXIS_MAX_TERMS)
    return ragged_axis_fail(context, "it has more than %d terms", RAGGED_AXIS_MAX_TERMS);
  memmove(place + 1, place, behind);
  *place = *term;
  place->coefficient = coefficient;
  ++builder->num_terms;
  return NULL;
}

ragged_status ragged_axis_builder_add(const ragged_axis_context *context,
                                      ragged_axis_builder *builder, const ragged_axis_sum *sum,
                                      int64_t scale) {
  for (int k = 0; k < sum->num_terms; ++k) {
    int64_t coefficient;
    if (!ragged_checked_multiply(sum->terms[k].coefficient, scale, &coefficient))
      return ragged_axis_overflow(context);
    RAGGED_RETURN_IF_ERROR(
        ragged_axis_builder_add_term(context, builder, &sum->terms[k], coefficient));
  }
  int64_t constant;
  if (!ragged_checked_multiply(sum->constant, scale, &constant) ||
      !add_to(&builder->constant, constant))
    return ragged_axis_overflow(context);
  return NULL;
}

ragged_axis_sum ragged_axis_builder_finish(const ragged_axis_context *context,
                                           const ragged_axis_builder *builder) {
  ragged_axis_sum sum = {.num_terms = builder->num_terms, .constant = builder->constant};
  if (sum.num_terms == 0) return sum;
  ragged_axis_term *terms = RAGGED_ARENA_ARRAY(context->arena, ragged_axis_term, sum.num_terms);
  memcpy(terms, builder->terms, sizeof *terms * (size_t)sum.num_terms);
  sum.terms = terms;
  return sum;
}

ragged_axis_sum ragged_axis_sum_of_constant(int64_t value) {
  return (ragged_axis_sum){.constant = value};
}

ragged_axis_sum ragged_axis_sum_of_atom(const ragged_axis_context *context,
                                        const ragged_axis_atom *atom) {
  const ragged_axis_atom **factors =
      RAGGED_ARENA_ARRAY(context->arena, const ragged_axis_atom *, 1);
  ragged_axis_term *term = RAGGED_ARENA_ARRAY(context->arena, ragged_axis_term, 1);
  factors[0] = atom;
  *term = (ragged_axis_term){
      .coefficient = 1, .num_factors = 1, .factors = factors, .text = atom->text};
  return (ragged_axis_sum){.num_terms = 1, .terms = term};
}

const ragged_axis_atom *ragged_axis_sum_only_atom(const ragged_axis_sum *sum) {
  if (sum->num_terms != 1 || sum->constant != 0) return NULL;
  const ragged_axis_term *term = &sum->terms[0];
  return term->coefficient == 1 && term->num_factors == 1 ? term->factors[0] : NULL;
}

ragged_status ragged_axis_sum_add(const ragged_axis_context *context, const ragged_axis_sum *a,
                                  const ragged_axis_sum *b, int64_t scale, ragged_axis_sum *out) {
  ragged_axis_builder builder = {0};
  RAGGED_RETURN_IF_ERROR(ragged_axis_builder_add(context, &builder, a, 1));
  RAGGED_RETURN_IF_ERROR(ragged_axis_builder_add(context, &builder, b, scale));
  *out = ragged_axis_builder_finish(context, &builder);
  return NULL;
}

// A factor as it stands inside a product. floordiv binds as tightly as `*` and from the left, so
// it needs parentheses there to mean the same wherever it stands.
static void append_factor(ragged_string_buffer *buffer, const ragged_axis_atom *atom) {
  bool wrap = atom->kind == RAGGED_AXIS_FLOORDIV;
  ragged_string_appendf(buffer, wrap ? "(%s)" : "%s", atom->text);
}

// The product of two terms, coefficients left out.
static ragged_status multiply_terms(const ragged_axis_context *context, const ragged_axis_term *a,
                                    const ragged_axis_term *b, ragged_axis_term *out) {
  int count = a->num_factors + b->num_factors;
  if (count > RAGGED_AXIS_MAX_FACTORS)
    return ragged_axis_fail(context, "it has a product of more than %d factors",
                            RAGGED_AXIS_MAX_FACTORS);
  const ragged_axis_atom **factors =
      RAGGED_ARENA_ARRAY(context->arena, const ragged_axis_atom *, count);
  ragged_string_buffer buffer = {0};
  for (int i = 0, j = 0; i + j < count;) {
    bool take_a = j == b->num_factors ||
                  (i < a->num_factors && strcmp(a->factors[i]->text, b->factors[j]->text) <= 0);
    int k = i + j;
    factors[k] = take_a ? a->factors[i++] : b->factors[j++];
    if (k) ragged_string_append(&buffer, " * ", 3);
    append_factor(&buffer, factors[k]);
  }
  ragged_status status = NULL;
  if (buffer.length > RAGGED_AXIS_MAX_TEXT)
    status = ragged_axis_fail(context, "it has a product of more than %d characters",
                              RAGGED_AXIS_MAX_TEXT);
  else
    *out = (ragged_axis_term){
        .num_factors = count,
        .factors = factors,
        .text = ragged_arena_copy_string(context->arena, buffer.data, buffer.length)};
  ragged_string_free(&buffer);
  return status;
}

ragged_status ragged_axis_sum_multiply(const ragged_axis_context *context, const ragged_axis_sum *a,
                                       const ragged_axis_sum *b, ragged_axis_sum *out) {
  ragged_axis_builder builder = {0};
  // (A + ca) * (B + cb) = A * B + cb * A + ca * B + ca * cb; the last is in one of the others.
  ragged_axis_sum a_terms = {.num_terms = a->num_terms, .terms = a->terms};
  RAGGED_RETURN_IF_ERROR(ragged_axis_builder_add(context, &builder, &a_terms, b->constant));
  RAGGED_RETURN_IF_ERROR(ragged_axis_builder_add(context, &builder, b, a->constant));
  for (int i = 0; i < a->num_terms; ++i)
    for (int j = 0; j < b->num_terms; ++j) {
      ragged_axis_term product;
      int64_t coefficient;
      if (!ragged_checked_multiply(a->terms[i].coefficient, b->terms[j].coefficient, &coefficient))
        return ragged_axis_overflow(context);
      RAGGED_RETURN_IF_ERROR(multiply_terms(context, &a->terms[i], &b->terms[j], &product));
      RAGGED_RETURN_IF_ERROR(
          ragged_axis_builder_add_term(context, &builder, &product, coefficient));
    }
  *out = ragged_axis_builder_finish(context, &builder);
  return NULL;
}

static void append_term(ragged_string_buffer *buffer, const ragged_axis_term *term, bool first) {
  bool negative = term->coefficient < 0;
  int64_t magnitude = negative ? -term->coefficient : term->coefficient;
  if (first)
    ragged_string_appendf(buffer, "%s", negative ? "-" : "");
  else
    ragged_string_appendf(buffer, "%s", negative ? " - " : " + ");
  if (magnitude != 1) ragged_string_appendf(buffer, "%" PRId64 " * ", magnitude);
  // `-h floordiv 2` divides -h, so a leading minus needs the parentheses of a product too.
  bool is_factor = magnitude != 1 || (first && negative);
  if (is_factor && term->num_factors == 1)
    append_factor(buffer, term->factors[0]);
  else
    ragged_string_appendf(buffer, "%s", term->text);
}

ragged_status ragged_axis_sum_text(const ragged_axis_context *context, const ragged_axis_sum *sum,
                                   const char **out_text) {
  ragged_string_buffer buffer = {0};
  for (int k = 0; k < sum->num_terms; ++k) append_term(&buffer, &sum->terms[k], k == 0);
  if (sum->num_terms == 0)
    ragged_string_appendf(&buffer, "%" PRId64, sum->constant);
  else if (sum->constant > 0)
    ragged_string_appendf(&buffer, " + %" PRId64, sum->constant);
  else if (sum->constant < 0)
    ragged_string_appendf(&buffer, " - %" PRId64, -sum->constant);
  ragged_status status = NULL;
  if (buffer.length > RAGGED_AXIS_MAX_TEXT)
    status = ragged_axis_fail(context, "its canonical form has more than %d characters",
                              RAGGED_AXIS_MAX_TEXT);
  else
    *out_text = ragged_arena_copy_string(context->arena, buffer.data, buffer.length);
  ragged_string_free(&buffer);
  return status;
}
