"""Makes a failing program smaller while it fails in the same way on its target: fewer results, ops and
samples, shorter lengths, smaller static extents."""
import copy
import time

from generator import accepted, bear_names, remove_unused
from inputs import case_batch
from record import Any, Dense, Ragged, walk


def tidy(program):
    remove_unused(program, program.main.arguments)
    bear_names(program)
    return program


def replace(program, old, new):
    for function in [program.main] + program.callees:
        for op in walk(function.ops):
            op.operands = [new if v is old else v for v in op.operands]
            for block in op.blocks:
                block.yields = [new if v is old else v for v in block.yields]
        function.results = [new if v is old else v for v in function.results]


def can_be_argument(program, value):
    t = value.type
    if isinstance(t, Ragged):
        return all(x in program.cases[0] or x in program.expressions for x in t.space())
    return not (isinstance(t, Dense) and any(isinstance(x, Any) for x in t.shape))


def cut(program, k):
    """Results of main's op k become arguments."""
    op = program.main.ops[k]
    if op.name == "arith.constant" or not all(can_be_argument(program, v) for v in op.results):
        return None
    for value in op.results:
        value.unknown = False
        program.draws[value] = (len(program.draws), ("uniform",))
        program.main.arguments.append(value)
    del program.main.ops[k]
    return tidy(program)


def nested_ops(program):
    return [(ops, k) for function in [program.main] + program.callees for ops in op_lists(function.ops)
            for k in range(len(ops))]


def op_lists(ops):
    yield ops
    for op in ops:
        for block in op.blocks:
            yield from op_lists(block.ops)


def bypass(program, k):
    """The k-th op of all is replaced by an operand of its result's type."""
    ops, at = nested_ops(program)[k]
    op = ops[at]
    source = next((v for v in op.operands if len(op.results) == 1 and v.type == op.results[0].type), None)
    if source is None:
        return None
    replace(program, op.results[0], source)
    del ops[at]
    return tidy(program)


def shorter(case):
    batch = case_batch(case)
    for i in range(batch):
        yield {a: e[:i] + e[i + 1:] for a, e in case.items()}
    for i in range(batch):
        for small in (0, 1, 2):
            yield {a: e[:i] + [min(e[i], small)] + e[i + 1:] for a, e in case.items()}
        for axis in case:
            for new in (case[axis][i] // 2, case[axis][i] - 1):
                if new >= 0:
                    yield {a: e[:i] + [new] + e[i + 1:] if a == axis else list(e)
                           for a, e in case.items()}


def candidates(program):
    def changed(change):
        other = copy.deepcopy(program)
        return change(other)

    def with_results(p, results):
        p.main.results = [p.main.results[k] for k in results]
        return tidy(p)

    def set_known(p):
        for op in walk(p.main.ops):
            for v in op.results:
                v.unknown = False
        return p

    def set_size(p, name, number):
        p.sizes[name] = number
        return p

    def set_case(p, case):
        p.cases = [case]
        return p

    count = len(program.main.results)
    if count > 1:
        for k in range(count):
            yield changed(lambda p, k=k: with_results(p, [k]))
    for k in reversed(range(len(program.main.ops))):
        yield changed(lambda p, k=k: cut(p, k))
    for k in range(len(nested_ops(program))):
        yield changed(lambda p, k=k: bypass(p, k))
    for case in shorter(program.cases[0]):
        if case != program.cases[0]:
            yield changed(lambda p, case=case: set_case(p, case))
    for name, number in program.sizes.items():
        for small in (1, 2, number // 2, number - 1):
            if 0 < small < number:
                yield changed(lambda p, n=name, s=small: set_size(p, n, s))
    if any(v.unknown for op in walk(program.main.ops) for v in op.results):
        yield changed(set_known)


def same(a, b):
    """Errors must say the same words, numbers aside."""
    def words(text):
        return [w for w in text.split() if w.isalpha()][:8]
    return a.kind == b.kind and (not a.kind.startswith("error") or words(a.message) == words(b.message))


def try_program(run, accepts, program, failure, module):
    if program is None:
        return None
    try:
        if not module and not all(accepts(program, c) for c in program.cases):
            return None
        failures = run(failure.target, program)
    except Exception:  # a candidate that makes no sense
        return None
    return next((f for f in failures if same(f, failure)), None)


def shrink(failure, seconds, run, accepts=lambda program, case: accepted(program, case, program.seed)):
    """The smallest Failure found in that time, beginning with the given one. run(target, program): its
    failures; accepts(program, case): whether numbers may be compared there."""
    end = time.monotonic() + seconds
    module = failure.kind.startswith(("error", "crash"))
    start = copy.deepcopy(failure.program)
    if failure.case is not None:
        start.cases = [dict(failure.case)]
    elif start.cases:
        start.cases = start.cases[:1]
    best = try_program(run, accepts, start, failure, module)
    if best is None:
        return failure
    progress = True
    while progress and time.monotonic() < end:
        progress = False
        for candidate in candidates(best.program):
            if time.monotonic() > end:
                break
            smaller = try_program(run, accepts, candidate, failure, module)
            if smaller:
                best, progress = smaller, True
                break
    return best
