// Reading canonical axis expressions into postfix steps, and running them. The grammar is that of
// schema/axis_expression.h; a text that is not read to its end leaves the program empty.
#include "axis_program.h"

#include <string.h>

#include "support/checked.h"

typedef struct reader {
  const char *at;
  ragged_rt_axis_program *program;
  int nesting;
} reader;

static bool read_sum(reader *r);

static void skip_spaces(reader *r) {
  while (*r->at == ' ') ++r->at;
}

static bool take(reader *r, const char *text) {
  size_t length = strlen(text);
  if (strncmp(r->at, text, length) != 0) return false;
  r->at += length;
  skip_spaces(r);
  return true;
}

static bool emit(reader *r, int kind, int64_t operand) {
  ragged_rt_axis_program *program = r->program;
  if (program->num_steps == RAGGED_RT_AXIS_MAX_STEPS) return false;
  ragged_rt_axis_step *step = &program->steps[program->num_steps++];
  step->kind = (unsigned)kind;
  step->operand = operand;
  return true;
}

static bool read_number(reader *r) {
  int64_t value = 0;
  for (; *r->at >= '0' && *r->at <= '9'; ++r->at)
    if (!ragged_checked_multiply(value, 10, &value) ||
        !ragged_checked_add(value, *r->at - '0', &value))
      return false;
  skip_spaces(r);
  return emit(r, RAGGED_RT_AXIS_CONSTANT, value);
}

static bool read_name(reader *r) {
  size_t length = strcspn(r->at, " ()+-*,");
  for (int k = 0; k < r->program->num_names; ++k) {
    const char *name = r->program->names[k];
    if (strlen(name) != length || memcmp(name, r->at, length) != 0) continue;
    r->at += length;
    skip_spaces(r);
    return emit(r, RAGGED_RT_AXIS_NAME, k);
  }
  return false;
}

static bool read_extremum(reader *r, int kind) {
  if (!read_sum(r)) return false;
  while (take(r, ","))
    if (!read_sum(r) || !emit(r, kind, 0)) return false;
  return take(r, ")");
}

static bool read_signed(reader *r) {
  if (take(r, "-"))
    return emit(r, RAGGED_RT_AXIS_CONSTANT, 0) && read_signed(r) &&
           emit(r, RAGGED_RT_AXIS_SUBTRACT, 0);
  if (take(r, "(")) return read_sum(r) && take(r, ")");
  if (take(r, "max(")) return read_extremum(r, RAGGED_RT_AXIS_MAX);
  if (take(r, "min(")) return read_extremum(r, RAGGED_RT_AXIS_MIN);
  return *r->at >= '0' && *r->at <= '9' ? read_number(r) : read_name(r);
}

static bool read_product(reader *r) {
  if (!read_signed(r)) return false;
  for (;;) {
    int kind;
    if (take(r, "*")) kind = RAGGED_RT_AXIS_MULTIPLY;
    else if (take(r, "floordiv ")) kind = RAGGED_RT_AXIS_FLOORDIV;
    else return true;
    if (!read_signed(r) || !emit(r, kind, 0)) return false;
  }
}

static bool read_sum(reader *r) {
  if (++r->nesting > RAGGED_RT_AXIS_MAX_STEPS || !read_product(r)) return false;
  for (;;) {
    int kind;
    if (take(r, "+")) kind = RAGGED_RT_AXIS_ADD;
    else if (take(r, "-")) kind = RAGGED_RT_AXIS_SUBTRACT;
    else break;
    if (!read_product(r) || !emit(r, kind, 0)) return false;
  }
  --r->nesting;
  return true;
}

void ragged_rt_axis_compile(ragged_rt_axis_program *program, const char *canonical, int num_names,
                            const char *const *names) {
  program->canonical = canonical;
  program->num_names = num_names;
  program->names = names;
  program->num_steps = 0;
  reader r = {canonical, program, 0};
  if (!read_sum(&r) || *r.at) program->num_steps = 0;
}

