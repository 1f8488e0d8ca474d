"""Proposals of ops that change schemas or convert to and from builtin tensors. See proposals.py."""
from builder import CalleeBuilder, RegionBuilder
from inputs import axis_extents
from propose_compute import scalar, with_element
from record import Any, Dense, Ragged, Scalar, Size, ragged
from type_rules import values_type, without


# ---- Structure ---------------------------------------------------------------------------------


def expand_dims(b):
    x = b.pick_ragged(lambda t: t.rank < 5)
    if not x:
        return None
    t, dim = x.type, int(b.rng.integers(0, x.type.rank + 1))
    order = [d + (d >= dim) for d in t.order] + [dim]
    return b.emit("expand_dims", [x], [("dim", dim)],
                  [ragged(t.dims[:dim] + (1,) + t.dims[dim:], t.element, order)])


def squeeze(b):
    x = b.pick_ragged(lambda t: 1 in t.dims)
    if not x:
        return None
    dims = [d for d, e in enumerate(x.type.dims) if e == 1 and b.chance(0.7)]
    dims = [int(d) for d in b.rng.permutation(dims)]
    return b.emit("squeeze", [x], [("dims", dims)], [without(x.type, dims)])


def transpose(b):
    x = b.pick_ragged(lambda t: t.rank > 1)
    if not x:
        return None
    t, permutation = x.type, [int(d) for d in b.rng.permutation(x.type.rank)]
    return b.emit("transpose", [x], [("permutation", permutation)],
                  [ragged([t.dims[d] for d in permutation], t.element,
                          [permutation.index(d) for d in t.order])])


def reorder(b):
    x = b.pick_ragged(lambda t: len(t.space()) > 1 or len(t.tail()) > 1) or b.pick_ragged()
    if not x:
        return None
    order = b.random_order(x.type.dims)
    return b.emit("reorder", [x], [("order", list(order))],
                  [ragged(x.type.dims, x.type.element, order)])


def injection(b, dims, target):
    """A random place in `target` for each of `dims`, or None."""
    free, places = [int(d) for d in b.rng.permutation(len(target))], []
    for x in sorted(range(len(dims)), key=lambda k: dims[k] == 1):
        place = next((d for d in free if dims[x] == 1 or dims[x] == target[d]), None)
        if place is None:
            return None
        free.remove(place)
        places.append((x, place))
    return [place for _, place in sorted(places)]


def dense_broadcast(b):
    like = b.pick(lambda v: isinstance(v.type, Dense))
    if not like:
        return None
    shape = like.type.shape
    if b.chance(0.3):
        x, dims = scalar(b, b.state.program.element), []
    elif b.chance(0.4):  # what an argument can hold: extents that are known
        known = [d for d, e in enumerate(shape) if not isinstance(e, Any)]
        dims = [int(d) for d in b.rng.permutation(known) if b.chance(0.7)]
        x = b.argument(Dense(tuple(1 if b.chance(0.15) else shape[d] for d in dims),
                             b.state.program.element), ("uniform",))
    else:
        x = b.pick(lambda v: isinstance(v.type, Dense) and v is not like and
                   injection(b, v.type.shape, shape) is not None)
        if not x:
            return None
        dims = injection(b, x.type.shape, shape)
        if dims is None:
            return None
    return b.emit("broadcast", [x, like], [("dims", dims)], [Dense(shape, x.type.element)])


def extract(b):
    """The number in a tensor of rank 0, or the largest one of a builtin tensor."""
    x = b.pick(lambda v: isinstance(v.type, Dense) and not v.type.shape)
    if not x:
        whole = b.pick(lambda v: isinstance(v.type, Dense) and v.type.shape and v.type.element != "i1")
        x = whole and b.emit("max", [whole], [("dims", list(range(len(whole.type.shape))))],
                             [Dense((), whole.type.element)])
    return x and b.emit("tensor.extract", [x], [], [Scalar(x.type.element)])


def broadcast(b):
    if b.chance(0.2):
        return dense_broadcast(b)
    like = b.pick_ragged(lambda t: t.rank > 0)
    if not like:
        return None
    t = like.type
    kind = b.rng.random()
    if kind < 0.35:  # a builtin tensor on static dimensions
        dims = [int(d) for d in b.rng.permutation(t.static_dims()) if b.chance(0.8)]
        x = b.argument(Dense(tuple(1 if b.chance(0.1) else t.dims[d] for d in dims),
                             b.state.program.element), ("uniform",))
    elif kind < 0.45:
        x, dims = scalar(b, b.state.program.element), []
    else:
        def fits(v):
            dims = v.type.dims if isinstance(v.type, Ragged) else getattr(v.type, "shape", None)
            return dims is not None and v is not like and injection(b, dims, t.dims) is not None
        x = b.pick(fits)
        if not x:
            return None
        own = x.type.dims if isinstance(x.type, Ragged) else x.type.shape
        dims = injection(b, own, t.dims)
        if dims is None:
            return None
    return b.emit("broadcast", [x, like], [("dims", dims)], [Ragged(t.dims, t.order, x.type.element)])


