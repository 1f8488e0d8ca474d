"""Independent evaluation of a recorded program: one sample at a time, plain dense NumPy in float64
(int64 wraps). Shares nothing with the reference interpreter or the lowering.

With a `Noise` every op's result is disturbed by about one rounding error of the program's element
type: the generator drops ops whose result then leaves a part of the allowed error, because the
allowed error does not cover ill-conditioned programs.
"""
import math
from dataclasses import dataclass

import numpy as np
from scipy.special import erf, erfc

from comparison import EPSILON, LARGEST, SMALLEST, unit
from record import DTYPES, Any, Dense, Ragged, Size


@dataclass
class Data:
    """samples: one array per sample in logical dimension order; dense tensors and scalars: one."""

    samples: list
    operations: int = 0    # computing ops on the longest path
    accumulation: int = 0  # the largest number of terms accumulated on the way
    epsilon: float = 0.0   # of float types that it was cast between on the way: see comparison.unit
    smallest: float = 0.0  # the largest of their smallest positive numbers

    def __getitem__(self, i):
        return self.samples[i]


class Noise:
    def __init__(self, rng):
        self.rng = rng

    def draw(self, shape):
        return self.rng.uniform(-1, 1, shape)


class TooLarge(Exception):
    """An op's results have more elements than the context allows."""


class Context:
    """`smooth`: casts between floats do not round, as finite differences want it. `watch(op, operands)`
    is told of every op before it runs. An op whose results have more than `max_elements` ends the run
    (TooLarge)."""

    def __init__(self, program, batch, noise=None, smooth=False, watch=None, max_elements=math.inf):
        self.sizes, self.batch, self.noise = program.sizes, batch, noise
        self.smooth, self.watch, self.max_elements = smooth, watch, max_elements
        self.values = {}  # Value -> Data

    def extent(self, x):
        return self.sizes[x.name] if isinstance(x, Size) else x

    def disturb(self, array, scale, element):
        if self.noise is None or element not in EPSILON:
            return array
        noisy = array + EPSILON[element] * scale * self.noise.draw(np.shape(array))
        # What the type cannot hold is a zero of that sign: a square root of it is not NaN.
        return np.where(np.abs(noisy) < SMALLEST[element], 0 * noisy, noisy)


def element_of(value):
    return value.type.element


def is_ragged(value):
    return isinstance(value.type, Ragged)


def samples_of(op, operands, context):
    """For each sample of the result, the operands' arrays of that sample."""
    if not any(is_ragged(v) for v in op.operands):
        yield [x[0] for x in operands]
        return
    for i in range(context.batch):
        yield [x[i] if is_ragged(v) else x[0] for x, v in zip(operands, op.operands)]


def path(operands, computes, accumulation=0):
    return dict(operations=max([x.operations for x in operands], default=0) + (1 if computes else 0),
                accumulation=max([x.accumulation for x in operands] + [accumulation]),
                epsilon=max([x.epsilon for x in operands], default=0.0),
                smallest=max([x.smallest for x in operands], default=0.0))


def dtype_of(element):
    return np.dtype(DTYPES.get(element, "float64"))


# ---- Conversion -------------------------------------------------------------------------------


def unpack_rows(type_, extents, values, position, sizes):
    """One sample from packed rows beginning at `position`: (array, rows)."""
    rows = math.prod(extents[x] for x in type_.dims if isinstance(x, str))
    shape = [extents[x] if isinstance(x, str) else sizes[x.name] if isinstance(x, Size) else x
             for x in (type_.dims[d] for d in type_.order)]
    packed = values[position:position + rows].reshape(shape)
    return packed.transpose(np.argsort(type_.order)) if shape else packed, rows


def from_packed(type_, lengths, values, batch, sizes):
    """All samples; lengths: axis -> extents."""
    samples, position = [], 0
    for i in range(batch):
        extents = {axis: int(lengths[axis][i]) for axis in type_.space()}
        sample, rows = unpack_rows(type_, extents, values, position, sizes)
        samples.append(sample)
        position += rows
    return samples


def to_packed(type_, samples, sizes, dtype):
    tail = [sizes[x.name] if isinstance(x, Size) else x for x in type_.tail()]
    parts = []
    for sample in samples:
        packed = sample.transpose(type_.order) if type_.dims else sample
        rows = math.prod(packed.shape[:len(type_.space())])
        parts.append(packed.reshape([rows] + tail))
    return np.concatenate(parts) if parts else np.zeros([0] + tail, dtype)


