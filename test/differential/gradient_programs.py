"""Random programs to differentiate: made of the same proposals as the others (proposals.py), of ops that
have a rule in passes/grad/rules_*.c and that this dialect has.

Finite differences must be able to judge them. What is left out is decided by values of the program alone
and never by a derivative, so that no wrong rule can hide here:
  - an op whose result exceeds MAX_NUMBER, is not finite, or moves by more than STEEP times (twice:
    BENT times) what the arguments moved along a random direction;
  - a kink (relu, sqrt, maximum, clamp, max, comparisons, casts to integers) nearer than MARGIN times what the
    arguments' moves and rounding move it;
  - in the end a case whose slope by differences with step h, extrapolated, is not that of step 2 h.
"""
import functools
import pathlib
import re

import numpy as np

from builder import EXPRESSIONS, Builder, State, choose_results, expression_names, make_expression
from evaluate import Context, Data, TooLarge, run_program
from generator import bear_names, choose_cases, random_type, remove_unused
from inputs import case_batch, draw_argument
from propose_control import scf_for
from proposals import PROPOSALS
from record import (FLOATS, LIKE_BEFORE, LIKE_BEHIND, Dense, Function, Program, Ragged, Scalar,
                    all_ops)

SOURCE = pathlib.Path(__file__).resolve().parents[2]
STEP = 1e-4                # of the differences
MOVE = 1e-3                # of the arguments while ops are chosen
MAX_NUMBER, MAX_ELEMENTS = 8, 1500
STEEP, BENT, MARGIN = 30, 300, 4
ALLOWED = 1e-8             # of the size of the terms, as in check_gradients.c
LENGTHS = [[], [0], [1], [0, 0], [1, 0, 5, 4, 0], [2, 3], [4, 4, 4], [3, 0, 1]]
EXTENTS = [1, 2, 3, 3, 4, 5, 8]
def extract_mean(b):
    """The number in a tensor of rank 0, or the mean of a builtin tensor."""
    x = b.pick(lambda v: v.type == Dense((), b.state.program.element))
    if not x:
        whole = b.pick(lambda v: isinstance(v.type, Dense) and v.type.shape and is_float(v))
        x = whole and b.emit("mean", [whole], [("dims", list(range(len(whole.type.shape)))),
                                               ("empty", "zero")], [Dense((), whole.type.element)])
    return x and b.emit("tensor.extract", [x], [], [Scalar(x.type.element)])


WEIGHTS = {**{name: 6 for name in PROPOSALS if name.startswith("arith.") and name != "arith.constant"},
           "scf.if": 6, "scf.for": 6, "ragged.call": 5, "sqrt": 8, "rsqrt": 8, "values": 3, "unpack": 3,
           "max": 10, "sigmoid": 6, "softmax": 7, "layer_norm": 14, "from_values": 6, "pack": 5,
           "tensor.extract": 12, "full": 8, "product_over_rows": 8, "with_padded": 5, "with_values": 5,
           "squeeze": 6, "transpose": 7, "linear": 9, "sum": 8, "assume_same_axis": 14,
           "from_offsets": 5, "neg": 6}


# ---- What has a rule ---------------------------------------------------------------------------


@functools.cache
def rules():
    """Ops of the rules' tables that can occur here -> whether gradients pass through them."""
    found = {}
    for path in sorted((SOURCE / "passes" / "grad").glob("rules_*.c")):
        for name, rule in re.findall(r'^ +\{"([\w.]+)", (\w+)\},$', path.read_text(), re.M):
            short = name.removeprefix("ragged.")
            if short in PROPOSALS:
                found[short] = rule != "NULL"
    return found


def table():
    """Proposals of ops with a rule, and of what goes with them."""
    others = ("arith.constant", "ragged.call", "func.call")
    rows = {name: (WEIGHTS.get(name, weight), propose) for name, (weight, propose) in PROPOSALS.items()
            if name in others or name in rules()}
    rows["scf.for"] = (WEIGHTS["scf.for"], functools.partial(scf_for, constant=0.5))
    rows["tensor.extract"] = (WEIGHTS["tensor.extract"], extract_mean)
    return rows


