"""Blocks under construction: evaluates each op as it is chosen and says whether it is accepted. Used
by generator.py (a whole program) and proposals.py (the ops)."""
import numpy as np

from comparison import compare
from evaluate import Context, Noise, run_op
from inputs import case_batch, draw_argument
from record import FLOATS, Op, Ragged, Size, Value

MAX_NUMBER = 1e4
MAX_ELEMENTS = 40000
MAX_NOISE = 0.3  # of the allowed error

EXTENTS = [1, 2, 3, 3, 4, 5, 7, 8, 12, 16, 17, 20, 33]
# canonical text -> extents of one sample
EXPRESSIONS = {
    "m + n": lambda m, n: m + n, "n + 1": lambda m, n: n + 1, "2 * n": lambda m, n: 2 * n,
    "max(m, n)": lambda m, n: max(m, n), "min(m, n)": lambda m, n: min(m, n),
    "n floordiv 2": lambda m, n: n // 2, "(n + 1) floordiv 2": lambda m, n: (n + 1) // 2,
    "m * n": lambda m, n: m * n,
}


def expression_names(text):
    return [name for name in ("m", "n") if name in text.replace("max", "").replace("min", "")]


def make_expression(text):
    return lambda case: [EXPRESSIONS[text](m, n)
                         for m, n in zip(case.get("m", case["n"]), case["n"])]


class State:
    """What all builders of one program share."""

    max_number, max_elements = MAX_NUMBER, MAX_ELEMENTS

    def __init__(self, program, rng, proposals):
        self.program, self.rng, self.proposals = program, rng, proposals  # name -> (weight, propose)
        self.arguments = []
        self.contexts, self.noisy = [], []  # all; those with rounding noise
        self.origin = {}  # axis -> axis or expression of main whose extents it has in every case
        self.num_names = 0

    def start(self):
        """Once the cases are there."""
        batch, seed = case_batch(self.program.cases[0]), self.program.seed
        self.noisy = [Context(self.program, batch, Noise(np.random.default_rng([*seed, 1000 + k])))
                      for k in range(2)]
        self.contexts = [Context(self.program, batch)] + self.noisy

    def name(self, prefix):
        self.num_names += 1
        return f"{prefix}{self.num_names}"

    def new_axis(self, like):
        axis = self.name("k")
        self.origin[axis] = self.origin[like]
        return axis

    def size(self, number):
        """A Size of that extent."""
        for name, value in self.program.sizes.items():
            if value == number and not name.startswith("E"):
                return Size(name)
        name = f"S{len(self.program.sizes)}"
        self.program.sizes[name] = number
        return Size(name)

    def argument(self, type_, how):
        value = Value(type_)
        self.program.draws[value] = (len(self.program.draws), how)
        self.arguments.append(value)
        data = draw_argument(self.program, self.program.cases[0], value)[0]
        for context in self.contexts:
            context.values[value] = data
        return value

    def accepts_op(self, op):
        """After every context has run it."""
        return all(self.accepts(v) for v in op.results)

    def accepts(self, value):
        exact = self.contexts[0].values[value]
        element = value.type.element
        if sum(s.size for s in exact.samples) > self.max_elements:
            return False
        if element not in ("f64", "f32", "bf16"):
            return True
        for s in exact.samples:
            finite = s[np.isfinite(s)] if s.ndim else s
            if np.size(finite) and np.max(np.abs(finite)) > self.max_number:
                return False
        return all(compare(c.values[value].samples, exact, element)[0] <= MAX_NOISE for c in self.noisy)


