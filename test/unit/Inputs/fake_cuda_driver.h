// What tests tell the fake CUDA driver and ask it (fake_cuda_driver.c). One thread.
#ifndef FAKE_CUDA_DRIVER_H
#define FAKE_CUDA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Runs when the stream gets to the launch. `words`: the parameter buffer.
typedef void (*fake_cuda_kernel)(const int64_t *words, int64_t num_words, unsigned blocks,
                                 unsigned threads);

typedef struct fake_cuda_settings {
  int num_devices, major, minor, num_multiprocessors, max_shared_bytes;
  int resident_per_multiprocessor, static_shared_bytes;
  size_t memory_bytes;  // allocations beyond that: out of memory
} fake_cuda_settings;
fake_cuda_settings *fake_cuda_get_settings(void);
// Settings, history, counts, kernels and errors as at the start. What is live stays.
void fake_cuda_reset(void);
void fake_cuda_add_kernel(const char *name, fake_cuda_kernel kernel);

// The n-th call from now (0: the next) gives `result` and does nothing, except for calls that end
// or wait for something: those do it all the same. Once; n < 0: none.
void fake_cuda_fail_call(long n, int result);
const char *fake_cuda_failed_call(void);  // which it was; null: none yet
// From within a kernel: an error that every later call gives, as after an illegal access.
void fake_cuda_raise(int result);

// What the runtime asked the stream for, in that order.
typedef enum fake_cuda_kind {
  FAKE_CUDA_UPLOAD,
  FAKE_CUDA_DOWNLOAD,
  FAKE_CUDA_COPY,
  FAKE_CUDA_FILL,
  FAKE_CUDA_RECORD,
  FAKE_CUDA_LAUNCH,
  FAKE_CUDA_LIBRARY,  // of a library that uses the driver
} fake_cuda_kind;
enum { FAKE_CUDA_MAX_WORDS = 16 };
typedef struct fake_cuda_operation {
  fake_cuda_kind kind;
  void *stream;
  size_t bytes;  // of a copy or fill; of a launch's parameters
  const char *kernel;
  unsigned grid[3], block[3], shared_bytes;
  int64_t words[FAKE_CUDA_MAX_WORDS];  // the first of the parameters
} fake_cuda_operation;
int fake_cuda_num_operations(void);
const fake_cuda_operation *fake_cuda_get_operation(int k);
const fake_cuda_operation *fake_cuda_last_launch(void);  // null: none

int fake_cuda_num_loads(void);         // of modules
const char *fake_cuda_last_image(void);
int fake_cuda_shared_attribute(void);  // the last value that a function was given; 0: none
int fake_cuda_num_waits(void);         // of the host for a stream
int fake_cuda_num_live(void);          // allocations, streams, events, modules, retained contexts
const char *fake_cuda_mistake(void);   // the first wrong use of the driver; null: none
void fake_cuda_forget_mistake(void);   // one that the test made itself

// What a library does on a stream: `work` runs with a copy of the words when the stream gets there.
void fake_cuda_enqueue(void *stream, fake_cuda_kernel work, const int64_t *words,
                       int64_t num_words);

// Memory of the device has addresses that nobody can read by mistake. Null: not of the device.
void *fake_cuda_host_address(const void *device_pointer);
// A stream of the embedder's, of the primary context or another one.
void *fake_cuda_make_stream(bool of_primary_context);
void fake_cuda_end_stream(void *stream);

// ---- Graphs, as an embedder makes them ------------------------------------------------------------
// While a stream is captured its work is recorded. What the driver then refuses (waiting, loading,
// memory unless the thread is relaxed, uploads of memory that is not pinned) gives error 900, is a
// mistake, and invalidates the capture. Freeing memory that a graph uses is a mistake.

typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphExec_st *CUgraphExec;
struct CUstream_st;
int cuStreamBeginCapture_v2(struct CUstream_st *stream, int mode);
int cuStreamEndCapture(struct CUstream_st *stream, CUgraph *out);
int cuGraphInstantiateWithFlags(CUgraphExec *out, CUgraph graph, unsigned long long flags);
int cuGraphLaunch(CUgraphExec executable, struct CUstream_st *stream);
int cuGraphExecDestroy(CUgraphExec executable);
int cuGraphDestroy(CUgraph graph);
int cuStreamSynchronize(struct CUstream_st *stream);
int fake_cuda_graph_nodes(const void *graph, fake_cuda_kind kind);

#endif  // FAKE_CUDA_DRIVER_H
