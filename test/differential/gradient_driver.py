"""Checks the derivatives of recorded programs. Used by gradients.py and while shrinking.

"check-gradients": every mode and keep, by check_gradients.c, on the values of the programs' cases; and
the gradients that it writes against differences of evaluate.py, which shares nothing with it.
"cpu", "emulated": @f_vjp compiled and compared with the reference by differential_run. The allowed error
does not cover gradients that cancel (those through a softmax whose outputs are summed are 0 but for
rounding). Such a gradient may be off by CANCELS rounding errors of the call's largest gradient, or by
CANCELS times what the reference's own result moves by when arguments move by a rounding error."""
import pathlib
import re
import subprocess
import tempfile

import numpy as np

from comparison import EPSILON
from driver import (TIMEOUT, Failure, add_call, argument_axes, command, compiled_samples, read_answers,
                    write_calls, write_files)
from evaluate import dtype_of, run_program, to_packed
from gradient_programs import ALLOWED, STEP, Slope, directions, float_arguments, is_float
from inputs import case_batch, draw_argument, from_bytes, round_to, to_bytes
from record import FLOATS, Ragged, all_ops

CANCELS = 8


def run_command(words):
    """(exit status, stdout, the first errors of stderr)"""
    try:
        done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return 1, "", f"no answer in {TIMEOUT} s"
    return done.returncode, done.stdout, first_words(done.stderr)


def first_words(text):
    """The first lines that say what is wrong, without the place."""
    lines = [re.sub(r"^.*?error: ", "error: ", line) for line in text.strip().splitlines()]
    return "\n".join(([x for x in lines if x.startswith("error")] or lines)[:3])


def largest_epsilon(program):
    """Of the float types in it."""
    return max(EPSILON[v.type.element] for op in all_ops(program) for v in op.operands + op.results
               if v.type.element in FLOATS)


def is_narrow(program):
    """Whether rules may have constants of f32 or less."""
    return largest_epsilon(program) > EPSILON["f64"]


# ---- check-gradients, and differences of NumPy --------------------------------------------------


def take(numbers, samples):
    """Numbers of a file, shaped as `samples`, from the front of the iterator."""
    return [np.array([next(numbers) for _ in range(np.size(s))]).reshape(np.shape(s)) for s in samples]


def judge_slopes(program, case, arguments, numbers):
    """What differs, and the largest error over the allowed one."""
    results = run_program(program, arguments, case_batch(case), smooth=True)
    cotangents = [take(numbers, r.samples) for v, r in zip(program.main.results, results)
                  if v.type.element in FLOATS]
    gradients = {k: take(numbers, arguments[k].samples) for k in float_arguments(program)}
    slope, worst, message = Slope(program, case, cotangents, arguments), 0.0, None
    relative = ALLOWED + (EPSILON["f32"] if is_narrow(program) else 0)
    rng = np.random.default_rng([*program.seed, 79])
    for k, gradient in gradients.items():
        move = directions(rng, arguments[k])
        found, size = slope.along({k: move}, STEP)
        terms = [g * m for g, m in zip(gradient, move)]
        expected = sum(np.sum(t) for t in terms)
        allowed = relative * (size + sum(np.sum(np.abs(t)) for t in terms))
        error = abs(found - expected)
        ratio = 0.0 if error == 0 else error / allowed
        worst = max(worst, ratio)
        if not ratio <= 1:
            message = message or (f"argument {k}: slope {expected:.9g}, by differences of NumPy "
                                  f"{found:.9g}, allowed {allowed:.3g}")
    return message, worst


def check_command(tools, folder):
    folder = pathlib.Path(folder)
    return [tools.check_gradients, f"--calls={folder / 'calls.txt'}", f"--values={folder / 'values.bin'}",
            f"--out={folder / 'gradients.bin'}", folder / "module.mlir"]


