// See cpu.h.
#include "compile/glue/cpu.h"

#include <memory>
#include <string>

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"

bool ragged_cpu_is_known(const char *name, const char *cpu) {
  llvm::Triple triple(name);
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) return false;
  auto describe = [&](const char *processor) {
    return std::unique_ptr<llvm::MCSubtargetInfo>(
        target->createMCSubtargetInfo(triple, processor, ""));
  };
  if (!describe("")->isCPUStringValid(cpu)) return false;
  // Among those of x86-64 are processors that have 32 bits only.
  return triple.getArch() != llvm::Triple::x86_64 || describe(cpu)->checkFeatures("+64bit");
}
