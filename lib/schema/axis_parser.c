// Recursive descent over axis expressions, straight into canonical sums.
//   sum     := product (('+' | '-') product)*
//   product := signed ('*' signed | 'floordiv' signed)*      from the left
//   signed  := '-'* (number | name | '(' sum ')' | ('max' | 'min') '(' sum (',' sum)* ')')
// Called by axis_expression.c. Must survive any text: nesting is limited, errors say where.
#include <string.h>

#include "schema/axis_sum.h"
#include "support/checked.h"

typedef struct parser {
  const ragged_axis_context *context;
  ragged_axis_names *names;
  const char *at;  // next character of the source, never a space
  int nesting;
} parser;

static ragged_status parse_sum(parser *p, ragged_axis_sum *out);

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

size_t ragged_axis_word_length(const char *text) {
  if (!is_letter(text[0])) return 0;
  size_t length = 1;
  while (is_letter(text[length]) || is_digit(text[length]) || text[length] == '.' ||
         text[length] == '$')
    ++length;
  return length;
}

static bool word_is(const char *word, size_t length, const char *expected) {
  return strlen(expected) == length && memcmp(word, expected, length) == 0;
}

bool ragged_axis_is_reserved(const char *word, size_t length) {
  static const char *const reserved[] = {"floordiv", "max",   "min",  "mod",  "ceildiv",
                                         "batch",    "order", "true", "false"};
  for (size_t k = 0; k < sizeof reserved / sizeof *reserved; ++k)
    if (word_is(word, length, reserved[k])) return true;
  return false;
}

static void skip(parser *p, size_t length) {
  p->at += length;
  while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r') ++p->at;
}

static bool take(parser *p, char c) {
  if (*p->at != c) return false;
  skip(p, 1);
  return true;
}

// Says what stands at the parser's place instead of what was expected.
static ragged_status fail_expected(const parser *p, const char *expected) {
  if (!*p->at) return ragged_axis_fail(p->context, "expected %s at the end", expected);
  size_t length = ragged_axis_word_length(p->at);
  if (length > 40) length = 40;
  unsigned char c = (unsigned char)*p->at;
  int character = (int)(p->at - p->context->source) + 1;
  if (length == 0 && (c < 32 || c > 126))
    return ragged_axis_fail(p->context, "found byte 0x%02x at character %d, expected %s", c,
                            character, expected);
  return ragged_axis_fail(p->context, "found \"%.*s\" at character %d, expected %s",
                          length ? (int)length : 1, p->at, character, expected);
}

static ragged_status enter(parser *p) {
  if (++p->nesting > RAGGED_AXIS_MAX_NESTING)
    return ragged_axis_fail(p->context, "it is nested more than %d deep", RAGGED_AXIS_MAX_NESTING);
  return NULL;
}

static ragged_status leave(parser *p) {
  --p->nesting;
  return take(p, ')') ? NULL : fail_expected(p, "\")\"");
}

static ragged_status parse_number(parser *p, ragged_axis_sum *out) {
  int64_t value = 0;
  size_t length = 0;
  for (; is_digit(p->at[length]); ++length)
    if (!ragged_checked_multiply(value, 10, &value) ||
        !ragged_checked_add(value, p->at[length] - '0', &value))
      return ragged_axis_overflow(p->context);
  skip(p, length);
  *out = ragged_axis_sum_of_constant(value);
  return NULL;
}

static ragged_status parse_extremum(parser *p, ragged_axis_atom_kind kind, ragged_axis_sum *out) {
  skip(p, 3);
  if (!take(p, '(')) return fail_expected(p, "\"(\"");
  RAGGED_RETURN_IF_ERROR(enter(p));
  // Two at a time, not all at once: the arguments then need no storage, and since nested ones are
  // flattened the result is the same.
  ragged_axis_sum pair[2];
  RAGGED_RETURN_IF_ERROR(parse_sum(p, &pair[0]));
  while (take(p, ',')) {
    RAGGED_RETURN_IF_ERROR(parse_sum(p, &pair[1]));
    RAGGED_RETURN_IF_ERROR(ragged_axis_sum_extremum(p->context, kind, 2, pair, &pair[0]));
  }
  *out = pair[0];
  return leave(p);
}

