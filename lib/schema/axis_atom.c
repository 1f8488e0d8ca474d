// Canonical atoms: names, floordiv, max and min of canonical sums. Called by the axis parser.
// Each result must be a fixed point: read back from its text it gives the same sum.
#include <inttypes.h>
#include <string.h>

#include "schema/axis_sum.h"
#include "support/checked.h"
#include "support/string_buffer.h"

ragged_axis_sum ragged_axis_sum_of_name(const ragged_axis_context *context, const char *name,
                                        size_t length) {
  ragged_axis_atom *atom = RAGGED_ARENA_ARRAY(context->arena, ragged_axis_atom, 1);
  atom->kind = RAGGED_AXIS_NAME;
  atom->text = ragged_arena_copy_string(context->arena, name, length);
  return ragged_axis_sum_of_atom(context, atom);
}

int64_t ragged_axis_floor_divide(int64_t numerator, int64_t divisor) {
  int64_t quotient = numerator / divisor;
  return quotient - (numerator % divisor < 0);
}

// Makes the atom; its text must be within the limit, since outer expressions repeat it.
static ragged_status make_atom(const ragged_axis_context *context, ragged_axis_atom_kind kind,
                               int num_arguments, const ragged_axis_sum *arguments, int64_t divisor,
                               ragged_axis_sum *out) {
  ragged_axis_sum *copies = RAGGED_ARENA_ARRAY(context->arena, ragged_axis_sum, num_arguments);
  memcpy(copies, arguments, sizeof *copies * (size_t)num_arguments);
  ragged_string_buffer text = {0};
  ragged_status status = NULL;
  if (kind != RAGGED_AXIS_FLOORDIV)
    ragged_string_appendf(&text, "%s(", kind == RAGGED_AXIS_MAX ? "max" : "min");
  for (int k = 0; k < num_arguments; ++k) {
    const char *argument;
    status = ragged_axis_sum_text(context, &arguments[k], &argument);
    if (status) goto done;
    bool wrap = kind == RAGGED_AXIS_FLOORDIV && !ragged_axis_sum_only_atom(&arguments[k]);
    ragged_string_appendf(&text, wrap ? "%s(%s)" : "%s%s", k ? ", " : "", argument);
  }
  if (kind == RAGGED_AXIS_FLOORDIV)
    ragged_string_appendf(&text, " floordiv %" PRId64, divisor);
  else
    ragged_string_append(&text, ")", 1);
  if (text.length > RAGGED_AXIS_MAX_TEXT) {
    status =
        ragged_axis_fail(context, "it has a part of more than %d characters", RAGGED_AXIS_MAX_TEXT);
    goto done;
  }
  ragged_axis_atom *atom = RAGGED_ARENA_ARRAY(context->arena, ragged_axis_atom, 1);
  *atom =
      (ragged_axis_atom){.kind = kind,
                         .text = ragged_arena_copy_string(context->arena, text.data, text.length),
                         .num_arguments = num_arguments,
                         .arguments = copies,
                         .divisor = divisor};
  *out = ragged_axis_sum_of_atom(context, atom);
done:
  ragged_string_free(&text);
  return status;
}

// floor((q d + r) / d) = q + floor(r / d): adds the whole multiples q to `quotient` and leaves the
// remainder, whose coefficients and constant are in [0, divisor).
static ragged_status take_out_multiples(const ragged_axis_context *context,
                                        ragged_axis_sum *numerator, int64_t divisor,
                                        ragged_axis_builder *quotient) {
  ragged_axis_builder whole = {0}, rest = {0};
  for (int k = 0; k < numerator->num_terms; ++k) {
    const ragged_axis_term *term = &numerator->terms[k];
    int64_t q = ragged_axis_floor_divide(term->coefficient, divisor);
    RAGGED_RETURN_IF_ERROR(ragged_axis_builder_add_term(context, &whole, term, q));
    // In [0, divisor), by the modulus alone: the product q * divisor may not fit.
    int64_t r = term->coefficient % divisor;
    RAGGED_RETURN_IF_ERROR(
        ragged_axis_builder_add_term(context, &rest, term, r < 0 ? r + divisor : r));
  }
  whole.constant = ragged_axis_floor_divide(numerator->constant, divisor);
  int64_t r = numerator->constant % divisor;
  rest.constant = r < 0 ? r + divisor : r;
  ragged_axis_sum whole_sum = ragged_axis_builder_finish(context, &whole);
  *numerator = ragged_axis_builder_finish(context, &rest);
  return ragged_axis_builder_add(context, quotient, &whole_sum, 1);
}

