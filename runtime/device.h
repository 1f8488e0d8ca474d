// What a device does for the runtime. Each kind of device embeds ragged_rt_device as the first
// member of its own struct and fills a table of functions; device.c lists the kinds. A device is
// made with its context and ends with it. Memory comes from `allocate` only through allocator.c.
// All functions are called from the thread that uses the context.
#ifndef RAGGED_RT_DEVICE_H
#define RAGGED_RT_DEVICE_H

#include "frame.h"

typedef struct ragged_rt_memory ragged_rt_memory;      // allocator.h
typedef struct ragged_rt_observer ragged_rt_observer;  // observe.h

// One host kernel over `items` items in chunks of `grain`. Worker w has `scratch_stride` bytes at
// scratch + w * scratch_stride.
typedef struct ragged_rt_launch {
  ragged_rt_kernel_function kernel;
  const int64_t *slots;
  int64_t items, grain;
  void *scratch;
  int64_t scratch_stride;
  int num_threads;
} ragged_rt_launch;

// One kernel of a kernel module over a one-dimensional grid.
typedef struct ragged_rt_grid {
  const ragged_rt_kernel_module *module;
  const char *kernel;
  int64_t items, blocks, threads;  // threads: of one block
  int64_t shared_bytes;            // dynamic shared memory of one block
  const int64_t *parameters;       // 64-bit words as the kernel takes them
  int64_t num_parameters;
  int64_t bytes, flops;            // of the whole launch, for statistics and the trace
  int64_t call;                    // number of the context's call: what a module's pointer held in
                                   // an earlier one may have ended
} ragged_rt_grid;

#define RAGGED_RT_MAX_BLOCKS ((int64_t)INT32_MAX)

// One dense product in the place of a kernel (kernels.h: ragged_rt_plain_product). The pointers are
// the device's; bias and residual are null where the shape has none.
typedef struct ragged_rt_product_launch {
  const struct ragged_rt_product_shape *shape;  // product.h; element_type is that in memory
  int64_t num_rows;                             // 1 or more
  const void *rows, *weight, *bias, *residual;
  void *result;
} ragged_rt_product_launch;

// The most that a device's kernel reads or writes at once (GPU_ACCESS_BYTES in lib/lower/gpu).
#define RAGGED_RT_ACCESS_BYTES 16

typedef struct ragged_rt_device {
  const struct ragged_rt_device_table *table;
} ragged_rt_device;

typedef struct ragged_rt_device_table {
  const char *name;
  bool is_host;     // host code may read its memory; nothing is asynchronous
  bool keeps_freed; // the context's cache may keep freed blocks; else each goes back at once
  int dlpack_type;  // DLDeviceType of its memory; 0: DLPack has none
  void (*destroy)(ragged_rt_device *self);  // nothing of it is live
  // Aligned to 64. RESOURCE_EXHAUSTED when there is none.
  ragged_status (*allocate)(ragged_rt_device *self, size_t bytes, void **out);
  void (*free)(ragged_rt_device *self, void *pointer, size_t bytes);  // waits for its last use
  // In the order of the device's stream. `from_host` may be reused on return.
  ragged_status (*upload)(ragged_rt_device *self, void *to, const void *from_host, size_t bytes);
  // Returns when the data is there.
  ragged_status (*download)(ragged_rt_device *self, void *to_host, const void *from, size_t bytes);
  ragged_status (*copy)(ragged_rt_device *self, void *to, const void *from, size_t bytes);
  ragged_status (*fill)(ragged_rt_device *self, void *to, int byte, size_t bytes);
  // Host kernels; only where is_host.
  void (*launch)(ragged_rt_device *self, const ragged_rt_launch *launch);
  // Kernels of kernel modules; null where there are none. launch_grid reports to the observer, when
  // that observes (ragged_rt_observe_launch): at once, or when report_times asks for it.
  // *out: how many blocks of `grid` (whose `blocks` is not set yet) run at once on the whole
  // device.
  ragged_status (*resident_blocks)(ragged_rt_device *self, const ragged_rt_grid *grid,
                                   int64_t *out);
  ragged_status (*launch_grid)(ragged_rt_device *self, const ragged_rt_grid *grid);
  // A product by a library of the device. *out_done false: it has none that does this one; nothing
  // happened. Null: it has no library.
  ragged_status (*launch_product)(ragged_rt_device *self, const ragged_rt_product_launch *launch,
                                  bool *out_done);
  // What that library is, "generated" where none is loaded. Null: as launch_product.
  const char *(*product_library)(const ragged_rt_device *self);
  void (*report_times)(ragged_rt_device *self);  // waits for them; null: nothing is ever left
  // As ragged_rt_context_device_counts. Null: the device counts nothing.
  int (*counts)(const ragged_rt_device *self, int capacity, ragged_rt_device_counts *out);
  // *out: the stream is being captured for a graph: nothing may be loaded, uploaded or waited for, and
  // `allocate` still works. Null: there is no stream of the embedder's to capture.
  ragged_status (*capturing)(ragged_rt_device *self, bool *out);
  // Waits for all that was asked for. Gives the first error that no other function could give.
  ragged_status (*synchronise)(ragged_rt_device *self);
  // Prepares a dense product: chooses what runs it, packs the weight (product.h). Null: none.
  ragged_status (*product)(ragged_rt_product *product, ragged_rt_tensor *weight,
                           ragged_rt_tensor *bias, int64_t panel);
} ragged_rt_device_table;

// Who computes dense products: the faster of the two, a library wherever it can, the compiler's code.
typedef enum ragged_rt_products {
  RAGGED_RT_PRODUCTS_AUTO,
  RAGGED_RT_PRODUCTS_LIBRARY,
  RAGGED_RT_PRODUCTS_GENERATED,
} ragged_rt_products;

// What a device is made with. Strings need not outlive its making.
typedef struct ragged_rt_device_options {
  ragged_rt_memory *memory;      // for metadata; it and the observer outlive the device
  ragged_rt_observer *observer;
  void *stream;                  // the embedder's; null: the device's own
  int device_index;
  const char *cuda_driver;       // path or name of the driver's library
  ragged_rt_products products;
  const char *cublaslt;          // path or name of the library; null: the usual names
  bool tf32;                     // f32 products of a library may round their factors to it
} ragged_rt_device_options;

// A device of `kind`. UNAVAILABLE when there is none.
RAGGED_MUST_USE ragged_status ragged_rt_device_create(const char *kind,
                                                      const ragged_rt_device_options *options,
                                                      ragged_rt_device **out_device);
// Each kind's own, called by ragged_rt_device_create.
RAGGED_MUST_USE ragged_status ragged_rt_device_create_host(const ragged_rt_device_options *options,
                                                           ragged_rt_device **out_device);
RAGGED_MUST_USE ragged_status ragged_rt_device_create_cuda(const ragged_rt_device_options *options,
                                                           ragged_rt_device **out_device);
RAGGED_MUST_USE ragged_status ragged_rt_device_create_emulated(
    const ragged_rt_device_options *options, ragged_rt_device **out_device);

// How many workers a launch of `items` in chunks of `grain` uses at most.
int ragged_rt_parallel_workers(int64_t items, int64_t grain, int num_threads);
// The host's launch: an OpenMP loop over chunks, or a plain one where one thread is enough.
void ragged_rt_parallel_launch(const ragged_rt_launch *launch);

#endif  // RAGGED_RT_DEVICE_H
