#!/bin/sh
# Checks and times compiled programs on a GPU, in two steps on two machines.
#
#   bench/gpu.sh --bundle DIR [--build BUILD] [--target T] [--chips C] [--cpu P] [--programs small]
#       here, where the project is built: compiles programs ahead of time, writes inputs and the
#       reference's results, and copies the sources of the runtime and of the driver to DIR.
#   DIR/gpu.sh [driver options]
#       there, where there are a C compiler and a GPU's driver: builds, checks, measures, prints one
#       table and writes gpu.json in the current folder. Takes at most five minutes.
#
# Exit status of the second: 0 nothing was wrong; 1 a result was wrong, or a call failed; 2 there is no
# GPU driver (one line says so), or the bundle cannot be built. docs/performance.md has more.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)

fail() {
  echo "gpu.sh: $*" >&2
  exit 2
}

# ---- There ------------------------------------------------------------------------------------------

find_compiler() {
  for compiler in "${CC:-}" gcc cc; do
    if [ -n "$compiler" ] && command -v "$compiler" >/dev/null 2>&1; then
      echo "$compiler"
      return
    fi
  done
  # nvcc compiles C through a host compiler, which then is not on PATH.
  if command -v nvcc >/dev/null 2>&1; then echo nvcc; fi
}

# Everything that the bundle has as source, in one call: there are about eighty small files.
build_driver() {
  compiler=$(find_compiler)
  [ -n "$compiler" ] || fail "no C compiler found: gcc, cc or nvcc is needed, or CC"
  work=$here/work
  mkdir -p "$work"
  includes="-I$here/src/shim -I$here/src/lib -I$here/src/runtime -I$here/src/bench/gpu"
  includes="$includes -I$here/src/bench -I$here/src/tools/ragged-run"
  case $compiler in
    *nvcc) flags="-x c -O2 -Xcompiler=-std=gnu11,-fopenmp" link="-Xcompiler=-fopenmp" ;;
    *) flags="-std=gnu11 -O2 -fopenmp -Wall -Wextra ${CFLAGS:-}" link="-fopenmp" ;;
  esac
  jobs=$( (command -v nproc >/dev/null && nproc) || echo 2)
  # shellcheck disable=SC2086
  if ! find "$here/src" -name '*.c' -print0 |
      xargs -0 -n 4 -P "$jobs" sh -c '
        work=$1; shift; compile=$1; shift
        for file in "$@"; do
          $compile -c "$file" -o "$work/$(echo "$file" | tr / _).o" || exit 255
        done' sh "$work" "$compiler $flags $includes" >"$work/log" 2>&1; then
    cat "$work/log" >&2
    fail "the driver cannot be compiled"
  fi
  # shellcheck disable=SC2086
  if ! "$compiler" $link "$work"/*.o "$here"/programs/*.o -o "$work/driver" -ldl -lm -lpthread \
      >"$work/log" 2>&1; then
    cat "$work/log" >&2
    fail "the driver cannot be linked"
  fi
}

run_torch() {
  rm -f "$here/work/torch.rows"
  command -v python3 >/dev/null 2>&1 || return 0
  python3 -c 'import sys, torch; sys.exit(not torch.cuda.is_available())' >/dev/null 2>&1 || return 0
  # shellcheck disable=SC2086
  $limit python3 "$here/src/bench/gpu/torch_block.py" "$here/lengths.txt" \
    "$here/work/torch.rows" >"$here/work/torch.log" 2>&1 || true
}

run_bundle() {
  limit=""
  if command -v timeout >/dev/null 2>&1; then limit="timeout 60"; fi
  if [ "$(cat "$here/target")" = cuda ] && [ -z "${RAGGED_CUDA_DRIVER:-}" ] &&
      ! find_library libcuda.so.1; then
    fail "no CUDA driver found: this machine has no libcuda.so.1"
  fi
  begin=$(date +%s)
  build_driver
  # cuBLASLt often comes with Python's packages rather than with CUDA.
  if [ -z "${RAGGED_CUBLASLT:-}" ] && command -v python3 >/dev/null 2>&1; then
    found=$(python3 -c 'import glob, os, sys
print(next((f for p in sys.path for f in sorted(glob.glob(os.path.join(p, "nvidia", "c*", "lib", "libcublasLt.so.1[0-9]")))), ""))' 2>/dev/null || true)
    if [ -n "$found" ]; then
      RAGGED_CUBLASLT=$found
      export RAGGED_CUBLASLT
    fi
  fi
  torch=""
  if [ "$(cat "$here/target")" = cuda ]; then
    run_torch
    torch="--torch $here/work/torch.rows"
  fi
  left=$((270 - ($(date +%s) - begin)))
  # shellcheck disable=SC2086
  "$here/work/driver" "$here" --json "$PWD/gpu.json" --seconds "$left" $torch "$@"
}

# Where the loader looks: its cache, and the folders that it is told of.
find_library() {
  for cache in ldconfig /sbin/ldconfig; do
    if "$cache" -p 2>/dev/null | grep -q "$1 "; then return 0; fi
  done
  for folder in $(echo "${LD_LIBRARY_PATH:-}" | tr : ' ') /usr/lib /usr/lib64 \
      /usr/lib/x86_64-linux-gnu /usr/lib/aarch64-linux-gnu /usr/lib/wsl/lib; do
    if [ -e "$folder/$1" ]; then return 0; fi
  done
  return 1
}

# ---- Here -------------------------------------------------------------------------------------------

make_bundle() {
  bundle="" build="" target=cuda chips=sm_80,sm_90 cpu="" programs=all
  while [ $# -gt 0 ]; do
    [ $# -gt 1 ] || fail "$1 needs a value"
    case $1 in
      --bundle) bundle=$2 ;;
      --build) build=$2 ;;
      --target) target=$2 ;;
      --chips) chips=$2 ;;
      --cpu) cpu=$2 ;;
      --programs) programs=$2 ;;
      *) fail "there is no option '$1'; $0 --help lists them" ;;
    esac
    shift 2
  done
  root=$(dirname "$here")
  [ -n "$build" ] || build=$root/build
  build=$(CDPATH= cd -- "$build" && pwd) || fail "there is no folder '$build'"
  case $target in
    cuda) device=cuda chip_option="--chips=$chips" ;;
    cpu) device=host chip_option="" ;;
    emulated) device=emulated chip_option="" ;;
    *) fail "the target is '$target', expected cuda, cpu or emulated" ;;
  esac
  # The host's part of a GPU program runs on any processor of its kind; what has all of it there is for
  # this machine.
  if [ -z "$cpu" ] && [ "$target" = cuda ]; then
    case $(uname -m) in
      x86_64) cpu=x86-64 ;;
      *) cpu=generic ;;
    esac
  fi
  cpu_option=""
  if [ -n "$cpu" ]; then cpu_option="--cpu=$cpu"; fi
  for tool in ragged-build ragged-gpu-cases; do
    [ -x "$build/bin/$tool" ] || fail "'$build/bin/$tool' is missing: ninja -C $build $tool"
  done
  if [ -e "$bundle" ] && [ ! -e "$bundle/target" ] && [ -n "$(ls -A "$bundle")" ]; then
    fail "'$bundle' is there, and no bundle"
  fi
  rm -rf "$bundle"
  mkdir -p "$bundle/programs" "$bundle/cases"
  bundle=$(CDPATH= cd -- "$bundle" && pwd)
  cd "$root"  # messages of compiled code name files as they are given
  copy_sources
  echo "$target" >"$bundle/target"
  begin_programs
  if [ "$programs" = small ]; then
    add_program "examples/first.mlir" first small
    add_program "test/run/conversion.mlir" conversion one
  else
    for name in elementwise normalization reduction structure conversion linear control; do
      add_program "test/run/$name.mlir" "$name" small
    done
    add_program "test/run/conversion-like.mlir" conversion_like small
    add_program "test/run/products-by-library.mlir" products small
    add_program "bench/gpu/segments.mlir" segments huge
    add_program "bench/gpu/kernels.mlir" kernels small 1000000
    add_program "examples/single_pair_single.mlir" single_pair_single block
  fi
  end_programs
  write_lengths
  cp "$here/gpu.sh" "$bundle/gpu.sh"
  chmod +x "$bundle/gpu.sh"
  du -sh "$bundle" | sed 's/^\([^\t]*\).*/gpu.sh: the bundle has \1/'
}