// Keeps the name among those seen.
static void remember_name(parser *p, const char *name, size_t length) {
  ragged_axis_names *names = p->names;
  for (int k = 0; k < names->num_seen; ++k)
    if (word_is(name, length, names->seen[k])) return;
  if (names->num_seen == names->capacity) {
    int capacity = names->capacity ? names->capacity * 2 : 8;
    const char **seen = RAGGED_ARENA_ARRAY(p->context->arena, const char *, capacity);
    if (names->num_seen) memcpy(seen, names->seen, sizeof *seen * (size_t)names->num_seen);
    names->seen = seen;
    names->capacity = capacity;
  }
  names->seen[names->num_seen++] = ragged_arena_copy_string(p->context->arena, name, length);
}

static ragged_status parse_name(parser *p, size_t length, ragged_axis_sum *out) {
  const char *word = p->at;
  if (word_is(word, length, "max")) return parse_extremum(p, RAGGED_AXIS_MAX, out);
  if (word_is(word, length, "min")) return parse_extremum(p, RAGGED_AXIS_MIN, out);
  if (ragged_axis_is_reserved(word, length))
    return fail_expected(p, "a name (this word is reserved)");
  skip(p, length);
  remember_name(p, word, length);
  for (int k = 0; k < p->names->num_replaced; ++k) {
    if (!word_is(word, length, p->names->from[k])) continue;
    *out = p->names->to[k];
    return NULL;
  }
  *out = ragged_axis_sum_of_name(p->context, word, length);
  return NULL;
}

static ragged_status parse_signed(parser *p, ragged_axis_sum *out) {
  bool negative = false;
  while (take(p, '-')) negative = !negative;
  size_t word = ragged_axis_word_length(p->at);
  if (is_digit(*p->at)) {
    RAGGED_RETURN_IF_ERROR(parse_number(p, out));
  } else if (word) {
    RAGGED_RETURN_IF_ERROR(parse_name(p, word, out));
  } else if (take(p, '(')) {
    RAGGED_RETURN_IF_ERROR(enter(p));
    RAGGED_RETURN_IF_ERROR(parse_sum(p, out));
    RAGGED_RETURN_IF_ERROR(leave(p));
  } else {
    return fail_expected(p, "a name, a number or \"(\"");
  }
  if (!negative) return NULL;
  ragged_axis_sum zero = ragged_axis_sum_of_constant(0);
  return ragged_axis_sum_add(p->context, &zero, out, -1, out);
}

static ragged_status parse_product(parser *p, ragged_axis_sum *out) {
  ragged_axis_sum right;
  RAGGED_RETURN_IF_ERROR(parse_signed(p, out));
  for (;;) {
    size_t word = ragged_axis_word_length(p->at);
    if (take(p, '*')) {
      RAGGED_RETURN_IF_ERROR(parse_signed(p, &right));
      RAGGED_RETURN_IF_ERROR(ragged_axis_sum_multiply(p->context, out, &right, out));
    } else if (word_is(p->at, word, "floordiv")) {
      skip(p, word);
      RAGGED_RETURN_IF_ERROR(parse_signed(p, &right));
      if (right.num_terms != 0)
        return ragged_axis_fail(p->context, "it has a floordiv by an axis, expected a number");
      if (right.constant <= 0)
        return ragged_axis_fail(p->context, "it has a floordiv by %lld, expected 1 or more",
                                (long long)right.constant);
      RAGGED_RETURN_IF_ERROR(ragged_axis_sum_floordiv(p->context, out, right.constant, out));
    } else {
      return NULL;
    }
  }
}

static ragged_status parse_sum(parser *p, ragged_axis_sum *out) {
  ragged_axis_sum right;
  RAGGED_RETURN_IF_ERROR(parse_product(p, out));
  for (;;) {
    bool plus = *p->at == '+';
    if (!plus && *p->at != '-') return NULL;
    skip(p, 1);
    RAGGED_RETURN_IF_ERROR(parse_product(p, &right));
    RAGGED_RETURN_IF_ERROR(ragged_axis_sum_add(p->context, out, &right, plus ? 1 : -1, out));
  }
}

ragged_status ragged_axis_parse(const ragged_axis_context *context, ragged_axis_names *names,
                                ragged_axis_sum *out) {
  parser p = {.context = context, .names = names, .at = context->source};
  if (strlen(context->source) > RAGGED_AXIS_MAX_TEXT)
    return ragged_axis_fail(context, "it has more than %d characters", RAGGED_AXIS_MAX_TEXT);
  skip(&p, 0);
  RAGGED_RETURN_IF_ERROR(parse_sum(&p, out));
  return *p.at ? fail_expected(&p, "an operator or the end") : NULL;
}
