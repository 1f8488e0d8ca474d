// See runtime_symbols.h. One line per function of runtime/frame.h.
#include "compile/runtime_symbols.h"

#include "frame.h"

#define SYMBOL(name) {#name, (void (*)(void))name}

static const ragged_runtime_symbol symbols[] = {
    SYMBOL(ragged_rt_frame_ok),
    SYMBOL(ragged_rt_frame_argument),
    SYMBOL(ragged_rt_frame_axis),
    SYMBOL(ragged_rt_frame_result),
    SYMBOL(ragged_rt_frame_result_dense),
    SYMBOL(ragged_rt_frame_axis_from_lengths),
    SYMBOL(ragged_rt_frame_axis_from_offsets),
    SYMBOL(ragged_rt_frame_axis_expression),
    SYMBOL(ragged_rt_frame_envelope_axis),
    SYMBOL(ragged_rt_frame_constant_axis),
    SYMBOL(ragged_rt_frame_check_same_axis),
    SYMBOL(ragged_rt_frame_space),
    SYMBOL(ragged_rt_frame_space_rows),
    SYMBOL(ragged_rt_frame_space_batch),
    SYMBOL(ragged_rt_frame_space_offsets),
    SYMBOL(ragged_rt_frame_axis_extents),
    SYMBOL(ragged_rt_frame_axis_max_extent),
    SYMBOL(ragged_rt_frame_allocate),
    SYMBOL(ragged_rt_frame_allocate_dense),
    SYMBOL(ragged_rt_frame_release),
    SYMBOL(ragged_rt_frame_retain),
    SYMBOL(ragged_rt_frame_data),
    SYMBOL(ragged_rt_frame_dense_extent),
    SYMBOL(ragged_rt_frame_extents),
    SYMBOL(ragged_rt_frame_offsets),
    SYMBOL(ragged_rt_frame_check_values),
    SYMBOL(ragged_rt_frame_check_extent),
    SYMBOL(ragged_rt_frame_check_limit),
    SYMBOL(ragged_rt_frame_launch),
    SYMBOL(ragged_rt_frame_product),
    SYMBOL(ragged_rt_frame_release_product),
    SYMBOL(ragged_rt_product_run),
};

const ragged_runtime_symbol *ragged_runtime_symbols(size_t *out_count) {
  *out_count = sizeof symbols / sizeof *symbols;
  return symbols;
}