def ev_from_values(op, operands, context):
    lengths = {axis: x[0] for axis, x in zip(op.attribute("axes"), operands[1:])}
    samples = from_packed(op.results[0].type, lengths, operands[0][0], len(operands[1][0]),
                          context.sizes)
    return Data(samples, **path(operands[:1], False))


def ev_from_offsets(op, operands, context):
    lengths = {op.attribute("axes")[0]: np.diff(operands[1][0])}
    samples = from_packed(op.results[0].type, lengths, operands[0][0], len(operands[1][0]) - 1,
                          context.sizes)
    return Data(samples, **path(operands[:1], False))


def ev_values(op, operands, context):
    x = operands[0]
    dtype = dtype_of(element_of(op.operands[0]))
    packed = to_packed(op.operands[0].type, x.samples, context.sizes, dtype)
    if len(operands) > 1:  # `like`: zeros behind, as many as it has more
        more = operands[1][0].shape[0] - packed.shape[0]
        packed = np.concatenate([packed, np.zeros((more,) + packed.shape[1:], dtype)])
    return Data([packed], **path(operands[:1], False))


def extents_like(op, operands, i):
    """axis -> extent in sample i of the last operand."""
    return {x: n for x, n in zip(op.operands[-1].type.dims, operands[-1][i].shape) if isinstance(x, str)}


def ev_with_values(op, operands, context):
    samples, position = [], 0
    for i in range(context.batch):
        sample, rows = unpack_rows(op.results[0].type, extents_like(op, operands, i), operands[0][0],
                                   position, context.sizes)
        samples.append(sample)
        position += rows
    return Data(samples, **path(operands[:1], False))


def ev_with_padded(op, operands, context):
    box = np.moveaxis(operands[0][0], op.attribute("batch", 0), 0)
    samples = [box[(i,) + tuple(slice(0, n) for n in operands[1][i].shape)]
               for i in range(context.batch)]
    return Data(samples, **path(operands[:1], False))


def ev_pack(op, operands, context):
    type_ = op.results[0].type
    box = np.moveaxis(operands[0][0], op.attribute("batch", 0), 0)
    lengths = {axis: x[0] for axis, x in zip(op.attribute("axes"), operands[1:])}
    samples = []
    for i in range(box.shape[0]):
        cut = tuple(slice(0, int(lengths[x][i])) if isinstance(x, str) else slice(None)
                    for x in type_.dims)
        samples.append(box[(i,) + cut])
    return Data(samples, **path(operands[:1], False))


def ev_unpack(op, operands, context):
    x, type_, result = operands[0], op.operands[0].type, op.results[0].type
    batch = op.attribute("batch", 0)
    declared = [context.extent(d) for k, d in enumerate(result.shape) if k != batch]
    shape = [max([s.shape[d] for s in x.samples], default=0) if isinstance(e, Any) else e
             for d, e in enumerate(declared)]
    if len(operands) > 1:  # `like`
        shape = [n for k, n in enumerate(operands[1][0].shape) if k != batch]
    dtype = dtype_of(type_.element)
    box = np.full([context.batch] + shape, dtype.type(op.attribute("fill", 0.0)), dtype)
    for i, sample in enumerate(x.samples):
        box[(i,) + tuple(slice(0, e) for e in sample.shape)] = sample
    return Data([np.moveaxis(box, 0, batch)], **path(operands[:1], False))


def ev_extents(op, operands, context):
    d = op.attribute("dim")
    return Data([np.array([s.shape[d] for s in operands[0].samples], np.int64)])


def ev_offsets(op, operands, context):
    dims = op.operands[0].type.ragged_dims()
    rows = [math.prod(s.shape[d] for d in dims) for s in operands[0].samples]
    return Data([np.concatenate([[0], np.cumsum(np.array(rows, np.int64))]).astype(np.int64)])


def ev_size(op, operands, context):
    sizes = [np.array(math.prod(s.shape[d] for d in op.attribute("dims")), np.int64)
             for s in operands[0].samples]
    return Data([np.array(sum(sizes), np.int64)] if ("batch", None) in op.attributes else sizes)


# ---- Structure --------------------------------------------------------------------------------


def moved(function):
    """Moves each sample by itself; later operands are not read."""
    def evaluate(op, operands, context):
        return Data([function(op, s) for s in operands[0].samples], **path(operands[:1], False))
    return evaluate