// False where the answer is an error's.
static bool apply(int kind, int64_t a, int64_t b, int64_t *out) {
  switch (kind) {
    case RAGGED_RT_AXIS_ADD:
      return !__builtin_add_overflow(a, b, out);
    case RAGGED_RT_AXIS_SUBTRACT:
      return !__builtin_sub_overflow(a, b, out);
    case RAGGED_RT_AXIS_MULTIPLY:
      return !__builtin_mul_overflow(a, b, out);
    case RAGGED_RT_AXIS_FLOORDIV:
      if (b <= 0) return false;
      *out = a / b - (a % b < 0);
      return true;
    case RAGGED_RT_AXIS_MAX:
      *out = a > b ? a : b;
      return true;
    default:
      *out = a < b ? a : b;
      return true;
  }
}

static bool run_steps(const ragged_rt_axis_program *program, const int64_t *values, int64_t *out) {
  int64_t stack[RAGGED_RT_AXIS_MAX_STEPS];
  int top = 0;
  for (int k = 0; k < program->num_steps; ++k) {
    const ragged_rt_axis_step *step = &program->steps[k];
    if (step->kind == RAGGED_RT_AXIS_CONSTANT) {
      stack[top++] = step->operand;
    } else if (step->kind == RAGGED_RT_AXIS_NAME) {
      stack[top++] = values[step->operand];
    } else {
      --top;
      if (!apply((int)step->kind, stack[top - 1], stack[top], &stack[top - 1])) return false;
    }
  }
  if (top != 1 || stack[0] < 0) return false;
  *out = stack[0];
  return true;
}

ragged_status ragged_rt_axis_run(const ragged_rt_axis_program *program, const int64_t *values,
                                 int64_t *out_value) {
  if (program->num_steps && run_steps(program, values, out_value)) return NULL;
  return ragged_axis_evaluate(program->canonical, program->num_names, program->names, values,
                              out_value);
}

// ---- Bounds --------------------------------------------------------------------------------------

typedef struct interval {
  int64_t low, high;
} interval;

static int64_t saturate(int kind, int64_t a, int64_t b) {
  int64_t result;
  bool negative = kind == RAGGED_RT_AXIS_MULTIPLY ? (a < 0) != (b < 0) : a < 0;
  if (apply(kind, a, b, &result)) return result;
  return negative ? INT64_MIN : INT64_MAX;
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static interval apply_intervals(int kind, interval a, interval b) {
  if (kind == RAGGED_RT_AXIS_ADD || kind == RAGGED_RT_AXIS_MAX || kind == RAGGED_RT_AXIS_MIN)
    return (interval){saturate(kind, a.low, b.low), saturate(kind, a.high, b.high)};
  if (kind == RAGGED_RT_AXIS_SUBTRACT)
    return (interval){saturate(kind, a.low, b.high), saturate(kind, a.high, b.low)};
  // A divisor is positive. Products and quotients are largest and smallest at corners.
  if (kind == RAGGED_RT_AXIS_FLOORDIV)
    b = (interval){larger(b.low, 1), larger(b.high, 1)};
  int64_t corners[] = {saturate(kind, a.low, b.low), saturate(kind, a.low, b.high),
                       saturate(kind, a.high, b.low), saturate(kind, a.high, b.high)};
  interval result = {corners[0], corners[0]};
  for (int k = 1; k < 4; ++k) {
    result.low = smaller(result.low, corners[k]);
    result.high = larger(result.high, corners[k]);
  }
  return result;
}

int64_t ragged_rt_axis_bound(const ragged_rt_axis_program *program, const int64_t *bounds) {
  interval stack[RAGGED_RT_AXIS_MAX_STEPS];
  int top = 0;
  for (int k = 0; k < program->num_steps; ++k) {
    const ragged_rt_axis_step *step = &program->steps[k];
    if (step->kind == RAGGED_RT_AXIS_CONSTANT) {
      stack[top++] = (interval){step->operand, step->operand};
    } else if (step->kind == RAGGED_RT_AXIS_NAME) {
      stack[top++] = (interval){0, bounds[step->operand]};
    } else {
      --top;
      stack[top - 1] = apply_intervals((int)step->kind, stack[top - 1], stack[top]);
    }
  }
  return larger(stack[0].high, 0);
}
