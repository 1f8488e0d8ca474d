// The block's dense products alone: its lower bound in time. oneDNN called directly, nothing else
// computed, operands of a block of rows that stay in cache, one caller per OpenMP thread.
#ifndef RAGGED_BENCH_PRODUCTS_H
#define RAGGED_BENCH_PRODUCTS_H

#include "block.h"
#include "library_product.h"

// Rows that the products have: residues of X and of Z (those of X once more where there is no Z), and
// pairs.
typedef struct ragged_bench_product_rows {
  int64_t x, z, pairs;
} ragged_bench_product_rows;

// X U^T, Z V^T, the transition's two products, and G's.
typedef enum ragged_bench_product_name {
  kBenchProductU,
  kBenchProductV,
  kBenchProductW1,
  kBenchProductW2,
  kBenchProductG,
  kBenchProducts
} ragged_bench_product_name;

typedef struct ragged_bench_products ragged_bench_products;

// Makes each product for blocks of 256, 512, 1024, 2048 and 4096 rows. Ends with destroy (null is
// allowed).
RAGGED_MUST_USE ragged_status ragged_bench_products_create(ragged_bench_library *library,
                                                           const ragged_bench_weights *weights,
                                                           const ragged_bench_product_rows *rows,
                                                           ragged_bench_products **out);
void ragged_bench_products_destroy(ragged_bench_products *products);

// Runs each product with each block size, and again with the best so far.
RAGGED_MUST_USE ragged_status ragged_bench_products_measure(ragged_bench_products *products);
// The sum of the best times so far, each product with the block size that serves it best.
double ragged_bench_products_seconds(const ragged_bench_products *products);
int64_t ragged_bench_products_block_rows(const ragged_bench_products *products,
                                         ragged_bench_product_name name);
double ragged_bench_products_operations(const ragged_bench_products *products);  // 2 per mul + add

#endif  // RAGGED_BENCH_PRODUCTS_H
