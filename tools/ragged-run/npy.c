// See npy.h. The header is a Python dictionary with three keys; what NumPy writes is accepted, any
// order and spacing of it, and nothing else.
#include "npy.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "options.h"
#include "support/checked.h"
#include "support/string_buffer.h"

#define MISTAKE(...) ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, __VA_ARGS__)
#define MAX_HEADER 65536

static const char magic[6] = "\x93NUMPY";

const char *ragged_npy_type(ragged_element_type element_type) {
  static const char *const types[RAGGED_ELEMENT_COUNT] = {
      [RAGGED_ELEMENT_F64] = "<f8",
      [RAGGED_ELEMENT_F32] = "<f4",
      [RAGGED_ELEMENT_BF16] = "<u2",
      [RAGGED_ELEMENT_I64] = "<i8",
      [RAGGED_ELEMENT_I1] = "|b1",
  };
  return types[element_type];
}

void ragged_npy_free(ragged_npy *array) {
  free(array->data);
  *array = (ragged_npy){0};
}

// ---- Header ---------------------------------------------------------------------------------

typedef struct cursor {
  const char *at, *end;
} cursor;

static void skip_spaces(cursor *c) {
  while (c->at < c->end && strchr(" \t\r\n", *c->at) && *c->at) ++c->at;
}

static bool accept(cursor *c, char wanted) {
  skip_spaces(c);
  if (c->at == c->end || *c->at != wanted) return false;
  ++c->at;
  return true;
}

static bool accept_word(cursor *c, const char *word) {
  skip_spaces(c);
  size_t length = strlen(word);
  if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length)) return false;
  c->at += length;
  return true;
}

// A quoted string without escapes and null bytes, cut to the capacity.
static bool read_string(cursor *c, size_t capacity, char *out) {
  skip_spaces(c);
  if (c->at == c->end || (*c->at != '\'' && *c->at != '"')) return false;
  char quote = *c->at++;
  size_t length = 0;
  for (; c->at < c->end && *c->at != quote; ++c->at)
    if (!*c->at) return false;
    else if (length + 1 < capacity) out[length++] = *c->at;
  out[length] = 0;
  return c->at++ < c->end;
}

static bool read_shape(cursor *c, ragged_npy *out) {
  if (!accept(c, '(')) return false;
  while (!accept(c, ')')) {
    const char *begin = c->at;
    if (c->at + 1 < c->end && *c->at == '0' && c->at[1] >= '0' && c->at[1] <= '9') return false;
    while (c->at < c->end && *c->at >= '0' && *c->at <= '9') ++c->at;
    if (out->rank == RAGGED_NPY_MAX_RANK ||
        !ragged_run_parse_integer(begin, (size_t)(c->at - begin), &out->shape[out->rank++]))
      return false;
    accept_word(c, "L");  // Python 2
    bool comma = accept(c, ',');
    if (!comma && (out->rank == 1 || !(c->at < c->end && *c->at == ')'))) return false;
  }
  return true;
}

// Its three keys, each once, and nothing after it.
static bool read_fields(cursor *c, ragged_npy *out, bool *fortran) {
  static const char *const names[] = {"descr", "fortran_order", "shape"};
  enum { kType, kOrder, kShape, kFields };
  bool seen[kFields] = {false};
  if (!accept(c, '{')) return false;
  while (!accept(c, '}')) {
    char key[32];
    if (!read_string(c, sizeof key, key) || !accept(c, ':')) return false;
    int field = 0;
    while (field < kFields && strcmp(key, names[field])) ++field;
    if (field == kFields || seen[field]) return false;
    seen[field] = true;
    if (field == kType && !read_string(c, sizeof out->type, out->type)) return false;
    if (field == kOrder) *fortran = accept_word(c, "True");
    if (field == kOrder && !*fortran && !accept_word(c, "False")) return false;
    if (field == kShape && !read_shape(c, out)) return false;
    if (!accept(c, ',') && !(c->at < c->end && *c->at == '}')) return false;
  }
  skip_spaces(c);
  return c->at == c->end && seen[kType] && seen[kOrder] && seen[kShape];
}

static ragged_status parse_header(const char *path, cursor c, ragged_npy *out) {
  bool fortran = false;
  if (!read_fields(&c, out, &fortran))
    return MISTAKE("'%s' has a header that is not that of a plain array: expected 'descr' (one "
                   "type), 'fortran_order' and 'shape'",
                   path);
  if (out->type[0] == '>')
    return MISTAKE("'%s' is big-endian (element type '%s'), expected little-endian", path,
                   out->type);
  if (fortran) return MISTAKE("'%s' is in Fortran order, expected C order", path);
  return NULL;
}

