# Two commands do everything on a fresh Debian 12 machine, packages included:
#   make demo    builds and runs the main job
#   make check   builds and passes all tests
BUILD ?= build
JOBS ?= $(shell nproc)
# Any MLIR 22.1: make MLIR_DIR=/path/to/lib/cmake/mlir
MLIR_DIR ?= $(shell llvm-config-22 --prefix 2>/dev/null)/lib/cmake/mlir
CMAKE_FLAGS ?=

.PHONY: all packages configure demo check check-asan differential gradients faults faults-nvvm clean

all: configure
	ninja -C $(BUILD) -j $(JOBS)

packages:
	@scripts/install-packages.sh

configure: packages
	@cmake -S . -B $(BUILD) -G Ninja -DMLIR_DIR=$(MLIR_DIR) $(CMAKE_FLAGS) > $(BUILD).log 2>&1 \
	  || { cat $(BUILD).log; exit 1; }

demo: configure
	ninja -C $(BUILD) -j $(JOBS) ragged-demo
	$(BUILD)/bin/ragged-demo examples/single_pair_single.mlir examples/single_pair_single_train.mlir \
	  data/proteins.fasta $(BUILD)/demo.json

check: all
	ninja -C $(BUILD) check-ragged

check-asan:
	$(MAKE) check BUILD=$(BUILD)-asan CMAKE_FLAGS="-DRAGGED_SANITIZE=ON -DCMAKE_BUILD_TYPE=Debug"

differential: all
	ninja -C $(BUILD) differential

gradients: all
	ninja -C $(BUILD) gradients

# Plants faults in a copy of the tree and expects the suite to catch them: the whole suite once, then for
# each fault up to the first failure.
faults: packages
	python3 test/faults/plant.py . $(BUILD)-faults --mlir-dir $(MLIR_DIR) --jobs $(JOBS)

# Plants faults in the text of GPU kernels and expects the emulated device to show them (half a minute).
faults-nvvm: all
	python3 test/faults/plant_nvvm.py --opt $(BUILD)/bin/ragged-opt --run $(BUILD)/bin/run-all-lengths

clean:
	rm -rf $(BUILD) $(BUILD).log
