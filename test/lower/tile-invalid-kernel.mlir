// Types, kernels, memory and accumulations that the ragged_tile dialect refuses: each numbered constraint of their
// definitions (lib/lower/tile/RaggedTile*.td).
// RUN: ragged-opt %s --split-input-file --verify-diagnostics

// Tile C1: rank.
// expected-error @below {{has more than 16 dimensions}}
func.func private @f(!ragged_tile.tile<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>)

// -----

// Tile C1: size.
// expected-error @below {{has more than 2147483647 elements}}
func.func private @f(!ragged_tile.tile<65536x32768xf32>)

// -----

// Tile C1: a product that overflows, under an extent of 0.
// expected-error @below {{has more than 2147483647 elements}}
func.func private @f(!ragged_tile.tile<0x9000000000000000000x9000000000000000000xf32>)

// -----

// Tile C2: bf16 is for memory.
// expected-error @below {{has elements that are none of f64, f32, i64}}
func.func private @f(!ragged_tile.tile<4xbf16>)

// -----

// Tile C2: f16.
// expected-error @below {{has elements that are none of f64, f32, i64}}
func.func private @f(!ragged_tile.tile<4xf16>)

// -----

// Ref C1: axes and tail.
// expected-error @below {{has more than 16 dimensions}}
func.func private @f(!ragged_tile.ref<[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 2x2xf32>)

// -----

// Ref C1: tail.
// expected-error @below {{has more than 2147483647 elements}}
func.func private @f(!ragged_tile.ref<dense, 65536x32768xf32>)

// -----

// Ref C1: an axis number that no kernel has.
// expected-error @below {{has an axis outside [0, 32)}}
func.func private @f(!ragged_tile.ref<[-1], f32>)

// -----

// Ref C2.
// expected-error @below {{has elements that are none of f64, f32, bf16, i64, i1}}
func.func private @f(!ragged_tile.ref<[0], i32>)

// -----

// Ref C3: a number twice.
// expected-error @below {{has a layout that is no permutation of its batch, axes and tail}}
func.func private @f(!ragged_tile.ref<box [0, 1, 1] [0], 3xf32>)

// -----

// Ref C3: too few.
// expected-error @below {{has a layout that is no permutation of its batch, axes and tail}}
func.func private @f(!ragged_tile.ref<box [0, 1] [0], 3xf32>)

// -----

// Ref C3: beyond.
// expected-error @below {{has a layout that is no permutation of its batch, axes and tail}}
func.func private @f(!ragged_tile.ref<box [0, 1, 3] [0], 3xf32>)

// -----

// kernel C1: axes.
// expected-error @below {{has 33 axes, at most 32 are supported}}
ragged_tile.kernel @k axes = ["a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "a10", "a11", "a12", "a13", "a14", "a15", "a16", "a17", "a18", "a19", "a20", "a21", "a22", "a23", "a24", "a25", "a26", "a27", "a28", "a29", "a30", "a31", "a32"] grid = [] {
}

// -----

// kernel C1: a long grid.
// expected-error @below {{has 17 grid axes, at most 16 are supported}}
ragged_tile.kernel @k axes = ["n"] grid = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] {
}

// -----

// kernel C1: a grid axis.
// expected-error @below {{has grid axis 1, expected a number in [0, 1)}}
ragged_tile.kernel @k axes = ["n"] grid = [1] {
^bb0(%s: index, %i: index):
}

// -----

// kernel C2: a coordinate is missing.
// expected-error @below {{has 1 index arguments, expected 2: a sample and a coordinate for each grid axis}}
ragged_tile.kernel @k axes = ["n"] grid = [0] {
^bb0(%s: index):
}

// -----

// kernel C2: a grid without a sample.
// expected-error @below {{has 0 index arguments, expected 2: a sample and a coordinate for each grid axis}}
ragged_tile.kernel @k axes = ["n"] grid = [0] {
}

// -----

// kernel C2: a coordinate too many.
// expected-error @below {{has 2 index arguments, expected 1: a sample and a coordinate for each grid axis}}
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%s: index, %i: index):
}

