"""Runs recorded programs for one target through differential_run and judges the answers: compiled =
reference = NumPy. Used by run.py and shrink.py."""
import math
import os
import pathlib
import subprocess
import tempfile
from dataclasses import dataclass

import numpy as np

from comparison import compare
from evaluate import run_program
from inputs import axis_extents, case_batch, draw_argument, from_bytes
from record import FLOATS, Dense, Ragged, program_text

TIMEOUT = 300


@dataclass
class Failure:
    program: object
    target: str
    case: object   # None: the module itself
    kind: str      # who is wrong; shrinking keeps it
    message: str


# ---- Files ------------------------------------------------------------------------------------


def write_files(folder, programs):
    """module.mlir, calls.txt, values.bin. Returns the calls: [(program, case, arguments)]."""
    folder = pathlib.Path(folder)
    (folder / "module.mlir").write_text("".join(program_text(p) + "\n" for p in programs))
    lines, blob, calls = [], bytearray(), []
    for program in programs:
        for case in program.cases:
            drawn = [draw_argument(program, case, a) for a in program.main.arguments]
            add_call(lines, blob, program.name, case_batch(case), argument_axes(program, case),
                     [(shape, contents) for _, shape, contents in drawn])
            calls.append((program, case, [data for data, _, _ in drawn]))
    write_calls(folder, lines, blob)
    return calls


def argument_axes(program, case):
    """axis -> extents, of those that arguments bear."""
    return {a: axis_extents(program, case, a) for value in program.main.arguments
            if isinstance(value.type, Ragged) for a in value.type.space()}


def add_call(lines, blob, name, batch, axes, arguments):
    """One call of calls.h. arguments: [(shape, bytes)]."""
    lines.append(f"call {name} {batch}")
    lines += [f"axis {' '.join(map(str, extents))} : {axis}" for axis, extents in axes.items()]
    for shape, contents in arguments:
        lines.append(" ".join(map(str, ["argument", len(blob), len(shape), *shape])))
        blob += contents + bytes(-len(contents) % 64)
    lines.append("end")


def write_calls(folder, lines, blob):
    (folder / "calls.txt").write_text("\n".join(lines) + "\n")
    (folder / "values.bin").write_bytes(bytes(blob) + bytes(64))


def command(driver, target, folder):
    return [str(driver), target] + [str(pathlib.Path(folder) / n)
                            for n in ("module.mlir", "calls.txt", "values.bin", "out.bin")]


def read_answers(text):
    """[{"function", "error": (stage, message) or None, "results": [words, extents, reference]}]"""
    answers = []
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word == "call":
            answers.append({"function": rest, "error": None, "results": [], "complete": False})
        elif word == "error":
            stage, _, message = rest.partition(" ")
            if not answers or answers[-1]["complete"]:
                answers.append({"function": None, "results": [], "complete": True})
            answers[-1]["error"] = (stage, message)
        elif word == "result":
            answers[-1]["results"].append([rest.split()])
        elif word in ("extents", "reference"):
            answers[-1]["results"][-1].append([int(e) for e in rest.split()])
        elif word == "end":
            answers[-1]["complete"] = True
    return answers


# ---- Judging ----------------------------------------------------------------------------------


def shape_samples(extents, batch, rank):
    return [tuple(extents[i * rank:(i + 1) * rank]) for i in range(batch)]


def compiled_samples(type_, extents, batch, data, sizes):
    """Samples of a packed result, laid out here by the record's own order."""
    numbers = from_bytes(type_.element, data)
    if not isinstance(type_, Ragged):
        return [numbers.reshape(extents)]
    shapes = shape_samples(extents, batch, type_.rank)
    samples, position = [], 0
    for shape in shapes:
        packed = [shape[d] for d in type_.order]
        count = math.prod(packed)
        block = numbers[position:position + count].reshape(packed)
        samples.append(block.transpose(np.argsort(type_.order)) if packed else block)
        position += count
    return samples