def full(b):
    dense = b.chance(0.2)
    like = b.pick(lambda v: isinstance(v.type, Dense)) if dense else b.pick_ragged()
    if not like:
        return None
    element = "i1" if b.chance(0.2) else b.state.program.element
    return b.emit("full", [scalar(b, element), like], [], [with_element(like.type, element)])


def assume_same_axis(b):
    """Renames an axis, in one dimension or several, to another one that has its extents in every case."""
    origin = b.state.origin

    def others(t):
        return [(f, v, to) for f in t.space() for v in b.values if isinstance(v.type, Ragged)
                for to in v.type.space() if to != f and origin[f] == origin[to]]
    x = b.pick_ragged(lambda t: others(t))
    if not x:
        return None
    source, like, to = b.choice(others(x.type))
    bear = [d for d, e in enumerate(x.type.dims) if e == source]
    dims = [int(d) for d in b.rng.permutation(bear)[:b.rng.integers(1, len(bear) + 1)]]
    renamed = [to if d in dims else e for d, e in enumerate(x.type.dims)]
    return b.emit("assume_same_axis", [x, like], [("dims", dims), ("to", to)],
                  [Ragged(tuple(renamed), x.type.order, x.type.element)])


def schema_cast(b):
    """To an unknown schema, or back."""
    x = b.pick_ragged()
    if not x:
        return None
    y = b.emit("schema_cast", [x], [], [x.type], inferred=False)
    if y:
        y.unknown = not x.unknown
    return y


# ---- Conversion --------------------------------------------------------------------------------


def on_origins(b, t):
    """The type with main's axes, which draws are made of."""
    return Ragged(tuple(b.state.origin[x] if isinstance(x, str) else x for x in t.dims), t.order,
                  t.element)


def fresh_rows(b, t):
    """An argument with the rows of type t, and maybe more: its number of rows is its own."""
    shape = (Any(b.state.name("rows ")),) + t.tail()
    return b.argument(Dense(shape, t.element), ("rows", on_origins(b, t)))


def may_be_fresh(b):
    """Callees may be called with other lengths than those that arguments of rows and boxes have."""
    while isinstance(b, RegionBuilder):
        b = b.outer
    return not isinstance(b, CalleeBuilder)


def values(b):
    x = b.pick_ragged()
    if not x:
        return None
    own = values_type(x.type)
    like = None
    if b.chance(0.6):
        like = fresh_rows(b, x.type) if may_be_fresh(b) and b.chance(0.7) else \
            b.pick(lambda v: v.type == own)
    operands = [x, like] if like else [x]
    return b.emit("values", operands, [], [like.type if like else own])


def with_values(b):
    like = b.pick_ragged()
    if not like:
        return None
    t = like.type
    if may_be_fresh(b) and b.chance(0.5):
        rows = fresh_rows(b, Ragged(t.dims, t.order, b.state.program.element))
    else:
        rows = b.pick(lambda v: isinstance(v.type, Dense) and v.type.shape == values_type(t).shape)
        rows = rows or b.emit("values", [like], [], [values_type(t)])
    return rows and b.emit("with_values", [rows, like], [], [Ragged(t.dims, t.order, rows.type.element)])


def size(b):
    dense = b.chance(0.2)
    x = b.pick(lambda v: isinstance(v.type, Dense if dense else Ragged))
    if not x:
        return None
    rank = len(x.type.shape) if dense else x.type.rank
    dims = [int(d) for d in b.rng.permutation(rank) if b.chance(0.6)]
    batch = not dense and b.chance(0.4)
    result = Dense((), "i64") if dense or batch else ragged((), "i64")
    return b.emit("size", [x], [("dims", dims)] + [("batch", None)] * batch, [result])


def extents(b):
    x = b.pick_ragged(lambda t: t.rank > 0)
    return x and b.emit("extents", [x], [("dim", int(b.rng.integers(x.type.rank)))],
                        [Dense((Any("batch"),), "i64")])


def offsets(b):
    x = b.pick_ragged()
    return x and b.emit("offsets", [x], [], [Dense((Any("batch + 1"),), "i64")])


def renamed(b, t):
    """A type like t on new axes, and the axes: [(new, old)]."""
    axes = []
    for x in t.space():
        if x not in [old for _, old in axes]:
            axes.append((b.state.new_axis(x), x))
    new = {old: name for name, old in axes}
    return Ragged(tuple(new.get(x, x) if isinstance(x, str) else x for x in t.dims), t.order,
                  t.element), axes


def lengths_of(b, axis, x):
    """Extents of `axis` as a builtin tensor: of value x, or an argument."""
    if b.chance(0.5):
        dim = x.type.dims.index(axis)
        return b.emit("extents", [x], [("dim", dim)], [Dense((Any("batch"),), "i64")])
    return b.argument(Dense((Any("batch"),), "i64"), ("lengths", b.state.origin[axis]))


def source_type(b, t):
    """t itself or one with its dimensions in another order."""
    if b.chance(0.4):
        dims = [t.dims[int(d)] for d in b.rng.permutation(t.rank)]
        return ragged(dims, t.element, b.random_order(dims) if b.chance(0.5) else None)
    return t


