"""The allowed error of a computed result, and the comparison with what NumPy gives."""
import math

import numpy as np

# The distance from 1 to the next number, and the smallest positive number.
EPSILON = {"f64": 2.0**-52, "f32": 2.0**-23, "bf16": 2.0**-7}
ACCUMULATOR = {"f64": "f64", "f32": "f32", "bf16": "f32"}
LARGEST = {"f64": 1.7976931348623157e308, "f32": 2.0**128 - 2.0**104, "bf16": 2.0**128 - 2.0**120}
SMALLEST = {"f64": 2.0**-1074, "f32": 2.0**-149, "bf16": 2.0**-133}


MANY = 32  # entries of a sample that stand for themselves


def rms(values, element):
    """Of the entries that the element type can hold."""
    held = values[np.abs(values) <= LARGEST[element]]
    return math.sqrt(np.mean(np.square(held))) if held.size else 0.0


def unit(element, expected):
    """What the error of a value of a float type is counted in; `expected`: its Data."""
    chain = EPSILON[ACCUMULATOR[element]] * math.sqrt(expected.accumulation / 16)
    return max(EPSILON[element], chain, expected.epsilon)


def worst_error(got, expected, element, operations, epsilon, whole, smallest):
    """The largest error over the allowed one in one sample, and where; infinite for what may not
    differ at all. NaN equals only NaN, infinities only themselves. `whole`: rms of all samples."""
    got, expected = np.asarray(got), np.asarray(expected)
    if got.shape != expected.shape:
        return math.inf, f"shape {got.shape}, expected {expected.shape}"
    if got.size == 0:
        return 0.0, ""
    if element in ("i64", "i1"):
        error = np.where(got == expected, 0.0, np.inf)
    elif operations == 0:
        same = (got == expected) & (np.signbit(got) == np.signbit(expected))
        error = np.where(same | (np.isnan(got) & np.isnan(expected)), 0.0, np.inf)
    else:
        finite = np.isfinite(expected)
        safe = np.where(finite, expected, 0.0)
        typical = rms(expected, element)
        if expected.size < MANY:
            typical = max(typical, whole)
        relative = min(4 * operations * epsilon, 0.25)
        allowed = relative * (np.abs(safe) + typical) + 4 * operations * smallest
        with np.errstate(all="ignore"):
            error = np.abs(got - safe) / allowed
        same = (got == expected) | (np.isnan(got) & np.isnan(expected))
        error = np.where(same, 0.0, np.where(finite & np.isfinite(got), error, np.inf))
    at = np.unravel_index(np.argmax(error), error.shape) if error.ndim else ()
    where = f"[{', '.join(str(int(k)) for k in at)}]: got {got[at]}, expected {expected[at]}"
    return float(error[at]), where


def compare(got, expected, element, held_in=None):
    """As worst_error, over samples: got is a list of arrays, expected a Data. `held_in`: the element type
    that the numbers are meant for, where they are compared in a wider one; what is below its smallest
    number is no result of a program, and the generator does not know how well it is conditioned."""
    held = element in EPSILON
    smallest = max(SMALLEST[held_in or element], expected.smallest) if held else 0.0
    epsilon = unit(element, expected) if held else 0.0
    if len(got) != len(expected.samples):
        return math.inf, f"{len(got)} samples, expected {len(expected.samples)}"
    everything = [np.ravel(sample) for sample in expected.samples]
    whole = rms(np.concatenate(everything), element) if everything and held else 0.0
    worst = (0.0, "")
    for i, (x, y) in enumerate(zip(got, expected.samples)):
        error, where = worst_error(x, y, element, expected.operations, epsilon, whole, smallest)
        if error > worst[0]:
            worst = (error, f"sample {i} {where}")
    return worst
