// Everything that the dialect has, for mlir-tblgen.
include "dialect/RaggedBase.td"
include "dialect/RaggedConversionOps.td"
include "dialect/RaggedStructureOps.td"
include "dialect/RaggedElementwiseOps.td"
include "dialect/RaggedLinearOps.td"
include "dialect/RaggedNormalizationOps.td"
include "dialect/RaggedReductionOps.td"
include "dialect/RaggedCallOps.td"