# ---- Kinks ------------------------------------------------------------------------------------


def largest_gap(op, x):
    """By how much the largest entry of each group leads."""
    dims, batch = tuple(op.attribute("dims")), "batch" in dict(op.attributes)
    groups = [np.moveaxis(s, dims, range(len(dims))) for s in x.samples]
    groups = [g.reshape((-1,) + g.shape[len(dims):]) for g in groups if g.size]
    if batch and groups:
        groups = [np.concatenate(groups)]
    gaps = []
    for g in groups:
        if len(g) > 1:
            top = np.sort(g, axis=0)
            gaps.append(top[-1] - top[-2])
    return gaps


def pairs(op, operands, function):
    count = max(len(x.samples) for x in operands)
    samples = [x.samples * (count if len(x.samples) == 1 else 1) for x in operands]
    return [np.asarray(function(*arrays)) for arrays in zip(*samples)]


def floats(op, operands, function):
    return pairs(op, operands, function) if op.operands[0].type.element in FLOATS else []


def cast_gap(op, operands):
    target = op.results[0].type.element
    if target in FLOATS:
        return []
    return floats(op, operands, lambda x: x if target == "i1" else np.sin(np.pi * x) / np.pi)


def difference(op, operands):
    return floats(op, operands, lambda x, y: x - y)


# op -> (op, operands) -> arrays that are 0 at a kink and move as the operands do
KINKS = {
    "relu": lambda op, operands: floats(op, operands, lambda x: x),
    "sqrt": lambda op, operands: floats(op, operands, lambda x: x),
    "rsqrt": lambda op, operands: floats(op, operands, lambda x: x),
    "maximum": difference,
    "clamp": lambda op, operands: floats(op, operands, lambda x, low, high: np.minimum(
        np.abs(x - low), np.abs(np.maximum(x, low) - high))),
    "max": lambda op, operands: largest_gap(op, operands[0]),
    "argmax": lambda op, operands: largest_gap(op, operands[0]),
    "cast": cast_gap,
    **dict.fromkeys(["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"], difference),
}


class Watch:
    """Notes how far from their kinks ops are, one after the other."""

    def __init__(self):
        self.seen = []

    def __call__(self, op, operands):
        if op.name in KINKS:
            self.seen += KINKS[op.name](op, operands)


def kinks_are_far(watches):
    """The first watch is of what the others move from."""
    exact, *moved = [w.seen for w in watches]
    for k, gaps in enumerate(exact):
        if not gaps.size:
            continue
        with np.errstate(invalid="ignore"):  # infinities are no distance
            shift = max(np.max(np.abs(m[k] - gaps)) for m in moved)
        if not np.min(np.abs(gaps)) > MARGIN * shift:
            return False
    return True


# ---- Values that finite differences can judge ---------------------------------------------------


def moved_by(data, direction, step):
    return Data([x + step * d for x, d in zip(data.samples, direction)])


def directions(rng, data):
    """Random, and 0 where nothing is read."""
    return [np.where(np.isnan(s), 0, rng.uniform(-1, 1, s.shape)) for s in data.samples]


class SmoothState(State):
    max_number, max_elements = MAX_NUMBER, MAX_ELEMENTS

    def start(self):
        super().start()
        batch = case_batch(self.program.cases[0])
        self.smooth = [Context(self.program, batch, smooth=True) for _ in range(3)]
        self.contexts += self.smooth  # as drawn, moved forwards and backwards
        for context in self.contexts[1:]:
            context.watch = Watch()
        # Rounding moves kinks from where they are without it.
        self.contexts[0].watch = Watch()

    def argument(self, type_, how):
        is_float = type_.element in FLOATS
        if is_float and how[0] in ("integers", "special", "poisoned"):
            how = ("uniform",)
        value = super().argument(type_, how)
        if is_float:
            data = self.contexts[0].values[value]
            direction = directions(np.random.default_rng([*self.program.seed, 77, len(self.arguments)]),
                                   data)
            for context, sign in zip(self.smooth[1:], (1, -1)):
                context.values[value] = moved_by(data, direction, sign * MOVE)
        return value

    def accepts_op(self, op):
        watches = [c.watch for c in self.contexts]
        rounding, smooth = watches[:3], watches[3:]
        good = super().accepts_op(op) and kinks_are_far(smooth) and kinks_are_far(rounding)
        for watch in watches:
            watch.seen = []
        return good

    def accepts(self, value):
        if value.type.element not in FLOATS:
            return super().accepts(value)
        for exact, plus, minus in zip(*[c.values[value].samples for c in self.smooth]):
            if not (np.all(np.isfinite(exact)) and
                    np.all(np.abs(plus - minus) <= 2 * STEEP * MOVE) and
                    np.all(np.abs(plus + minus - 2 * exact) <= BENT * MOVE**2)):
                return False
        return super().accepts(value)


