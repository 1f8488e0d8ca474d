# The test suite: files with RUN lines, and unit tests (unit/lit.local.cfg). A file that a suffix
# below selects and that has no RUN line fails; nothing is left out because a tool is missing.
import os
import shutil
import sys

import lit.formats

sys.path.insert(0, os.path.dirname(__file__))  # lit_unit_test_format.py

config.name = "ragged"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.join(config.ragged_source_dir, "test")
config.test_exec_root = os.path.join(config.ragged_binary_dir, "test")

# ragged-opt, ragged-run; FileCheck, not, split-file.
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.ragged_binary_dir, "bin"), config.llvm_tools_dir, os.environ["PATH"]]
)
config.substitutions += [
    ("%ragged_source", config.ragged_source_dir),
    ("%ragged_build", config.ragged_binary_dir),
    ("%python", config.python),
    # A driver and a cuBLASLt without a GPU (unit/Inputs), which know no kernels.
    ("%fake_gpu", "env RAGGED_CUDA_DRIVER=" + config.ragged_binary_dir + "/lib/libfake_cuda_driver.so"
     + " RAGGED_CUBLASLT=" + config.ragged_binary_dir + "/lib/libfake_cublaslt.so"),
]

# A test that does not end fails by its name (needs python3-psutil).
if lit_config.maxIndividualTestTimeIsSupported[0]:
    lit_config.maxIndividualTestTime = 3600 if config.sanitize else 1200

if config.sanitize:
    # MLIR keeps its contexts' memory to the end. LLVM's allocators poison what they hand out only
    # where they are compiled with the sanitizer; its shared library, which is not, reads the same
    # memory.
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0:allow_user_poisoning=0"
    config.environment["UBSAN_OPTIONS"] = "halt_on_error=1:print_stacktrace=1"
    config.available_features.add("sanitize")
if shutil.which("ptxas", path=config.environment["PATH"]):
    config.available_features.add("ptxas")
