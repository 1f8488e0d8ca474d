// The public face of axis expressions: canonical text, evaluation, substitution, names. Called by
// types, rules, the runtime's callers and the interpreter. Holds no syntax and no algebra of its
// own; scratch memory ends with each call, only results go to the caller's arena.
#include "schema/axis_expression.h"

#include <string.h>

#include "schema/axis_sum.h"
#include "support/checked.h"

bool ragged_axis_is_name(const char *text) {
  size_t length = ragged_axis_word_length(text);
  return length > 0 && length <= RAGGED_AXIS_MAX_TEXT && text[length] == '\0' &&
         !ragged_axis_is_reserved(text, length);
}

// Parses context->source with `names` and stores its text in `arena`. A result that could not be
// read back or that is no ragged axis is refused here, once for all callers.
static ragged_status canonicalize_with(const ragged_axis_context *context, ragged_axis_names *names,
                                       ragged_arena *arena, const char **out_canonical) {
  ragged_axis_sum sum;
  const char *text;
  RAGGED_RETURN_IF_ERROR(ragged_axis_parse(context, names, &sum));
  if (sum.num_terms == 0)
    return ragged_axis_fail(context, "it is %lld for every sample, expected an axis that varies",
                            (long long)sum.constant);
  RAGGED_RETURN_IF_ERROR(ragged_axis_sum_text(context, &sum, &text));
  // Canonical form can add parentheses: `2 * h floordiv 2` inside a sum becomes a product.
  int nesting = 0;
  for (const char *c = text; *c; ++c) {
    nesting += (*c == '(') - (*c == ')');
    if (nesting > RAGGED_AXIS_MAX_NESTING)
      return ragged_axis_fail(context, "its canonical form is nested more than %d deep",
                              RAGGED_AXIS_MAX_NESTING);
  }
  *out_canonical = ragged_arena_copy_string(arena, text, strlen(text));
  return NULL;
}

ragged_status ragged_axis_canonicalize(ragged_arena *arena, const char *text,
                                       const char **out_canonical) {
  ragged_arena scratch = {0};
  ragged_axis_context context = {.arena = &scratch, .source = text};
  ragged_axis_names names = {0};
  ragged_status status = canonicalize_with(&context, &names, arena, out_canonical);
  ragged_arena_free(&scratch);
  return status;
}

// Extents of names during an evaluation.
typedef struct assignment {
  int count;
  const char *const *names;
  const int64_t *values;
} assignment;

static ragged_status evaluate_sum(const ragged_axis_context *context, const assignment *assigned,
                                  const ragged_axis_sum *sum, int64_t *out);

static ragged_status evaluate_atom(const ragged_axis_context *context, const assignment *assigned,
                                   const ragged_axis_atom *atom, int64_t *out) {
  if (atom->kind == RAGGED_AXIS_NAME) {
    for (int k = 0; k < assigned->count; ++k) {
      if (strcmp(assigned->names[k], atom->text) != 0) continue;
      *out = assigned->values[k];
      return NULL;
    }
    return ragged_axis_fail(context, "its name %.80s has no extent here", atom->text);
  }
  RAGGED_RETURN_IF_ERROR(evaluate_sum(context, assigned, &atom->arguments[0], out));
  if (atom->kind == RAGGED_AXIS_FLOORDIV) {
    *out = ragged_axis_floor_divide(*out, atom->divisor);
    return NULL;
  }
  for (int k = 1; k < atom->num_arguments; ++k) {
    int64_t value;
    RAGGED_RETURN_IF_ERROR(evaluate_sum(context, assigned, &atom->arguments[k], &value));
    if ((value > *out) == (atom->kind == RAGGED_AXIS_MAX)) *out = value;
  }
  return NULL;
}

// Depth is bounded, since the text that the sum was read from has limited length.
static ragged_status evaluate_sum(const ragged_axis_context *context, const assignment *assigned,
                                  const ragged_axis_sum *sum, int64_t *out) {
  int64_t total = sum->constant;
  for (int k = 0; k < sum->num_terms; ++k) {
    const ragged_axis_term *term = &sum->terms[k];
    int64_t product = term->coefficient;
    for (int j = 0; j < term->num_factors; ++j) {
      int64_t value;
      RAGGED_RETURN_IF_ERROR(evaluate_atom(context, assigned, term->factors[j], &value));
      if (!ragged_checked_multiply(product, value, &product)) return ragged_axis_overflow(context);
    }
    if (!ragged_checked_add(total, product, &total)) return ragged_axis_overflow(context);
  }
  *out = total;
  return NULL;
}

static ragged_status evaluate_with(const ragged_axis_context *context, const assignment *assigned,
                                   int64_t *out) {
  ragged_axis_names names = {0};
  ragged_axis_sum sum;
  int64_t value;
  RAGGED_RETURN_IF_ERROR(ragged_axis_parse(context, &names, &sum));
  RAGGED_RETURN_IF_ERROR(evaluate_sum(context, assigned, &sum, &value));
  if (value < 0)
    return ragged_axis_fail(context, "it is %lld here, expected 0 or more", (long long)value);
  *out = value;
  return NULL;
}

ragged_status ragged_axis_evaluate(const char *canonical, int num_names, const char *const *names,
                                   const int64_t *values, int64_t *out_value) {
  ragged_arena scratch = {0};
  ragged_axis_context context = {.arena = &scratch, .source = canonical};
  assignment assigned = {.count = num_names, .names = names, .values = values};
  ragged_status status = evaluate_with(&context, &assigned, out_value);
  ragged_arena_free(&scratch);
  return status;
}

static ragged_status substitute_with(const ragged_axis_context *context, int num_names,
                                     const char *const *from, const char *const *to,
                                     ragged_arena *arena, const char **out_canonical) {
  ragged_axis_sum *sums = RAGGED_ARENA_ARRAY(context->arena, ragged_axis_sum, num_names);
  for (int k = 0; k < num_names; ++k) {
    ragged_axis_context other = {.arena = context->arena, .source = to[k]};
    ragged_axis_names plain = {0};
    RAGGED_RETURN_IF_ERROR(ragged_axis_parse(&other, &plain, &sums[k]));
  }
  ragged_axis_names names = {.num_replaced = num_names, .from = from, .to = sums};
  return canonicalize_with(context, &names, arena, out_canonical);
}

ragged_status ragged_axis_substitute(ragged_arena *arena, const char *canonical, int num_names,
                                     const char *const *from, const char *const *to,
                                     const char **out_canonical) {
  ragged_arena scratch = {0};
  ragged_axis_context context = {.arena = &scratch, .source = canonical};
  ragged_status status = substitute_with(&context, num_names, from, to, arena, out_canonical);
  ragged_arena_free(&scratch);
  return status;
}

ragged_status ragged_axis_visit_names(ragged_arena *arena, const char *canonical,
                                      void (*visit)(const char *name, void *user), void *user) {
  // Names go to the caller's arena: `visit` may keep them.
  ragged_axis_context context = {.arena = arena, .source = canonical};
  ragged_axis_names names = {0};
  ragged_axis_sum sum;
  RAGGED_RETURN_IF_ERROR(ragged_axis_parse(&context, &names, &sum));
  for (int k = 0; k < names.num_seen; ++k) visit(names.seen[k], user);
  return NULL;
}
