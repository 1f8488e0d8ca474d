// Minimum cuts of random graphs against all ways of cutting them.
#include "passes/grad/min_cut.h"

#include "unit_test.h"

enum { MAX_NODES = 8, MAX_EDGES = 24 };

typedef struct edge {
  int from, to;
  int64_t price;
} edge;

static uint64_t state = 1;
static int draw(int below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int)((state >> 33) % (uint64_t)below);
}

// What it costs to have the nodes of `sink_side` behind the cut; -1 where that takes an unlimited edge.
static int64_t price_of(const edge *edges, int count, unsigned sink_side) {
  int64_t sum = 0;
  for (int e = 0; e < count; ++e) {
    if (sink_side >> edges[e].from & 1 || !(sink_side >> edges[e].to & 1)) continue;
    if (edges[e].price == RAGGED_MIN_CUT_UNLIMITED) return -1;
    sum += edges[e].price;
  }
  return sum;
}

static int count_bits(unsigned set) {
  int count = 0;
  for (; set; set &= set - 1) ++count;
  return count;
}

// Node 0 is the source, the last one the sink.
static void check_graph(int nodes, const edge *edges, int count) {
  ragged_arena arena = {0};
  unsigned sink = 1u << (nodes - 1), best_set = 0, found = 0;
  int64_t best = -1;
  for (unsigned set = sink; set < 2 * sink; set += 2) {  // without the source
    int64_t price = price_of(edges, count, set);
    if (price < 0 || (best >= 0 && price > best)) continue;
    if (price != best || count_bits(set) < count_bits(best_set)) best_set = set;
    best = price;
  }
  if (best < 0) return;  // the caller's promise is broken
  ragged_min_cut graph = ragged_min_cut_make(&arena, nodes);
  for (int e = 0; e < count; ++e) ragged_min_cut_add(&graph, edges[e].from, edges[e].to, edges[e].price);
  const bool *behind = ragged_min_cut_run(&graph, 0, nodes - 1);
  for (int n = 0; n < nodes; ++n) found |= (unsigned)behind[n] << n;
  CHECK(!(found & 1) && (found & sink));
  CHECK_INT(price_of(edges, count, found), best);
  CHECK_INT(found, best_set);  // the smallest set behind a cheapest cut is one only
  ragged_arena_free(&arena);
}

static void test_random_graphs(void) {
  for (int round = 0; round < 4000; ++round) {
    int nodes = 2 + draw(MAX_NODES - 1), count = draw(MAX_EDGES + 1);
    edge edges[MAX_EDGES];
    for (int e = 0; e < count; ++e) {
      edges[e] = (edge){draw(nodes), draw(nodes), 1 + draw(9)};
      if (draw(4) == 0) edges[e].price = RAGGED_MIN_CUT_UNLIMITED;
      if (draw(8) == 0) edges[e].price = INT64_C(1) << 55;
    }
    check_graph(nodes, edges, count);
  }
}

static void test_without_edges(void) { check_graph(2, NULL, 0); }

int main(void) {
  test_random_graphs();
  test_without_edges();
  return unit_test_finish();
}
