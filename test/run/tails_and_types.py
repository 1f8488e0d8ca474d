"""Prints a program with every executable op on every tail (1, 3, 8, 33, 128) of one element type, for
run-all-lengths: tails_and_types.py f64|f32|bf16|i64|i1

Control flow and calls, which know no tails, are in control.mlir. Functions are named by what they hold and the tail, e.g. @reductions_33; those called batch_... mix
samples. Fails where an op of the differential test's table, which lists all, is in no function."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "differential"))
from proposals import PROPOSALS  # noqa: E402
from record import LIKE_BEFORE  # noqa: E402

TAILS = [1, 3, 8, 33, 128]
FLOAT_ONLY = {"exp", "normal_cdf", "gelu", "sigmoid", "sqrt", "rsqrt", "erf", "layer_norm", "softmax", "mean"}
NUMBER_ONLY = {"add", "sub", "mul", "div", "maximum", "neg", "relu", "clamp", "linear",
               "product_over_rows", "max", "argmax", "scatter_max"}
LACKING = {"i64": FLOAT_ONLY, "i1": FLOAT_ONLY | NUMBER_ONLY}  # element type -> ops that do not take it


class Function:
    """The text of one function: each op's line is added with its result, all of which are returned."""

    def __init__(self, name, element, arguments):
        self.element, self.lines, self.results = element, [], []
        self.types = {f"%{name}": type_ for name, type_ in arguments.items()}
        self.head = f"func.func @{name}(" + ", ".join(f"{v}: {t}" for v, t in self.types.items()) + ")"

    def op(self, name, operands, result, attributes="", like=None, returned=True):
        """The op's value; an operand where the element type has no such op."""
        if name in LACKING.get(self.element, ()):
            return operands[0]
        value = f"%{len(self.lines)}"
        if like:
            attributes = f"like {like} {attributes}" if name in LIKE_BEFORE else f"{attributes} like {like}"
        text = f"ragged.{name} {', '.join(operands)} {attributes}"
        operands = [*operands, like] if like else operands
        self.lines.append(f"  {value} = {text} : {', '.join(self.types[v] for v in operands)} -> {result}")
        self.types[value] = result
        if returned:
            self.results.append(value)
        return value

    def text(self):
        types = ", ".join(self.types[v] for v in self.results)
        return "\n".join([f"{self.head} -> ({types}) {{", *self.lines,
                          f"  return {', '.join(self.results)} : {types}", "}", ""])


# ---- The functions: (element type, tail) -> Function ---------------------------------------------


def ragged(dims, element, order=""):
    return f"!ragged.tensor<[{dims}], {element}{order}>"


def elementwise(e, t):
    x = ragged(f"n, {t}", e)
    f = Function(f"elementwise_{t}", e, {"x": x, "y": x, "s": e})
    for name in ("add", "sub", "mul", "div", "maximum"):
        f.op(name, ["%x", "%y"], x)
        f.op(name, ["%s", "%x"], x)
    for name in ("exp", "gelu", "relu", "sigmoid", "neg", "sqrt", "rsqrt", "erf", "normal_cdf"):
        f.op(name, ["%x"], x)
    return f


def choices(e, t):
    """Comparisons, what they choose, casts, one number everywhere."""
    x, truth = ragged(f"n, {t}", e), ragged(f"n, {t}", "i1")
    f = Function(f"choices_{t}", e, {"x": x, "y": x, "s": e, "c": truth, "r": ragged("n, 1", "i1")})
    for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"):
        f.op(name, ["%x", "%y"], truth)
        f.op(name, ["%s", "%x"], truth)
    f.op("where", ["%c", "%x", "%y"], x)
    f.op("where", ["%r", "%x", "%s"], x)
    f.op("clamp", ["%x", "%y", "%s"], x)
    for other in ("f64", "f32", "bf16", "i64", "i1"):
        f.op("cast", ["%x"], ragged(f"n, {t}", other))
    f.op("full", ["%s"], x, like="%c")
    return f


