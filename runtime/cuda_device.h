// The CUDA device as its files (cuda_*.c) see it: the driver's functions, loaded at run time, and
// what belongs to one context of ours: one stream, pinned memory for uploads, loaded modules,
// events.
#ifndef RAGGED_RT_CUDA_DEVICE_H
#define RAGGED_RT_CUDA_DEVICE_H

#include "allocator.h"
#include "cuda_abi.h"
#include "cuda_product.h"
#include "observe.h"

typedef struct ragged_rt_cuda_driver {
  void *handle;  // of dlopen
#define F(symbol, parameters) CUresult(*symbol) parameters;
  RAGGED_CUDA_FUNCTIONS(F)
#undef F
} ragged_rt_cuda_driver;

enum { RAGGED_RT_CUDA_STAGES = 4 };

// A part of the pinned memory that uploads go through.
typedef struct ragged_rt_cuda_stage {
  size_t used;
  CUevent left;   // after the last copy from it; null until it was full once
  bool is_left;   // `left` was recorded since it was used last
} ragged_rt_cuda_stage;

typedef struct ragged_rt_cuda_timing {
  CUevent start, stop;  // kept for the next launch in this place
  char *name;           // metadata
  int64_t items, bytes, flops;
} ragged_rt_cuda_timing;

typedef struct ragged_rt_cuda_module ragged_rt_cuda_module;  // cuda_module.c

struct ragged_rt_cuda_device {
  ragged_rt_device device;
  ragged_rt_memory *memory;
  ragged_rt_observer *observer;
  ragged_rt_cuda_driver driver;
  CUdevice handle;
  char name[128];
  int chip;  // 90: compute capability 9.0
  int num_multiprocessors, max_shared_bytes;
  CUcontext context;  // the primary one; null until it is retained
  bool entered;       // ragged_rt_cuda_enter had to make the context current
  CUstream stream;
  bool owns_stream;
  ragged_status kept;  // the first error of a function that returns none
  char *staging;       // null until the first upload
  ragged_rt_cuda_stage stages[RAGGED_RT_CUDA_STAGES];
  int stage;           // the one in use
  ragged_rt_cuda_module *modules;  // the one used last is first
  int num_modules;
  ragged_rt_cuda_timing *timings;
  int64_t num_timings, num_event_pairs, timings_capacity;
  CUevent anchor;       // an event ...
  int64_t anchor_time;  // ... and when it happened on the observer's clock
  ragged_rt_cuda_products products;
};

// cuda_driver.c. UNAVAILABLE "no CUDA driver found: <why>".
RAGGED_MUST_USE ragged_status ragged_rt_cuda_load(const char *library,
                                                  ragged_rt_cuda_driver *driver);
void ragged_rt_cuda_unload(ragged_rt_cuda_driver *driver);
// Null for success; else "<call>: <the error's name>: <its text>".
RAGGED_MUST_USE ragged_status ragged_rt_cuda_check(const ragged_rt_cuda_driver *driver,
                                                   CUresult result, const char *call);
#define RAGGED_CUDA_CALL(cuda, symbol, ...) \
  ragged_rt_cuda_check(&(cuda)->driver, (cuda)->driver.symbol(__VA_ARGS__), #symbol)

// cuda_device.c. Every use of the driver lies between the two: the context is current on this
// thread, and what was current before is so again after. _leave passes `status` on, or gives its
// own error.
RAGGED_MUST_USE ragged_status ragged_rt_cuda_enter(ragged_rt_cuda_device *cuda);
RAGGED_MUST_USE ragged_status ragged_rt_cuda_leave(ragged_rt_cuda_device *cuda,
                                                   ragged_status status);
// Takes the error of a function that cannot return it; the next wait gives it.
void ragged_rt_cuda_keep(ragged_rt_cuda_device *cuda, ragged_status status);

// cuda_capture.c. The table's capturing; an error where the stream is being captured, in which
// nothing may be done that `what` names; memory, also then (entered).
RAGGED_MUST_USE ragged_status ragged_rt_cuda_capturing(ragged_rt_device *self, bool *out);
RAGGED_MUST_USE ragged_status ragged_rt_cuda_refuse_captured(ragged_rt_device *self,
                                                             const char *what);
RAGGED_MUST_USE ragged_status ragged_rt_cuda_allocate(ragged_rt_cuda_device *cuda, size_t bytes,
                                                      CUdeviceptr *out);

// cuda_staging.c: the table's upload; the end of the pinned memory (entered).
RAGGED_MUST_USE ragged_status ragged_rt_cuda_upload(ragged_rt_device *self, void *to,
                                                    const void *from_host, size_t bytes);
void ragged_rt_cuda_staging_destroy(ragged_rt_cuda_device *cuda);

// cuda_image.c: the image of `module` that this chip runs best. UNAVAILABLE when there is none; the
// message lists what there is.
RAGGED_MUST_USE ragged_status ragged_rt_cuda_choose_image(const ragged_rt_cuda_device *cuda,
                                                          const ragged_rt_kernel_module *module,
                                                          const ragged_rt_kernel_image **out);

// cuda_module.c (entered). A function of a loaded module, cached until the module ends.
typedef struct ragged_rt_cuda_function {
  struct ragged_rt_cuda_function *next;
  CUfunction handle;
  int64_t static_shared;   // bytes of a block
  int64_t dynamic_shared;  // the most that the driver was told of
  int64_t resident, resident_threads, resident_shared;  // the last answer, of these; 0: none yet
  char name[];
} ragged_rt_cuda_function;
RAGGED_MUST_USE ragged_status ragged_rt_cuda_find_function(ragged_rt_cuda_device *cuda,
                                                           const ragged_rt_grid *grid,
                                                           ragged_rt_cuda_function **out);
void ragged_rt_cuda_modules_destroy(ragged_rt_cuda_device *cuda);

// cuda_launch.c: the table's.
RAGGED_MUST_USE ragged_status ragged_rt_cuda_resident_blocks(ragged_rt_device *self,
                                                             const ragged_rt_grid *grid,
                                                             int64_t *out);
RAGGED_MUST_USE ragged_status ragged_rt_cuda_launch_grid(ragged_rt_device *self,
                                                         const ragged_rt_grid *grid);

// cuda_timing.c (entered). *out: the launch's timing, null where nothing observes; _stop after it
// was launched; _report waits for all and tells the observer.
RAGGED_MUST_USE ragged_status ragged_rt_cuda_timing_start(ragged_rt_cuda_device *cuda,
                                                          const ragged_rt_grid *grid,
                                                          ragged_rt_cuda_timing **out);
RAGGED_MUST_USE ragged_status ragged_rt_cuda_timing_stop(ragged_rt_cuda_device *cuda,
                                                         ragged_rt_cuda_timing *timing);
RAGGED_MUST_USE ragged_status ragged_rt_cuda_timing_report(ragged_rt_cuda_device *cuda);
void ragged_rt_cuda_timing_destroy(ragged_rt_cuda_device *cuda);

#endif  // RAGGED_RT_CUDA_DEVICE_H
