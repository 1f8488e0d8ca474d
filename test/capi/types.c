// Types through the public C API: creation, queries, what is refused.
// RUN: %ragged_build/test/capi/capi-types-c11 | FileCheck %s
// RUN: %ragged_build/test/capi/capi-types-cxx17 | FileCheck %s
#include "ragged-c/types.h"

#include "capi_test.h"
#include "mlir-c/BuiltinTypes.h"

static void print_type(MlirType type) {
  if (mlirTypeIsNull(type))
    printf("null");
  else
    mlirTypePrint(type, print_text, NULL);
  printf("\n");
}

static void describe(MlirType type) {
  printf("tensor %d unknown %d rank %d default order %d element ", raggedTypeIsATensor(type),
         raggedTensorTypeIsUnknown(type), (int)raggedTensorTypeGetRank(type),
         raggedTensorTypeHasDefaultOrder(type));
  print_type(raggedTensorTypeGetElementType(type));
  for (intptr_t k = 0; k < raggedTensorTypeGetRank(type); ++k) {
    MlirStringRef axis = raggedTensorTypeGetDimAxis(type, k);
    printf("  dim %d ragged %d axis '%s' extent %d packed here %d\n", (int)k,
           raggedTensorTypeIsRaggedDim(type, k), axis.data ? axis.data : "",
           (int)raggedTensorTypeGetDimExtent(type, k), (int)raggedTensorTypeGetOrder(type, k));
  }
}

int main(void) {
  MlirContext context = create_context();
  MlirType f32 = mlirF32TypeGet(context);
  MlirStringRef none = mlirStringRefCreate(NULL, 0);
  MlirStringRef axes[3] = {mlirStringRefCreateFromCString("m  + n"),
                           mlirStringRefCreateFromCString("m"), none};
  int64_t extents[3] = {0, 0, 128}, order[3] = {1, 0, 2};

  // CHECK: !ragged.tensor<[m + n, m, 128], f32, order = [1, 0, 2]>
  // CHECK-NEXT: tensor 1 unknown 0 rank 3 default order 0 element f32
  // CHECK-NEXT: dim 0 ragged 1 axis 'm + n' extent -1 packed here 1
  // CHECK-NEXT: dim 1 ragged 1 axis 'm' extent -1 packed here 0
  // CHECK-NEXT: dim 2 ragged 0 axis '' extent 128 packed here 2
  MlirType type = raggedTensorTypeGet(context, f32, 3, axes, extents, order);
  print_type(type);
  describe(type);

  // The default order; equal to what the parser makes.
  // CHECK-NEXT: !ragged.tensor<[m + n, m, 128], f32>
  // CHECK-NEXT: equal 1
  type = raggedTensorTypeGet(context, f32, 3, axes, extents, NULL);
  print_type(type);
  printf("equal %d\n",
         mlirTypeEqual(type, mlirTypeParseGet(context, mlirStringRefCreateFromCString(
                                                           "!ragged.tensor<[n + m, m, 128], f32>"))));

  // All static, rank 0, unknown.
  // CHECK-NEXT: !ragged.tensor<[7], f64>
  // CHECK-NEXT: !ragged.tensor<[], i64>
  // CHECK-NEXT: !ragged.tensor<*, bf16>
  // CHECK-NEXT: tensor 1 unknown 1 rank -1 default order 0 element bf16
  int64_t seven = 7;
  print_type(raggedTensorTypeGet(context, mlirF64TypeGet(context), 1, NULL, &seven, NULL));
  print_type(raggedTensorTypeGet(context, mlirIntegerTypeGet(context, 64), 0, NULL, NULL, NULL));
  type = raggedTensorTypeGetUnknown(context, mlirBF16TypeGet(context));
  print_type(type);
  describe(type);

  // Other types answer politely.
  // CHECK-NEXT: tensor 0 unknown 0 rank -1 default order 0 element null
  // CHECK-NEXT: tensor 0 unknown 0 rank -1 default order 0 element null
  describe(f32);
  describe(mlirTypeParseGet(context, mlirStringRefCreateFromCString("tensor<4xf32>")));

  // What is no type.
  // CHECK-NEXT: diagnostic: {{.*}}element type
  // CHECK-NEXT: null
  print_type(raggedTensorTypeGet(context, mlirF16TypeGet(context), 3, axes, extents, order));
  // CHECK-NEXT: diagnostic: {{.*}}rank is 17
  // CHECK-NEXT: null
  print_type(raggedTensorTypeGet(context, f32, 17, NULL, NULL, NULL));
  // CHECK-NEXT: diagnostic: {{.*}}dimension 0 has neither
  // CHECK-NEXT: null
  print_type(raggedTensorTypeGet(context, f32, 1, NULL, NULL, NULL));
  // CHECK-NEXT: diagnostic: {{.*}}-2
  // CHECK-NEXT: null
  int64_t negative = -2;
  print_type(raggedTensorTypeGet(context, f32, 1, NULL, &negative, NULL));
  // CHECK-NEXT: diagnostic: {{.*}}order
  // CHECK-NEXT: null
  int64_t twice[3] = {0, 0, 2};
  print_type(raggedTensorTypeGet(context, f32, 3, axes, extents, twice));
  // CHECK-NEXT: diagnostic: {{.*}}floordiv
  // CHECK-NEXT: null
  MlirStringRef reserved = mlirStringRefCreateFromCString("floordiv");
  print_type(raggedTensorTypeGet(context, f32, 1, &reserved, NULL, NULL));
  // CHECK-NEXT: null
  print_type(raggedTensorTypeGetUnknown(context, mlirF16TypeGet(context)));

  mlirContextDestroy(context);
  return 0;
}
