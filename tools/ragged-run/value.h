// A packed value with its extents, wherever it was computed: what is printed, written and compared.
#ifndef RAGGED_RUN_VALUE_H
#define RAGGED_RUN_VALUE_H

#include "ragged_rt.h"
#include "reference/reference.h"

typedef struct ragged_run_value {
  const ragged_rt_value_type *type;  // borrowed
  int64_t batch;                     // dense tensors and scalars: 1
  int64_t rows;                      // dense tensors and scalars: 1
  int64_t *extents;                  // batch x rank: of sample i, logical dimension d: [i * rank + d]
  void *data;                        // packed values [rows, tail...], or the dense contents
} ragged_run_value;

// Copies a tensor of that type from whatever device it is on.
RAGGED_MUST_USE ragged_status ragged_run_value_from_tensor(const ragged_rt_value_type *type,
                                                           ragged_rt_tensor *tensor,
                                                           ragged_run_value *out);
RAGGED_MUST_USE ragged_status ragged_run_value_from_reference(const ragged_rt_value_type *type,
                                                              const ragged_reference_value *value,
                                                              ragged_run_value *out);
RAGGED_MUST_USE ragged_status ragged_run_value_to_reference(const ragged_run_value *value,
                                                            ragged_reference_value *out);
void ragged_run_value_free(ragged_run_value *value);  // a zeroed one is allowed

#endif  // RAGGED_RUN_VALUE_H
