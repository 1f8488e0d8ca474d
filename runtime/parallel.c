// The parallel loop of a launch: chunks of `grain` items handed out dynamically to OpenMP threads,
// each with its own scratch. Chunk boundaries depend on the grain alone, so results do not depend on
// the number of threads.
#include <omp.h>

#include "device.h"

static int64_t num_chunks(int64_t items, int64_t grain) {
  return items <= 0 ? 0 : (items - 1) / grain + 1;
}

static void run_chunk(const ragged_rt_launch *launch, int64_t chunk, void *scratch) {
  int64_t first = chunk * launch->grain;
  int64_t left = launch->items - first;
  launch->kernel(launch->slots, first, first + (left < launch->grain ? left : launch->grain),
                 scratch);
}

int ragged_rt_parallel_workers(int64_t items, int64_t grain, int num_threads) {
  int64_t chunks = num_chunks(items, grain);
  return chunks < num_threads ? (chunks > 0 ? (int)chunks : 1) : num_threads;
}

void ragged_rt_parallel_launch(const ragged_rt_launch *launch) {
  int64_t chunks = num_chunks(launch->items, launch->grain);
  int workers = ragged_rt_parallel_workers(launch->items, launch->grain, launch->num_threads);
  if (workers == 1) {
    for (int64_t chunk = 0; chunk < chunks; ++chunk) run_chunk(launch, chunk, launch->scratch);
    return;
  }
#pragma omp parallel num_threads(workers)
  {
    char *scratch = launch->scratch;
    if (scratch) scratch += omp_get_thread_num() * launch->scratch_stride;
#pragma omp for schedule(dynamic, 1) nowait
    for (int64_t chunk = 0; chunk < chunks; ++chunk) run_chunk(launch, chunk, scratch);
  }
}
