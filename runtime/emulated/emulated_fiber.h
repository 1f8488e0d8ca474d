// Fibers: stacks of their own that run until they switch to another. Used by the emulated device for
// the threads of a block. Nothing here is a thread of the operating system.
#ifndef RAGGED_RUNTIME_EMULATED_EMULATED_FIBER_H
#define RAGGED_RUNTIME_EMULATED_EMULATED_FIBER_H

#include <stdbool.h>
#include <stddef.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
#define RAGGED_EMULATED_UCONTEXT 1
#endif
#ifdef RAGGED_EMULATED_UCONTEXT
#include <ucontext.h>
#endif

enum { EMULATED_STACK_BYTES = 256 * 1024 };

typedef struct emulated_fiber {
#ifdef RAGGED_EMULATED_UCONTEXT
  ucontext_t context;
#else
  void *stack_pointer;  // while it does not run
#endif
  char *stack;          // lowest usable byte; of the fiber that stands for its caller's stack, null
  size_t stack_bytes;   // or, under the address sanitizer, what that found
  struct emulated_fiber *previous;  // who switched here; under the address sanitizer
  void (*function)(void *argument);
  void *argument;
} emulated_fiber;

// `count` stacks with a guard page below each. Their memory is used when it is touched.
typedef struct emulated_stacks {
  char *memory;
  size_t count, stride, guard;
} emulated_stacks;  // zero-initialise

#pragma GCC visibility push(hidden)

// At least `count` stacks; keeps what is there. False: no memory, and none are there.
bool emulated_stacks_reserve(emulated_stacks *stacks, size_t count);
void emulated_stacks_free(emulated_stacks *stacks);

// The fiber will begin with `function(argument)` on stack `index`. What ran there before is gone.
// `function` must not return.
void emulated_fiber_prepare(emulated_fiber *fiber, const emulated_stacks *stacks, size_t index,
                            void (*function)(void *argument), void *argument);
// From the running fiber `from` to `to`. Returns when somebody switches back to `from`; never when
// `last` is set.
void emulated_fiber_switch(emulated_fiber *from, emulated_fiber *to, bool last);

#pragma GCC visibility pop

#endif  // RAGGED_RUNTIME_EMULATED_EMULATED_FIBER_H
