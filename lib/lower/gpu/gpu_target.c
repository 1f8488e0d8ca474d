// See gpu_target.h. Which PTX version a chip needs: PTX ISA, release notes.
#include "lower/gpu/gpu_target.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/arena.h"

#define MISTAKE(...) ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, __VA_ARGS__)

// Chips whose instructions the kernels use, and the PTX version that knows them.
static const struct {
  const char *name;
  int ptx;
} kChips[] = {{"sm_80", 70}, {"sm_86", 71},  {"sm_87", 74},   {"sm_89", 78},
              {"sm_90", 78}, {"sm_90a", 80}, {"sm_100", 86},  {"sm_120", 87}};
enum { kNumChips = (int)(sizeof kChips / sizeof *kChips), kDefaultPtx = 80 };

// Those between 7.0 and 8.8 that were released.
static const int kPtxVersions[] = {70, 71, 72, 73, 74, 75, 76, 77, 78, 80,
                                   81, 82, 83, 84, 85, 86, 87, 88};
enum { kNumPtxVersions = (int)(sizeof kPtxVersions / sizeof *kPtxVersions) };

static const char *const kFormats[] = {[RAGGED_GPU_NVVM] = "nvvm", [RAGGED_GPU_ISA] = "isa",
                                       [RAGGED_GPU_BIN] = "bin", [RAGGED_GPU_FATBIN] = "fatbin"};

static bool is_given(const char *text) { return text && *text; }

static int find_chip(const char *name, size_t length) {
  for (int k = 0; k < kNumChips; ++k)
    if (strlen(kChips[k].name) == length && !memcmp(kChips[k].name, name, length)) return k;
  return -1;
}

static ragged_status unknown_chip(const char *name, size_t length) {
  ragged_arena arena = {0};
  const char *list = kChips[0].name;
  for (int k = 1; k < kNumChips; ++k)
    list = ragged_arena_format(&arena, "%s, %s", list, kChips[k].name);
  ragged_status status = MISTAKE("chip '%.*s' is unknown, expected one of %s",
                                 (int)(length < 40 ? length : 40), name, list);
  ragged_arena_free(&arena);
  return status;
}

static ragged_status read_chips(const char *text, ragged_gpu_target *out, int *needed) {
  for (const char *at = text;; ++at) {
    size_t length = strcspn(at, ",");
    int chip = find_chip(at, length);
    if (chip < 0) return unknown_chip(at, length);
    for (int k = 0; k < out->num_chips; ++k)
      if (!strcmp(out->chips[k], kChips[chip].name))
        return MISTAKE("chip '%s' is given twice", kChips[chip].name);
    if (out->num_chips == RAGGED_GPU_MAX_CHIPS)
      return MISTAKE("more than %d chips are given", RAGGED_GPU_MAX_CHIPS);
    out->chips[out->num_chips++] = kChips[chip].name;
    if (kChips[chip].ptx > *needed) *needed = kChips[chip].ptx;
    at += length;
    if (!*at) return NULL;
  }
}

static ragged_status read_ptx(const char *text, const ragged_gpu_target *target, int *out) {
  for (int k = 0; k < kNumPtxVersions; ++k) {
    char name[8] = {(char)('0' + kPtxVersions[k] / 10), '.', (char)('0' + kPtxVersions[k] % 10)};
    if (!strcmp(text, name)) *out = kPtxVersions[k];
  }
  if (!*out) return MISTAKE("PTX version '%s' is unknown, expected 7.0 to 8.8", text);
  for (int k = 0; k < target->num_chips; ++k) {
    int needed = kChips[find_chip(target->chips[k], strlen(target->chips[k]))].ptx;
    if (*out < needed)
      return MISTAKE("PTX version %s is too old for %s, which needs %d.%d", text, target->chips[k],
                     needed / 10, needed % 10);
  }
  return NULL;
}

static ragged_status read_format(const char *text, ragged_gpu_format *out) {
  for (int k = 0; k < (int)(sizeof kFormats / sizeof *kFormats); ++k)
    if (!strcmp(text, kFormats[k])) {
      *out = (ragged_gpu_format)k;
      return NULL;
    }
  return MISTAKE("format '%s' is unknown, expected nvvm, isa, bin or fatbin", text);
}

// ---- NVIDIA's tools --------------------------------------------------------------------------------

static bool is_program(ragged_arena *arena, const char *folder, size_t length, const char *middle,
                       const char *name) {
  return length &&
         !access(ragged_arena_format(arena, "%.*s%s/%s", (int)length, folder, middle, name), X_OK);
}

// Where the serialisation to binaries looks too.
static bool find_tool(ragged_arena *arena, const char *name) {
  static const char *const variables[] = {"CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"};
  for (size_t k = 0; k < sizeof variables / sizeof *variables; ++k) {
    const char *folder = getenv(variables[k]);
    if (folder && is_program(arena, folder, strlen(folder), "/bin", name)) return true;
  }
  const char *path = getenv("PATH");
  for (const char *at = path ? path : ""; *at;) {
    size_t length = strcspn(at, ":");
    if (is_program(arena, at, length, "", name)) return true;
    at += length + (at[length] == ':');
  }
  return false;
}

static ragged_status check_tools(ragged_gpu_format format) {
  ragged_arena arena = {0};
  const char *missing = NULL;
  if (format >= RAGGED_GPU_BIN && !find_tool(&arena, "ptxas")) missing = "ptxas";
  else if (format == RAGGED_GPU_FATBIN && !find_tool(&arena, "fatbinary")) missing = "fatbinary";
  ragged_arena_free(&arena);
  if (!missing) return NULL;
  return ragged_status_make(RAGGED_STATUS_UNAVAILABLE,
                            "format %s needs NVIDIA's %s, which is neither on PATH nor below "
                            "CUDA_HOME, CUDA_PATH or CUDA_ROOT; format=isa needs no tool",
                            kFormats[format], missing);
}

ragged_status ragged_gpu_target_read(const ragged_gpu_options *options, ragged_gpu_target *out) {
  *out = (ragged_gpu_target){0};
  int needed = kDefaultPtx;
  RAGGED_RETURN_IF_ERROR(
      read_chips(is_given(options->chips) ? options->chips : "sm_80,sm_90", out, &needed));
  if (is_given(options->ptx)) RAGGED_RETURN_IF_ERROR(read_ptx(options->ptx, out, &out->ptx));
  else out->ptx = needed;
  RAGGED_RETURN_IF_ERROR(
      read_format(is_given(options->format) ? options->format : "fatbin", &out->format));
  return check_tools(out->format);
}