copy_sources() {
  source=$bundle/src
  for folder in runtime runtime/emulated lib/support lib/schema; do
    mkdir -p "$source/$folder"
    cp "$root/$folder"/*.h "$root/$folder"/*.c "$source/$folder"
  done
  mkdir -p "$source/lib/reference" "$source/bench/gpu" "$source/tools/ragged-run" \
    "$source/shim/mlir-c"
  # The comparison with its values, without the interpreter: MLIR's header is replaced.
  for name in compare values packed; do
    cp "$root/lib/reference/reference_$name.c" "$source/lib/reference"
  done
  cp "$root/lib/reference"/*.h "$source/lib/reference"
  cp "$root/bench/gpu/shim/mlir-c/IR.h" "$source/shim/mlir-c"
  for name in value draw file; do
    cp "$root/tools/ragged-run/$name".[ch] "$source/tools/ragged-run"
  done
  cp "$root/bench/gpu"/*.[ch] "$root/bench/gpu/torch_block.py" "$source/bench/gpu"
  rm "$source/bench/gpu/make_cases.c"
  cp "$root/bench/block.h" "$source/bench"
  cp "$root/LICENSE" "$bundle"
}

begin_programs() {
  table=$bundle/src/programs.c
  echo '// Written by gpu.sh: the programs of this bundle.' >"$table"
  echo '#include "driver.h"' >>"$table"
  list=""
}

# FILE NAME LENGTHS [BYTES]
add_program() {
  "$build/bin/ragged-gpu-cases" "$1" "$bundle/cases/$2.cases" "$3" ${4:-}
  # shellcheck disable=SC2086
  "$build/bin/ragged-build" "$1" --output="$bundle/programs/$2.o" --symbol="ragged_program_$2" \
    --target="$target" $cpu_option $chip_option
  echo "const ragged_rt_entry *ragged_program_$2(int *out_count);" >>"$table"
  list="$list  {\"$2\", ragged_program_$2},
"
}

end_programs() {
  {
    echo "const gpu_program gpu_programs[] = {"
    echo "$list  {NULL, NULL}};"
    echo "const char gpu_bundle_device[] = \"$device\";"
  } >>"$table"
}

# Of the first eight proteins.
write_lengths() {
  awk '/^>/ { if (n++) print length(s); s = ""; if (n > 8) exit; next } { gsub(/[^A-Za-z]/, ""); s = s $0 }
       END { if (n <= 8) print length(s) }' "$root/data/proteins.fasta" >"$bundle/lengths.txt"
}

case ${1:-} in
  --bundle*) make_bundle "$@" ;;
  -h | --help) sed -n '2,/^set -eu/{/^set/d;s/^# \{0,1\}//;p;}' "$0" ;;
  *)
    [ -e "$here/target" ] || fail "this is no bundle: $0 --bundle DIR makes one"
    run_bundle "$@"
    ;;
esac