static ragged_status read_header(const char *path, FILE *file, ragged_npy *out) {
  unsigned char start[12];
  size_t got = fread(start, 1, 8, file);
  if (got < 8 || memcmp(start, magic, sizeof magic))
    return MISTAKE("'%s' is no .npy file: it does not begin with \\x93NUMPY", path);
  int version = start[6];
  if (version < 1 || version > 3 || start[7] != 0)
    return MISTAKE("'%s' is of version %d.%d of the .npy format, expected 1.0, 2.0 or 3.0", path,
                   version, start[7]);
  size_t width = version == 1 ? 2 : 4, length = 0;
  if (fread(start + 8, 1, width, file) < width) return MISTAKE("'%s' ends in its header", path);
  for (size_t k = 0; k < width; ++k) length |= (size_t)start[8 + k] << (8 * k);
  if (length > MAX_HEADER)
    return MISTAKE("'%s' has a header of %zu bytes, expected at most %d", path, length, MAX_HEADER);
  char *text = malloc(length + 1);
  if (!text) return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for a header");
  ragged_status status = fread(text, 1, length, file) < length
                             ? MISTAKE("'%s' ends in its header", path)
                             : parse_header(path, (cursor){text, text + length}, out);
  free(text);
  return status;
}

// ---- Contents -------------------------------------------------------------------------------

static ragged_status check_type(const char *path, const char *type, int count,
                                const char *const *types) {
  ragged_string_buffer list = {0};
  for (int k = 0; k < count; ++k) {
    if (!strcmp(type, types[k])) {
      ragged_string_free(&list);
      return NULL;
    }
    ragged_string_appendf(&list, "%s'%s'", k ? " or " : "", types[k]);
  }
  ragged_status status =
      MISTAKE("'%s' has element type '%s', expected %s", path, type, list.data);
  ragged_string_free(&list);
  return status;
}

static bool count_bytes(const ragged_npy *array, int64_t *out) {
  *out = array->type[2] - '0';  // "<f8"
  for (int k = 0; k < array->rank; ++k)
    if (array->shape[k] == 0) *out = 0;
  for (int k = 0; k < array->rank && *out; ++k)
    if (!ragged_checked_multiply(*out, array->shape[k], out)) return false;
  return true;
}

static ragged_status read_contents(const char *path, FILE *file, int64_t size, ragged_npy *out) {
  int64_t bytes;
  if (!count_bytes(out, &bytes))
    return MISTAKE("'%s' has a shape of more than 2^63 - 1 bytes", path);
  int64_t have = size - ftell(file);
  if (have != bytes)
    return MISTAKE("'%s' is %s: it holds %lld bytes of values, its shape says %lld", path,
                   have < bytes ? "truncated" : "too long", (long long)have, (long long)bytes);
  RAGGED_RETURN_IF_ERROR(ragged_run_allocate(bytes, path, &out->data));
  if (bytes && fread(out->data, 1, (size_t)bytes, file) < (size_t)bytes)
    return MISTAKE("'%s' cannot be read to its end", path);
  bool truth = !strcmp(out->type, ragged_npy_type(RAGGED_ELEMENT_I1));
  for (int64_t k = 0; truth && k < bytes; ++k)  // what is written out again is 0 or 1
    ((unsigned char *)out->data)[k] = ((unsigned char *)out->data)[k] != 0;
  return NULL;
}

ragged_status ragged_npy_read(const char *path, int count, const char *const *types,
                              ragged_npy *out) {
  FILE *file;
  int64_t size;
  *out = (ragged_npy){0};
  RAGGED_RETURN_IF_ERROR(ragged_run_file_open(path, &file, &size));
  ragged_status status = read_header(path, file, out);
  if (!status) status = check_type(path, out->type, count, types);
  if (!status) status = read_contents(path, file, size, out);
  fclose(file);
  if (status) ragged_npy_free(out);
  return status;
}

// ---- Writing --------------------------------------------------------------------------------

static void print_header(ragged_element_type element_type, int rank, const int64_t *shape,
                         ragged_string_buffer *out) {
  ragged_string_appendf(out, "{'descr': '%s', 'fortran_order': False, 'shape': (",
                        ragged_npy_type(element_type));
  for (int k = 0; k < rank; ++k)
    ragged_string_appendf(out, k ? ", %lld" : "%lld", (long long)shape[k]);
  ragged_string_appendf(out, rank == 1 ? ",), }" : "), }");
  while ((10 + out->length + 1) % 64) ragged_string_append(out, " ", 1);  // values begin aligned
  ragged_string_append(out, "\n", 1);
}

ragged_status ragged_npy_write(const char *path, ragged_element_type element_type, int rank,
                               const int64_t *shape, const void *data) {
  size_t bytes = ragged_element_size(element_type);  // the array exists: no overflow
  for (int k = 0; k < rank; ++k) bytes *= (size_t)shape[k];
  ragged_string_buffer header = {0};
  print_header(element_type, rank, shape, &header);
  unsigned char length[4] = {1, 0, (unsigned char)(header.length & 255),
                             (unsigned char)(header.length >> 8)};
  FILE *file = fopen(path, "wb");
  bool ok = file && fwrite(magic, 1, sizeof magic, file) == sizeof magic &&
            fwrite(length, 1, sizeof length, file) == sizeof length &&
            fwrite(header.data, 1, header.length, file) == header.length &&
            (!bytes || fwrite(data, 1, bytes, file) == bytes);
  if (file && fclose(file)) ok = false;
  ragged_string_free(&header);
  if (ok) return NULL;
  return ragged_status_make(RAGGED_STATUS_UNAVAILABLE, "'%s' cannot be written", path);
}