// -----

// kernel C2: an argument of another type.
// expected-error @below {{has an argument #2 that is no ref}}
ragged_tile.kernel @k axes = ["n"] grid = [0] {
// expected-note @below {{defined here}}
^bb0(%s: index, %i: index, %x: i64):
}

// -----

// kernel C2: an index after a ref.
// expected-error @below {{has an argument #3 that is no ref}}
ragged_tile.kernel @k axes = ["n"] grid = [0] {
// expected-note @below {{defined here}}
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], f32>, %j: index):
}

// -----

// kernel C3: refs.
// expected-error @below {{has 97 refs, at most 96 are supported}}
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x0: !ragged_tile.ref<dense, f32>, %x1: !ragged_tile.ref<dense, f32>, %x2: !ragged_tile.ref<dense, f32>, %x3: !ragged_tile.ref<dense, f32>, %x4: !ragged_tile.ref<dense, f32>, %x5: !ragged_tile.ref<dense, f32>, %x6: !ragged_tile.ref<dense, f32>, %x7: !ragged_tile.ref<dense, f32>, %x8: !ragged_tile.ref<dense, f32>, %x9: !ragged_tile.ref<dense, f32>, %x10: !ragged_tile.ref<dense, f32>, %x11: !ragged_tile.ref<dense, f32>, %x12: !ragged_tile.ref<dense, f32>, %x13: !ragged_tile.ref<dense, f32>, %x14: !ragged_tile.ref<dense, f32>, %x15: !ragged_tile.ref<dense, f32>, %x16: !ragged_tile.ref<dense, f32>, %x17: !ragged_tile.ref<dense, f32>, %x18: !ragged_tile.ref<dense, f32>, %x19: !ragged_tile.ref<dense, f32>, %x20: !ragged_tile.ref<dense, f32>, %x21: !ragged_tile.ref<dense, f32>, %x22: !ragged_tile.ref<dense, f32>, %x23: !ragged_tile.ref<dense, f32>, %x24: !ragged_tile.ref<dense, f32>, %x25: !ragged_tile.ref<dense, f32>, %x26: !ragged_tile.ref<dense, f32>, %x27: !ragged_tile.ref<dense, f32>, %x28: !ragged_tile.ref<dense, f32>, %x29: !ragged_tile.ref<dense, f32>, %x30: !ragged_tile.ref<dense, f32>, %x31: !ragged_tile.ref<dense, f32>, %x32: !ragged_tile.ref<dense, f32>, %x33: !ragged_tile.ref<dense, f32>, %x34: !ragged_tile.ref<dense, f32>, %x35: !ragged_tile.ref<dense, f32>, %x36: !ragged_tile.ref<dense, f32>, %x37: !ragged_tile.ref<dense, f32>, %x38: !ragged_tile.ref<dense, f32>, %x39: !ragged_tile.ref<dense, f32>, %x40: !ragged_tile.ref<dense, f32>, %x41: !ragged_tile.ref<dense, f32>, %x42: !ragged_tile.ref<dense, f32>, %x43: !ragged_tile.ref<dense, f32>, %x44: !ragged_tile.ref<dense, f32>, %x45: !ragged_tile.ref<dense, f32>, %x46: !ragged_tile.ref<dense, f32>, %x47: !ragged_tile.ref<dense, f32>, %x48: !ragged_tile.ref<dense, f32>, %x49: !ragged_tile.ref<dense, f32>, %x50: !ragged_tile.ref<dense, f32>, %x51: !ragged_tile.ref<dense, f32>, %x52: !ragged_tile.ref<dense, f32>, %x53: !ragged_tile.ref<dense, f32>, %x54: !ragged_tile.ref<dense, f32>, %x55: !ragged_tile.ref<dense, f32>, %x56: !ragged_tile.ref<dense, f32>, %x57: !ragged_tile.ref<dense, f32>, %x58: !ragged_tile.ref<dense, f32>, %x59: !ragged_tile.ref<dense, f32>, %x60: !ragged_tile.ref<dense, f32>, %x61: !ragged_tile.ref<dense, f32>, %x62: !ragged_tile.ref<dense, f32>, %x63: !ragged_tile.ref<dense, f32>, %x64: !ragged_tile.ref<dense, f32>, %x65: !ragged_tile.ref<dense, f32>, %x66: !ragged_tile.ref<dense, f32>, %x67: !ragged_tile.ref<dense, f32>, %x68: !ragged_tile.ref<dense, f32>, %x69: !ragged_tile.ref<dense, f32>, %x70: !ragged_tile.ref<dense, f32>, %x71: !ragged_tile.ref<dense, f32>, %x72: !ragged_tile.ref<dense, f32>, %x73: !ragged_tile.ref<dense, f32>, %x74: !ragged_tile.ref<dense, f32>, %x75: !ragged_tile.ref<dense, f32>, %x76: !ragged_tile.ref<dense, f32>, %x77: !ragged_tile.ref<dense, f32>, %x78: !ragged_tile.ref<dense, f32>, %x79: !ragged_tile.ref<dense, f32>, %x80: !ragged_tile.ref<dense, f32>, %x81: !ragged_tile.ref<dense, f32>, %x82: !ragged_tile.ref<dense, f32>, %x83: !ragged_tile.ref<dense, f32>, %x84: !ragged_tile.ref<dense, f32>, %x85: !ragged_tile.ref<dense, f32>, %x86: !ragged_tile.ref<dense, f32>, %x87: !ragged_tile.ref<dense, f32>, %x88: !ragged_tile.ref<dense, f32>, %x89: !ragged_tile.ref<dense, f32>, %x90: !ragged_tile.ref<dense, f32>, %x91: !ragged_tile.ref<dense, f32>, %x92: !ragged_tile.ref<dense, f32>, %x93: !ragged_tile.ref<dense, f32>, %x94: !ragged_tile.ref<dense, f32>, %x95: !ragged_tile.ref<dense, f32>, %x96: !ragged_tile.ref<dense, f32>):
}