def ev_broadcast(op, operands, context):
    x, like = operands
    dims = op.attribute("dims")
    samples = []
    for i in range(len(like.samples)):  # of a builtin tensor, one
        part = x[i] if is_ragged(op.operands[0]) else x[0]
        source = np.argsort(dims) if len(dims) else ()
        shape = [1] * like[i].ndim
        for d, e in zip(dims, part.shape):
            shape[d] = e
        part = part.transpose(source).reshape(shape) if len(dims) else part.reshape(shape)
        samples.append(np.broadcast_to(part, like[i].shape))
    return Data(samples, **path(operands[:1], False))


def ev_full(op, operands, context):
    x, like = operands
    return Data([np.full(s.shape, x[0]) for s in like.samples],
                **path(operands[:1], False))


# ---- Elementwise ------------------------------------------------------------------------------


def divide(x, y):
    if np.asarray(x).dtype != np.int64:
        return np.divide(x, y)
    safe = np.where(y == 0, 1, y)
    quotient = np.floor_divide(x, safe)
    rest = x - quotient * safe
    quotient = quotient + ((rest != 0) & ((x < 0) != (safe < 0)))
    return np.where(y == 0, 0, quotient)


def maximum(x, y):
    tie = np.where(np.signbit(x), y, x) if np.asarray(x).dtype != np.int64 else x
    return np.where(x == y, tie, np.maximum(x, y))


def sigmoid(x):
    return np.where(x >= 0, 1 / (1 + np.exp(-np.abs(x))), np.exp(-np.abs(x)) / (1 + np.exp(-np.abs(x))))


def clamp(x, low, high):
    y = maximum(x, low)
    if np.asarray(y).dtype == np.int64:
        return np.minimum(y, high)
    return -maximum(-y, -high)


# name -> (function, whether its result is rounded)
ELEMENTWISE = {
    "add": (np.add, True),
    "sub": (np.subtract, True),
    "mul": (np.multiply, True),
    "div": (divide, True),
    "maximum": (maximum, False),
    "exp": (np.exp, True),
    "normal_cdf": (lambda x: erfc(-x / math.sqrt(2)) / 2, True),
    "gelu": (lambda x: x * erfc(-x / math.sqrt(2)) / 2, True),
    "relu": (lambda x: np.where(x > 0, x, np.where(np.isnan(x), x, 0)) if x.dtype != np.int64
             else np.where(x > 0, x, 0), False),
    "sigmoid": (sigmoid, True),
    "neg": (np.negative, False),
    "sqrt": (np.sqrt, True),
    "rsqrt": (lambda x: 1 / np.sqrt(x), True),
    "erf": (erf, True),
    "equal": (np.equal, False), "not_equal": (np.not_equal, False),
    "less": (np.less, False), "less_equal": (np.less_equal, False),
    "greater": (np.greater, False), "greater_equal": (np.greater_equal, False),
    "where": (np.where, False), "clamp": (clamp, False),
    "arith.addf": (np.add, True), "arith.subf": (np.subtract, True), "arith.mulf": (np.multiply, True),
    "arith.divf": (np.divide, True), "arith.negf": (np.negative, False),
}
CHOOSE = ("where", "clamp")  # among the numbers of their operands


# ---- Casts ------------------------------------------------------------------------------------


def nearest_bf16(x):
    """The bf16 nearest to x, a Python int or float, ties to even, by way of exact integers."""
    if isinstance(x, float) and (not math.isfinite(x) or x == 0):
        return x
    top, bottom = abs(x).as_integer_ratio()
    exponent = max(top.bit_length() - bottom.bit_length() - 8, -133)
    while (top << max(-exponent, 0)) // (bottom << max(exponent, 0)) >= 256:
        exponent += 1
    whole, rest = divmod(top << max(-exponent, 0), bottom << max(exponent, 0))
    twice = 2 * rest - (bottom << max(exponent, 0))
    whole += twice > 0 or (twice == 0 and whole % 2 == 1)
    value = math.ldexp(whole, exponent)
    return math.copysign(math.inf if value > LARGEST["bf16"] else value, x)


def round_real(x, element):
    """To the nearest number of a float type, whatever numbers x holds."""
    if element == "bf16":
        flat = [nearest_bf16(v) for v in np.ravel(x).tolist()]
        return np.array(flat, np.float64).reshape(x.shape)
    return x.astype(np.float32 if element == "f32" else np.float64).astype(np.float64)


def to_integer(x):
    inside = np.where((x >= -2.0**63) & (x < 2.0**63), x, 0.0).astype(np.int64)
    limits = np.iinfo(np.int64)
    return np.where(x >= 2.0**63, limits.max, np.where(x < -2.0**63, limits.min, inside))


