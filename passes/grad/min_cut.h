// The cheapest set of edges whose removal separates the source of a directed graph from its sink.
// Method: augmenting paths of least length (Edmonds and Karp, 1972). Used by keep.c.
#ifndef RAGGED_PASSES_GRAD_MIN_CUT_H
#define RAGGED_PASSES_GRAD_MIN_CUT_H

#include <stdbool.h>
#include <stdint.h>

#include "support/arena.h"

#define RAGGED_MIN_CUT_UNLIMITED INT64_MAX  // never cut

typedef struct ragged_min_cut {
  ragged_arena *arena;
  int num_nodes, num_edges, capacity;
  struct ragged_min_cut_edge {
    int to, next;   // next edge of the same node; -1: none
    int64_t left;   // what may still flow
  } *edges;         // edge 2k and its reverse 2k + 1
  int *first;       // by node; -1: none
} ragged_min_cut;

ragged_min_cut ragged_min_cut_make(ragged_arena *arena, int num_nodes);
// `price` > 0.
void ragged_min_cut_add(ragged_min_cut *graph, int from, int to, int64_t price);
// By node: whether it lies behind the cut, on the sink's side. Of several cheapest cuts the one nearest
// to the sink. There is one: not every path from source to sink is unlimited. In the arena.
const bool *ragged_min_cut_run(ragged_min_cut *graph, int source, int sink);

#endif  // RAGGED_PASSES_GRAD_MIN_CUT_H