def check_gradients(tools, programs, folder):
    calls = write_files(folder, programs)
    code, text, errors = run_command(check_command(tools, folder))
    if code != 0 and len(programs) > 1:
        return each(tools, "check-gradients", programs)
    if code != 0:
        program = programs[0]
        where = re.search(r"call (\d+):.*: off by", text)
        case = calls[int(where[1]) - 1][1] if where else None
        kind = "check-gradients" if where else "error of check-gradients"
        message = text if where or not errors else errors
        return [Failure(program, "check-gradients", case, kind,
                        first_words(message) or f"exit status {code}")], 0.0
    numbers = iter(np.fromfile(pathlib.Path(folder) / "gradients.bin").tolist())
    failures, worst = [], 0.0
    for program, case, arguments in calls:
        message, ratio = judge_slopes(program, case, arguments, numbers)
        worst = max(worst, ratio)
        if message:
            failures.append(Failure(program, "check-gradients", case, "differences of NumPy", message))
    return failures, worst


def each(tools, target, programs):
    parts = [run_gradients(tools, target, [p]) for p in programs]
    return [f for failures, _ in parts for f in failures], max(w for _, w in parts)


# ---- Executors ---------------------------------------------------------------------------------


def split_list(text):
    """At commas outside of all brackets."""
    parts, depth, start = [], 0, 0
    for k, c in enumerate(text):
        depth += (c in "([{<") - (c in ")]}>" and text[k - 1] != "-")
        if c == "," and depth == 0:
            parts.append(text[start:k].strip())
            start = k + 1
    return parts + [text[start:].strip()] if text.strip() else parts


def argument_types(text, name):
    """Types of a printed function's arguments."""
    aliases = dict(re.findall(r"^(![\w.]+) = (.*)$", text, re.M))
    line = re.search(rf"^ *func\.func @{name}\((.*)$", text, re.M)[1]
    depth = 1
    for k, c in enumerate(line):
        depth += (c == "(") - (c == ")")
        if depth == 0:
            break
    types = [part.partition(": ")[2] for part in split_list(line[:k])]
    return [aliases.get(t, t) for t in types]


def dims_of(text):
    return split_list(re.match(r"!ragged\.tensor<\[(.*?)\]", text)[1])


def cotangent(program, type_, text, samples, rng):
    """(axes of its own, shape, bytes)"""
    own = [round_to(type_.element, rng.uniform(-1, 1, np.shape(s))) for s in samples]
    if not isinstance(type_, Ragged):
        return {}, list(own[0].shape), to_bytes(type_.element, own[0])
    axes = {name: [int(s.shape[d]) for s in own] for d, name in enumerate(dims_of(text))
            if isinstance(type_.dims[d], str)}
    packed = to_packed(type_, own, program.sizes, dtype_of(type_.element))
    return axes, list(packed.shape), to_bytes(type_.element, packed)


def rounded_again(element, contents, rng):
    """Numbers of an argument, each to one of its neighbours or itself."""
    if element not in FLOATS:
        return contents
    values = from_bytes(element, contents)
    return to_bytes(element, round_to(element, values * (1 + EPSILON[element] * rng.uniform(-1, 1, values.shape))))


def write_vjp_calls(folder, programs, text):
    """[(program, case)], two calls each: the derivative, and with arguments moved by a rounding error."""
    lines, blob, calls = [], bytearray(), []
    for program in programs:
        types = argument_types(text, f"{program.name}_vjp")
        types = types[len(program.main.arguments):]
        for case in program.cases:
            drawn = [draw_argument(program, case, a) for a in program.main.arguments]
            results = run_program(program, [d[0] for d in drawn], case_batch(case))
            rng = np.random.default_rng([*program.seed, 80])
            axes = argument_axes(program, case)
            arguments = [(a.type.element, shape, contents)
                         for a, (_, shape, contents) in zip(program.main.arguments, drawn)]
            floats = [(v.type, r) for v, r in zip(program.main.results, results)
                      if v.type.element in FLOATS]
            for (type_, result), printed in zip(floats, types):
                own, shape, contents = cotangent(program, type_, printed, result.samples, rng)
                axes.update(own)
                arguments.append((type_.element, shape, contents))
            for moves in (False, True):
                add_call(lines, blob, f"{program.name}_vjp", case_batch(case), axes,
                         [(shape, rounded_again(element, contents, rng) if moves else contents)
                          for element, shape, contents in arguments])
            calls.append((program, case))
    write_calls(folder, lines, blob)
    return calls


