# The oracle of product.test: `--list` prints the kernels to emit (see test/unit/product_emit.c);
# with the emitted module (for the widths of panels) and the compiled library it calls every kernel.
#
# Every argument ends where a page begins that may be neither read nor written, so that an access
# beyond an array ends the test; what lies before C is compared. Sums must equal a chain of fused
# multiply-adds bit for bit (libm's, on some elements) and the exact sum within the chain's error
# bound (on all). A row computed alone must have the bits of the row in a batch.
import ctypes
import math
import mmap
import re
import sys

import numpy as np

ACTIVATIONS = ("none", "relu", "gelu", "sigmoid")
ROWS = (0, 1, 2, 5, 6, 7, 13, 64)
TYPES = {"f32": np.float32, "f64": np.float64, "i64": np.int64}
SHAPES = {
    "f32": [(0, 0), (3, 0), (0, 1), (0, 33), (1, 1), (1, 33), (3, 3), (3, 128), (8, 1), (8, 8),
            (8, 512), (33, 3), (33, 8), (128, 1), (128, 33), (512, 3), (512, 128)],
    "f64": [(0, 8), (1, 3), (3, 33), (8, 8), (33, 1), (33, 128), (128, 33), (512, 8)],
    "i64": [(0, 3), (1, 8), (3, 1), (8, 33), (33, 3), (128, 128)],
}
FULL_SHAPE = (33, 33)  # with every combination of options
ROWS_OF_SEVERAL_CHUNKS = 251


def kernels():
    """(element type, k, n, bias, activation, residual)"""
    options = [(b, a, r) for a in range(4) for b in (0, 1) for r in (0, 1)]
    for element, shapes in SHAPES.items():
        usable = [o for o in options if element != "i64" or o[1] < 2]
        for number, (k, n) in enumerate(shapes):
            yield (element, k, n, *usable[5 * number % len(usable)])
        for option in usable if element == "f32" else usable[::3]:
            yield (element, *FULL_SHAPE, *option)


def name_of(kernel):
    return "p_" + "_".join(map(str, kernel))


LIBC = ctypes.CDLL(None, use_errno=True)
LIBM = ctypes.CDLL("libm.so.6")
FMA = {"f32": LIBM.fmaf, "f64": LIBM.fma}
for function, c_type in ((LIBM.fmaf, ctypes.c_float), (LIBM.fma, ctypes.c_double)):
    function.restype, function.argtypes = c_type, [c_type] * 3


class Guarded:
    """A copy of an array that ends where a forbidden page begins; GUARD bytes lie before it."""

    GUARD = 64

    def __init__(self, array):
        page = mmap.PAGESIZE
        size = (array.nbytes + self.GUARD + page - 1) // page * page
        self.memory = mmap.mmap(-1, size + page)
        base = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        if LIBC.mprotect(ctypes.c_void_p(base + size), ctypes.c_size_t(page), 0) != 0:
            raise OSError(ctypes.get_errno(), "mprotect")
        start = size - array.nbytes
        self.address = base + start
        self.array = np.frombuffer(self.memory, array.dtype, array.size, start).reshape(array.shape)
        self.before = np.frombuffer(self.memory, np.uint8, self.GUARD, start - self.GUARD)
        self.array[...] = array
        self.before[...] = 0xA5

    def pointer(self):
        return ctypes.c_void_p(self.address)


def pack(weight, panel):
    n, k = weight.shape
    panels = -(-n // panel)
    packed = np.zeros((panels, k, panel), weight.dtype)
    for p in range(panels):
        part = weight[p * panel:(p + 1) * panel]
        packed[p, :, :len(part)] = part.T
    return packed


class Kernel:
    def __init__(self, library, kernel, panel):
        self.element, self.k, self.n, self.bias, self.activation, self.residual = kernel
        self.name, self.panel = name_of(kernel), panel
        self.dtype = TYPES[self.element]
        self.function = getattr(library, self.name)
        self.function.restype = None
        self.function.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_int64]

    def random(self, generator, *shape):
        if self.element == "i64":
            return generator.integers(-2**62, 2**62, shape, dtype=np.int64)
        return generator.uniform(-1, 1, shape).astype(self.dtype)

    def operands(self, generator, rows):
        return (self.random(generator, rows, self.k), self.random(generator, self.n, self.k),
                self.random(generator, self.n), self.random(generator, rows, self.n))

    def run(self, a, weight, bias, c):
        a, packed, result = Guarded(a), Guarded(pack(weight, self.panel)), Guarded(c)
        bias = Guarded(bias) if self.bias else None
        self.function(a.pointer(), packed.pointer(), bias and bias.pointer(), result.pointer(),
                      len(a.array))
        assert (result.before == 0xA5).all(), f"{self.name}: wrote before C"
        return result.array.copy()

    def activated(self, x):
        if self.activation == 1:
            return np.maximum(x, 0)
        if self.activation == 2:
            return x * 0.5 * (1 + np.vectorize(math.erf, [x.dtype])(x / math.sqrt(2)))
        if self.activation == 3:
            return 1 / (1 + np.exp(-x))
        return x

    def expected(self, a, weight, bias, c):
        """The result and its largest allowed error, in wider arithmetic (i64: exactly)."""
        wide = {"f32": np.float64, "f64": np.longdouble, "i64": np.int64}[self.element]
        a, weight, bias, c = (x.astype(wide) for x in (a, weight, bias, c))
        sums = a @ weight.T + (bias if self.bias else 0)
        result = self.activated(sums) + (c if self.residual else 0)
        if self.element == "i64":
            return result, np.zeros(result.shape)
        # k + 1 roundings of at most eps / 2 of the terms so far; the activations' slopes are below
        # 1.13 and their own errors below 4 eps; one more rounding for the residual.
        eps = np.finfo(self.dtype).eps
        terms = np.abs(a) @ np.abs(weight).T + np.abs(bias)
        error = 1.13 * (self.k + 1) * eps / 2 * terms + eps * (4 * np.abs(sums) + 4 + np.abs(c))
        return result, error if self.k or self.activation or self.residual else 0 * error


