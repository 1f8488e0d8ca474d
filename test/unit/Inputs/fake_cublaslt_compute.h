// The numbers of the fake cuBLASLt (fake_cublaslt_compute.c).
#ifndef FAKE_CUBLASLT_COMPUTE_H
#define FAKE_CUBLASLT_COMPUTE_H

#include "fake_cublaslt.h"

// Element `element` of an array of cudaDataType_t `type`.
double fake_cublaslt_load(int type, const void *at, uint64_t element);
// Work of the fake driver's stream: the product that the words are.
void fake_cublaslt_compute(const int64_t *words, int64_t num_words, unsigned blocks,
                           unsigned threads);

#endif  // FAKE_CUBLASLT_COMPUTE_H
