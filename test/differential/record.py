"""The record of a random program: types, values, ops, functions, and the MLIR text of them.

Written by generator.py, read by evaluate.py and shrink.py. Static extents are symbols (Size), so that
a failing program can be shrunk by giving them smaller numbers. Knows nothing of what ops compute.
"""
from dataclasses import dataclass, field

FLOATS = ("f64", "f32", "bf16")
DTYPES = {"i64": "int64", "i1": "bool"}  # of numbers as NumPy holds them; float64 for all others


@dataclass(frozen=True)
class Size:
    """A static extent, a number only in Program.sizes. The literal 1 is the int 1."""

    name: str


@dataclass(frozen=True)
class Any:
    """A dynamic dimension of a builtin tensor; equal labels are equal extents at run time."""

    label: str


@dataclass(frozen=True)
class Ragged:
    dims: tuple  # of str (canonical axis), Size or 1
    order: tuple
    element: str

    @property
    def rank(self):
        return len(self.dims)

    def ragged_dims(self):
        return [d for d, x in enumerate(self.dims) if isinstance(x, str)]

    def static_dims(self):
        return [d for d, x in enumerate(self.dims) if not isinstance(x, str)]

    def space(self):
        return tuple(self.dims[d] for d in self.order if isinstance(self.dims[d], str))

    def tail(self):
        return tuple(self.dims[d] for d in self.order if not isinstance(self.dims[d], str))


@dataclass(frozen=True)
class Dense:
    shape: tuple  # of Size, 1 or Any
    element: str


@dataclass(frozen=True)
class Scalar:
    element: str  # also "i1" and "index"


def default_order(dims):
    return tuple([d for d, x in enumerate(dims) if isinstance(x, str)] +
                 [d for d, x in enumerate(dims) if not isinstance(x, str)])


def ragged(dims, element, order=None):
    dims = tuple(dims)
    return Ragged(dims, tuple(order) if order is not None else default_order(dims), element)


class Value:
    """An SSA value. `unknown`: its schema is left to inference in the text."""

    def __init__(self, type_, unknown=False):
        self.type, self.unknown = type_, unknown


@dataclass
class Op:
    name: str
    operands: list
    attributes: list  # of (key, value); see print_attribute
    results: list
    blocks: list = field(default_factory=list)
    callee: object = None  # Function

    def attribute(self, key, absent=None):
        return dict(self.attributes).get(key, absent)


@dataclass
class Block:
    arguments: list
    ops: list
    yields: list


@dataclass
class Function:
    name: str
    arguments: list
    ops: list
    results: list


@dataclass
class Program:
    name: str
    seed: tuple  # what its numbers are drawn from
    element: str
    main: Function = None
    callees: list = field(default_factory=list)
    sizes: dict = field(default_factory=dict)   # Size name -> number
    draws: dict = field(default_factory=dict)   # argument of main -> (number, draw), see inputs.py
    cases: list = field(default_factory=list)   # of {axis name -> extents}; all axes, B long each
    expressions: dict = field(default_factory=dict)  # canonical text -> function of those extents


def walk(ops):
    """All ops, nested ones too (bodies of callees not)."""
    for op in ops:
        yield op
        for block in op.blocks:
            yield from walk(block.ops)


def all_ops(program):
    for function in [program.main] + program.callees:
        yield from walk(function.ops)


# ---- Text -------------------------------------------------------------------------------------


# Ops whose last operand stands behind `like`, before the attributes or behind them: name -> the number
# of operands from which on it does.
LIKE_BEFORE = {"values": 2, "unpack": 2, "with_values": 2, "with_padded": 2}
LIKE_BEHIND = {"broadcast": 2, "full": 2, "assume_same_axis": 2, "scatter_max": 3}


def print_attribute(key, value):
    """None: a keyword alone; a list of str or int; a number or word as it is."""
    if value is None:
        return key
    if isinstance(value, (list, tuple)):
        return f"{key} = [" + ", ".join(f'"{v}"' if isinstance(v, str) else str(v) for v in value) + "]"
    if key == "to":
        return f'{key} = "{value}"'
    return f"{key} = {value:e}" if isinstance(value, float) else f"{key} = {value}"


