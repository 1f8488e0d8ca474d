"""The allowed error of a computed result, and the comparison with what NumPy gives."""
import math

import numpy as np

# The distance from 1 to the next number, and the smallest positive number.
EPSILON = {"f64": 2.0**-52, "f32": 2.0**-23, "bf16": 2.0**-7}
ACCUMULATOR = {"f64": "f64", "f32": "f32", "bf16": "f32"}
SMALLEST = {"f64": 2.0**-1074, "f32": 2.0**-149, "bf16": 2.0**-133}


def worst_error(got, expected, element, operations, accumulation):
    """The largest error over the allowed one in one sample, and where; infinite for what may not
    differ at all. NaN equals only NaN, infinities only themselves."""
    got, expected = np.asarray(got), np.asarray(expected)
    if got.shape != expected.shape:
        return math.inf, f"shape {got.shape}, expected {expected.shape}"
    if got.size == 0:
        return 0.0, ""
    if element == "i64":
        error = np.where(got == expected, 0.0, np.inf)
    elif operations == 0:
        same = (got == expected) & (np.signbit(got) == np.signbit(expected))
        error = np.where(same | (np.isnan(got) & np.isnan(expected)), 0.0, np.inf)
    else:
        finite = np.isfinite(expected)
        safe = np.where(finite, expected, 0.0)
        rms = math.sqrt(np.sum(safe * safe) / max(1, np.count_nonzero(finite)))
        chain = EPSILON[ACCUMULATOR[element]] * math.sqrt(accumulation / 16)
        relative = max(EPSILON[element], chain)
        allowed = 4 * operations * (relative * (np.abs(safe) + rms) + SMALLEST[element])
        with np.errstate(all="ignore"):
            error = np.abs(got - safe) / allowed
        same = (got == expected) | (np.isnan(got) & np.isnan(expected))
        error = np.where(same, 0.0, np.where(finite & np.isfinite(got), error, np.inf))
    at = np.unravel_index(np.argmax(error), error.shape) if error.ndim else ()
    where = f"[{', '.join(str(int(k)) for k in at)}]: got {got[at]}, expected {expected[at]}"
    return float(error[at]), where


def compare(got, expected, element, operations=None, accumulation=None):
    """As worst_error, over samples: got is a list of arrays, expected a Data."""
    operations = expected.operations if operations is None else operations
    accumulation = expected.accumulation if accumulation is None else accumulation
    if len(got) != len(expected.samples):
        return math.inf, f"{len(got)} samples, expected {len(expected.samples)}"
    worst = (0.0, "")
    for i, (x, y) in enumerate(zip(got, expected.samples)):
        error, where = worst_error(x, y, element, operations, accumulation)
        if error > worst[0]:
            worst = (error, f"sample {i} {where}")
    return worst
