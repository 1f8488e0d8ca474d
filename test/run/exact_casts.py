"""exact_casts.py FOLDER TARGET: casts of hard cases and of random bits through cast.mlir, to the last bit.

What a cast must give is computed here with integers and fractions: one rounding, to nearest, ties to even.
Values lie on ties of the narrower types, one step beside them (a rounding in two steps would move them onto
the tie first), at the ends of ranges and among subnormal numbers."""
import math
import os
import pathlib
import subprocess
import sys
from fractions import Fraction

import numpy as np

PROGRAM = pathlib.Path(__file__).resolve().parent / "cast.mlir"
WIDTH = 33  # of a row in cast.mlir
# significant bits, exponent of the smallest number, largest number
FLOATS = {"f64": (53, -1074, Fraction(2**1024 - 2**971)), "f32": (24, -149, Fraction(2**128 - 2**104)),
          "bf16": (8, -133, Fraction(2**128 - 2**120))}
RESULTS = ["f64", "f32", "bf16", "i64", "i1"]


def nearest(x, kind):
    """x, a finite number of any kind, as a Python float of the type."""
    digits, lowest, largest = FLOATS[kind]
    if x == 0:
        return math.copysign(0.0, x)
    size, exponent = abs(Fraction(x)), lowest
    while size / Fraction(2) ** exponent >= 2**digits:
        exponent += 1
    unit = Fraction(2) ** exponent
    whole, rest = divmod(size, unit)
    whole += 2 * rest > unit or (2 * rest == unit and whole % 2 == 1)
    return math.copysign(math.inf if whole * unit > largest else float(whole * unit), x)


def cast(x, kind):
    if kind == "i1":
        return x != 0
    if kind == "i64":
        return 0 if x != x else int(min(max(x, -2**63), 2**63 - 1)) if abs(x) < 2**63 else \
            2**63 - 1 if x > 0 else -2**63
    return x if isinstance(x, float) and not math.isfinite(x) else nearest(x, kind)


def float_cases(kind, rng):
    cases = [0.0, math.inf, math.nan, 0.5, 0.99, 2.0**31, 2.0**52 + 0.5, 2.0**53, 2.0**63, 2.0**62, 9.3e18]
    for digits, lowest, largest in FLOATS.values():
        step = 2.0 ** (1 - digits)
        for base in (1.0, 2.0**63, 2.0**-100):
            for odd in (1, 3):
                tie = Fraction(base) * (1 + Fraction(odd * step) / 2)
                cases += [tie, tie * (1 + Fraction(2) ** -40), tie * (1 - Fraction(2) ** -40),
                          tie * (1 + Fraction(2) ** -52), tie * (1 - Fraction(2) ** -53)]
        small = Fraction(2) ** lowest
        cases += [small, small / 2, small * 3 / 2, small / 2 * (1 + Fraction(2) ** -30), small * 5 / 2]
        over = largest + Fraction(2) ** (math.frexp(float(largest))[1] - digits - 1)
        cases += [largest, over if digits < 53 else largest, largest * (1 - Fraction(2) ** -50)]
    held = [c if isinstance(c, float) and not math.isfinite(c) else nearest(c, kind) for c in cases]
    held += [-c for c in held]
    bits = {"f64": np.uint64, "f32": np.uint32, "bf16": np.uint16}[kind]
    random = rng.integers(0, 2 ** (8 * np.dtype(bits).itemsize), 8 * WIDTH, dtype=np.uint64).astype(bits)
    random = (random.astype(np.uint32) << 16).view(np.float32) if kind == "bf16" else \
        random.view(np.float64 if kind == "f64" else np.float32)
    with np.errstate(invalid="ignore"):  # NaNs that signal
        return held + random.astype(np.float64).tolist()


def integer_cases(rng):
    cases = [0, 1, -1, 2**63 - 1, -2**63, -2**63 + 1]
    for top in (8, 9, 24, 25, 40, 53, 54, 62):
        for digits in (8, 24, 53):
            tie = 2**top + 2 ** max(top - digits, 0)
            cases += [tie - 1, tie, tie + 1, tie + 2 ** max(top - digits + 1, 0), -tie, -tie - 1, -tie + 1]
    return cases + [int(n) >> int(k) for n, k in zip(rng.integers(-2**63, 2**63 - 1, 8 * WIDTH),
                                                      rng.integers(0, 63, 8 * WIDTH))]


def to_array(kind, values):
    if kind == "bf16":
        return (np.array(values, np.float32).view(np.uint32) >> 16).astype("<u2")
    return np.array(values, {"f64": "<f8", "f32": "<f4", "i64": "<i8", "i1": "?"}[kind])


def from_array(kind, array):
    if kind == "bf16":
        array = (array.astype(np.uint32) << 16).view(np.float32)
    return array.astype(np.float64).ravel().tolist() if kind in FLOATS else array.ravel().tolist()


def same(got, expected):
    if isinstance(expected, float):
        return (got != got and expected != expected) or \
            (got == expected and math.copysign(1, got) == math.copysign(1, expected))
    return got == expected


def check(folder, target, kind, values):
    values = values + values[: -len(values) % WIDTH]
    os.makedirs(folder, exist_ok=True)
    array = to_array(kind, values).reshape(-1, WIDTH)
    if kind == "i1":  # any byte but 0 is true
        array = (array.astype("u1") * 0x80).view("?")
    np.save(f"{folder}/{kind}.npy", array)
    subprocess.run(["ragged-run", PROGRAM, f"--entry=from_{kind}", f"--target={target}",
                    f"--axis=n={len(array)}", f"--input=0={folder}/{kind}.npy", f"--output={folder}"],
                   check=True)
    wrong = 0
    for k, result in enumerate(RESULTS):
        found = np.load(f"{folder}/result{k}.npy")
        if found.dtype != to_array(result, []).dtype:
            sys.exit(f"{kind} to {result} is {found.dtype}")
        for x, got in zip(values, from_array(result, found)):
            if not same(got, cast(x, result)):
                wrong += 1
                print(f"{kind} {x!r} to {result}: got {got!r}, expected {cast(x, result)!r}")
    return wrong


def main():
    folder, target = sys.argv[1:]
    rng = np.random.default_rng(7)
    wrong = check(folder, target, "i64", integer_cases(rng)) + \
        check(folder, target, "i1", [bool(b) for b in rng.integers(0, 2, 2 * WIDTH)])
    for kind in FLOATS:
        wrong += check(folder, target, kind, float_cases(kind, rng))
    sys.exit(f"{wrong} casts are wrong" if wrong else 0)


main()
