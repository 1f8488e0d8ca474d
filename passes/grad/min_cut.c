// See min_cut.h.
#include "passes/grad/min_cut.h"

ragged_min_cut ragged_min_cut_make(ragged_arena *arena, int num_nodes) {
  ragged_min_cut graph = {.arena = arena, .num_nodes = num_nodes};
  graph.first = RAGGED_ARENA_ARRAY(arena, int, num_nodes);
  for (int n = 0; n < num_nodes; ++n) graph.first[n] = -1;
  return graph;
}

static void add_half(ragged_min_cut *graph, int from, int to, int64_t left) {
  graph->edges = ragged_arena_grow(graph->arena, graph->edges, graph->num_edges, &graph->capacity,
                                   sizeof *graph->edges);
  graph->edges[graph->num_edges] =
      (struct ragged_min_cut_edge){.to = to, .next = graph->first[from], .left = left};
  graph->first[from] = graph->num_edges++;
}

void ragged_min_cut_add(ragged_min_cut *graph, int from, int to, int64_t price) {
  add_half(graph, from, to, price);
  add_half(graph, to, from, 0);
}

// The edges by which a search from the source came to each node, -1 elsewhere; whether it came to the
// sink.
static bool search(const ragged_min_cut *graph, int source, int sink, int *arrived, int *queue) {
  int head = 0, tail = 0;
  for (int n = 0; n < graph->num_nodes; ++n) arrived[n] = -1;
  queue[tail++] = source;
  while (head < tail) {
    int node = queue[head++];
    for (int e = graph->first[node]; e >= 0; e = graph->edges[e].next) {
      int to = graph->edges[e].to;
      if (graph->edges[e].left == 0 || to == source || arrived[to] >= 0) continue;
      arrived[to] = e;
      if (to == sink) return true;
      queue[tail++] = to;
    }
  }
  return false;
}

static void augment(ragged_min_cut *graph, int source, int sink, const int *arrived) {
  int64_t flow = RAGGED_MIN_CUT_UNLIMITED;
  for (int node = sink; node != source; node = graph->edges[arrived[node] ^ 1].to)
    if (graph->edges[arrived[node]].left < flow) flow = graph->edges[arrived[node]].left;
  for (int node = sink; node != source; node = graph->edges[arrived[node] ^ 1].to) {
    struct ragged_min_cut_edge *edge = &graph->edges[arrived[node]];
    struct ragged_min_cut_edge *back = &graph->edges[arrived[node] ^ 1];
    if (edge->left != RAGGED_MIN_CUT_UNLIMITED) edge->left -= flow;
    back->left = back->left > RAGGED_MIN_CUT_UNLIMITED - flow ? RAGGED_MIN_CUT_UNLIMITED
                                                              : back->left + flow;
  }
}

const bool *ragged_min_cut_run(ragged_min_cut *graph, int source, int sink) {
  int *arrived = RAGGED_ARENA_ARRAY(graph->arena, int, graph->num_nodes);
  int *queue = RAGGED_ARENA_ARRAY(graph->arena, int, graph->num_nodes);
  bool *behind = RAGGED_ARENA_ARRAY(graph->arena, bool, graph->num_nodes);
  while (search(graph, source, sink, arrived, queue)) augment(graph, source, sink, arrived);
  // Nodes from which something may still flow to the sink: backwards along edges with room.
  int head = 0, tail = 0;
  behind[sink] = true;
  queue[tail++] = sink;
  while (head < tail) {
    int node = queue[head++];
    for (int e = graph->first[node]; e >= 0; e = graph->edges[e].next) {
      int from = graph->edges[e].to;
      if (behind[from] || graph->edges[e ^ 1].left == 0) continue;
      behind[from] = true;
      queue[tail++] = from;
    }
  }
  return behind;
}
