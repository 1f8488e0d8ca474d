# Two commands do everything on a fresh Debian 12 machine, packages included:
#   make demo    builds and runs the main job
#   make check   builds and passes all tests
BUILD ?= build
CMAKE_FLAGS ?=
JOBS ?= $(shell nproc)
LLVM_PREFIX = $(shell llvm-config-22 --prefix)

.PHONY: all packages demo check check-asan clean

all: packages
	@cmake -S . -B $(BUILD) -G Ninja -DMLIR_DIR=$(LLVM_PREFIX)/lib/cmake/mlir $(CMAKE_FLAGS) > $(BUILD).log 2>&1 || (cat $(BUILD).log; exit 1)
	ninja -C $(BUILD) -j $(JOBS)

packages:
	@scripts/install-packages.sh
