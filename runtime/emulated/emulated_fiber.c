// See emulated_fiber.h. The switch saves what a call preserves and nothing else: a dozen
// instructions, where the C library's also asks the kernel for the signal mask.
#define _DEFAULT_SOURCE  // anonymous memory
#include "emulated/emulated_fiber.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define EMULATED_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EMULATED_ASAN 1
#endif
#endif
#ifdef EMULATED_ASAN
#include <sanitizer/common_interface_defs.h>
// As compilers call it; unlike that of asan_interface.h, it works without allow_user_poisoning too.
void __asan_unpoison_stack_memory(uintptr_t address, size_t size);
#endif

// ---- Stacks --------------------------------------------------------------------------------------

bool emulated_stacks_reserve(emulated_stacks *stacks, size_t count) {
  if (stacks->count >= count) return true;
  emulated_stacks_free(stacks);
  size_t guard = (size_t)sysconf(_SC_PAGESIZE), stride = guard + EMULATED_STACK_BYTES;
  char *memory = mmap(NULL, stride * count, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  *stacks = (emulated_stacks){memory, count, stride, guard};
  for (size_t k = 0; k < count; ++k)
    if (mprotect(memory + k * stride, guard, PROT_NONE)) {
      emulated_stacks_free(stacks);
      return false;
    }
  return true;
}

void emulated_stacks_free(emulated_stacks *stacks) {
  if (stacks->memory) {
#ifdef EMULATED_ASAN
    __asan_unpoison_stack_memory((uintptr_t)stacks->memory, stacks->stride * stacks->count);
#endif
    munmap(stacks->memory, stacks->stride * stacks->count);
  }
  *stacks = (emulated_stacks){0};
}

// ---- The switch ----------------------------------------------------------------------------------

// ragged_emulated_switch(void **save, void *to): pushes what the caller keeps, stores the stack
// pointer to *save, takes `to` for it and pops. A new fiber's stack is laid out as if it had been
// saved right before ragged_emulated_begin, which calls the function in one kept register with the
// argument in another. Rounding modes are not switched: kernels do not change them.
#if defined(RAGGED_EMULATED_UCONTEXT)
#elif defined(__x86_64__)
__asm__(
    ".text\n"
    ".p2align 4\n"
    ".hidden ragged_emulated_switch\n"
    ".globl ragged_emulated_switch\n"
    ".type ragged_emulated_switch, @function\n"
    "ragged_emulated_switch:\n"
    "  pushq %rbp\n"
    "  pushq %rbx\n"
    "  pushq %r12\n"
    "  pushq %r13\n"
    "  pushq %r14\n"
    "  pushq %r15\n"
    "  movq %rsp, (%rdi)\n"
    "  movq %rsi, %rsp\n"
    "  popq %r15\n"
    "  popq %r14\n"
    "  popq %r13\n"
    "  popq %r12\n"
    "  popq %rbx\n"
    "  popq %rbp\n"
    "  ret\n"
    ".size ragged_emulated_switch, .-ragged_emulated_switch\n"
    ".p2align 4\n"
    ".hidden ragged_emulated_begin\n"
    ".globl ragged_emulated_begin\n"
    ".type ragged_emulated_begin, @function\n"
    "ragged_emulated_begin:\n"
    "  .cfi_startproc\n"
    "  .cfi_undefined rip\n"
    "  movq %rbx, %rdi\n"
    "  callq *%r12\n"
    "  ud2\n"
    "  .cfi_endproc\n"
    ".size ragged_emulated_begin, .-ragged_emulated_begin\n");
enum { SAVED_WORDS = 7, BEGIN_WORD = 6, FUNCTION_WORD = 3, ARGUMENT_WORD = 4 };
#elif defined(__aarch64__)
__asm__(
    ".text\n"
    ".p2align 4\n"
    ".hidden ragged_emulated_switch\n"
    ".globl ragged_emulated_switch\n"
    ".type ragged_emulated_switch, %function\n"
    "ragged_emulated_switch:\n"
    "  sub sp, sp, #160\n"
    "  stp x19, x20, [sp, #0]\n"
    "  stp x21, x22, [sp, #16]\n"
    "  stp x23, x24, [sp, #32]\n"
    "  stp x25, x26, [sp, #48]\n"
    "  stp x27, x28, [sp, #64]\n"
    "  stp x29, x30, [sp, #80]\n"
    "  stp d8, d9, [sp, #96]\n"
    "  stp d10, d11, [sp, #112]\n"
    "  stp d12, d13, [sp, #128]\n"
    "  stp d14, d15, [sp, #144]\n"
    "  mov x9, sp\n"
    "  str x9, [x0]\n"
    "  mov sp, x1\n"
    "  ldp x19, x20, [sp, #0]\n"
    "  ldp x21, x22, [sp, #16]\n"
    "  ldp x23, x24, [sp, #32]\n"
    "  ldp x25, x26, [sp, #48]\n"
    "  ldp x27, x28, [sp, #64]\n"
    "  ldp x29, x30, [sp, #80]\n"
    "  ldp d8, d9, [sp, #96]\n"
    "  ldp d10, d11, [sp, #112]\n"
    "  ldp d12, d13, [sp, #128]\n"
    "  ldp d14, d15, [sp, #144]\n"
    "  add sp, sp, #160\n"
    "  ret\n"
    ".size ragged_emulated_switch, .-ragged_emulated_switch\n"
    ".p2align 4\n"
    ".hidden ragged_emulated_begin\n"
    ".globl ragged_emulated_begin\n"
    ".type ragged_emulated_begin, %function\n"
    "ragged_emulated_begin:\n"
    "  mov x0, x20\n"
    "  blr x19\n"
    "  brk #1\n"
    ".size ragged_emulated_begin, .-ragged_emulated_begin\n");
enum { SAVED_WORDS = 20, BEGIN_WORD = 11, FUNCTION_WORD = 0, ARGUMENT_WORD = 1 };
#endif

#ifdef RAGGED_EMULATED_UCONTEXT
// makecontext passes ints only.
static void begin(unsigned high, unsigned low) {
  emulated_fiber *fiber = (emulated_fiber *)(uintptr_t)(((uint64_t)high << 32) | low);
  fiber->function(fiber->argument);
}
#else
void ragged_emulated_switch(void **save, void *to);
void ragged_emulated_begin(void);
#endif

#ifdef EMULATED_ASAN
// The first code of every fiber: tells the sanitizer that the switch to it is complete.
static void arrive(void *argument) {
  emulated_fiber *fiber = argument;
  __sanitizer_finish_switch_fiber(NULL, (const void **)&fiber->previous->stack,
                                  &fiber->previous->stack_bytes);
  fiber->function(fiber->argument);
}
#endif

void emulated_fiber_prepare(emulated_fiber *fiber, const emulated_stacks *stacks, size_t index,
                            void (*function)(void *argument), void *argument) {
  fiber->stack = stacks->memory + index * stacks->stride + stacks->guard;
  fiber->stack_bytes = EMULATED_STACK_BYTES;
  fiber->function = function;
  fiber->argument = argument;
#ifdef EMULATED_ASAN
  __asan_unpoison_stack_memory((uintptr_t)fiber->stack, fiber->stack_bytes);
  function = arrive;
  argument = fiber;
#endif
#ifdef RAGGED_EMULATED_UCONTEXT
  uint64_t address = (uint64_t)(uintptr_t)fiber;
  getcontext(&fiber->context);
  fiber->context.uc_stack.ss_sp = fiber->stack;
  fiber->context.uc_stack.ss_size = fiber->stack_bytes;
  fiber->context.uc_link = NULL;
  makecontext(&fiber->context, (void (*)(void))begin, 2, (unsigned)(address >> 32),
              (unsigned)address);
#else
  // The top is aligned to 16, as the ABIs want it where a function is called from.
  void **words = (void **)(void *)(fiber->stack + fiber->stack_bytes) - SAVED_WORDS;
  void (*entry)(void) = ragged_emulated_begin;
  memset(words, 0, SAVED_WORDS * sizeof *words);
  memcpy(&words[BEGIN_WORD], &entry, sizeof entry);
  memcpy(&words[FUNCTION_WORD], &function, sizeof function);
  words[ARGUMENT_WORD] = argument;
  fiber->stack_pointer = words;
#endif
}

void emulated_fiber_switch(emulated_fiber *from, emulated_fiber *to, bool last) {
#ifdef EMULATED_ASAN
  void *fake_stack = NULL;
  to->previous = from;
  __sanitizer_start_switch_fiber(last ? NULL : &fake_stack, to->stack, to->stack_bytes);
#else
  (void)last;
#endif
#ifdef RAGGED_EMULATED_UCONTEXT
  swapcontext(&from->context, &to->context);
#else
  ragged_emulated_switch(&from->stack_pointer, to->stack_pointer);
#endif
#ifdef EMULATED_ASAN
  __sanitizer_finish_switch_fiber(fake_stack, (const void **)&from->previous->stack,
                                  &from->previous->stack_bytes);
#endif
}