// -----

// kernel C3: an axis of a ref.
// expected-error @below {{argument #2 has axis 1, expected a number in [0, 1)}}
ragged_tile.kernel @k axes = ["n"] grid = [0] {
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[1], f32>):
}

// -----

// kernel C4: an op of another dialect.
// expected-note @below {{the kernel is here}}
ragged_tile.kernel @k axes = ["n"] grid = [0] {
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  // expected-error @below {{'arith.constant' op is no op of a kernel's body}}
  %c = arith.constant 0 : index
}

// -----

// kernel C5: accumulations.
// expected-error @below {{has 33 accumulations, at most 32 are supported}}
ragged_tile.kernel @k axes = [] grid = [] {
  %c = ragged_tile.constant 0.0 : !ragged_tile.tile<f32>
  %0 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %1 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %2 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %3 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %4 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %5 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %6 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %7 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %8 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %9 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %10 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %11 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %12 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %13 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %14 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %15 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %16 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %17 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %18 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %19 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %20 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %21 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %22 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %23 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %24 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %25 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %26 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %27 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %28 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %29 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %30 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %31 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
  %32 = ragged_tile.accumulate "add" : !ragged_tile.tile<f32> {
  ^bb0(%s: index):
    ragged_tile.yield %c : !ragged_tile.tile<f32>
  }
}

// -----

// kernel C5: dots.
// expected-error @below {{has 33 dots, at most 32 are supported}}
ragged_tile.kernel @k axes = [] grid = [] {
^bb0(%w: !ragged_tile.ref<dense, 2x2xf32>):
  %c = ragged_tile.constant 0.0 : !ragged_tile.tile<2xf32>
  %0 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %1 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %2 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %3 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %4 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %5 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %6 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %7 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %8 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %9 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %10 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %11 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %12 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %13 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %14 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %15 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %16 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %17 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %18 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %19 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %20 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %21 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %22 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %23 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %24 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %25 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %26 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %27 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %28 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %29 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %30 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %31 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
  %32 = ragged_tile.dot %c, %w : !ragged_tile.tile<2xf32>, !ragged_tile.ref<dense, 2x2xf32> -> !ragged_tile.tile<2xf32>
}

