"""Random typed programs. `generate(seed, index)` gives one: an MLIR function with its callees, what its
arguments hold, and the length vectors it runs on. The same seed and index give the same program.

Ops are evaluated while they are chosen (evaluate.py, once exactly and twice with rounding noise): one
whose result would leave the allowed error by rounding alone, grow beyond MAX_NUMBER or hold more than
MAX_ELEMENTS is dropped and another is tried. The ops themselves are in the table of proposals.py.
"""
import math

import numpy as np

from builder import (EXPRESSIONS, EXTENTS, MAX_ELEMENTS, MAX_NOISE, Builder, State, choose_results,
                     expression_names, make_expression)
from comparison import compare
from evaluate import Noise, TooLarge, run_program
from inputs import case_batch, draw_argument
from proposals import PROPOSALS
from record import FLOATS, Function, Program, Ragged, Size, Value, all_ops, default_order, ragged, walk

LENGTHS = [[], [0], [1], [0, 0], [1, 0, 5, 4, 0], [2, 3], [7, 7, 7], [40, 0, 0, 33], [1, 60, 1]]


# ---- A whole program --------------------------------------------------------------------------


def choose_cases(rng, num_axes, alias, lengths=LENGTHS, count=3, limit=10):
    """The first case decides what the generator accepts; more follow where they are accepted."""
    cases, order = [], rng.permutation(len(lengths))
    for k in range(count):
        if rng.random() < 0.5:
            n = list(lengths[order[k]])
        else:
            n = [int(x) for x in rng.integers(0, limit, rng.integers(1, 6))]
        case = {"n": n}
        if num_axes > 1:
            m = [int(x) for x in rng.permutation(n)] if rng.random() < 0.4 else \
                [int(x) for x in rng.integers(0, min(limit, 8), len(n))]
            case["m"] = list(n) if alias else m
        cases.append(case)
    if not cases[0]["n"] and rng.random() < 0.7:  # an empty batch accepts anything: rarely first
        cases[0], cases[1] = cases[1], cases[0]
    return cases


def random_type(builder, axes, element):
    rng = builder.rng
    num_ragged = int(rng.choice([0, 1, 2, 3], p=[0.08, 0.5, 0.37, 0.05]))
    num_static = int(rng.choice([0, 1, 2], p=[0.2, 0.6, 0.2]))
    dims = [builder.choice(axes) for _ in range(num_ragged)]
    dims += [1 if rng.random() < 0.1 else Size(builder.choice(list(builder.state.program.sizes)))
             for _ in range(num_static)]
    dims = [dims[k] for k in rng.permutation(len(dims))]
    order = builder.random_order(dims) if rng.random() < 0.3 else None
    return ragged(dims, element, order)


def remove_unused(program, arguments):
    """Drops ops, callees and those of `arguments` that no result needs."""
    needed, ops = set(program.main.results), []
    for op in reversed(program.main.ops):
        if not needed & set(op.results):
            continue
        ops.append(op)
        for inner in walk([op]):
            needed.update(inner.operands)
            for block in inner.blocks:
                needed.update(block.yields)
    program.main.ops = ops[::-1]
    program.main.arguments = [a for a in arguments if a in needed]
    called = [op.callee for op in walk(program.main.ops) if op.callee]
    for callee in program.callees[::-1]:  # callees stand before their callers
        if callee in called:
            called += [op.callee for op in walk(callee.ops) if op.callee]
    program.callees = [c for c in program.callees if c in called]


def bear_names(program):
    """Every name in an expression of an argument's type must be an axis of some argument."""
    wanted, borne = set(), set()
    for value in program.main.arguments:
        if isinstance(value.type, Ragged):
            for x in value.type.space():
                if x in EXPRESSIONS:
                    wanted.update(expression_names(x))
                else:
                    borne.add(x)
    for axis in sorted(wanted - borne):
        value = Value(ragged([axis], program.element))
        program.draws[value] = (len(program.draws), ("uniform",))
        program.main.arguments.append(value)


def accepted(program, case, seed):
    """Whether no value is large, and rounding alone leaves the results within a part of the allowed error."""
    arguments = [draw_argument(program, case, a)[0] for a in program.main.arguments]
    batch = case_batch(case)
    try:
        exact = run_program(program, arguments, batch, max_elements=4 * MAX_ELEMENTS)
    except TooLarge:
        return False
    for k in range(2):
        noisy = run_program(program, arguments, batch, noise=Noise(np.random.default_rng([*seed, k])))
        for value, n, e in zip(program.main.results, noisy, exact):
            if value.type.element in FLOATS and compare(n.samples, e, value.type.element)[0] > MAX_NOISE:
                return False
    return True


def generate(seed, index):
    rng = np.random.default_rng([seed, index])
    element = str(rng.choice(["f64", "f32", "bf16", "i64"], p=[0.2, 0.45, 0.2, 0.15]))
    program = Program(f"f{index}", (seed, index, 7), element)
    state = State(program, rng, PROPOSALS)
    axes = ["n", "m"] if rng.random() < 0.65 else ["n"]
    alias = len(axes) > 1 and rng.random() < 0.2
    state.origin = {"n": "n", "m": "n" if alias else "m"}
    program.cases = choose_cases(rng, len(axes), alias)
    program.expressions = {text: make_expression(text) for text in EXPRESSIONS}
    for k in range(int(rng.integers(1, 4))):
        program.sizes[f"S{k}"] = 0 if rng.random() < 0.015 else int(rng.choice(EXTENTS))
    state.start()
    builder = Builder(state, [])
    if rng.random() < 0.3:
        text = builder.choice([e for e in EXPRESSIONS if set(expression_names(e)) <= set(axes)])
        state.origin[text] = text
        axes = axes + [text]
    how = ("poisoned",) if element != "i64" and rng.random() < 0.12 else ("uniform",)
    while len(state.arguments) < rng.integers(1, 4) or not any(a.type.dims for a in state.arguments):
        draw = how if rng.random() < 0.7 else (str(rng.choice(["integers", "special", "positive"])),)
        t = random_type(builder, axes, element)
        if math.prod([60 if isinstance(x, str) and max(program.cases[0]["n"], default=0) > 12 else
                      9 if isinstance(x, str) else 1 for x in t.dims]) < 4000:
            builder.argument(t, draw)
    builder.grow(int(rng.integers(9, 20)))
    results = choose_results(builder)
    program.main = Function(program.name, state.arguments, builder.ops, results)
    if not results:
        return generate(seed + 1_000_003, index)  # nothing was accepted
    remove_unused(program, state.arguments)
    bear_names(program)
    program.cases = [c for k, c in enumerate(program.cases)
                     if (k == 0 and c == program.cases[0]) or accepted(program, c, program.seed)]
    return program


# ---- What the programs are like ---------------------------------------------------------------


def describe(program):
    """Facts that the mix is judged by."""
    types = [v.type for op in all_ops(program) for v in op.operands + op.results]
    types = [t for t in types + [a.type for a in program.main.arguments] if isinstance(t, Ragged)]
    empty = False
    for case in program.cases:
        for t in {a.type for a in program.main.arguments if isinstance(a.type, Ragged)}:
            for i in range(case_batch(case)):
                empty |= any((case[x] if x in case else program.expressions[x](case))[i] == 0
                             for x in t.space())
    names = [op.name for op in all_ops(program)]
    return {
        "ops": len([n for n in names if n != "arith.constant"]),
        "names": names,
        "two spaces": len({t.space() for t in types if t.space()}) >= 2,
        "other order": any(t.order != default_order(t.dims) for t in types),
        "empty sample": empty,
    }