# ---- Slopes by NumPy alone ---------------------------------------------------------------------


class Slope:
    """The slope of a program's results, weighed with cotangents, by finite differences."""

    def __init__(self, program, case, cotangents, arguments=None):
        self.program, self.case, self.cotangents = program, case, cotangents
        self.arguments = arguments or [draw_argument(program, case, a)[0]
                                       for a in program.main.arguments]

    def weighed(self, arguments):
        """The sum of cotangent times result, and of its size."""
        results = run_program(self.program, arguments, case_batch(self.case), smooth=True)
        results = [r for v, r in zip(self.program.main.results, results) if v.type.element in FLOATS]
        terms = [np.sum(c * s) for r, own in zip(results, self.cotangents)
                 for c, s in zip(own, r.samples)]
        sizes = [np.sum(np.abs(c * s)) for r, own in zip(results, self.cotangents)
                 for c, s in zip(own, r.samples)]
        return sum(terms), sum(sizes)

    def along(self, moves, step):
        """Central differences of steps h and h / 2, extrapolated, and the size of what they are made
        of. moves: argument number -> direction."""
        values, size = [], 0.0
        for factor in (1, -1, 0.5, -0.5):
            arguments = [moved_by(a, moves[k], factor * step) if k in moves else a
                         for k, a in enumerate(self.arguments)]
            value, own = self.weighed(arguments)
            values.append(value)
            size += own
        wide = (values[0] - values[1]) / (2 * step)
        narrow = (values[2] - values[3]) / step
        return (4 * narrow - wide) / 3, size


def draw_cotangents(rng, program, results):
    return [[rng.uniform(-1, 1, np.shape(s)) for s in r.samples]
            for v, r in zip(program.main.results, results) if v.type.element in FLOATS]


def float_arguments(program):
    return [k for k, a in enumerate(program.main.arguments) if a.type.element in FLOATS]


def well_conditioned(program, case):
    """Whether the slope does not depend on the step, and kinks are far."""
    rng = np.random.default_rng([*program.seed, 78])
    arguments = [draw_argument(program, case, a)[0] for a in program.main.arguments]
    moves = {k: directions(rng, arguments[k]) for k in float_arguments(program)}
    watches = [Watch() for _ in range(3)]
    for watch, sign in zip(watches, (0, 1, -1)):
        moved = [moved_by(a, moves[k], sign * MOVE) if k in moves else a
                 for k, a in enumerate(arguments)]
        try:
            results = run_program(program, moved, case_batch(case), smooth=True, watch=watch,
                                  max_elements=4 * MAX_ELEMENTS)
        except TooLarge:
            return False
        if any(not np.all(np.isfinite(s)) or np.max(np.abs(s), initial=0) > MAX_NUMBER * 4
               for v, r in zip(program.main.results, results) if v.type.element in FLOATS
               for s in r.samples):
            return False
    if not kinks_are_far(watches):
        return False
    slope = Slope(program, case, draw_cotangents(rng, program, results), arguments)
    narrow, size = slope.along(moves, STEP)
    wide, _ = slope.along(moves, 2 * STEP)
    return abs(narrow - wide) <= ALLOWED / 4 * (size + abs(narrow))


# ---- A whole program ---------------------------------------------------------------------------


def float_results(builder):
    results = [v for v in choose_results(builder) if v.type.element in FLOATS]
    produced = [v for op in builder.ops for v in op.results if v.type.element in FLOATS]
    return results or produced[-1:]