def pairs(e, t):
    """Rows and columns of a rectangular pair in both orders."""
    p, q = ragged(f"n, m, {t}", e), ragged(f"n, m, {t}", e, ", order = [1, 0, 2]")
    r = ragged(f"m, n, {t}", e, ", order = [1, 0, 2]")
    f = Function(f"pairs_{t}", e, {"x": ragged(f"n, {t}", e), "y": ragged(f"m, {t}", e), "p": p,
                                   "q": q, "r": ragged(f"m, n, {t}", e), "w": f"tensor<{t}x{e}>"})
    rows = f.op("expand_dims", ["%x"], ragged(f"n, 1, {t}", e), "dim = 1", returned=False)
    columns = f.op("expand_dims", ["%y"], ragged(f"1, m, {t}", e), "dim = 0", returned=False)
    f.op("sub", [rows, columns], p)
    f.op("squeeze", [rows], ragged(f"n, {t}", e), "dims = [1]")
    f.op("mul", ["%p", "%q"], p)
    transposed = f.op("transpose", ["%p"], r, "permutation = [1, 0, 2]")
    f.op("add", [transposed, "%r"], r)
    f.op("reorder", ["%p"], q, "order = [1, 0, 2]")
    f.op("broadcast", ["%y"], q, "dims = [1, 2]", like="%q")
    weight = f.op("broadcast", ["%w"], p, "dims = [2]", like="%p", returned=False)
    f.op("maximum", ["%p", weight], p)
    unknown = f.op("schema_cast", ["%p"], f"!ragged.tensor<*, {e}>", returned=False)
    cast = f.op("schema_cast", [unknown], p, returned=False)
    f.op("relu", [cast], p)
    return f


def linear(e, t):
    """From the tail and to it, as the last dimension and as another."""
    x, y = ragged(f"n, {t}", e), ragged("n, 5", e)
    f = Function(f"linear_{t}", e, {
        "x": x, "y": y, "z": ragged(f"n, {t}, 2", e), "from": f"tensor<5x{t}x{e}>", "b": f"tensor<5x{e}>",
        "to": f"tensor<{t}x5x{e}>", "c": f"tensor<{t}x{e}>"})
    f.op("linear", ["%x", "%from", "%b"], y, "dim = 1")
    narrow = f.op("linear", ["%x", "%from"], y, "dim = 1", returned=False)
    f.op("relu", [narrow], y)
    wide = f.op("linear", ["%y", "%to", "%c"], x, "dim = 1", returned=False)
    f.op("add", [wide, "%x"], x)
    f.op("linear", ["%z", "%from"], ragged("n, 5, 2", e), "dim = 1")
    f.op("linear", ["%x", "%to", "%b"], y, "dim = 1 transposed")
    f.op("linear", ["%y", "%from"], x, "dim = 1 transposed")
    return f


def norms(e, t):
    """Along the tail, last and not."""
    x, z, vector = ragged(f"n, {t}", e), ragged(f"n, {t}, 2", e), f"tensor<{t}x{e}>"
    f = Function(f"norms_{t}", e, {"x": x, "z": z, "g": vector, "h": vector})
    for value, type_ in (("%x", x), ("%z", z)):
        f.op("layer_norm", [value, "%g", "%h"], type_, "dims = [1] eps = 1.0e-5")
        f.op("softmax", [value], type_, "dim = 1")
    return f


def reductions(e, t):
    f = Function(f"reductions_{t}", e, {"x": ragged(f"n, m, {t}", e)})
    e = "i64" if e == "i1" else e  # counted
    for name in ("sum", "max", "mean"):
        empty = " empty = zero" if name == "mean" else ""
        f.op(name, ["%x"], ragged(f"m, {t}", e), "dims = [0]" + empty)
        f.op(name, ["%x"], ragged(f"n, 1, {t}", e), "dims = [1] keep_dims" + empty)
        f.op(name, ["%x"], ragged("n, m", e), "dims = [2]" + empty)
        f.op(name, ["%x"], ragged(f"{t}", e), "dims = [0, 1]" + empty)
    return f


def products_over_rows(e, t):
    f = Function(f"products_over_rows_{t}", e, {"x": ragged(f"n, {t}", e), "y": ragged("n, 5", e),
                                                "z": ragged(f"n, {t}, 2", e)})
    f.op("product_over_rows", ["%x", "%y"], f"tensor<5x{t}x{e}>", "dims = [1, 1]")
    f.op("product_over_rows", ["%y", "%x"], f"tensor<{t}x5x{e}>", "dims = [1, 1]")
    f.op("product_over_rows", ["%z", "%z"], f"tensor<{t}x{t}x{e}>", "dims = [1, 1]")
    return f


