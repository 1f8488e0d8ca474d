// Names of op traits as a shared MLIR library that Clang built knows them. Type ids of classes without
// an id of their own are found by the class' printed name, across libraries; for traits that name has
// the local class `Empty` of TypeID::get in it, which GCC prints with its function and Clang without.
// (The ids would merge at link time, but MLIR's static C archives hide them.) Included first by every
// C++ file where GCC builds against such a library; CMakeLists.txt decides.
#ifndef RAGGED_DIALECT_GLUE_TRAITIDS_H
#define RAGGED_DIALECT_GLUE_TRAITIDS_H

#include <string>

#include "mlir/Support/TypeID.h"

namespace mlir::detail {
template <typename T>
constexpr bool isEmptyOfTypeID() {
  std::string_view name = __PRETTY_FUNCTION__;
  std::string_view head = "T = mlir::TypeID::get<", tail = ">()::Empty]";
  size_t begin = name.find("T = ");
  return name.substr(begin, head.size()) == head && name.size() > tail.size() &&
         name.substr(name.size() - tail.size()) == tail;
}

template <template <typename> class Trait, typename T>
class TypeIDResolver<Trait<T>, std::enable_if_t<isEmptyOfTypeID<T>()>>
    : public FallbackTypeIDResolver {
 public:
  static TypeID resolveTypeID() {
    static TypeID id = [] {
      llvm::StringRef name = llvm::getTypeName<Trait<T>>();
      // The registry keeps the characters, not a copy.
      static const std::string known =
          name.take_front(name.find("<mlir::TypeID::get<")).str() + "<Empty>";
      return registerImplicitTypeID(known);
    }();
    return id;
  }
};
}  // namespace mlir::detail

#endif  // RAGGED_DIALECT_GLUE_TRAITIDS_H