def ev_cast(op, operands, context):
    x, source, target = operands[0], element_of(op.operands[0]), element_of(op.results[0])
    if context.smooth and source in EPSILON and target in EPSILON:
        return Data([np.array(sample) for sample in x.samples], **path(operands, False))
    samples = []
    for sample in x.samples:
        sample = np.asarray(sample)
        if source in EPSILON and x.operations and not context.smooth:  # what its type cannot hold shows now
            sample = round_real(sample, source)
        if target in EPSILON:
            samples.append(round_real(sample, target))
        elif target == "i1":
            samples.append(sample != 0)
        else:
            samples.append(to_integer(sample) if source in EPSILON else sample.astype(np.int64))
    data = Data(samples, **path(operands, False))
    if x.operations:
        for element in {source, target} & set(EPSILON):
            data.epsilon = max(data.epsilon, unit(element, x))
            data.smallest = max(data.smallest, SMALLEST[element])
    return data


def ev_elementwise(op, operands, context):
    function, rounded = ELEMENTWISE[op.name]
    samples = []
    for arrays in samples_of(op, operands, context):
        result = np.asarray(function(*[np.asarray(a) for a in arrays]))
        if op.name == "where":  # an array of its own: it is broadcast where only the condition is wide
            result = result.astype(dtype_of(element_of(op.results[0])))
        if rounded:
            result = context.disturb(result, result, element_of(op.results[0]))
        samples.append(result)
    return Data(samples, **path(operands, op.name not in CHOOSE))


# ---- Linear and normalisation -----------------------------------------------------------------


def ev_linear(op, operands, context):
    dim, weight = op.attribute("dim"), operands[1][0]
    if "transposed" in dict(op.attributes):
        weight = weight.T
    samples = []
    for x in operands[0].samples:
        y = np.moveaxis(np.tensordot(x, weight, axes=([dim], [1])), -1, dim)
        terms = np.moveaxis(np.tensordot(np.abs(x), np.abs(weight), axes=([dim], [1])), -1, dim)
        if len(operands) > 2:
            shape = [1] * x.ndim
            shape[dim] = -1 if weight.shape[0] else 0
            bias = operands[2][0].reshape(shape)
            y, terms = y + bias, terms + np.abs(bias)
        samples.append(context.disturb(y, terms, element_of(op.results[0])))
    return Data(samples, **path(operands, True, weight.shape[1]))


def ev_product_over_rows(op, operands, context):
    """Every position of every sample by itself: rows of x and dy, one below the other."""
    (x_dim, dy_dim), count = op.attribute("dims"), 0
    shape = [context.extent(e) for e in op.results[0].type.shape]
    integer = element_of(op.results[0]) == "i64"
    total = np.zeros(shape, np.int64 if integer else np.float64)
    terms = np.zeros(shape)
    for x, dy in zip(operands[0].samples, operands[1].samples):
        x = np.moveaxis(x, x_dim, -1)
        dy = np.moveaxis(dy, dy_dim, -1)
        count += math.prod(x.shape[:-1])
        x, dy = (a.reshape(math.prod(a.shape[:-1]), a.shape[-1]) for a in (x, dy))
        total = total + dy.T @ x
        terms += np.abs(dy.T.astype(float)) @ np.abs(x.astype(float))
    return Data([context.disturb(total, terms, element_of(op.results[0]))], **path(operands, True, count))


def ev_layer_norm(op, operands, context):
    dims, eps = tuple(op.attribute("dims")), op.attribute("eps")
    samples, count = [], 1
    for d in dims:
        count *= context.extent(op.operands[0].type.dims[d])
    for x in operands[0].samples:
        if x.size == 0:
            samples.append(x.copy())
            continue
        centred = x - np.mean(x, axis=dims, keepdims=True)
        centred = context.disturb(centred, np.max(np.abs(x), axis=dims, keepdims=True),
                                  element_of(op.results[0]))
        y = centred / np.sqrt(np.mean(centred * centred, axis=dims, keepdims=True) + eps)
        for k, parameter in enumerate(operands[1:]):
            shape = [x.shape[d] if d in dims else 1 for d in range(x.ndim)]
            p = parameter[0].transpose(np.argsort(dims)).reshape(shape)
            y = y + p if k else y * p
            y = context.disturb(y, y, element_of(op.results[0]))
        samples.append(context.disturb(y, y, element_of(op.results[0])))
    return Data(samples, **path(operands, True, count))