def rows_of(b, x, t, fresh):
    """The packed rows of type t: an argument, or those of x."""
    return fresh_rows(b, t) if fresh else b.emit("values", [x], [], [values_type(t)])


def from_values(b):
    x = b.pick_ragged(lambda t: t.space())
    if not x:
        return None
    fresh = b.chance(0.5)
    t = source_type(b, x.type) if fresh else x.type
    result, axes = renamed(b, t)
    rows = rows_of(b, x, t, fresh)
    if b.chance(0.3):
        axes = axes[::-1]
    lengths = [lengths_of(b, old, x) for _, old in axes]
    names = [new for new, _ in axes]
    plain = result == ragged(tuple(names) + result.tail(), result.element)
    return b.emit("from_values", [rows] + lengths, [("axes", names)], [result], inferred=plain)


def from_offsets(b):
    x = b.pick_ragged(lambda t: len(t.space()) == 1)
    if not x:
        return None
    t = x.type
    result, axes = renamed(b, t)
    rows = rows_of(b, x, t, b.chance(0.5))
    if b.chance(0.5):
        where = b.emit("offsets", [x], [], [Dense((Any("batch + 1"),), "i64")])
    else:
        where = b.argument(Dense((Any("batch + 1"),), "i64"),
                           ("offsets", b.state.origin[axes[0][1]]))
    names = [axes[0][0]]
    plain = result == ragged(tuple(names) + result.tail(), result.element)
    return b.emit("from_offsets", [rows, where], [("axes", names)], [result], inferred=plain)


def fresh_box(b, t, batch):
    """An argument that holds the padded samples of type t."""
    shape = [Any(b.state.name("box ")) if isinstance(e, str) else e for e in t.dims]
    shape.insert(batch, Any("batch"))
    return b.argument(Dense(tuple(shape), t.element), ("box", on_origins(b, t), batch))


def with_padded(b):
    like = b.pick_ragged()
    if not like:
        return None
    t = like.type
    if may_be_fresh(b) and b.chance(0.5):
        batch = int(b.rng.integers(0, t.rank + 1))
        box = fresh_box(b, Ragged(t.dims, t.order, b.state.program.element), batch)
    else:
        box = unpack(b, like)
        if not box:
            return None
        batch = b.ops[-1].attribute("batch", 0)
    return b.emit("with_padded", [box, like], [("batch", batch)] if batch else [],
                  [Ragged(t.dims, t.order, box.type.element)])


def pack(b):
    x = b.pick_ragged(lambda t: t.space())
    if not x:
        return None
    fresh = b.chance(0.5)
    t = source_type(b, x.type) if fresh else x.type
    result, axes = renamed(b, t)
    if fresh:
        batch = int(b.rng.integers(0, t.rank + 1))
        box = fresh_box(b, t, batch)
    else:
        box = unpack(b, x)
        if not box:
            return None
        batch = b.ops[-1].attribute("batch", 0)
    lengths = [lengths_of(b, old, x) for _, old in axes]
    attributes = [("axes", [new for new, _ in axes])] + ([("batch", batch)] if batch else [])
    return b.emit("pack", [box] + lengths, attributes, [result], inferred=False)


def unpack(b, x=None):
    x = x or b.pick_ragged()
    if not x:
        return None
    t, batch = x.type, int(b.rng.integers(0, x.type.rank + 1)) if b.chance(0.5) else 0
    shape = []
    for e in t.dims:
        shape.append(Any("longest " + e) if isinstance(e, str) else e)
        # A static box, large enough for every case; callees may be called with other lengths.
        if isinstance(e, str) and b.chance(0.15) and not isinstance(b, CalleeBuilder):
            program = b.state.program
            longest = max([n for case in program.cases for n in
                           axis_extents(program, case, b.state.origin[e])], default=0)
            if longest <= 12:
                size = f"E{len(program.sizes)}"
                program.sizes[size] = longest + int(b.rng.integers(0, 3))
                shape[-1] = Size(size)
    shape.insert(batch, Any("batch"))
    fills = [0.0, 1.0] if t.element == "i1" else [0.0, -1.0, 3.0]
    attributes = [("fill", float(b.rng.choice(fills)))] if b.chance(0.5) else []
    attributes += [("batch", batch)] if batch else []
    result, like = Dense(tuple(shape), t.element), None
    if b.chance(0.5):
        like = fresh_box(b, t, batch) if may_be_fresh(b) and b.chance(0.7) else \
            b.pick(lambda v: v.type == result)
    operands = [x, like] if like else [x]
    return b.emit("unpack", operands, attributes, [like.type if like else result])


def constant(b):
    """A dense constant of one value on known sizes."""
    x = b.pick_ragged(lambda t: t.static_dims())
    if not x:
        return None
    shape = tuple(x.type.dims[d] for d in x.type.static_dims())
    value = {"i64": 2, "i1": True}.get(x.type.element, float(b.rng.choice([0.5, -1.0])))
    return b.emit("arith.constant", [], [("value", value)], [Dense(shape, x.type.element)])
