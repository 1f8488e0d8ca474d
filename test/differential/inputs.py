"""What the arguments of a program hold: drawn from the program's seed and the argument's number, and
the packed bytes of them. Draws are tuples whose first word says how (see `draw`)."""
import math

import numpy as np

from evaluate import Data, dtype_of, from_packed, to_packed
from record import FLOATS, Ragged, Scalar, Size


def to_bf16(values):
    """Nearest bf16 of float64 values, as float64 (ties to even)."""
    bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    half = np.uint64(0x7FFF) + ((bits >> np.uint64(16)) & np.uint64(1))
    rounded = ((bits + half) & np.uint64(0xFFFF0000)).astype(np.uint32)
    return np.where(np.isnan(values), np.nan, rounded.view(np.float32).astype(np.float64))


def round_to(element, values):
    if element == "f64":
        return np.asarray(values, np.float64)
    if element == "f32":
        return np.asarray(values, np.float64).astype(np.float32).astype(np.float64)
    return to_bf16(values)


def to_bytes(element, values):
    """float64 / int64 numbers that the element type holds, as its bytes."""
    values = np.ascontiguousarray(values)
    if element == "i1":  # any byte but 0 is true
        return np.where(values, np.where(np.arange(values.size).reshape(values.shape) % 3, 1, 255),
                        0).astype("u1").tobytes()
    if element == "bf16":
        return (values.astype(np.float32).view(np.uint32) >> 16).astype("<u2").tobytes()
    return values.astype({"f64": "<f8", "f32": "<f4", "i64": "<i8"}[element]).tobytes()


def from_bytes(element, data):
    if element == "bf16":
        return (np.frombuffer(data, "<u2").astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if element == "i64":
        return np.frombuffer(data, "<i8")
    if element == "i1":
        return np.frombuffer(data, "u1") != 0
    return np.frombuffer(data, {"f64": "<f8", "f32": "<f4"}[element]).astype(np.float64)


def axis_extents(program, case, axis):
    if axis in case:
        return case[axis]
    extents = program.expressions[axis](case)
    return [int(e) for e in extents]


def case_batch(case):
    return len(next(iter(case.values())))


def numbers(rng, how, element, shape):
    """`how`: uniform, integers, positive, weight, special (with zeros of both signs and ties)."""
    if element == "i1":
        return np.asarray(rng.random(shape) < 0.5)
    if element == "i64":
        span = {"positive": (1, 5), "weight": (-2, 3), "special": (-(2**62), 2**62)}.get(how, (-6, 7))
        return rng.integers(*span, shape)
    if how == "integers":
        return rng.integers(-4, 5, shape).astype(np.float64)
    if how == "positive":
        return round_to(element, rng.uniform(0.5, 2, shape))
    values = round_to(element, rng.uniform(-1, 1, shape))
    if how == "weight":
        values = round_to(element, values / math.sqrt(max(1, shape[-1])))
    if how == "special":
        values = np.where(rng.random(shape) < 0.3, rng.choice([0.0, -0.0, 0.5, -0.5], shape), values)
    return values


def poison(rng, samples):
    """NaN and infinities in one sample, which must stay there."""
    if not samples:
        return
    victim = samples[rng.integers(len(samples))]
    hit = rng.random(victim.shape) < 0.3
    victim[...] = np.where(hit, rng.choice([np.nan, np.inf, -np.inf], victim.shape), victim)


def draw_argument(program, case, value):
    """(Data as the evaluator sees it, shape, bytes)."""
    number, how = program.draws[value]
    rng = np.random.default_rng([*program.seed, number])
    t, batch = value.type, case_batch(case)
    element = t.element
    if isinstance(t, Scalar):
        count = how[1] if how[0] == "number" else numbers(rng, how[0], element, ())
        array = np.asarray(count, dtype_of(element))
        return Data([array]), [], to_bytes(element, array)
    if isinstance(t, Ragged):
        extents = {a: axis_extents(program, case, a) for a in t.space()}
        rows = sum(math.prod(extents[a][i] for a in t.space()) for i in range(batch))
        shape = [rows] + [program.sizes[x.name] if isinstance(x, Size) else x for x in t.tail()]
        packed = numbers(rng, "uniform" if how[0] == "poisoned" else how[0], element, shape)
        samples = [s.copy() for s in from_packed(t, extents, packed, batch, program.sizes)]
        if how[0] == "poisoned":
            poison(rng, samples)
            packed = to_packed(t, samples, program.sizes, dtype_of(element))
        return Data(samples), shape, to_bytes(element, packed)
    if how[0] in ("lengths", "offsets"):
        array = np.array(axis_extents(program, case, how[1]), np.int64)
        if how[0] == "offsets":
            array = np.concatenate([[0], np.cumsum(array)]).astype(np.int64)
        return Data([array]), list(array.shape), to_bytes("i64", array)
    if how[0] == "rows":  # packed rows of the ragged type how[1], and some more that nothing reads
        extents = {a: axis_extents(program, case, a) for a in how[1].space()}
        rows = sum(math.prod(extents[a][i] for a in how[1].space()) for i in range(batch))
        more = int(rng.integers(0, 3))
        shape = [rows + more] + [program.sizes[x.name] if isinstance(x, Size) else x
                                 for x in t.shape[1:]]
        array = numbers(rng, "uniform", element, shape)
        if more and element in FLOATS:
            array[rows:] = np.nan
        return Data([array]), shape, to_bytes(element, array)
    if how[0] == "box":  # the padded box of the ragged type how[1], batch at how[2]; padding is NaN
        return draw_box(program, case, rng, t, how[1], how[2])
    shape = [program.sizes[x.name] if isinstance(x, Size) else x for x in t.shape]
    array = numbers(rng, how[0], element, shape)
    return Data([array]), shape, to_bytes(element, array)


def draw_box(program, case, rng, t, inner, at):
    batch, lengths = case_batch(case), {a: axis_extents(program, case, a) for a in inner.space()}
    larger = int(rng.integers(0, 3))
    shape = [max(lengths[x], default=0) + larger if isinstance(x, str)
             else program.sizes[x.name] if isinstance(x, Size) else x for x in inner.dims]
    box = numbers(rng, "uniform", t.element, [batch] + shape)
    if t.element in FLOATS:
        for i in range(batch):
            valid = tuple(slice(0, lengths[x][i]) if isinstance(x, str) else slice(None)
                          for x in inner.dims)
            kept = box[(i,) + valid].copy()
            box[i] = np.nan
            box[(i,) + valid] = kept
    box = np.moveaxis(box, 0, at)
    return Data([box]), list(box.shape), to_bytes(t.element, box)
