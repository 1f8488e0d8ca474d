// See location.h.
#include "ir/location.h"

#include <stddef.h>

MlirLocation ragged_location_of(MlirOperation operation) {
  return mlirLocationNameGet(mlirOperationGetContext(operation),
                             mlirIdentifierStr(mlirOperationGetName(operation)),
                             mlirOperationGetLocation(operation));
}

// The location in a file that stands behind `location`, itself where there is none.
static MlirLocation in_file(ragged_arena *arena, MlirLocation location) {
  for (;;) {
    if (mlirLocationIsAName(location)) {
      location = mlirLocationNameGetChildLoc(location);
    } else if (mlirLocationIsACallSite(location)) {
      location = mlirLocationCallSiteGetCallee(location);
    } else if (mlirLocationIsAFused(location)) {
      intptr_t count = mlirLocationFusedGetNumLocations(location);
      if (count == 0) return location;
      MlirLocation *parts = RAGGED_ARENA_ARRAY(arena, MlirLocation, count);
      mlirLocationFusedGetLocations(location, parts);
      location = parts[0];
    } else {
      return location;
    }
  }
}

const char *ragged_location_text(ragged_arena *arena, MlirLocation location) {
  if (!mlirLocationIsAName(location)) return NULL;
  MlirStringRef name = mlirIdentifierStr(mlirLocationNameGetName(location));
  location = in_file(arena, location);
  if (!mlirLocationIsAFileLineColRange(location))
    return ragged_arena_format(arena, "'%.*s'", (int)name.length, name.data);
  MlirStringRef file = mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location));
  return ragged_arena_format(arena, "%.*s:%d:%d: '%.*s'", (int)file.length, file.data,
                             mlirLocationFileLineColRangeGetStartLine(location),
                             mlirLocationFileLineColRangeGetStartColumn(location),
                             (int)name.length, name.data);
}
