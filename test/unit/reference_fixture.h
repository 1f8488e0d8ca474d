// What the tests of the reference interpreter share: a context with the dialects, running a module
// given as text, and short ways to make and check values.
#ifndef RAGGED_TEST_REFERENCE_FIXTURE_H
#define RAGGED_TEST_REFERENCE_FIXTURE_H

#include <math.h>

#include "dialect/glue/glue.h"
#include "dialect/type_schema.h"
#include "ir/build.h"
#include "mlir-c/Dialect/Arith.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/Dialect/SCF.h"
#include "mlir-c/Dialect/Tensor.h"
#include "reference/reference.h"
#include "unit_test.h"

typedef struct reference_fixture {
  MlirContext context;
  ragged_reference_options options;
} reference_fixture;

static inline reference_fixture reference_fixture_make(void) {
  reference_fixture fixture = {mlirContextCreate(), {0}};
  mlirDialectHandleRegisterDialect(mlirGetDialectHandle__arith__(), fixture.context);
  mlirDialectHandleRegisterDialect(mlirGetDialectHandle__func__(), fixture.context);
  mlirDialectHandleRegisterDialect(mlirGetDialectHandle__scf__(), fixture.context);
  mlirDialectHandleRegisterDialect(mlirGetDialectHandle__tensor__(), fixture.context);
  mlirDialectHandleRegisterDialect(mlirGetDialectHandle__ragged__(), fixture.context);
  mlirContextLoadAllAvailableDialects(fixture.context);
  return fixture;
}

static inline void reference_fixture_free(reference_fixture *fixture) {
  mlirContextDestroy(fixture->context);
}

// Runs @f of the module. A module that does not parse is a failed check.
static inline ragged_status reference_fixture_run(const reference_fixture *fixture, const char *text,
                                                  int num_arguments,
                                                  const ragged_reference_value *arguments,
                                                  int num_results, ragged_reference_value *results) {
  MlirModule module = mlirModuleCreateParse(fixture->context, mlirStringRefCreateFromCString(text));
  if (!CHECK(!mlirModuleIsNull(module))) {
    printf("module:\n%s\n", text);
    return ragged_status_make(RAGGED_STATUS_INTERNAL, "the test's module does not parse");
  }
  MlirOperation function = ragged_module_lookup(mlirModuleGetOperation(module), "f");
  ragged_status status = ragged_reference_run(function, &fixture->options, num_arguments, arguments,
                                              num_results, results);
  mlirModuleDestroy(module);
  return status;
}

static inline bool reference_check_ok(ragged_status status, const char *file, int line) {
  bool passed = unit_test_check_string(ragged_status_message(status), "", "status", file, line);
  ragged_status_free(status);
  return passed;
}
#define CHECK_OK(status) reference_check_ok((status), __FILE__, __LINE__)

static inline void reference_check_error(ragged_status status, ragged_status_code code,
                                         const char *part, const char *file, int line) {
  unit_test_check_int((int64_t)ragged_status_get_code(status), (int64_t)code, part, file, line);
  unit_test_check_contains(ragged_status_message(status), part, "status", file, line);
  ragged_status_free(status);
}
#define CHECK_ERROR(status, code, part) \
  reference_check_error((status), RAGGED_STATUS_##code, (part), __FILE__, __LINE__)

// A ragged value of a type given as text; `extents` is batch x rank, `values` as packed for f64 and
// i64 (8 bytes an element), other types as from_packed takes them.
static inline ragged_reference_value reference_ragged(const reference_fixture *fixture,
                                                      const char *type, int64_t batch,
                                                      const int64_t *extents, int64_t rows,
                                                      const void *values) {
  ragged_schema schema;
  ragged_reference_value value = {0};
  int64_t columns[RAGGED_MAX_RANK][16];
  const int64_t *pointers[RAGGED_MAX_RANK];
  if (!CHECK(ragged_type_get_schema(ragged_type_parse(fixture->context, type), &schema)))
    return value;
  for (int d = 0; d < schema.rank; ++d) {
    for (int64_t i = 0; i < batch; ++i) columns[d][i] = extents[i * schema.rank + d];
    pointers[d] = columns[d];
  }
  CHECK_OK(ragged_reference_from_packed(&schema, batch, pointers, rows, values, &value));
  return value;
}

#define EXTENTS(...) ((const int64_t[]){__VA_ARGS__})
#define REALS(...) ((const double[]){__VA_ARGS__})
#define INTEGERS(...) ((const int64_t[]){__VA_ARGS__})

static inline ragged_reference_value reference_dense(ragged_element_type type, int rank,
                                                     const int64_t *shape, const void *contents) {
  ragged_reference_value value = {0};
  CHECK_OK(ragged_reference_from_dense(type, rank, shape, contents, &value));
  return value;
}

// Numbers in logical order, sample after sample; zeros with their sign.
static inline void reference_check_reals(const ragged_reference_value *value, int64_t count,
                                         const double *expected, double tolerance, const char *text,
                                         const char *file, int line) {
  unit_test_check_int(value->starts ? ragged_reference_num_elements(value) : -1, count, text, file,
                      line);
  if (!value->starts || ragged_reference_num_elements(value) != count) return;
  for (int64_t k = 0; k < count; ++k) {
    double got = value->numbers[k].real, scale = fmax(1, fabs(expected[k]));
    unit_test_check_double(got, expected[k], isinf(scale) ? 0 : tolerance * scale, text, file, line);
    if (expected[k] == 0 && got == 0)
      unit_test_check(!signbit(got) == !signbit(expected[k]), "sign of zero", file, line);
  }
}
#define CHECK_REALS_WITHIN(value, tolerance, ...)                                               \
  reference_check_reals(&(value), (int64_t)(sizeof REALS(__VA_ARGS__) / sizeof(double)),        \
                        REALS(__VA_ARGS__), (tolerance), #value, __FILE__, __LINE__)
#define CHECK_REALS(value, ...) CHECK_REALS_WITHIN(value, 0, __VA_ARGS__)

static inline void reference_check_integers(const ragged_reference_value *value, int64_t count,
                                            const int64_t *expected, const char *text,
                                            const char *file, int line) {
  unit_test_check_int(value->starts ? ragged_reference_num_elements(value) : -1, count, text, file,
                      line);
  if (!value->starts || ragged_reference_num_elements(value) != count) return;
  for (int64_t k = 0; k < count; ++k)
    unit_test_check_int(value->numbers[k].integer, expected[k], text, file, line);
}
#define CHECK_INTEGERS(value, ...)                                                              \
  reference_check_integers(&(value), (int64_t)(sizeof INTEGERS(__VA_ARGS__) / sizeof(int64_t)), \
                           INTEGERS(__VA_ARGS__), #value, __FILE__, __LINE__)

static inline void reference_free_all(int count, ragged_reference_value *values) {
  for (int k = 0; k < count; ++k) ragged_reference_value_free(&values[k]);
}

#endif  // RAGGED_TEST_REFERENCE_FIXTURE_H