def positions(e, t):
    """Where the largest entries are, and values put there."""
    x = ragged(f"n, m, {t}", e)
    f = Function(f"positions_{t}", e, {"x": x, "a": ragged(f"m, {t}", e), "b": ragged("n, m, 1", e),
                                       "c": ragged("", e)})
    for dy, groups, how in (("%a", f"m, {t}", "dims = [0]"), ("%b", "n, m, 1", "dims = [2] keep_dims"),
                            ("%c", "", "dims = [1, 2, 0]")):
        found = f.op("argmax", ["%x"], ragged(groups, "i64"), how)
        f.op("scatter_max", [dy, found], x, how, like="%x")
    return f


def batch_positions(e, t):
    x = ragged(f"n, {t}", e)
    f = Function(f"batch_positions_{t}", e, {"x": x, "a": f"tensor<{t}x{e}>"})
    found = f.op("argmax", ["%x"], f"tensor<{t}xi64>", "dims = [0] batch")
    f.op("scatter_max", ["%a", found], x, "dims = [0] batch", like="%x")
    f.op("argmax", ["%x"], "tensor<i64>", "dims = [1, 0] batch")
    return f


def batch_reductions(e, t):
    f = Function(f"batch_reductions_{t}", e, {"x": ragged(f"n, {t}", e)})
    e = "i64" if e == "i1" else e  # counted
    for name in ("sum", "max", "mean"):
        empty = " empty = zero" if name == "mean" else ""
        f.op(name, ["%x"], f"tensor<{t}x{e}>", "dims = [0] batch" + empty)
        f.op(name, ["%x"], f"tensor<{e}>", "dims = [0, 1] batch" + empty)
    return f


def creation(e, t):
    """From packed rows, by lengths and by offsets, and back."""
    rows, numbers, x = f"tensor<?x{t}x{e}>", "tensor<?xi64>", ragged(f"a, {t}", e)
    f = Function(f"creation_{t}", e, {"v": rows, "w": rows, "l": numbers, "o": numbers})
    a = f.op("from_values", ["%v", "%l"], x, 'axes = ["a"]')
    b = f.op("from_offsets", ["%w", "%o"], ragged(f"b, {t}", e), 'axes = ["b"]')
    extents = f.op("extents", [a], numbers, "dim = 0")
    f.op("offsets", [b], numbers)
    values = f.op("values", [a], rows)
    again = f.op("from_values", [values, extents], ragged(f"c, {t}", e), 'axes = ["c"]', returned=False)
    same = f.op("assume_same_axis", [again], x, 'dims = [0] to = "a"', like=a, returned=False)
    f.op("add", [same, a], x)
    f.op("values", [a], rows, like="%v")
    twice = f.op("add", [values, values], rows, returned=False)
    f.op("with_values", [twice], x, like=a)
    size = f.op("size", [a], ragged("", "i64"), "dims = [0, 1]")
    f.op("broadcast", [size], ragged(f"a, {t}", "i64"), "dims = []", like=a)
    f.op("size", [a], "tensor<i64>", "dims = [1] batch")
    return f


def boxes(e, t):
    """From a padded box, the sequence first."""
    f = Function(f"boxes_{t}", e, {"v": f"tensor<?x?x{t}x{e}>", "l": "tensor<?xi64>"})
    x = f.op("pack", ["%v", "%l"], ragged(f"a, {t}", e), 'axes = ["a"] batch = 1')
    f.op("with_padded", ["%v"], ragged(f"a, {t}", e), "batch = 1", like=x)
    return f


def batch_boxes(e, t):
    f = Function(f"batch_boxes_{t}", e, {"x": ragged(f"n, {t}", e), "p": ragged(f"n, m, {t}", e)})
    f.op("unpack", ["%x"], f"tensor<?x?x{t}x{e}>", ("fill = 1.0" if e == "i1" else "fill = 3.0") + " batch = 1")
    box = f.op("unpack", ["%p"], f"tensor<?x?x?x{t}x{e}>")
    f.op("unpack", ["%p"], f"tensor<?x?x?x{t}x{e}>", "fill = 1.0", like=box)
    return f


def main():
    element = sys.argv[1]
    functions = [make(element, tail) for tail in TAILS
                 for make in (elementwise, choices, pairs, linear, norms, reductions, batch_reductions,
                              products_over_rows, positions, batch_positions, creation, boxes, batch_boxes)]
    text = "\n".join(f.text() for f in functions if f.results)
    used = set(re.findall(r"ragged\.(\w+) ", text))
    wanted = {name for name in PROPOSALS if "." not in name}
    missing = wanted - used - LACKING.get(element, set())
    if missing:
        sys.exit("ops that no function holds: " + ", ".join(sorted(missing)))
    print(text)


main()