class Builder:
    """The ops of one block under construction."""

    def __init__(self, state, values):
        self.state, self.rng = state, state.rng
        self.values, self.ops, self.used = list(values), [], set()

    # ---- Choices

    def chance(self, p):
        return self.rng.random() < p

    def choice(self, items):
        return items[self.rng.integers(len(items))] if items else None

    def pick(self, wanted):
        """A value in scope; unused and late ones more often."""
        found = [v for v in self.values if wanted(v)]
        fresh = [v for v in found if v not in self.used][-4:]
        return self.choice(fresh if fresh and self.chance(0.6) else found)

    def pick_ragged(self, wanted=lambda t: True):
        return self.pick(lambda v: isinstance(v.type, Ragged) and wanted(v.type))

    def pick_float(self, wanted=lambda t: True):
        return self.pick_ragged(lambda t: t.element in FLOATS and wanted(t))

    def random_order(self, dims):
        raggeds = [d for d, x in enumerate(dims) if isinstance(x, str)]
        statics = [d for d, x in enumerate(dims) if not isinstance(x, str)]
        return tuple(int(d) for d in [*self.rng.permutation(raggeds), *self.rng.permutation(statics)])

    # ---- Making things

    def may_bear(self, type_):
        """Whether an argument may have that ragged type: no axis of it is born inside."""
        return all(self.state.origin[x] == x for x in type_.space())

    def argument(self, type_, how):
        value = self.state.argument(type_, how)
        self.values.append(value)
        return value

    def emit(self, name, operands, attributes, types, blocks=(), callee=None, inferred=True):
        """The op's results (one: itself), or None where it, or an operand before it, is not accepted."""
        if any(v is None for v in operands):
            return None
        unknown = inferred and self.chance(0.08)
        results = [Value(t, unknown and isinstance(t, Ragged)) for t in types]
        op = Op(name, list(operands), list(attributes), results, list(blocks), callee)
        for context in self.state.contexts:
            run_op(op, context)
        if not self.state.accepts_op(op):
            return None
        self.ops.append(op)
        self.values += results
        self.used.update(operands)
        return results[0] if len(results) == 1 else results

    def propose(self):
        """One try of an op from the table."""
        names = list(self.state.proposals)
        weights = np.array([self.state.proposals[n][0] for n in names], float)
        name = names[self.rng.choice(len(names), p=weights / weights.sum())]
        return self.state.proposals[name][1](self)

    def grow(self, count):
        for _ in range(8 * count):
            if len(self.ops) >= count:
                return
            self.propose()


class CalleeBuilder(Builder):
    """A private function: its own axis names (unless `renames` is false, for func.call)."""

    def __init__(self, parent, renames):
        super().__init__(parent.state, [])
        self.parent, self.renames = parent, renames
        self.formals, self.actuals, self.substitution = [], [], {}

    def formal_axis(self, axis):
        known = [f for f, a in self.substitution.items() if a == axis]
        if known and self.chance(0.6):
            return self.choice(known)
        formal = axis if not self.renames else self.state.name("a")
        self.substitution[formal] = axis
        self.state.origin[formal] = self.state.origin[axis]
        return formal

    def add_formal(self, actual, type_=None):
        t = actual.type
        if type_ is None and isinstance(t, Ragged):
            type_ = Ragged(tuple(self.formal_axis(x) if isinstance(x, str) else x for x in t.dims),
                           t.order, t.element)
        formal = Value(type_ or t)
        for context in self.state.contexts:
            context.values[formal] = context.values[actual]
        self.formals.append(formal)
        self.actuals.append(actual)
        self.values.append(formal)
        return formal

    def to_caller(self, t):
        if not isinstance(t, Ragged):
            return t
        return Ragged(tuple(self.substitution[x] if isinstance(x, str) else x for x in t.dims),
                      t.order, t.element)

    def may_bear(self, type_):
        return all(x in self.substitution for x in type_.space()) and \
            self.parent.may_bear(self.to_caller(type_))

    def argument(self, type_, how):
        return self.add_formal(self.parent.argument(self.to_caller(type_), how), type_)


class RegionBuilder(Builder):
    """A block of an scf op. New arguments of the function are made by the enclosing builder."""

    def __init__(self, outer, values):
        super().__init__(outer.state, values)
        self.outer = outer

    def may_bear(self, type_):
        return self.outer.may_bear(type_)

    def argument(self, type_, how):
        value = self.outer.argument(type_, how)
        self.values.append(value)
        return value


def choose_results(builder):
    produced = [v for op in builder.ops for v in op.results if v.type.element != "index"]
    ends = [v for v in produced if v not in builder.used]
    results = ends[-4:] or produced[-1:]
    if builder.chance(0.05) and results:
        results.append(results[0])
    if builder.chance(0.05) and not isinstance(builder, CalleeBuilder):
        results.append(builder.choice(builder.state.arguments))
    return results
