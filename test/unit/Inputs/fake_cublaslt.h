// What tests tell the fake cuBLASLt and ask it (fake_cublaslt.c). One thread.
#ifndef FAKE_CUBLASLT_H
#define FAKE_CUBLASLT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FAKE_CUBLASLT_MAX_CANDIDATES = 8, FAKE_CUBLASLT_MAX_PRODUCTS = 256 };

// An algorithm that is offered: for how many rows it is accepted, with how much workspace.
typedef struct fake_cublaslt_candidate {
  uint64_t min_rows, max_rows;
  size_t workspace_bytes;
  int state;  // of the heuristic's result
} fake_cublaslt_candidate;

typedef struct fake_cublaslt_settings {
  int version[3];
  int num_candidates;  // 1, which accepts all
  fake_cublaslt_candidate candidates[FAKE_CUBLASLT_MAX_CANDIDATES];
  bool computes;       // false: products are recorded only
} fake_cublaslt_settings;
fake_cublaslt_settings *fake_cublaslt_get_settings(void);
// Settings, records and failures as at the start. What is live stays.
void fake_cublaslt_reset(void);

// The n-th call from now (0: the next) gives `status` and does nothing, except for calls that end
// something: those do it all the same. Once; n < 0: none.
void fake_cublaslt_fail_call(long n, int status);
const char *fake_cublaslt_failed_call(void);  // which it was; null: none yet

// The last question for an algorithm.
typedef struct fake_cublaslt_question {
  uint64_t rows, max_workspace;
  uint32_t reductions, alignment[4];
  const void *bias;
} fake_cublaslt_question;
int fake_cublaslt_num_questions(void);
const fake_cublaslt_question *fake_cublaslt_last_question(void);

// Products asked for, in that order. `rows` times `weight` transposed, as this project says it, or times
// `weight` itself where that is `transposed`.
typedef struct fake_cublaslt_product {
  int type, compute, scale_type, candidate;
  uint32_t epilogue;
  uint64_t k, n, num_rows;
  bool transposed;
  double alpha, beta;
  const void *weight, *rows, *residual, *bias;
  void *result, *stream;
} fake_cublaslt_product;
int fake_cublaslt_num_products(void);
const fake_cublaslt_product *fake_cublaslt_get_product(int k);

int fake_cublaslt_num_live(void);         // handles, descriptions, layouts, preferences
const char *fake_cublaslt_mistake(void);  // the first wrong use of the library; null: none

#endif  // FAKE_CUBLASLT_H
