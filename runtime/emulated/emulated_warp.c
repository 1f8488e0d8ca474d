// Operations that the lanes of a warp do together: barrier, shuffles, votes. A lane waits until all
// that its mask names have arrived with the same operation and mask; the last one computes for all.
// Shuffles and votes do not order memory accesses, the barrier does.
#include <string.h>

#include "emulated/emulator_internal.h"

// The lanes of `thread`'s warp; lane k is [k], where the block has it.
static ragged_emulated_thread *warp_of(const ragged_emulated_thread *thread) {
  return thread->launch->threads + thread->index / EMULATED_WARP * EMULATED_WARP;
}

static bool is_compatible(const emulated_warp_operation *a, const emulated_warp_operation *b) {
  return a->kind == b->kind && a->mask == b->mask && a->type == b->type && a->k == b->k &&
         a->transposed == b->transposed;
}

static bool has_arrived(const ragged_emulated_thread *thread, uint32_t lane) {
  const ragged_emulated_thread *other = warp_of(thread) + lane;
  return other->state == EMULATED_IN_WARP && is_compatible(&other->operation, &thread->operation);
}

// ---- What is computed ----------------------------------------------------------------------------

// The lane that a shuffle reads, and whether it lies in the segment, as the PTX ISA says.
static uint32_t shuffle_source(const emulated_warp_operation *operation, uint32_t lane) {
  uint32_t clamp = operation->c & 31, segment = operation->c >> 8 & 31, b = operation->b & 31;
  uint32_t first = lane & segment, last = first | (clamp & ~segment & 31);
  int32_t source = 0;
  bool valid = false;
  switch (operation->kind) {
    case EMULATED_SHUFFLE_UP:
      source = (int32_t)lane - (int32_t)b;
      valid = source >= (int32_t)last;
      break;
    case EMULATED_SHUFFLE_DOWN:
      source = (int32_t)(lane + b);
      valid = source <= (int32_t)last;
      break;
    case EMULATED_SHUFFLE_BFLY:
      source = (int32_t)(lane ^ b);
      valid = source <= (int32_t)last;
      break;
    default:
      source = (int32_t)(first | (b & ~segment & 31));
      valid = source <= (int32_t)last;
      break;
  }
  return valid ? (uint32_t)source : EMULATED_WARP;
}

static void shuffle(ragged_emulated_thread *thread, ragged_emulated_thread *lanes) {
  uint32_t mask = thread->operation.mask;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(rest);
    emulated_warp_operation *own = &lanes[lane].operation;
    uint32_t source = shuffle_source(own, lane);
    own->valid = source < EMULATED_WARP;
    if (!own->valid) source = lane;
    if (!(mask >> source & 1))
      emulated_fault(&lanes[lane], thread->where,
                     "shuffle reads lane %u, which is not in the mask 0x%08x", source, mask);
    own->result = lanes[source].operation.value;
  }
}

static void vote(ragged_emulated_thread *thread, ragged_emulated_thread *lanes) {
  uint32_t mask = thread->operation.mask, ballot = 0;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(rest);
    if (lanes[lane].operation.value) ballot |= 1u << lane;
  }
  uint32_t result = ballot;
  if (thread->operation.kind == EMULATED_VOTE_ALL) result = ballot == mask;
  if (thread->operation.kind == EMULATED_VOTE_ANY) result = ballot != 0;
  if (thread->operation.kind == EMULATED_VOTE_UNI) result = ballot == 0 || ballot == mask;
  for (uint32_t rest = mask; rest; rest &= rest - 1)
    lanes[__builtin_ctz(rest)].operation.result = result;
}

static void order_lanes(ragged_emulated_thread *thread) {
  bool included[EMULATED_MAX_THREADS] = {false};
  int32_t first = thread->index / EMULATED_WARP * EMULATED_WARP;
  for (uint32_t rest = thread->operation.mask; rest; rest &= rest - 1)
    included[first + __builtin_ctz(rest)] = true;
  if (!emulated_order_some(&thread->launch->order, included)) emulated_out_of_memory(thread);
}

static void compute(ragged_emulated_thread *thread, ragged_emulated_thread *lanes) {
  switch (thread->operation.kind) {
    case EMULATED_WARP_BARRIER: order_lanes(thread); break;
    case EMULATED_SHUFFLE_IDX:
    case EMULATED_SHUFFLE_UP:
    case EMULATED_SHUFFLE_DOWN:
    case EMULATED_SHUFFLE_BFLY: shuffle(thread, lanes); break;
    case EMULATED_VOTE_ALL:
    case EMULATED_VOTE_ANY:
    case EMULATED_VOTE_UNI:
    case EMULATED_VOTE_BALLOT: vote(thread, lanes); break;
    case EMULATED_MATRIX: emulated_multiply(lanes); break;
    case EMULATED_LOAD_MATRIX: emulated_distribute_matrix(lanes); break;
  }
}