// -----

// A kernel stands in a module.
func.func @f() {
  // expected-error @below {{'ragged_tile.kernel' op expects parent op 'builtin.module'}}
  "ragged_tile.kernel"() <{axes = [], grid = array<i64>, sym_name = "k"}> ({
  ^bb0:
  }) : () -> ()
  return
}

// -----

// Ops on tiles stand in a kernel.
func.func @f() {
  // expected-error @below {{'ragged_tile.constant' op expects parent op to be one of 'ragged_tile.kernel, ragged_tile.accumulate'}}
  %0 = ragged_tile.constant 0.0 : !ragged_tile.tile<f32>
  return
}

// -----

// A store stands directly in its kernel.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  %0 = ragged_tile.load %x[%s, %i] : !ragged_tile.ref<[0], 4xf32> -> !ragged_tile.tile<4xf32>
  %1 = ragged_tile.accumulate "add" over 0 of %s : !ragged_tile.tile<4xf32> {
  ^bb0(%j: index):
    // expected-error @below {{'ragged_tile.store' op expects parent op 'ragged_tile.kernel'}}
    ragged_tile.store %0, %x[%s, %j] : !ragged_tile.tile<4xf32>, !ragged_tile.ref<[0], 4xf32>
    ragged_tile.yield %0 : !ragged_tile.tile<4xf32>
  }
}

// -----

// A dot stands directly in its kernel.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
^bb0(%s: index, %i: index, %w: !ragged_tile.ref<dense, 4x4xf32>):
  %0 = ragged_tile.constant 0.0 : !ragged_tile.tile<4xf32>
  %1 = ragged_tile.accumulate "add" over 0 of %s : !ragged_tile.tile<4xf32> {
  ^bb0(%j: index):
    // expected-error @below {{'ragged_tile.dot' op expects parent op 'ragged_tile.kernel'}}
    %2 = ragged_tile.dot %0, %w : !ragged_tile.tile<4xf32>, !ragged_tile.ref<dense, 4x4xf32> -> !ragged_tile.tile<4xf32>
    ragged_tile.yield %2 : !ragged_tile.tile<4xf32>
  }
}

// -----

// A yield stands in an accumulation.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  %0 = ragged_tile.constant 0.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{'ragged_tile.yield' op expects parent op 'ragged_tile.accumulate'}}
  ragged_tile.yield %0 : !ragged_tile.tile<4xf32>
}

// -----

// load C1: too few.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
// expected-note @below {{defined here}}
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  // expected-error @below {{has 1 coordinates, expected 2}}
  %0 = ragged_tile.load %x[%s] : !ragged_tile.ref<[0], 4xf32> -> !ragged_tile.tile<4xf32>
}

// -----

// load C1: too many.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
// expected-note @below {{defined here}}
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<dense, 4xf32>):
  // expected-error @below {{has 1 coordinates, expected 0}}
  %0 = ragged_tile.load %x[%s] : !ragged_tile.ref<dense, 4xf32> -> !ragged_tile.tile<4xf32>
}

// -----

// load C1: a coordinate for the sample.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
// expected-note @below {{defined here}}
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  // expected-error @below {{takes a value for its sample that is none}}
  %0 = ragged_tile.load %x[%i, %i] : !ragged_tile.ref<[0], 4xf32> -> !ragged_tile.tile<4xf32>
}

// -----

// load C1: a sample for a coordinate.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
// expected-note @below {{defined here}}
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  // expected-error @below {{takes a value for its coordinate #1 that is none}}
  %0 = ragged_tile.load %x[%s, %s] : !ragged_tile.ref<[0], 4xf32> -> !ragged_tile.tile<4xf32>
}

// -----

// load C1: a computed index.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  // expected-note @below {{defined here}}
  %c = arith.constant 0 : index
  // expected-error @below {{takes a value for its coordinate #1 that is none}}
  %0 = ragged_tile.load %x[%s, %c] : !ragged_tile.ref<[0], 4xf32> -> !ragged_tile.tile<4xf32>
}

