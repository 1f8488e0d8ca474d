// Values for arguments that no file gives. Element k of an argument depends on the seed, the
// argument's number and k only.
#ifndef RAGGED_RUN_DRAW_H
#define RAGGED_RUN_DRAW_H

#include <stdint.h>

#include "schema/element_type.h"

// Fills `count` elements: floats uniform in [-1, 1) times `scale`, i64 uniform in 0 to 7. bf16 is
// written as 16-bit patterns.
void ragged_run_draw(uint64_t seed, int argument, ragged_element_type element_type, double scale,
                     int64_t count, void *values);

#endif  // RAGGED_RUN_DRAW_H
