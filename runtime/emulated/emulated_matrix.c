// The matrix instructions of a warp: mma.sync with f32 accumulators and ldmatrix. Where a lane's
// registers lie in the matrices is as the PTX ISA draws it, under "Matrix Fragments for mma.m16n8k16"
// and its neighbours. Products are exact and summed in double; the ISA leaves the order open.
#include <string.h>

#include "emulated/emulator_internal.h"

enum { M = 16, N = 8, MAX_K = 16 };

static double element(emulated_matrix_type type, uint32_t bits) {
  float value;
  switch (type) {
    case EMULATED_F16: return (double)ragged_emulated_f16_to_f32((int32_t)bits);
    case EMULATED_BF16: return (double)ragged_emulated_bf16_to_f32((int32_t)bits);
    case EMULATED_TF32: break;
  }
  bits &= ~UINT32_C(0x1fff);  // the low bits of the fraction are not there
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

// Elements of a register; the first is in the low half.
static int per_register(emulated_matrix_type type) { return type == EMULATED_TF32 ? 1 : 2; }

static double unpack(emulated_matrix_type type, int32_t packed, int part) {
  uint32_t bits = (uint32_t)packed;
  return element(type, type == EMULATED_TF32 ? bits : bits >> (16 * part) & 0xffff);
}

static void gather(const ragged_emulated_thread *lanes, double a[M][MAX_K], double b[MAX_K][N]) {
  const emulated_warp_operation *first = &lanes[0].operation;
  int parts = per_register(first->type), half = 4 * parts;  // columns that four lanes hold
  for (int lane = 0; lane < EMULATED_WARP; ++lane) {
    const emulated_warp_operation *own = &lanes[lane].operation;
    int group = lane / 4, in_group = lane % 4;
    for (int part = 0; part < parts; ++part)
      for (int block = 0; block * half < first->k; ++block) {
        int k = in_group * parts + block * half + part;
        for (int r = 0; r < 2; ++r)
          a[group + 8 * r][k] = unpack(first->type, own->a_registers[2 * block + r], part);
        b[k][group] = unpack(first->type, own->b_registers[block], part);
      }
  }
}

void emulated_multiply(ragged_emulated_thread *lanes) {
  double a[M][MAX_K], b[MAX_K][N];
  gather(lanes, a, b);
  int k_extent = lanes[0].operation.k;
  for (int lane = 0; lane < EMULATED_WARP; ++lane) {
    const emulated_warp_operation *own = &lanes[lane].operation;
    float result[4];
    for (int r = 0; r < 4; ++r) {
      int row = lane / 4 + 8 * (r / 2), column = lane % 4 * 2 + r % 2;
      double sum = (double)own->c_registers[r];
      for (int k = 0; k < k_extent; ++k) sum += a[row][k] * b[k][column];
      result[r] = (float)sum;
    }
    memcpy(own->d_registers, result, sizeof result);
  }
}

static void execute(ragged_emulated_thread *thread, emulated_matrix_type type, int k,
                    const int32_t *a, const int32_t *b, const float *c, float *d,
                    const char *where) {
  emulated_warp_operation operation = {
      .kind = EMULATED_MATRIX, .mask = UINT32_MAX, .type = type, .k = k,
      .a_registers = a, .b_registers = b, .c_registers = c, .d_registers = d};
  emulated_warp_execute(thread, &operation, where);
}

void ragged_emulated_mma_f16_m16n8k16(ragged_emulated_thread *thread, const int32_t *a,
                                      const int32_t *b, const float *c, float *d,
                                      const char *where) {
  execute(thread, EMULATED_F16, 16, a, b, c, d, where);
}

void ragged_emulated_mma_f16_m16n8k8(ragged_emulated_thread *thread, const int32_t *a,
                                     const int32_t *b, const float *c, float *d,
                                     const char *where) {
  execute(thread, EMULATED_F16, 8, a, b, c, d, where);
}

void ragged_emulated_mma_bf16_m16n8k16(ragged_emulated_thread *thread, const int32_t *a,
                                       const int32_t *b, const float *c, float *d,
                                       const char *where) {
  execute(thread, EMULATED_BF16, 16, a, b, c, d, where);
}

void ragged_emulated_mma_bf16_m16n8k8(ragged_emulated_thread *thread, const int32_t *a,
                                      const int32_t *b, const float *c, float *d,
                                      const char *where) {
  execute(thread, EMULATED_BF16, 8, a, b, c, d, where);
}

void ragged_emulated_mma_tf32_m16n8k8(ragged_emulated_thread *thread, const int32_t *a,
                                      const int32_t *b, const float *c, float *d,
                                      const char *where) {
  execute(thread, EMULATED_TF32, 8, a, b, c, d, where);
}

void ragged_emulated_mma_tf32_m16n8k4(ragged_emulated_thread *thread, const int32_t *a,
                                      const int32_t *b, const float *c, float *d,
                                      const char *where) {
  execute(thread, EMULATED_TF32, 4, a, b, c, d, where);
}

// ---- ldmatrix ------------------------------------------------------------------------------------

void emulated_distribute_matrix(ragged_emulated_thread *lanes) {
  for (int lane = 0; lane < EMULATED_WARP; ++lane) {
    const emulated_warp_operation *own = &lanes[lane].operation;
    for (int matrix = 0; matrix < own->k; ++matrix) {
      uint16_t pair[2];
      for (int part = 0; part < 2; ++part) {
        int row = lane / 4, column = lane % 4 * 2 + part;
        if (own->transposed) {
          row = lane % 4 * 2 + part;
          column = lane / 4;
        }
        memcpy(&pair[part], lanes[8 * matrix + row].operation.row + 2 * column, 2);
      }
      own->registers[matrix] = (int32_t)((uint32_t)pair[0] | (uint32_t)pair[1] << 16);
    }
  }
}

void ragged_emulated_load_matrix(ragged_emulated_thread *thread, const void *row, int32_t num,
                                 int32_t transposed, int32_t *registers, const char *where) {
  if (num != 1 && num != 2 && num != 4)
    emulated_fault(thread, where, "a load of %d matrices, expected 1, 2 or 4", num);
  if (thread->index % EMULATED_WARP < 8 * num)
    ragged_emulated_check_load(thread, row, 16, 16, RAGGED_EMULATED_SHARED, where);
  emulated_warp_operation operation = {
      .kind = EMULATED_LOAD_MATRIX, .mask = UINT32_MAX, .k = num, .transposed = transposed != 0,
      .row = row, .registers = registers};
  emulated_warp_execute(thread, &operation, where);
}
