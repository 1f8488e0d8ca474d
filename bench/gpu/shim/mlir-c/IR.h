// Stands in for MLIR's header of this name where MLIR is not: in a bundle (bench/gpu.sh), which takes
// the comparison of lib/reference along but not the interpreter. Nothing there uses these types.
#ifndef RAGGED_BENCH_SHIM_IR_H
#define RAGGED_BENCH_SHIM_IR_H

typedef struct MlirOperation {
  void *ptr;
} MlirOperation;
typedef struct MlirValue {
  void *ptr;
} MlirValue;
typedef struct MlirBlock {
  void *ptr;
} MlirBlock;
typedef struct MlirType {
  const void *ptr;
} MlirType;

#endif  // RAGGED_BENCH_SHIM_IR_H