// -----

// load C1: the position of an accumulation over an axis is no sample.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[], f32>):
  %0 = ragged_tile.accumulate "add" over 0 of %s : !ragged_tile.tile<f32> {
  // expected-note @below {{defined here}}
  ^bb0(%j: index):
    // expected-error @below {{takes a value for its sample that is none}}
    %1 = ragged_tile.load %x[%j] : !ragged_tile.ref<[], f32> -> !ragged_tile.tile<f32>
    ragged_tile.yield %1 : !ragged_tile.tile<f32>
  }
}

// -----

// load C2: shape.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
// expected-note @below {{defined here}}
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  // expected-error @below {{has a tile that is not the tail of its ref in the type that is computed with}}
  %0 = ragged_tile.load %x[%s, %i] : !ragged_tile.ref<[0], 4xf32> -> !ragged_tile.tile<3xf32>
}

// -----

// load C2: bf16 widens to f32.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
// expected-note @below {{defined here}}
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xbf16>):
  // expected-error @below {{has a tile that is not the tail of its ref in the type that is computed with}}
  %0 = ragged_tile.load %x[%s, %i] : !ragged_tile.ref<[0], 4xbf16> -> !ragged_tile.tile<4xf64>
}

// -----

// load C3: a dense ref.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<dense, 4xf32>):
  // expected-error @below {{has 'fill', which a dense ref does not take}}
  %0 = ragged_tile.load %x[] fill = 0.0 : !ragged_tile.ref<dense, 4xf32> -> !ragged_tile.tile<4xf32>
}

// -----

// load C3: integers.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xi64>):
  // expected-error @below {{'fill' is 0.5, expected a whole number of 64 bits}}
  %0 = ragged_tile.load %x[%s, %i] fill = 0.5 : !ragged_tile.ref<[0], 4xi64> -> !ragged_tile.tile<4xi64>
}

// -----

// store C1.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
// expected-note @below {{defined here}}
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  %0 = ragged_tile.constant 0.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has 1 coordinates, expected 2}}
  ragged_tile.store %0, %x[%s] : !ragged_tile.tile<4xf32>, !ragged_tile.ref<[0], 4xf32>
}

// -----

// store C1: a sample for a coordinate.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
// expected-note @below {{defined here}}
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  %0 = ragged_tile.constant 0.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{takes a value for its coordinate #1 that is none}}
  ragged_tile.store %0, %x[%s, %s] : !ragged_tile.tile<4xf32>, !ragged_tile.ref<[0], 4xf32>
}

// -----

// store C2.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
// expected-note @below {{defined here}}
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  %0 = ragged_tile.constant 0.0 : !ragged_tile.tile<4xf64>
  // expected-error @below {{has a tile that is not the tail of its ref in the type that is computed with}}
  ragged_tile.store %0, %x[%s, %i] : !ragged_tile.tile<4xf64>, !ragged_tile.ref<[0], 4xf32>
}

// -----

// accumulate C1.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has kind "mul", expected "add" or "maximum"}}
  %1 = ragged_tile.accumulate "mul" over 0 of %s : !ragged_tile.tile<4xf32> {
  ^bb0(%j: index):
    ragged_tile.yield %0 : !ragged_tile.tile<4xf32>
  }
}

// -----

// accumulate C2: an axis alone.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has an axis and no sample, expected both or neither}}
  %1 = ragged_tile.accumulate "add" over 0 : !ragged_tile.tile<4xf32> {
  ^bb0(%j: index):
    ragged_tile.yield %0 : !ragged_tile.tile<4xf32>
  }
}

// -----

// accumulate C2: a sample alone.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has a sample and no axis, expected both or neither}}
  %1 = ragged_tile.accumulate "add" of %s : !ragged_tile.tile<4xf32> {
  ^bb0(%j: index):
    ragged_tile.yield %0 : !ragged_tile.tile<4xf32>
  }
}

// -----

