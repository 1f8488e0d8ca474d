// See object_code.h.
#include "compile/object_code.h"

#include <pthread.h>
#include <stdio.h>

#include "compile/entry_code.h"
#include "compile/glue/cpu.h"
#include "llvm-c/Analysis.h"
#include "llvm-c/Core.h"
#include "llvm-c/Error.h"
#include "llvm-c/Target.h"
#include "llvm-c/TargetMachine.h"
#include "llvm-c/Transforms/PassBuilder.h"
#include "mlir-c/RegisterEverything.h"
#include "mlir-c/Target/LLVMIR.h"
#include "support/string_buffer.h"

static void initialise_native(void) {
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
}

static void initialise_target(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialise_native);
}

ragged_status ragged_check_cpu(const char *cpu) {
  initialise_target();
  char *triple = LLVMGetDefaultTargetTriple();
  bool is_known = ragged_cpu_is_known(triple, cpu);
  ragged_status status =
      is_known ? NULL
               : ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                    "there is no processor '%s', expected an LLVM name of one that "
                                    "runs code for %s", cpu, triple);
  LLVMDisposeMessage(triple);
  return status;
}

static ragged_status internal_message(const char *what, char *message) {
  ragged_status status = ragged_status_make(RAGGED_STATUS_INTERNAL, "%s: %s", what,
                                            message ? message : "no reason given");
  LLVMDisposeMessage(message);
  return status;
}

static ragged_status create_machine(const ragged_compile_options *options, int level,
                                    LLVMTargetMachineRef *out_machine) {
  initialise_target();
  LLVMTargetRef target;
  char *message = NULL, *triple = LLVMGetDefaultTargetTriple();
  if (LLVMGetTargetFromTriple(triple, &target, &message)) {
    LLVMDisposeMessage(triple);
    return internal_message("no code generator for this machine", message);
  }
  // A named CPU brings its own features; this machine's may lack some that its name implies.
  char *host_cpu = LLVMGetHostCPUName(), *host_features = LLVMGetHostCPUFeatures();
  LLVMTargetMachineOptionsRef machine_options = LLVMCreateTargetMachineOptions();
  LLVMTargetMachineOptionsSetCPU(machine_options, options->cpu ? options->cpu : host_cpu);
  LLVMTargetMachineOptionsSetFeatures(machine_options, options->cpu ? "" : host_features);
  LLVMTargetMachineOptionsSetCodeGenOptLevel(machine_options, (LLVMCodeGenOptLevel)level);
  LLVMTargetMachineOptionsSetRelocMode(machine_options, LLVMRelocPIC);
  LLVMTargetMachineOptionsSetCodeModel(machine_options, LLVMCodeModelSmall);
  *out_machine = LLVMCreateTargetMachineWithOptions(target, triple, machine_options);
  LLVMDisposeTargetMachineOptions(machine_options);
  LLVMDisposeMessage(host_features);
  LLVMDisposeMessage(host_cpu);
  LLVMDisposeMessage(triple);
  if (*out_machine) return NULL;
  return ragged_status_make(RAGGED_STATUS_INTERNAL, "no target machine for this machine");
}

static void set_target(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  char *triple = LLVMGetTargetMachineTriple(machine);
  LLVMSetTarget(module, triple);
  LLVMDisposeMessage(triple);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  LLVMSetModuleDataLayout(module, layout);
  LLVMDisposeTargetData(layout);
}

// The lowering has cut kernels to vectors. What LLVM's vectorisers would make of the few single rows
// and elements that are left is contracted otherwise than the vectors, and a row's bits would depend
// on its place. They leave functions with this attribute alone; LLVM's options do not reach the one
// for straight code.
static void forbid_vectorisers(LLVMModuleRef module) {
  static const char name[] = "noimplicitfloat";
  unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
  LLVMAttributeRef attribute = LLVMCreateEnumAttribute(LLVMGetModuleContext(module), kind, 0);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}

static ragged_status optimise(LLVMModuleRef module, LLVMTargetMachineRef machine, int level) {
  char *message = NULL;
  if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message))
    return internal_message("the generated LLVM IR is wrong", message);
  LLVMDisposeMessage(message);
  char passes[16];
  snprintf(passes, sizeof passes, "default<O%d>", level);
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(module, passes, machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error) return NULL;
  char *text = LLVMGetErrorMessage(error);
  ragged_status status =
      ragged_status_make(RAGGED_STATUS_INTERNAL, "LLVM's optimiser failed: %s", text);
  LLVMDisposeErrorMessage(text);
  return status;
}

// LLVM's default handler ends the process on an error.
static void keep_error(LLVMDiagnosticInfoRef diagnostic, void *buffer) {
  if (LLVMGetDiagInfoSeverity(diagnostic) != LLVMDSError) return;
  char *text = LLVMGetDiagInfoDescription(diagnostic);
  ragged_string_appendf(buffer, "%s%s", ((ragged_string_buffer *)buffer)->length ? "; " : "", text);
  LLVMDisposeMessage(text);
}

// Null `symbol`: for the JIT.
static ragged_status generate(LLVMModuleRef module, LLVMTargetMachineRef machine, int level,
                              const ragged_entry_table *table, const char *symbol,
                              LLVMMemoryBufferRef *out_object) {
  set_target(module, machine);
  if (symbol) RAGGED_RETURN_IF_ERROR(ragged_entry_code_add(module, table, symbol));
  forbid_vectorisers(module);
  RAGGED_RETURN_IF_ERROR(optimise(module, machine, level));
  char *message = NULL;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message, out_object))
    return internal_message("LLVM's code generator failed", message);
  return NULL;
}

static ragged_status emit(MlirOperation module, const ragged_compile_options *options,
                          const ragged_entry_table *table, const char *symbol,
                          LLVMMemoryBufferRef *out_object) {
  int level = options->optimization_level;
  if (level > 3)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "the optimization level is %d, but 0 to 3 are supported", level);
  if (level < 0) level = 3;
  LLVMTargetMachineRef machine;
  RAGGED_RETURN_IF_ERROR(create_machine(options, level, &machine));
  mlirRegisterAllLLVMTranslations(mlirOperationGetContext(module));
  ragged_string_buffer errors = {0};
  LLVMContextRef context = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(context, keep_error, &errors);
  LLVMModuleRef llvm_module = mlirTranslateModuleToLLVMIR(module, context);
  LLVMMemoryBufferRef object = NULL;
  ragged_status status =
      llvm_module ? generate(llvm_module, machine, level, table, symbol, &object)
                  : ragged_status_make(RAGGED_STATUS_INTERNAL,
                                       "the lowered program does not translate to LLVM IR");
  if (!status && errors.length) {
    LLVMDisposeMemoryBuffer(object);
    status = ragged_status_make(RAGGED_STATUS_INTERNAL, "LLVM: %s", errors.data);
  }
  if (!status) *out_object = object;
  if (llvm_module) LLVMDisposeModule(llvm_module);
  LLVMContextDispose(context);
  LLVMDisposeTargetMachine(machine);
  ragged_string_free(&errors);
  return status;
}

ragged_status ragged_emit_object(MlirOperation module, const ragged_compile_options *options,
                                 LLVMMemoryBufferRef *out_object) {
  return emit(module, options, NULL, NULL, out_object);
}

ragged_status ragged_emit_linkable_object(MlirOperation module,
                                          const ragged_compile_options *options,
                                          const ragged_entry_table *table, const char *symbol,
                                          LLVMMemoryBufferRef *out_object) {
  return emit(module, options, table, symbol, out_object);
}