void emulated_warp_execute(ragged_emulated_thread *thread, const emulated_warp_operation *operation,
                           const char *where) {
  emulated_launch *launch = thread->launch;
  int32_t first = thread->index / EMULATED_WARP * EMULATED_WARP;
  int32_t lanes_in_block = launch->num_threads - first;
  uint32_t lane = (uint32_t)(thread->index - first);
  if (!(operation->mask >> lane & 1))
    emulated_fault(thread, where, "lane %u is not in the mask 0x%08x", lane, operation->mask);
  if (lanes_in_block < EMULATED_WARP && operation->mask >> lanes_in_block)
    emulated_fault(thread, where, "the mask 0x%08x names lanes that the block of %d threads does "
                   "not have", operation->mask, launch->num_threads);
  thread->operation = *operation;
  for (uint32_t rest = operation->mask; rest; rest &= rest - 1) {
    uint32_t other = (uint32_t)__builtin_ctz(rest);
    if (other == lane || has_arrived(thread, other)) continue;
    emulated_wait(thread, EMULATED_IN_WARP, where);
    return;
  }
  ragged_emulated_thread *lanes = launch->threads + first;
  thread->where = where;
  compute(thread, lanes);
  for (uint32_t rest = operation->mask; rest; rest &= rest - 1)
    lanes[__builtin_ctz(rest)].state = EMULATED_READY;
  ++launch->emulator->counts[launch->counts].warp_operations;
}

// ---- What kernels call ---------------------------------------------------------------------------

void ragged_emulated_warp_barrier(ragged_emulated_thread *thread, int32_t mask,
                                  const char *where) {
  emulated_warp_operation operation = {.kind = EMULATED_WARP_BARRIER, .mask = (uint32_t)mask};
  emulated_warp_execute(thread, &operation, where);
}

static int32_t execute_shuffle(ragged_emulated_thread *thread, emulated_warp_kind kind,
                               int32_t mask, int32_t value, int32_t b, int32_t c, int32_t *valid,
                               const char *where) {
  emulated_warp_operation operation = {.kind = kind, .mask = (uint32_t)mask,
                                       .value = (uint32_t)value, .b = (uint32_t)b,
                                       .c = (uint32_t)c};
  emulated_warp_execute(thread, &operation, where);
  if (valid) *valid = (int32_t)thread->operation.valid;
  return (int32_t)thread->operation.result;
}

int32_t ragged_emulated_shuffle_idx(ragged_emulated_thread *thread, int32_t mask, int32_t value,
                                    int32_t b, int32_t c, int32_t *valid, const char *where) {
  return execute_shuffle(thread, EMULATED_SHUFFLE_IDX, mask, value, b, c, valid, where);
}

int32_t ragged_emulated_shuffle_up(ragged_emulated_thread *thread, int32_t mask, int32_t value,
                                   int32_t b, int32_t c, int32_t *valid, const char *where) {
  return execute_shuffle(thread, EMULATED_SHUFFLE_UP, mask, value, b, c, valid, where);
}

int32_t ragged_emulated_shuffle_down(ragged_emulated_thread *thread, int32_t mask, int32_t value,
                                     int32_t b, int32_t c, int32_t *valid, const char *where) {
  return execute_shuffle(thread, EMULATED_SHUFFLE_DOWN, mask, value, b, c, valid, where);
}

int32_t ragged_emulated_shuffle_bfly(ragged_emulated_thread *thread, int32_t mask, int32_t value,
                                     int32_t b, int32_t c, int32_t *valid, const char *where) {
  return execute_shuffle(thread, EMULATED_SHUFFLE_BFLY, mask, value, b, c, valid, where);
}

static int32_t execute_vote(ragged_emulated_thread *thread, emulated_warp_kind kind, int32_t mask,
                            int32_t predicate, const char *where) {
  emulated_warp_operation operation = {.kind = kind, .mask = (uint32_t)mask,
                                       .value = predicate != 0};
  emulated_warp_execute(thread, &operation, where);
  return (int32_t)thread->operation.result;
}

int32_t ragged_emulated_vote_all(ragged_emulated_thread *thread, int32_t mask, int32_t predicate,
                                 const char *where) {
  return execute_vote(thread, EMULATED_VOTE_ALL, mask, predicate, where);
}

int32_t ragged_emulated_vote_any(ragged_emulated_thread *thread, int32_t mask, int32_t predicate,
                                 const char *where) {
  return execute_vote(thread, EMULATED_VOTE_ANY, mask, predicate, where);
}

int32_t ragged_emulated_vote_uni(ragged_emulated_thread *thread, int32_t mask, int32_t predicate,
                                 const char *where) {
  return execute_vote(thread, EMULATED_VOTE_UNI, mask, predicate, where);
}

int32_t ragged_emulated_vote_ballot(ragged_emulated_thread *thread, int32_t mask,
                                    int32_t predicate, const char *where) {
  return execute_vote(thread, EMULATED_VOTE_BALLOT, mask, predicate, where);
}