def try_generate(seed, index, attempt):
    rng = np.random.default_rng([seed, index, attempt, 5])
    element = str(rng.choice(["f64", "f32", "bf16"], p=[0.35, 0.45, 0.2]))
    program = Program(f"g{index}", (seed, index, attempt), element)
    state = SmoothState(program, rng, table())
    axes = ["n", "m"] if rng.random() < 0.65 else ["n"]
    alias = len(axes) > 1 and rng.random() < 0.25
    state.origin = {"n": "n", "m": "n" if alias else "m"}
    program.cases = choose_cases(rng, len(axes), alias, LENGTHS, 2, 6)
    program.expressions = {text: make_expression(text) for text in EXPRESSIONS}
    for k in range(int(rng.integers(1, 4))):
        program.sizes[f"S{k}"] = int(rng.choice(EXTENTS))
    state.start()
    builder = Builder(state, [])
    if rng.random() < 0.2:
        text = builder.choice([e for e in EXPRESSIONS if set(expression_names(e)) <= set(axes)])
        state.origin[text] = text
        axes = axes + [text]
    while len(state.arguments) < rng.integers(1, 4) or not any(a.type.dims for a in state.arguments):
        builder.argument(random_type(builder, axes, element), ("uniform",))
        if len(state.arguments) > 8:
            return None
    builder.grow(int(rng.integers(9, 17)))
    results = float_results(builder)
    if not results:
        return None
    program.main = Function(program.name, state.arguments, builder.ops, results)
    remove_unused(program, state.arguments)
    bear_names(program)
    if not float_arguments(program) or len(program.main.arguments) + 2 * len(results) > 28:
        return None
    program.cases = [c for c in program.cases if well_conditioned(program, c)]
    constants = {op.results[0] for op in all_ops(program) if op.name == "arith.constant"}
    if any(op.name == "scf.for" and op.operands[0] not in constants for op in all_ops(program)):
        program.name = program.main.name = f"{program.name}_turns"  # see check_gradients.c
    return program if program.cases else None


def generate(seed, index):
    """(The program, how many were left out before it)."""
    for attempt in range(200):
        program = try_generate(seed, index, attempt)
        if program:
            return program, attempt
    raise RuntimeError("no program is accepted")


# ---- Where gradients pass ------------------------------------------------------------------------


def is_float(value):
    return value.type.element in FLOATS


def read_operands(op):
    like = op.name in LIKE_BEHIND or len(op.operands) >= LIKE_BEFORE.get(op.name, len(op.operands) + 1)
    return op.operands[:-1] if like else op.operands


def inner_functions(op):
    """(arguments, operands they stand for, ops, results) of blocks and callees."""
    for block in op.blocks:
        yield block.arguments, op.operands[len(op.operands) - len(block.arguments):], block.ops, block.yields
    if op.callee:
        yield op.callee.arguments, op.operands, op.callee.ops, op.callee.results


def find_active(ops, active):
    """Adds the floats that floats in `active` lead to."""
    for op in ops:
        leads = any(v in active for v in read_operands(op))
        for formals, actuals, inner, results in inner_functions(op):
            active.update(f for f, x in zip(formals, actuals) if x in active)
            find_active(inner, active)
            leads = leads or any(v in active for v in results)
        if leads and rules().get(op.name, bool(op.callee)):
            active.update(v for v in op.results if is_float(v))


def find_needed(ops, needed):
    """Adds the floats that lead to values in `needed`."""
    for op in reversed(ops):
        if not any(v in needed for v in op.results if is_float(v)):
            continue
        for formals, actuals, inner, results in inner_functions(op):
            needed.update(results)
            find_needed(inner, needed)
            needed.update(x for f, x in zip(formals, actuals) if f in needed)
        if not op.callee and not op.blocks and rules().get(op.name):
            needed.update(v for v in read_operands(op) if is_float(v))


def differentiated(program):
    """Names of the ops that gradients pass through, one for each time."""
    active, needed = {a for a in program.main.arguments if is_float(a)}, set(program.main.results)
    find_active(program.main.ops, active)
    find_needed(program.main.ops, needed)
    return [op.name for op in all_ops(program) if any(v in active & needed for v in op.results)]