def reference_samples(type_, extents, data):
    numbers = np.frombuffer(data, "<f8" if type_.element in FLOATS else "<i8")
    rank = len(type_.dims) if isinstance(type_, Ragged) else \
        len(type_.shape) if isinstance(type_, Dense) else 0
    batch = len(extents) // rank if rank else (len(numbers) if isinstance(type_, Ragged) else 1)
    samples, position = [], 0
    for shape in shape_samples(extents, batch, rank):
        count = math.prod(shape)
        samples.append(numbers[position:position + count].reshape(shape))
        position += count
    return samples


def judge_call(target, call, answer, out):
    """(Failure or None, the largest error over the allowed one)."""
    program, case, arguments = call
    if answer is None or not answer["complete"]:
        return Failure(program, target, case, "crash", "no answer"), 0.0
    if answer["error"]:
        stage, message = answer["error"]
        return Failure(program, target, case, f"error of {stage}", message), 0.0
    expected = run_program(program, arguments, case_batch(case))
    worst = 0.0
    for k, (value, wanted, (words, extents, reference)) in enumerate(
            zip(program.main.results, expected, answer["results"])):
        type_ = value.type
        element = type_.element
        batch, count, offset, num_reference, reference_offset = (int(words[j]) for j in (1, 3, 4, 5, 6))
        size = {"f64": 8, "f32": 4, "bf16": 2, "i64": 8, "i1": 1}[element]
        got = compiled_samples(type_, extents, batch, out[offset:offset + count * size], program.sizes)
        meant = reference_samples(type_, reference,
                                  out[reference_offset:reference_offset + 8 * num_reference])
        checks = [
            ("the reference differs from NumPy", *compare(meant, wanted, "f64" if element in FLOATS
                                                         else element, held_in=element)),
            ("the compiled result differs from NumPy", *compare(got, wanted, element)),
            ("the compiled result differs from the reference", float(words[7]), ""),
        ]
        for kind, error, where in checks:
            if not error <= 1:
                return Failure(program, target, case, kind, f"result {k}: {error:.4g} of the allowed "
                               f"error{', ' if where else ''}{where}"), error
            worst = max(worst, error)
    if len(answer["results"]) != len(program.main.results):
        return Failure(program, target, case, "crash", "a result is missing"), 0.0
    return None, worst


def run_programs(driver, target, programs, folder=None):
    """([Failure], the largest error over the allowed one). A module that fails as a whole is run again
    program by program."""
    if folder is None:
        with tempfile.TemporaryDirectory() as made:
            return run_programs(driver, target, programs, made)
    calls = write_files(folder, programs)
    # Memory that was never written holds no zeros; waiting threads leave the cores to other modules.
    environment = dict(os.environ, OMP_WAIT_POLICY="passive", MALLOC_PERTURB_="165")
    try:
        done = subprocess.run(command(driver, target, folder), capture_output=True, text=True,
                              timeout=TIMEOUT, env=environment)
        code, text, errors = done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        code, text, errors = "no end", "", ""
    if code != 0 and len(programs) > 1:
        parts = [run_programs(driver, target, [p]) for p in programs]
        return [f for failures, _ in parts for f in failures], max(w for _, w in parts)
    if code != 0:
        answers = read_answers(text)
        error = next((a["error"] for a in answers if a["function"] is None and a["error"]), None)
        kind = f"error of {error[0]}" if error else "crash"
        case = None if error or not answers else programs[0].cases[len(answers) - 1]
        lines = errors.strip().splitlines()
        message = (error[1] if error else f"exit status {code}") + "\n" + "\n".join(lines[:6])
        return [Failure(programs[0], target, case, kind, message)], 0.0
    out = (pathlib.Path(folder) / "out.bin").read_bytes()
    answers, failures, worst = read_answers(text), [], 0.0
    for k, call in enumerate(calls):
        failure, error = judge_call(target, call, answers[k] if k < len(answers) else None, out)
        worst = max(worst, error)
        if failure:
            failures.append(failure)
    return failures, worst
