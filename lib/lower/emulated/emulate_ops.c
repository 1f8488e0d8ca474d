// The table of ops that emulated kernels may have. What is not in it is an error at that op.
#include <string.h>

#include "lower/emulated/emulate.h"

typedef bool (*convert_op)(emulation *self, MlirOperation operation);

// ---- Small conversions ---------------------------------------------------------------------------

// No effect that the emulated device has: it runs accesses in order, and what orders them between
// threads are barriers.
static bool convert_nothing(emulation *self, MlirOperation operation) {
  (void)self;
  mlirOperationDestroy(operation);
  return true;
}

static void build_trap(emulation *self, MlirOperation operation) {
  ragged_builder at = ragged_builder_before(operation);
  emulate_call(self, &at, "ragged_emulated_trap",
               RAGGED_VALUES(self->thread, emulate_where(self, &at, operation)));
}

static bool convert_trap(emulation *self, MlirOperation operation) {
  build_trap(self, operation);
  mlirOperationDestroy(operation);
  return true;
}

static bool convert_unreachable(emulation *self, MlirOperation operation) {
  build_trap(self, operation);
  return true;
}

// Of a function of the gpu.module, which also takes the thread, or of CUDA's device library.
static bool convert_call(emulation *self, MlirOperation operation) {
  const char *callee = ragged_operation_string(operation, "callee");
  if (!callee) return ragged_op_error(operation, "is indirect, which is not emulated");
  const emulate_function *function = emulate_find_function(self, callee);
  if (!function || !function->defined) {
    if (emulate_convert_library_call(self, operation, callee)) return true;
    return ragged_op_error(operation, "calls @%s, which is neither a function of the gpu.module "
                           "nor known to the emulated device", callee);
  }
  if (function->kernel) return ragged_op_error(operation, "calls the kernel @%s", callee);
  ragged_builder at = ragged_builder_before(operation);
  intptr_t count = mlirOperationGetNumOperands(operation);
  intptr_t num_results = mlirOperationGetNumResults(operation);
  MlirValue *operands = RAGGED_ARENA_ARRAY(&self->arena, MlirValue, count + 1);
  operands[0] = self->thread;
  for (intptr_t k = 0; k < count; ++k) operands[k + 1] = mlirOperationGetOperand(operation, k);
  MlirType result = {NULL};
  if (num_results) result = mlirValueGetType(mlirOperationGetResult(operation, 0));
  MlirOperation call = emulate_call_function(
      self, &at, ragged_arena_format(&self->arena, "%s%s", self->prefix, callee), count + 1,
      operands, num_results, &result);
  if (num_results)
    emulate_replace(operation, mlirOperationGetResult(call, 0));
  else
    mlirOperationDestroy(operation);
  return true;
}

// ---- The table -----------------------------------------------------------------------------------

// Ops without a conversion stay as they are.
typedef struct op_rule {
  const char *name;
  convert_op convert;
} op_rule;