def ev_softmax(op, operands, context):
    dim = op.attribute("dim")
    samples = []
    for x in operands[0].samples:
        if x.size == 0:
            samples.append(x.copy())
            continue
        top = np.max(x, axis=dim, keepdims=True)
        power = np.exp(x - np.where(top == -np.inf, 0, top))
        y = np.where(top == -np.inf, 0, power / np.sum(power, axis=dim, keepdims=True))
        samples.append(context.disturb(y, y, element_of(op.results[0])))
    return Data(samples, **path(operands, True, context.extent(op.operands[0].type.dims[dim])))


# ---- Reductions -------------------------------------------------------------------------------


def reduce_sample(kind, x, dims, keep):
    if kind == "max":
        return np.max(x, axis=dims, keepdims=keep,
                      initial=np.iinfo(np.int64).min if x.dtype == np.int64 else -np.inf)
    return np.sum(x, axis=dims, keepdims=keep, dtype=np.int64 if x.dtype == bool else None)


def reduced_entries(x, dims):
    return math.prod(x.shape[d] for d in dims)


def ev_reduction(op, operands, context):
    x, type_, element = operands[0], op.operands[0].type, element_of(op.results[0])
    dims, keep = tuple(op.attribute("dims")), "keep_dims" in dict(op.attributes)
    kind = "max" if op.name == "max" else "sum"
    parts = [reduce_sample(kind, s, dims, keep) for s in x.samples]
    # What the terms weigh: a bound of partial sums, for the noise.
    weights = [np.sqrt(np.sum(np.square(np.where(np.isfinite(s), s, 0).astype(float)), axis=dims,
                              keepdims=keep)) for s in x.samples]
    counts = [reduced_entries(s, dims) for s in x.samples]
    if "batch" in dict(op.attributes):
        shape = [context.extent(e) for e in op.results[0].type.shape]
        empty = {"sum": 0, "max": np.iinfo(np.int64).min if element == "i64" else -np.inf}[kind]
        total = np.full(shape, empty, np.int64 if element == "i64" else np.float64)
        for part in parts:
            total = np.add(total, part) if kind == "sum" else np.maximum(total, part)
        parts, weights = [total], [np.sqrt(sum([w * w for w in weights], np.zeros(shape)))]
        counts = [sum(counts)]
    results = []
    for part, weight, count in zip(parts, weights, counts):
        part = np.asarray(part)
        if op.name != "max":
            scale = np.maximum(weight, np.abs(np.where(np.isfinite(part), part, 0)))
            part = context.disturb(part, scale * math.sqrt(max(count, 1)) / 2, element)
        if op.name == "mean":
            empty = 0.0 if op.attribute("empty") == "zero" else math.nan
            part = part / count if count else np.full(part.shape, empty)
        results.append(np.asarray(part))
    return Data(results, **path(operands, True, max(counts, default=0)))


# ---- Positions --------------------------------------------------------------------------------


def group_numbers(op, samples):
    """For every sample two arrays like it: the number of an entry's group, and its position there."""
    dims, batch = sorted(op.attribute("dims")), "batch" in dict(op.attributes)
    before = {}
    for s in samples:
        position = np.zeros(s.shape, np.int64)
        for d in dims:
            along = np.arange(s.shape[d]).reshape([-1 if k == d else 1 for k in range(s.ndim)])
            position = position * s.shape[d] + along
        kept = [d for d in range(s.ndim) if d not in dims]
        shape = [s.shape[d] if d in kept else 1 for d in range(s.ndim)]
        groups = np.broadcast_to(np.arange(math.prod(shape)).reshape(shape), s.shape)
        yield groups, position + before.get("entries", 0)
        if batch:
            before["entries"] = before.get("entries", 0) + reduced_entries(s, dims)


def left_shape(op, shape):
    dims, keep = op.attribute("dims"), "keep_dims" in dict(op.attributes)
    return [1 if d in dims else e for d, e in enumerate(shape) if keep or d not in dims]