def check_values(kernel, generator, rows):
    operands = kernel.operands(generator, rows)
    got = kernel.run(*operands)
    expected, allowed = kernel.expected(*operands)
    if kernel.element == "i64":
        assert np.array_equal(got, expected), f"{kernel.name}, {rows} rows"
    elif got.size:
        worst = np.max(np.abs(got - expected) / np.maximum(allowed, np.finfo(np.float64).tiny))
        assert worst <= 1, f"{kernel.name}, {rows} rows: error {worst} of the allowed one"
    return operands, got


def check_rows_alone(kernel, operands, batch):
    """Each row, and a tail of the batch that other tiles compute, against the batch's bits."""
    a, weight, bias, c = operands
    for row in range(0, len(a), max(1, len(a) // 16)):
        alone = kernel.run(a[row:row + 1], weight, bias, c[row:row + 1])
        assert alone.tobytes() == batch[row].tobytes(), f"{kernel.name}: row {row} alone differs"
    tail = kernel.run(a[1:], weight, bias, c[1:])
    assert tail.tobytes() == batch[1:].tobytes(), f"{kernel.name}: moved rows differ"


def check_chain(kernel, generator):
    """Sums (no bias, activation, residual) on some elements."""
    a, weight, bias, c = kernel.operands(generator, 13)
    got = kernel.run(a, weight, bias, c)
    for _ in range(40):
        row, column = generator.integers(13), generator.integers(kernel.n)
        sum = 0.0
        for x, w in zip(a[row].tolist(), weight[column].tolist()):
            sum = FMA[kernel.element](x, w, sum)
        assert got[row, column] == kernel.dtype(sum), f"{kernel.name}: not a chain of FMAs"


def check_neighbours(kernel, generator):
    """What is no number in one row, and in the columns beside it, stays there."""
    a, weight, bias, c = kernel.operands(generator, 13)
    clean = kernel.run(a, weight, bias, c)
    a[5, :2], a[12, 0] = (np.inf, np.nan), -np.inf
    weight[-1, 0] = np.nan
    dirty = kernel.run(a, weight, bias, c)
    rows = [row for row in range(13) if row not in (5, 12)]
    assert np.array_equal(clean[rows, :-1], dirty[rows, :-1]), kernel.name
    assert np.isnan(dirty[:, -1]).all() and np.isnan(dirty[5]).all(), kernel.name


def check_equal_values(kernel):
    shapes = ((7, kernel.k), (kernel.n, kernel.k), (kernel.n,), (7, kernel.n))
    ones_and_zeros = [np.full(shape, x, kernel.dtype) for shape, x in zip(shapes, (1, 1, 0, 0))]
    got = kernel.run(*ones_and_zeros)
    expected = kernel.activated(np.full(1, kernel.k, np.float64)).astype(kernel.dtype)[0]
    assert (got == expected).all(), f"{kernel.name}: {kernel.k} ones make {got[0, 0]}"


def main(module, library):
    text = open(module).read()
    panels = dict(re.findall(r"@(p_\w+)\(.*test\.panel = (\d+)", text))
    library = ctypes.CDLL(library)
    checked = set()
    for key in kernels():
        kernel = Kernel(library, key, int(panels[name_of(key)]))
        generator = np.random.default_rng(abs(hash(key[1:])) % 2**32)
        several = (ROWS_OF_SEVERAL_CHUNKS,) if key[1:3] == FULL_SHAPE else ()
        for rows in ROWS + several:
            operands, batch = check_values(kernel, generator, rows)
        check_rows_alone(kernel, operands, batch)
        checked.add("values")
        if kernel.element != "i64" and key[3:] == (0, 0, 0) and kernel.k and kernel.n:
            check_chain(kernel, generator)
            checked.add("chain")
        if kernel.element != "i64" and key[1:3] == FULL_SHAPE and kernel.activation != 1:
            check_neighbours(kernel, generator)
            checked.add("neighbours")
        if kernel.k == 512:
            check_equal_values(kernel)
            checked.add("equal values")
    assert checked == {"values", "chain", "neighbours", "equal values"}, checked


if sys.argv[1] == "--list":
    for key in kernels():
        print(name_of(key), *key)
else:
    main(*sys.argv[1:])
