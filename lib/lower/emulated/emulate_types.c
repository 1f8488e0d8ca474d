// LLVM types as text: pointers without their address spaces, sizes and alignments.
#include <stdlib.h>
#include <string.h>

#include "lower/emulated/emulate.h"
#include "support/string_buffer.h"

static void append(MlirStringRef piece, void *buffer) {
  ragged_string_append(buffer, piece.data, piece.length);
}

static const char *keep(emulation *self, ragged_string_buffer *buffer) {
  const char *text = ragged_arena_copy_string(&self->arena, buffer->data ? buffer->data : "",
                                              buffer->length);
  ragged_string_free(buffer);
  return text;
}

const char *emulate_type_text(emulation *self, MlirType type) {
  ragged_string_buffer buffer = {0};
  mlirTypePrint(type, append, &buffer);
  return keep(self, &buffer);
}

const char *emulate_attribute_text(emulation *self, MlirOperation operation, const char *name) {
  MlirAttribute attribute = ragged_operation_attribute(operation, name);
  if (mlirAttributeIsNull(attribute)) return "";
  ragged_string_buffer buffer = {0};
  mlirAttributePrint(attribute, append, &buffer);
  return keep(self, &buffer);
}

MlirType emulate_host_type(emulation *self, MlirType type) {
  if (mlirTypeIsAInteger(type) || mlirTypeIsAFloat(type) || mlirTypeEqual(type, self->pointer))
    return type;
  const char *text = emulate_type_text(self, type), *found;
  ragged_string_buffer buffer = {0};
  while ((found = strstr(text, "ptr<"))) {
    const char *end = strchr(found, '>');
    if (!end) break;
    ragged_string_append(&buffer, text, (size_t)(found - text) + strlen("ptr"));
    text = end + 1;
  }
  ragged_string_append(&buffer, text, strlen(text));
  return ragged_type_parse(self->context, keep(self, &buffer));
}

int emulate_address_space(emulation *self, MlirType type) {
  static const char pointer[] = "!llvm.ptr";
  const char *text = emulate_type_text(self, type);
  if (strncmp(text, pointer, sizeof pointer - 1)) return -1;
  text += sizeof pointer - 1;
  return *text == '<' ? atoi(text + 1) : 0;
}

// ---- Layouts -------------------------------------------------------------------------------------

typedef struct layout {
  int64_t bytes, alignment;  // bytes without padding at the end
} layout;

static bool skip(const char **text, const char *prefix) {
  size_t length = strlen(prefix);
  if (strncmp(*text, prefix, length)) return false;
  *text += length;
  return true;
}

static int64_t round_up(int64_t value, int64_t step) { return (value + step - 1) / step * step; }

static layout of_bits(int64_t bits) {
  layout result = {(bits + 7) / 8, 1};
  while (result.alignment < result.bytes) result.alignment *= 2;
  return result;
}

static bool read_number(const char **text, int64_t *out) {
  char *end;
  *out = strtoll(*text, &end, 10);
  bool found = end != *text && *out >= 0 && *out < (int64_t)1 << 32;
  *text = end;
  return found;
}

// Integers and floats; their width in bits.
static bool read_scalar(const char **text, int64_t *bits) {
  if (skip(text, "bf16")) return *bits = 16, true;
  if (**text != 'i' && **text != 'f') return false;
  ++*text;
  return read_number(text, bits);
}

static bool read_type(const char **text, layout *out);

static bool read_array(const char **text, layout *out) {
  int64_t count;
  layout element;
  if (!read_number(text, &count) || !skip(text, " x ") || !read_type(text, &element) ||
      !skip(text, ">"))
    return false;
  *out = (layout){count * round_up(element.bytes, element.alignment), element.alignment};
  return true;
}

static bool read_struct(const char **text, layout *out) {
  bool packed = skip(text, "packed ");
  if (!skip(text, "(")) return false;
  *out = (layout){0, 1};
  while (!skip(text, ")>")) {
    layout member;
    if (!read_type(text, &member)) return false;
    if (packed) member.alignment = 1;
    out->bytes = round_up(out->bytes, member.alignment) + member.bytes;
    if (member.alignment > out->alignment) out->alignment = member.alignment;
    skip(text, ", ");
  }
  return true;
}

static bool read_type(const char **text, layout *out) {
  int64_t count, bits;
  skip(text, "!llvm.");
  if (skip(text, "ptr")) {
    if (skip(text, "<") && (!read_number(text, &count) || !skip(text, ">"))) return false;
    *out = (layout){8, 8};
    return true;
  }
  if (skip(text, "array<")) return read_array(text, out);
  if (skip(text, "struct<")) return read_struct(text, out);
  if (skip(text, "vector<")) {
    if (!read_number(text, &count) || !skip(text, "x") || !read_scalar(text, &bits) ||
        !skip(text, ">"))
      return false;
    *out = of_bits(count * bits);
    return true;
  }
  if (!read_scalar(text, &bits)) return false;
  *out = of_bits(bits);
  return true;
}

bool emulate_layout(emulation *self, MlirType type, int64_t *bytes, int64_t *alignment) {
  const char *text = emulate_type_text(self, type);
  layout result;
  if (!read_type(&text, &result) || *text) return false;
  *bytes = result.bytes;
  *alignment = result.alignment;
  return true;
}
