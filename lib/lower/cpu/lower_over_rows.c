// A product over rows on the CPU: the microkernel for its shape, and a launch of the runtime's kernel
// that packs rows for it. The tile kernel itself has no code. Called by lower_kernels.c and
// lower_launch.c.
#include <string.h>

#include "lower/cpu/lower_over_rows.h"
#include "lower/cpu/product.h"

enum {
  STEPS_BYTES = 240 * 1024,  // of both operands: half of a second-level cache
  MOST_STEPS = 256,          // longer chains would only round more
  CACHE_LINE = 64,
};

static const char *function_name(ragged_arena *arena, const kernel_over_rows *own) {
  return ragged_arena_format(arena, "ragged_product_over_rows_%s_%lldx%lld",
                             ragged_element_name(own->memory), (long long)own->m, (long long)own->n);
}

static int64_t element_bytes(const kernel_over_rows *own) {
  return (int64_t)ragged_element_size(ragged_compute_type(own->memory));
}

// Rows of both operands that are added between two visits of the sums.
static int64_t choose_steps(const kernel_over_rows *own) {
  int64_t line = (own->m + own->n) * element_bytes(own);
  int64_t steps = line ? STEPS_BYTES / line / 16 * 16 : MOST_STEPS;
  return steps < 16 ? 16 : steps > MOST_STEPS ? MOST_STEPS : steps;
}

// Lines as long as a power of two would fall on few sets of a cache.
static int64_t choose_line(const kernel_over_rows *own) {
  return own->m + CACHE_LINE / element_bytes(own);
}

static int64_t choose_panel(const ragged_cpu_target *target, const kernel_over_rows *own) {
  ragged_product_shape shape = {.element_type = ragged_compute_type(own->memory), .n = own->n};
  return ragged_product_panel(target, &shape);
}

static int64_t num_panels(const kernel_over_rows *own, int64_t panel) {
  return own->n > 0 ? (own->n - 1) / panel + 1 : 0;
}

static ragged_over_rows_shape shape_of(const ragged_cpu_target *target, const kernel_over_rows *own) {
  int64_t tiles = own->m * num_panels(own, choose_panel(target, own));
  int64_t bytes = choose_steps(own) * (int64_t)ragged_element_size(own->memory);
  ragged_over_rows_shape shape = {.element_type = ragged_compute_type(own->memory), .m = own->m,
                                  .n = own->n, .line = choose_line(own)};
  const int64_t widths[] = {own->m, own->n};
  for (int k = 0; k < 2; ++k) shape.ahead[k] = tiles ? (bytes * widths[k] - 1) / tiles + 1 : 0;
  return shape;
}

void ragged_lower_over_rows_kernel(MlirOperation module, MlirOperation kernel,
                                   const ragged_cpu_target *target, ragged_arena *arena,
                                   const kernel_over_rows *own) {
  const char *name = function_name(arena, own);
  ragged_builder at = ragged_builder_before(kernel);
  ragged_over_rows_shape shape = shape_of(target, own);
  MlirOperation existing = ragged_module_lookup(module, name);
  if (mlirOperationIsNull(existing) || mlirBlockIsNull(ragged_operation_body(existing))) {
    if (!mlirOperationIsNull(existing)) mlirOperationDestroy(existing);
    ragged_emit_product_over_rows(&at, target, &shape, name);
  }
  mlirOperationDestroy(kernel);
}

static MlirValue arith(const host_lowering *self, const ragged_builder *at, const char *op, MlirValue x,
                       MlirValue y) {
  return ragged_build_value(at, op, self->i64, RAGGED_VALUES(x, y));
}

static MlirValue count_rows(host_lowering *self, const ragged_builder *at,
                            const launch_operands *operands) {
  const kernel_over_rows *own = &self->layout->over_rows;
  const ragged_ref_shape *a = &self->layout->refs[own->a_ref];
  MlirValue rows = operands->batch;
  if (a->num_axes)
    rows = lower_host_call(
        self, at, "ragged_rt_frame_known_rows",
        RAGGED_VALUES(self->frame,
                      lower_host_launch_space(self, at, operands, a->num_axes, a->axes)));
  return arith(self, at, "arith.muli", rows, lower_host_i64(self, at, own->rows_per_row));
}

static MlirValue divide_up(host_lowering *self, const ragged_builder *at, MlirValue n, int64_t divisor) {
  n = arith(self, at, "arith.addi", n, lower_host_i64(self, at, divisor - 1));
  return arith(self, at, "arith.divui", n, lower_host_i64(self, at, divisor));
}

// How many rows a slice has, as ragged_tile.product_over_rows says.
static MlirValue divide_rows(host_lowering *self, const ragged_builder *at, MlirValue rows) {
  const kernel_over_rows *own = &self->layout->over_rows;
  MlirValue share = divide_up(self, at, divide_up(self, at, rows, own->most_slices), OVER_ROWS_MULTIPLE);
  share = arith(self, at, "arith.muli", share, lower_host_i64(self, at, OVER_ROWS_MULTIPLE));
  return arith(self, at, "arith.maxui", share, lower_host_i64(self, at, own->slice_rows));
}

void ragged_lower_over_rows_launch(host_lowering *self, const ragged_builder *at, const char *name,
                                   const launch_operands *operands) {
  const kernel_over_rows *own = &self->layout->over_rows;
  int64_t panel = choose_panel(self->backend->target, own);
  int64_t steps = choose_steps(own), line = choose_line(own);
  MlirValue data[3];
  const int refs[] = {own->a_ref, own->b_ref, own->sums_ref};
  for (int k = 0; k < 3; ++k)
    data[k] = lower_host_call(self, at, "ragged_rt_frame_data",
                              RAGGED_VALUES(self->frame, operands->buffers[refs[k]]));
  MlirValue function = lower_host_function(
      self, at, function_name(self->arena, own),
      RAGGED_TYPES(self->pointer, self->pointer, self->pointer, self->pointer, self->pointer, self->i64));
  MlirValue rows = count_rows(self, at, operands);
  MlirValue share = divide_rows(self, at, rows);
  // In the order that runtime/product_over_rows.c reads.
  MlirValue slots[] = {data[0],
                       data[1],
                       data[2],
                       function,
                       rows,
                       share,
                       lower_host_i64(self, at, own->memory),
                       lower_host_i64(self, at, own->m),
                       lower_host_i64(self, at, own->n),
                       lower_host_i64(self, at, line),
                       lower_host_i64(self, at, panel),
                       lower_host_i64(self, at, steps)};
  MlirValue kernel = lower_host_runtime_function(self, at, "ragged_rt_product_over_rows");
  MlirValue text = lower_host_string(self, at, name, strlen(name));
  MlirValue array = lower_host_array(self, at, sizeof slots / sizeof *slots, slots);
  int64_t scratch = steps * (num_panels(own, panel) * panel + line) * element_bytes(own);
  MlirValue one = lower_host_i64(self, at, 1);
  int64_t bytes = (own->m + own->n) * (int64_t)ragged_element_size(own->memory);
  lower_host_call(
      self, at, "ragged_rt_frame_launch",
      RAGGED_VALUES(self->frame, kernel, text, array, operands->items, one,
                    lower_host_i64(self, at, scratch),
                    arith(self, at, "arith.muli", share, lower_host_i64(self, at, bytes)),
                    arith(self, at, "arith.muli", share, lower_host_i64(self, at, 2 * own->m * own->n))));
}