def reference_numbers(result, out):
    count, offset = int(result[0][5]), int(result[0][6])
    return np.frombuffer(out[offset:offset + 8 * count], "<f8")


def cancels(program, n, results, moved, out):
    """Whether the error of result n of @f_vjp is within what rounding its arguments makes of it."""
    values = [*program.main.results, *(program.main.arguments[k] for k in float_arguments(program))]
    if not moved or len(moved["results"]) <= n or not is_float(values[n]):
        return False
    words, extents, _ = results[n]
    size = np.dtype({"f64": "f8", "f32": "f4", "bf16": "u2"}[values[n].type.element]).itemsize
    contents = out[int(words[4]):int(words[4]) + size * int(words[3])]
    got = compiled_samples(values[n].type, extents, int(words[1]), contents, program.sizes)
    got = np.concatenate([np.ravel(s) for s in got])
    exact, again = (reference_numbers(r, out) for r in (results[n], moved["results"][n]))
    with np.errstate(all="ignore"):
        error, shift = np.max(np.abs(got - exact)), np.max(np.abs(again - exact))
    gradients = [reference_numbers(r, out) for r in results[len(program.main.results):]]
    largest = max(np.max(np.abs(x), initial=0) for x in gradients)
    return bool(error <= CANCELS * max(shift, largest_epsilon(program) * largest))


def pipeline(programs):
    names = [f"ragged-differentiate{{entry={p.name}}}" for p in programs]
    return "builtin.module(" + ",".join(["ragged-propagate-schemas", *names]) + ")"


def executors(tools, target, programs, folder):
    """The derivatives compiled."""
    write_files(folder, programs)
    plain = folder / "plain.mlir"
    (folder / "module.mlir").rename(plain)
    code, text, errors = run_command([tools.opt, plain, f"--pass-pipeline={pipeline(programs)}"])
    if code == 0:
        (folder / "module.mlir").write_text(text)
        calls = write_vjp_calls(folder, programs, text)
        code, text, errors = run_command(command(tools.driver, target, folder))
    if code != 0 and len(programs) > 1:
        return each(tools, target, programs)
    if code != 0:
        return [Failure(programs[0], target, None, f"error of {target}",
                        "\n".join(filter(None, [first_words(text), errors])))], 0.0
    failures, worst, answers = [], 0.0, read_answers(text)
    out = (folder / "out.bin").read_bytes()
    for k, (program, case) in enumerate(calls):
        answer, moved = (answers[2 * k + j] if 2 * k + j < len(answers) else None for j in (0, 1))
        if answer is None or not answer["complete"]:
            failures.append(Failure(program, target, case, "crash", "no answer"))
        elif answer["error"]:
            failures.append(Failure(program, target, case, f"error of {answer['error'][0]}",
                                    answer["error"][1]))
        else:
            errors = [float(words[7]) for words, _, _ in answer["results"]]
            bad = [n for n, e in enumerate(errors) if not e <= 1 and not cancels(
                program, n, answer["results"], moved, out)]
            worst = max([worst, *(e for n, e in enumerate(errors) if e <= 1 or n in bad)])
            if bad:
                failures.append(Failure(program, target, case, "the compiled derivative differs",
                                        f"result {bad[0]}: {errors[bad[0]]:.4g} of the allowed error"))
    return failures, worst


def run_gradients(tools, target, programs, folder=None):
    """([Failure], the largest error over the allowed one)"""
    if folder is None:
        with tempfile.TemporaryDirectory() as made:
            return run_gradients(tools, target, programs, made)
    folder = pathlib.Path(folder)
    if target == "check-gradients":
        return check_gradients(tools, programs, folder)
    return executors(tools, target, programs, folder)
