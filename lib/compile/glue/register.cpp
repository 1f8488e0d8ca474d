// See register.h. No logic here.
#include "compile/glue/register.h"

#include "lower/glue/LowerPasses.h"
#include "passes/glue/Passes.h"

void ragged_register_project_passes() {
  ragged::registerRaggedPasses();
  ragged::registerLowerPasses();
}
