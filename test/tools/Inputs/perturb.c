// Loaded before the runtime: spoils one number of the first result of every call, so that a
// comparison has something to find. RAGGED_PERTURB says which element: one of f32 becomes larger by 0.5,
// one of f64 the next larger number.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>

#include "ragged_rt.h"

typedef ragged_status (*call_function)(ragged_rt_context *, const ragged_rt_entry *, int,
                                       ragged_rt_tensor *const *, int, ragged_rt_tensor **);

ragged_status ragged_rt_call(ragged_rt_context *context, const ragged_rt_entry *entry,
                             int num_arguments, ragged_rt_tensor *const *arguments,
                             int num_results, ragged_rt_tensor **results) {
  call_function call;
  *(void **)&call = dlsym(RTLD_NEXT, "ragged_rt_call");
  ragged_status status =
      call(context, entry, num_arguments, arguments, num_results, results);
  const char *element = getenv("RAGGED_PERTURB");
  if (status || !element) return status;
  void *data = ragged_rt_tensor_data(results[0]);
  if (ragged_rt_tensor_element_type(results[0]) == RAGGED_ELEMENT_F64) {
    double *number = (double *)data + atoi(element);
    *number = nextafter(*number, INFINITY);
  } else {
    ((float *)data)[atoi(element)] += 0.5f;
  }
  return NULL;
}
