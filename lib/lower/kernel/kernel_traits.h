// What kind of loop over rows serves a kernel: read off its tile program, the same for every back end.
#ifndef RAGGED_LOWER_KERNEL_KERNEL_TRAITS_H
#define RAGGED_LOWER_KERNEL_KERNEL_TRAITS_H

#include "lower/kernel/kernel_layout.h"
#include "lower/kernel/kernel_plan.h"

typedef struct kernel_traits {
  bool flat;      // rows need no coordinates
  bool elements;  // a flat kernel on equal tails: its rows can be seen as single elements
  bool fill;      // some load has a value outside the sample
} kernel_traits;

kernel_traits kernel_traits_read(MlirOperation kernel, const kernel_layout *layout,
                                 const kernel_plan *plan);

#endif  // RAGGED_LOWER_KERNEL_KERNEL_TRAITS_H
