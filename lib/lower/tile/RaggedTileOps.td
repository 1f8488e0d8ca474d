// Everything that the ragged_tile dialect has, for mlir-tblgen.
include "lower/tile/RaggedTileBase.td"
include "lower/tile/RaggedTileKernelOps.td"
include "lower/tile/RaggedTileHostOps.td"