static const op_rule op_rules[] = {
    // Memory.
    {"llvm.load", emulate_convert_load},
    {"llvm.store", emulate_convert_store},
    {"llvm.alloca", NULL},
    {"llvm.getelementptr", NULL},
    {"llvm.mlir.addressof", emulate_convert_address},
    {"llvm.addrspacecast", emulate_convert_space_cast},
    {"llvm.intr.memcpy", emulate_convert_block_copy},
    {"llvm.intr.memmove", emulate_convert_block_copy},
    {"llvm.intr.memset", emulate_convert_block_fill},
    {"llvm.intr.lifetime.start", NULL},
    {"llvm.intr.lifetime.end", NULL},
    {"llvm.intr.assume", convert_nothing},
    {"llvm.fence", convert_nothing},
    {"nvvm.memory.barrier", convert_nothing},
    {"nvvm.cp.async.shared.global", emulate_convert_async_copy},
    {"nvvm.cp.async.commit.group", emulate_convert_async_commit},
    {"nvvm.cp.async.wait.group", emulate_convert_async_wait},
    // Threads, warps, blocks. Special registers are found by their prefix.
    {"nvvm.barrier0", emulate_convert_barrier},
    {"nvvm.barrier", emulate_convert_barrier},
    {"nvvm.bar.warp.sync", emulate_convert_warp_barrier},
    {"nvvm.shfl.sync", emulate_convert_shuffle},
    {"nvvm.vote.sync", emulate_convert_vote},
    {"nvvm.mma.sync", emulate_convert_product},
    {"nvvm.ldmatrix", emulate_convert_load_matrix},
    // Control.
    {"llvm.br", NULL},
    {"llvm.cond_br", NULL},
    {"llvm.switch", NULL},
    {"llvm.return", NULL},
    {"llvm.select", NULL},
    {"llvm.call", convert_call},
    {"llvm.unreachable", convert_unreachable},
    {"llvm.intr.trap", convert_trap},
    // Constants and structure.
    {"llvm.mlir.constant", NULL},
    {"llvm.mlir.zero", NULL},
    {"llvm.mlir.undef", NULL},
    {"llvm.mlir.poison", NULL},
    {"llvm.freeze", NULL},
    {"llvm.extractvalue", NULL},
    {"llvm.insertvalue", NULL},
    {"llvm.extractelement", NULL},
    {"llvm.insertelement", NULL},
    {"llvm.shufflevector", NULL},
    {"llvm.intr.vector.extract", NULL},
    {"llvm.intr.vector.insert", NULL},
    // Casts.
    {"llvm.bitcast", NULL},
    {"llvm.inttoptr", NULL},
    {"llvm.ptrtoint", NULL},
    {"llvm.sext", NULL},
    {"llvm.zext", NULL},
    {"llvm.trunc", NULL},
    {"llvm.sitofp", emulate_convert_arithmetic},
    {"llvm.uitofp", emulate_convert_arithmetic},
    {"llvm.fptosi", emulate_convert_arithmetic},
    {"llvm.fptoui", emulate_convert_arithmetic},
    {"llvm.fpext", emulate_convert_widening},
    {"llvm.fptrunc", emulate_convert_narrowing},
    // Integers.
    {"llvm.add", NULL},
    {"llvm.sub", NULL},
    {"llvm.mul", NULL},
    {"llvm.udiv", NULL},
    {"llvm.sdiv", NULL},
    {"llvm.urem", NULL},
    {"llvm.srem", NULL},
    {"llvm.and", NULL},
    {"llvm.or", NULL},
    {"llvm.xor", NULL},
    {"llvm.shl", NULL},
    {"llvm.lshr", NULL},
    {"llvm.ashr", NULL},
    {"llvm.icmp", NULL},
    {"llvm.intr.abs", NULL},
    {"llvm.intr.smax", NULL},
    {"llvm.intr.smin", NULL},
    {"llvm.intr.umax", NULL},
    {"llvm.intr.umin", NULL},
    {"llvm.intr.ctlz", NULL},
    {"llvm.intr.cttz", NULL},
    {"llvm.intr.ctpop", NULL},
    {"llvm.intr.bitreverse", NULL},
    {"llvm.intr.bswap", NULL},
    {"llvm.intr.fshl", NULL},
    {"llvm.intr.fshr", NULL},
    {"llvm.intr.sadd.with.overflow", NULL},
    {"llvm.intr.uadd.with.overflow", NULL},
    {"llvm.intr.ssub.with.overflow", NULL},
    {"llvm.intr.usub.with.overflow", NULL},
    {"llvm.intr.smul.with.overflow", NULL},
    {"llvm.intr.umul.with.overflow", NULL},
    {"llvm.intr.expect", NULL},
    {"llvm.intr.vector.reduce.add", NULL},
    {"llvm.intr.vector.reduce.mul", NULL},
    {"llvm.intr.vector.reduce.and", NULL},
    {"llvm.intr.vector.reduce.or", NULL},
    {"llvm.intr.vector.reduce.xor", NULL},
    {"llvm.intr.vector.reduce.smax", NULL},
    {"llvm.intr.vector.reduce.smin", NULL},
    {"llvm.intr.vector.reduce.umax", NULL},
    {"llvm.intr.vector.reduce.umin", NULL},
    // Floats.
    {"llvm.fadd", emulate_convert_arithmetic},
    {"llvm.fsub", emulate_convert_arithmetic},
    {"llvm.fmul", emulate_convert_arithmetic},
    {"llvm.fdiv", emulate_convert_arithmetic},
    {"llvm.frem", emulate_convert_arithmetic},
    {"llvm.fneg", emulate_convert_arithmetic},
    {"llvm.fcmp", emulate_convert_arithmetic},
    {"llvm.intr.fabs", emulate_convert_arithmetic},
    {"llvm.intr.copysign", emulate_convert_arithmetic},
    {"llvm.intr.fma", emulate_convert_arithmetic},
    {"llvm.intr.fmuladd", emulate_convert_arithmetic},
    {"llvm.intr.sqrt", emulate_convert_arithmetic},
    {"llvm.intr.floor", emulate_convert_arithmetic},
    {"llvm.intr.ceil", emulate_convert_arithmetic},
    {"llvm.intr.trunc", emulate_convert_arithmetic},
    {"llvm.intr.rint", emulate_convert_arithmetic},
    {"llvm.intr.nearbyint", emulate_convert_arithmetic},
    {"llvm.intr.roundeven", emulate_convert_arithmetic},
    {"llvm.intr.round", emulate_convert_arithmetic},
    {"llvm.intr.maxnum", emulate_convert_arithmetic},
    {"llvm.intr.minnum", emulate_convert_arithmetic},
    {"llvm.intr.maximum", emulate_convert_arithmetic},
    {"llvm.intr.minimum", emulate_convert_arithmetic},
    {"llvm.intr.vector.reduce.fadd", emulate_convert_arithmetic},
    {"llvm.intr.vector.reduce.fmul", emulate_convert_arithmetic},
    {"llvm.intr.vector.reduce.fmax", emulate_convert_arithmetic},
    {"llvm.intr.vector.reduce.fmin", emulate_convert_arithmetic},
    {"llvm.intr.vector.reduce.fmaximum", emulate_convert_arithmetic},
    {"llvm.intr.vector.reduce.fminimum", emulate_convert_arithmetic},
    {"llvm.intr.exp", emulate_convert_math},
    {"llvm.intr.exp2", emulate_convert_math},
    {"llvm.intr.log", emulate_convert_math},
    {"llvm.intr.log2", emulate_convert_math},
    {"llvm.intr.sin", emulate_convert_math},
    {"llvm.intr.cos", emulate_convert_math},
    {"llvm.intr.tanh", emulate_convert_math},
    {"llvm.intr.pow", emulate_convert_math},
    {"llvm.call_intrinsic", emulate_convert_intrinsic},
    {"nvvm.rcp.approx.ftz.f", emulate_convert_rcp},
};

bool emulate_convert_op(emulation *self, MlirOperation operation) {
  if (ragged_operation_in_dialect(operation, "nvvm.read.ptx.sreg."))
    return emulate_convert_register(self, operation);
  for (size_t k = 0; k < sizeof op_rules / sizeof *op_rules; ++k)
    if (ragged_operation_is(operation, op_rules[k].name))
      return !op_rules[k].convert || op_rules[k].convert(self, operation);
  return ragged_op_error(operation, "is not emulated");
}