// accumulate C2: the axis.
// expected-note @below {{the kernel is here}}
ragged_tile.kernel @k axes = ["n"] grid = [0] {
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has axis 1, expected a number in [0, 1)}}
  %1 = ragged_tile.accumulate "add" over 1 of %s : !ragged_tile.tile<4xf32> {
  ^bb0(%j: index):
    ragged_tile.yield %0 : !ragged_tile.tile<4xf32>
  }
}

// -----

// accumulate C2: the sample.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
// expected-note @below {{defined here}}
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{takes a value for its sample that is none}}
  %1 = ragged_tile.accumulate "add" over 0 of %i : !ragged_tile.tile<4xf32> {
  ^bb0(%j: index):
    ragged_tile.yield %0 : !ragged_tile.tile<4xf32>
  }
}

// -----

// accumulate C3: the argument.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has a body whose arguments are not one index}}
  %1 = ragged_tile.accumulate "add" over 0 of %s : !ragged_tile.tile<4xf32> {
  ^bb0(%j: index, %l: index):
    ragged_tile.yield %0 : !ragged_tile.tile<4xf32>
  }
}

// -----

// accumulate C3: what it yields.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has a body that does not yield the types of the results}}
  %1 = ragged_tile.accumulate "add" over 0 of %s : !ragged_tile.tile<4xf64> {
  ^bb0(%j: index):
    // expected-note @below {{the yield is here}}
    ragged_tile.yield %0 : !ragged_tile.tile<4xf32>
  }
}

// -----

// accumulate C3: a match is missing.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has a body that does not yield the types of the results}}
  %1, %2 = ragged_tile.accumulate "maximum" over 0 of %s : !ragged_tile.tile<4xf32>, !ragged_tile.tile<4xi64> {
  ^bb0(%j: index):
    // expected-note @below {{the yield is here}}
    ragged_tile.yield %0 : !ragged_tile.tile<4xf32>
  }
}

// -----

// accumulate C1: a sum with a match.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  %1 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xi64>
  // expected-error @below {{has a match and kind "add", expected "maximum"}}
  %2, %3 = ragged_tile.accumulate "add" over 0 of %s : !ragged_tile.tile<4xf32>, !ragged_tile.tile<4xi64> {
  ^bb0(%j: index):
    ragged_tile.yield %0, %1 : !ragged_tile.tile<4xf32>, !ragged_tile.tile<4xi64>
  }
}

// -----

// accumulate C4: other extents.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  %1 = ragged_tile.constant 1.0 : !ragged_tile.tile<i64>
  // expected-error @below {{has a match that is not i64 with the extents of the result}}
  %2, %3 = ragged_tile.accumulate "maximum" over 0 of %s : !ragged_tile.tile<4xf32>, !ragged_tile.tile<i64> {
  ^bb0(%j: index):
    ragged_tile.yield %0, %1 : !ragged_tile.tile<4xf32>, !ragged_tile.tile<i64>
  }
}

// -----

// accumulate C3: no yield.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  // expected-error @below {{has a body that does not end with ragged_tile.yield}}
  %0 = ragged_tile.accumulate "add" over 0 of %s : !ragged_tile.tile<f32> {
  ^bb0(%j: index):
    %1 = ragged_tile.constant 1.0 : !ragged_tile.tile<f32>
  }
}

// -----

// extent C1: the axis.
// expected-note @below {{the kernel is here}}
ragged_tile.kernel @k axes = ["n"] grid = [0] {
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  // expected-error @below {{has axis -1, expected a number in [0, 1)}}
  %0 = ragged_tile.extent -1 of %s : !ragged_tile.tile<i64>
}

// -----

// extent C1: the sample.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
// expected-note @below {{defined here}}
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  // expected-error @below {{takes a value for its sample that is none}}
  %0 = ragged_tile.extent 0 of %i : !ragged_tile.tile<i64>
}

// -----

// extent C2.
ragged_tile.kernel @k axes = ["n"] grid = [0] {
^bb0(%s: index, %i: index, %x: !ragged_tile.ref<[0], 4xf32>):
  // expected-error @below {{has a result that is not a tile<i64>}}
  %0 = ragged_tile.extent 0 of %s : !ragged_tile.tile<f32>
}