static int64_t greatest_common_divisor(int64_t a, int64_t b) {
  while (b != 0) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// floor((g x + c) / (g e)) = floor((x + floor(c / g)) / e) for the g common to the divisor and all
// coefficients; all numbers are at least 0 here.
static ragged_status cancel_common_divisor(const ragged_axis_context *context,
                                           ragged_axis_sum *numerator, int64_t *divisor) {
  int64_t common = *divisor;
  for (int k = 0; k < numerator->num_terms; ++k)
    common = greatest_common_divisor(common, numerator->terms[k].coefficient);
  if (common == 1) return NULL;
  ragged_axis_builder builder = {.constant = numerator->constant / common};
  for (int k = 0; k < numerator->num_terms; ++k)
    RAGGED_RETURN_IF_ERROR(ragged_axis_builder_add_term(context, &builder, &numerator->terms[k],
                                                        numerator->terms[k].coefficient / common));
  *numerator = ragged_axis_builder_finish(context, &builder);
  *divisor /= common;
  return NULL;
}

// floor((floor(x / b) + p) / d) = floor((x + b p) / (b d)). Done when exactly one term of the
// numerator is a floordiv alone: with two of them the choice would be arbitrary.
static ragged_status fold_nested(const ragged_axis_context *context, ragged_axis_sum *numerator,
                                 int64_t *divisor, bool *out_folded) {
  const ragged_axis_term *found = NULL;
  int count = 0;
  *out_folded = false;
  for (int k = 0; k < numerator->num_terms; ++k) {
    const ragged_axis_term *term = &numerator->terms[k];
    if (term->coefficient != 1 || term->num_factors != 1 ||
        term->factors[0]->kind != RAGGED_AXIS_FLOORDIV)
      continue;
    found = term;
    ++count;
  }
  if (count != 1) return NULL;
  const ragged_axis_atom *inner = found->factors[0];
  ragged_axis_builder others = {0};
  RAGGED_RETURN_IF_ERROR(ragged_axis_builder_add(context, &others, numerator, 1));
  RAGGED_RETURN_IF_ERROR(ragged_axis_builder_add_term(context, &others, found, -1));
  ragged_axis_sum rest = ragged_axis_builder_finish(context, &others);
  RAGGED_RETURN_IF_ERROR(
      ragged_axis_sum_add(context, &inner->arguments[0], &rest, inner->divisor, numerator));
  if (!ragged_checked_multiply(*divisor, inner->divisor, divisor))
    return ragged_axis_overflow(context);
  *out_folded = true;
  return NULL;
}

ragged_status ragged_axis_sum_floordiv(const ragged_axis_context *context,
                                       const ragged_axis_sum *numerator, int64_t divisor,
                                       ragged_axis_sum *out) {
  ragged_axis_sum rest = *numerator;
  ragged_axis_builder quotient = {0};
  bool folded = true;
  // Each fold takes one floordiv out of the numerator, so this ends.
  while (folded) {
    RAGGED_RETURN_IF_ERROR(take_out_multiples(context, &rest, divisor, &quotient));
    RAGGED_RETURN_IF_ERROR(cancel_common_divisor(context, &rest, &divisor));
    RAGGED_RETURN_IF_ERROR(fold_nested(context, &rest, &divisor, &folded));
  }
  // What is left of a numerator without terms is a constant in [0, divisor): it gives 0.
  if (rest.num_terms > 0) {
    ragged_axis_sum atom;
    RAGGED_RETURN_IF_ERROR(make_atom(context, RAGGED_AXIS_FLOORDIV, 1, &rest, divisor, &atom));
    RAGGED_RETURN_IF_ERROR(ragged_axis_builder_add(context, &quotient, &atom, 1));
  }
  *out = ragged_axis_builder_finish(context, &quotient);
  return NULL;
}

typedef struct argument_list {
  int count;
  ragged_axis_sum sums[RAGGED_AXIS_MAX_ARGUMENTS];
} argument_list;

static bool same_terms(const ragged_axis_sum *a, const ragged_axis_sum *b) {
  if (a->num_terms != b->num_terms) return false;
  for (int k = 0; k < a->num_terms; ++k)
    if (a->terms[k].coefficient != b->terms[k].coefficient ||
        strcmp(a->terms[k].text, b->terms[k].text) != 0)
      return false;
  return true;
}

// Adds an argument, or decides it against one that differs from it by a constant only: this drops
// duplicates and folds constants.
static ragged_status add_argument(const ragged_axis_context *context, ragged_axis_atom_kind kind,
                                  argument_list *list, const ragged_axis_sum *argument) {
  for (int k = 0; k < list->count; ++k) {
    ragged_axis_sum *other = &list->sums[k];
    if (!same_terms(other, argument)) continue;
    if ((argument->constant > other->constant) == (kind == RAGGED_AXIS_MAX)) *other = *argument;
    return NULL;
  }
  if (list->count == RAGGED_AXIS_MAX_ARGUMENTS)
    return ragged_axis_fail(context, "it has a max or min of more than %d arguments",
                            RAGGED_AXIS_MAX_ARGUMENTS);
  list->sums[list->count++] = *argument;
  return NULL;
}

// Sorts by text, the constant (there is at most one) last.
static ragged_status sort_arguments(const ragged_axis_context *context, argument_list *list) {
  const char *texts[RAGGED_AXIS_MAX_ARGUMENTS];
  for (int k = 0; k < list->count; ++k) {
    ragged_axis_sum sum = list->sums[k];
    const char *text;
    RAGGED_RETURN_IF_ERROR(ragged_axis_sum_text(context, &sum, &text));
    int place = k;
    while (place > 0 && (list->sums[place - 1].num_terms == 0 ||
                         (sum.num_terms != 0 && strcmp(texts[place - 1], text) > 0))) {
      list->sums[place] = list->sums[place - 1];
      texts[place] = texts[place - 1];
      --place;
    }
    list->sums[place] = sum;
    texts[place] = text;
  }
  return NULL;
}

ragged_status ragged_axis_sum_extremum(const ragged_axis_context *context,
                                       ragged_axis_atom_kind kind, int count,
                                       const ragged_axis_sum *arguments, ragged_axis_sum *out) {
  argument_list list = {0};
  for (int k = 0; k < count; ++k) {
    const ragged_axis_atom *nested = ragged_axis_sum_only_atom(&arguments[k]);
    bool flatten = nested && nested->kind == kind;
    int inner_count = flatten ? nested->num_arguments : 1;
    const ragged_axis_sum *inner = flatten ? nested->arguments : &arguments[k];
    for (int j = 0; j < inner_count; ++j)
      RAGGED_RETURN_IF_ERROR(add_argument(context, kind, &list, &inner[j]));
  }
  if (list.count == 1) {
    *out = list.sums[0];
    return NULL;
  }
  RAGGED_RETURN_IF_ERROR(sort_arguments(context, &list));
  return make_atom(context, kind, list.count, list.sums, 0, out);
}