def ev_argmax(op, operands, context):
    """By search: the positions at which NaN, or else the maximum, stands; the first of them."""
    samples, batch = operands[0].samples, "batch" in dict(op.attributes)
    numbered = list(group_numbers(op, samples))
    parts = [(s.ravel(), g.ravel(), p.ravel()) for s, (g, p) in zip(samples, numbered)]
    shapes = [left_shape(op, s.shape) for s in samples]
    if batch:
        shapes = [[context.extent(e) for e in op.results[0].type.shape]]
        empty = (np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int64))
        parts = [tuple(np.concatenate(column) for column in zip(*(parts or [empty])))]
    results = []
    for (values, groups, positions), shape in zip(parts, shapes):
        found = np.full(math.prod(shape), -1, np.int64)
        by_group = np.argsort(groups, kind="stable")
        ends = np.cumsum(np.bincount(groups, minlength=found.size))
        for group, chosen in enumerate(np.split(by_group, ends[:-1]) if found.size else []):
            own, at = values[chosen], positions[chosen]
            if own.size:
                nan = np.isnan(own) if own.dtype != np.int64 else np.zeros(own.shape, bool)
                found[group] = np.min(at[nan if nan.any() else own == np.max(own)])
        results.append(found.reshape(shape))
    return Data(results, **path(operands, True))


def ev_scatter_max(op, operands, context):
    dy, positions, like = operands
    batch, results = "batch" in dict(op.attributes), []
    for i, (groups, own) in enumerate(group_numbers(op, like.samples)):
        chosen = positions[0 if batch else i].ravel()[groups] == own
        results.append(np.where(chosen, dy[0 if batch else i].ravel()[groups], 0))
    return Data(results, **path([dy, positions], False))


# ---- Control ----------------------------------------------------------------------------------


def run_block(block, context):
    for op in block.ops:
        run_op(op, context)
    return [context.values[v] for v in block.yields]


def ev_constant(op, operands, context):
    t = op.results[0].type
    dtype = dtype_of(t.element)
    shape = [context.extent(e) for e in t.shape] if isinstance(t, Dense) else []
    return Data([np.full(shape, op.attribute("value"), dtype)])


def ev_if(op, operands, context):
    return run_block(op.blocks[0 if operands[0][0] > 0 else 1], context)


def ev_for(op, operands, context):
    block, carried = op.blocks[0], operands[1:]
    for _ in range(int(operands[0][0])):
        context.values.update(zip(block.arguments, carried))
        carried = run_block(block, context)
    return carried


def ev_call(op, operands, context):
    context.values.update(zip(op.callee.arguments, operands))
    for inner in op.callee.ops:
        run_op(inner, context)
    return [context.values[v] for v in op.callee.results]


EVALUATE = {
    "from_values": ev_from_values, "from_offsets": ev_from_offsets, "values": ev_values,
    "pack": ev_pack, "unpack": ev_unpack, "extents": ev_extents, "offsets": ev_offsets,
    "with_values": ev_with_values, "with_padded": ev_with_padded, "size": ev_size,
    "expand_dims": moved(lambda op, s: np.expand_dims(s, op.attribute("dim"))),
    "squeeze": moved(lambda op, s: np.squeeze(s, tuple(op.attribute("dims")))),
    "transpose": moved(lambda op, s: s.transpose(op.attribute("permutation"))),
    "reorder": moved(lambda op, s: s), "schema_cast": moved(lambda op, s: s),
    "assume_same_axis": moved(lambda op, s: s), "broadcast": ev_broadcast,
    "full": ev_full, "cast": ev_cast,
    "linear": ev_linear, "layer_norm": ev_layer_norm, "softmax": ev_softmax,
    "product_over_rows": ev_product_over_rows, "argmax": ev_argmax, "scatter_max": ev_scatter_max,
    "sum": ev_reduction, "mean": ev_reduction, "max": ev_reduction,
    "tensor.extract": moved(lambda op, s: s),
    "arith.extf": ev_cast, "arith.truncf": ev_cast,
    "arith.constant": ev_constant, "scf.if": ev_if, "scf.for": ev_for,
    "ragged.call": ev_call, "func.call": ev_call,
}
EVALUATE.update({name: ev_elementwise for name in ELEMENTWISE})


def run_op(op, context):
    operands = [context.values[v] for v in op.operands]
    if context.watch:
        context.watch(op, operands)
    with np.errstate(all="ignore"):
        results = EVALUATE[op.name](op, operands, context)
    results = results if isinstance(results, list) else [results]
    if sum(np.size(s) for data in results for s in data.samples) > context.max_elements:
        raise TooLarge(op.name)
    context.values.update(zip(op.results, results))
    return results


def run_program(program, arguments, batch, **options):
    """arguments: Data per argument of main; options: those of Context. Returns the results' Data."""
    context = Context(program, batch, **options)
    context.values.update(zip(program.main.arguments, arguments))
    for op in program.main.ops:
        run_op(op, context)
    return [context.values[v] for v in program.main.results]