class Printer:
    def __init__(self, program):
        self.program, self.lines, self.names = program, [], {}
        self.integers = {}  # scalar constant -> its number

    def extent(self, x):
        if isinstance(x, Size):
            return str(self.program.sizes[x.name])
        return "?" if isinstance(x, Any) else str(x)

    def type(self, t, unknown=False):
        if isinstance(t, Scalar):
            return t.element
        if isinstance(t, Dense):
            return "tensor<" + "".join(self.extent(x) + "x" for x in t.shape) + t.element + ">"
        if unknown:
            return f"!ragged.tensor<*, {t.element}>"
        dims = ", ".join(self.extent(x) for x in t.dims)
        order = "" if t.order == default_order(t.dims) else f", order = {list(t.order)}"
        return f"!ragged.tensor<[{dims}], {t.element}{order}>"

    def type_of(self, value):
        return self.type(value.type, value.unknown)

    def types(self, values):
        return ", ".join(self.type_of(v) for v in values)

    def define(self, value):
        self.names[value] = f"%{len(self.names)}"
        return self.names[value]

    def list(self, values):
        return ", ".join(self.names[v] for v in values)

    def line(self, depth, text):
        self.lines.append("  " * depth + text)

    def op(self, op, depth):
        if op.name in PRINTERS:
            PRINTERS[op.name](self, op, depth)
            return
        operands = op.operands
        attributes = "".join(" " + print_attribute(k, v) for k, v in op.attributes)
        for table in (LIKE_BEFORE, LIKE_BEHIND):
            if len(operands) >= table.get(op.name, len(operands) + 1):
                operands, like = operands[:-1], " like " + self.names[op.operands[-1]]
                attributes = like + attributes if table is LIKE_BEFORE else attributes + like
        text = f"ragged.{op.name} {self.list(operands)}{attributes}"
        types = f"{self.types(op.operands)} -> {self.types(op.results)}"
        self.line(depth, f"{self.define(op.results[0])} = {text} : {types}")

    def block(self, block, depth, terminator="scf.yield"):
        for op in block.ops:
            self.op(op, depth)
        self.line(depth, f"{terminator} {self.list(block.yields)} : {self.types(block.yields)}")

    def function(self, function, private):
        arguments = ", ".join(f"{self.define(v)}: {self.type_of(v)}" for v in function.arguments)
        self.line(0, f"func.func {'private ' if private else ''}@{function.name}({arguments}) -> "
                     f"({self.types(function.results)}) {{")
        self.block(Block([], function.ops, function.results), 1, "return")
        self.line(0, "}")


def _print_constant(p, op, depth):
    t = op.results[0].type
    value = op.attribute("value")
    text = repr(value) if t.element in FLOATS else str(int(value))
    if t.element == "i1":
        text = "true" if value else "false"
    if t == Scalar("i64"):
        p.integers[op.results[0]] = int(value)
    if isinstance(t, Dense):
        text = f"dense<{text}>"
    type_ = "" if t == Scalar("i1") else f" : {p.type(t)}"
    p.line(depth, f"{p.define(op.results[0])} = arith.constant {text}{type_}")


def _print_extract(p, op, depth):
    x = op.operands[0]
    p.line(depth, f"{p.define(op.results[0])} = tensor.extract {p.names[x]}[] : {p.type_of(x)}")


def _print_call(p, op, depth):
    first = p.define(op.results[0])
    for k, value in enumerate(op.results[1:], 1):
        p.names[value] = f"{first}#{k}"
    count = f":{len(op.results)}" if len(op.results) > 1 else ""
    axes = op.attribute("axes")
    axes = " " + print_attribute("axes", axes) if axes else ""
    p.line(depth, f"{first}{count} = {op.name} @{op.callee.name}({p.list(op.operands)}){axes} : "
                  f"({p.types(op.operands)}) -> ({p.types(op.results)})")
    if len(op.results) > 1:
        p.names[op.results[0]] = f"{first}#0"


def _print_if(p, op, depth):
    k = len(p.names)
    p.line(depth, f"%zero{k} = arith.constant 0 : i64")
    p.line(depth, f"%condition{k} = arith.cmpi sgt, {p.names[op.operands[0]]}, %zero{k} : i64")
    head = f"{p.define(op.results[0])} = scf.if %condition{k} -> ({p.types(op.results)}) {{"
    p.line(depth, head)
    p.block(op.blocks[0], depth + 1)
    p.line(depth, "} else {")
    p.block(op.blocks[1], depth + 1)
    p.line(depth, "}")


def _print_for(p, op, depth):
    k = len(p.names)
    p.line(depth, f"%zero{k} = arith.constant 0 : index")
    p.line(depth, f"%one{k} = arith.constant 1 : index")
    turns = op.operands[0]
    p.line(depth, f"%end{k} = arith.constant {p.integers[turns]} : index" if turns in p.integers else
           f"%end{k} = arith.index_cast {p.names[turns]} : i64 to index")
    block = op.blocks[0]
    carried = ", ".join(f"{p.define(a)} = {p.names[x]}"
                        for a, x in zip(block.arguments, op.operands[1:]))
    p.line(depth, f"{p.define(op.results[0])} = scf.for %i{k} = %zero{k} to %end{k} step %one{k} "
                  f"iter_args({carried}) -> ({p.types(op.results)}) {{")
    p.block(block, depth + 1)
    p.line(depth, "}")


def _print_arith(p, op, depth):
    """On scalars, all of one type."""
    result = op.results[0]
    p.line(depth, f"{p.define(result)} = {op.name} {p.list(op.operands)} : {p.type_of(result)}")


def _print_arith_cast(p, op, depth):
    source, result = op.operands[0], op.results[0]
    p.line(depth, f"{p.define(result)} = {op.name} {p.names[source]} : {p.type_of(source)} to "
                  f"{p.type_of(result)}")


PRINTERS = {"arith.constant": _print_constant, "tensor.extract": _print_extract,
            "ragged.call": _print_call, "func.call": _print_call,
            "scf.if": _print_if, "scf.for": _print_for,
            **dict.fromkeys(("arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.negf"),
                            _print_arith),
            **dict.fromkeys(("arith.extf", "arith.truncf"), _print_arith_cast)}


def program_text(program):
    """The functions of one program, the public one last."""
    printer = Printer(program)
    for callee in program.callees:
        printer.function(callee, True)
    printer.function(program.main, False)
    return "\n".join(printer.lines) + "\n"
