"""The table of ops that random programs are made of: name -> (weight, propose). `propose(builder)`
chooses operands, infers the result type by rules of its own, and emits the op; it returns None where
it finds nothing to do. A new op needs a row here and one in evaluate.py."""
from functools import partial

from builder import EXPRESSIONS, EXTENTS, CalleeBuilder, RegionBuilder, choose_results
from inputs import axis_extents
from record import Any, Block, Dense, Function, Ragged, Scalar, Size, Value, ragged, walk

ONE_IN_TWO = 0.5


# ---- Type rules -------------------------------------------------------------------------------


def broadcast_dims(a, b):
    """Dims of two operands of one rank, or None."""
    if len(a) != len(b):
        return None
    dims = []
    for x, y in zip(a, b):
        if x != y and x != 1 and y != 1:
            return None
        dims.append(y if x == 1 else x)
    return tuple(dims)


def elementwise_type(types):
    """Of ragged operand types that broadcast, in operand order."""
    dims = types[0].dims
    for t in types[1:]:
        dims = broadcast_dims(dims, t.dims)
    for t in types:
        if all(isinstance(t.dims[d], str) for d, x in enumerate(dims) if isinstance(x, str)):
            return ragged(dims, t.element, t.order)
    return ragged(dims, types[0].element)


def without(t, dropped):
    kept = [d for d in range(t.rank) if d not in dropped]
    place = {d: k for k, d in enumerate(kept)}
    return ragged([t.dims[d] for d in kept], t.element, [place[d] for d in t.order if d in place])


def kept_ones(t, dims):
    new = tuple(1 if d in dims else x for d, x in enumerate(t.dims))
    order = sorted(t.order, key=lambda d: not isinstance(new[d], str))  # stable
    return ragged(new, t.element, order)


def elements(b, t):
    return t.element in ("f64", "f32", "bf16") or t.element == b.state.program.element


# ---- Elementwise ------------------------------------------------------------------------------


def unary(name, floats, b):
    def fits(v):
        t = v.type
        return (not floats or t.element != "i64") and t.element not in ("i1", "index") and \
            (isinstance(t, Ragged) or b.chance(0.3))
    x = b.pick(fits)
    return x and b.emit(name, [x], [], [x.type])


def partner(b, x, positive):
    """Another operand for ragged x: something in scope, a scalar, or a new argument."""
    t = x.type
    if not positive or b.chance(0.4):
        y = b.pick(lambda v: isinstance(v.type, Ragged) and v.type.element == t.element and
                   v is not x and broadcast_dims(t.dims, v.type.dims))
        if y and b.chance(0.8):
            return y
    if b.chance(0.25) or not b.may_bear(t):
        return scalar(b, t.element, positive)
    dims = [1 if b.chance(0.3) else x for x in t.dims]
    order = b.random_order(dims) if b.chance(0.25) else None
    return b.argument(ragged(dims, t.element, order), ("positive" if positive else "uniform",))


def scalar(b, element, positive=False):
    y = b.pick(lambda v: v.type == Scalar(element)) if not positive else None
    if y and b.chance(ONE_IN_TWO):
        return y
    if b.chance(ONE_IN_TWO):
        value = float(b.rng.choice([0.5, 2.0, -1.5, 0.75])) if element != "i64" else \
            int(b.rng.integers(-3, 5))
        return b.emit("arith.constant", [], [("value", value)], [Scalar(element)])
    return b.argument(Scalar(element), ("positive" if positive else "uniform",))


def binary(name, b):
    if b.chance(0.08):
        return dense_binary(name, b)
    x = b.pick_ragged(lambda t: elements(b, t))
    if not x:
        return None
    y = partner(b, x, name == "div")
    if y is None:
        return None
    pair = [x, y] if name == "div" or b.chance(0.7) else [y, x]
    types = [v.type for v in pair if isinstance(v.type, Ragged)]
    return b.emit(name, pair, [], [elementwise_type(types)])


def dense_binary(name, b):
    x = b.pick(lambda v: isinstance(v.type, Dense) and elements(b, v.type))
    if not x:
        return None
    y = b.pick(lambda v: v.type == x.type)
    if b.chance(0.4):
        y = scalar(b, x.type.element, name == "div")
    return y and b.emit(name, [x, y], [], [x.type])


# ---- Structure --------------------------------------------------------------------------------


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


def broadcast(b):
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


def assume_same_axis(b):
    """Renames an axis to another one that has its extents in every case."""
    origin = b.state.origin

    def others(t):
        return [(f, v, to) for f in t.space() for v in b.values if isinstance(v.type, Ragged)
                for to in v.type.space() if to != f and origin[f] == origin[to]]
    x = b.pick_ragged(lambda t: others(t))
    if not x:
        return None
    source, like, to = b.choice(others(x.type))
    dims = [to if e == source else e for e in x.type.dims]
    return b.emit("assume_same_axis", [x, like], [("from", source), ("to", to)],
                  [Ragged(tuple(dims), x.type.order, x.type.element)])


def schema_cast(b):
    """To an unknown schema, or back."""
    x = b.pick_ragged()
    if not x:
        return None
    y = b.emit("schema_cast", [x], [], [x.type], inferred=False)
    if y:
        y.unknown = not x.unknown
    return y


# ---- Linear and normalisation -----------------------------------------------------------------


def linear(b):
    x = b.pick_ragged(lambda t: t.static_dims() and elements(b, t))
    if not x:
        return None
    t = x.type
    dim = b.choice(t.static_dims())
    out = b.state.size(int(b.rng.choice(EXTENTS))) if b.chance(ONE_IN_TWO) else t.dims[dim]
    if out == 1:
        out = b.state.size(3)
    weight = Dense((out, t.dims[dim]), t.element)
    operands = [x, b.pick(lambda v: v.type == weight) or b.argument(weight, ("weight",))]
    if b.chance(ONE_IN_TWO):
        operands.append(b.argument(Dense((out,), t.element), ("uniform",)))
    dims = t.dims[:dim] + (out,) + t.dims[dim + 1:]
    return b.emit("linear", operands, [("dim", dim)], [ragged(dims, t.element, t.order)])


def layer_norm(b):
    x = b.pick_float(lambda t: t.static_dims())
    if not x:
        return None
    dims = [d for d in x.type.static_dims() if b.chance(0.7)] or x.type.static_dims()[:1]
    dims = [int(d) for d in b.rng.permutation(dims)]
    shape = Dense(tuple(x.type.dims[d] for d in dims), x.type.element)
    parameters = [b.argument(shape, ("uniform",)) for _ in range(b.rng.integers(0, 3))]
    eps = float(b.rng.choice([1e-5, 1e-2, 0.125]))
    return b.emit("layer_norm", [x] + parameters, [("dims", dims), ("eps", eps)], [x.type])


def softmax(b):
    x = b.pick_float(lambda t: t.static_dims())
    return x and b.emit("softmax", [x], [("dim", b.choice(x.type.static_dims()))], [x.type])


# ---- Reductions -------------------------------------------------------------------------------


def reduction(name, b):
    x = b.pick_float() if name == "mean" else b.pick_ragged(lambda t: elements(b, t))
    if not x:
        return None
    t = x.type
    batch = b.chance(0.2)
    kind = b.rng.random()
    dims = list(range(t.rank)) if kind < 0.15 else [d for d in range(t.rank) if b.chance(0.45)]
    if not dims and t.rank and kind < 0.9:
        dims = [int(b.rng.integers(t.rank))]
    if batch:
        dims = sorted(set(dims) | set(t.ragged_dims()))
    dims = [int(d) for d in b.rng.permutation(dims)]
    keep = b.chance(0.35)
    attributes = [("dims", dims)] + [("keep_dims", None)] * keep + [("batch", None)] * batch
    if name == "mean" and b.chance(0.4):
        attributes.append(("empty", "zero"))
    result = kept_ones(t, dims) if keep else without(t, dims)
    if batch:
        result = Dense(result.dims, t.element)
    return b.emit(name, [x], attributes, [result])


# ---- Conversion -------------------------------------------------------------------------------


def values(b):
    x = b.pick_ragged()
    return x and b.emit("values", [x], [], [values_type(x.type)])


def values_type(t):
    return Dense((Any("rows " + ", ".join(t.space())),) + t.tail(), t.element)


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
    if b.chance(ONE_IN_TWO):
        dim = x.type.dims.index(axis)
        return b.emit("extents", [x], [("dim", dim)], [Dense((Any("batch"),), "i64")])
    return b.argument(Dense((Any("batch"),), "i64"), ("lengths", b.state.origin[axis]))


def on_origins(b, t):
    """The type with main's axes, which draws are made of."""
    return Ragged(tuple(b.state.origin[x] if isinstance(x, str) else x for x in t.dims), t.order,
                  t.element)


def source_type(b, t):
    """t itself or one with its dimensions in another order."""
    if b.chance(0.4):
        dims = [t.dims[int(d)] for d in b.rng.permutation(t.rank)]
        return ragged(dims, t.element, b.random_order(dims) if b.chance(ONE_IN_TWO) else None)
    return t


def from_values(b):
    x = b.pick_ragged(lambda t: t.space())
    if not x:
        return None
    fresh = b.chance(ONE_IN_TWO)
    t = source_type(b, x.type) if fresh else x.type
    result, axes = renamed(b, t)
    if fresh:
        rows = b.argument(Dense(values_type(t).shape, t.element), ("rows", on_origins(b, t)))
    else:
        rows = b.emit("values", [x], [], [values_type(t)])
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
    if b.chance(ONE_IN_TWO):
        rows = b.argument(Dense(values_type(t).shape, t.element), ("rows", on_origins(b, t)))
    else:
        rows = b.emit("values", [x], [], [values_type(t)])
    if b.chance(ONE_IN_TWO):
        where = b.emit("offsets", [x], [], [Dense((Any("batch + 1"),), "i64")])
    else:
        where = b.argument(Dense((Any("batch + 1"),), "i64"),
                           ("offsets", b.state.origin[axes[0][1]]))
    names = [axes[0][0]]
    plain = result == ragged(tuple(names) + result.tail(), result.element)
    return b.emit("from_offsets", [rows, where], [("axes", names)], [result], inferred=plain)


def pack(b):
    x = b.pick_ragged(lambda t: t.space())
    if not x:
        return None
    fresh = b.chance(ONE_IN_TWO)
    t = source_type(b, x.type) if fresh else x.type
    result, axes = renamed(b, t)
    if fresh:
        batch = int(b.rng.integers(0, t.rank + 1))
        shape = [Any(b.state.name("box ")) if isinstance(e, str) else e for e in t.dims]
        shape.insert(batch, Any("batch"))
        box = b.argument(Dense(tuple(shape), t.element), ("box", on_origins(b, t), batch))
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
    t, batch = x.type, int(b.rng.integers(0, x.type.rank + 1)) if b.chance(ONE_IN_TWO) else 0
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
    attributes = [("fill", float(b.rng.choice([0.0, -1.0, 3.0])))] if b.chance(ONE_IN_TWO) else []
    attributes += [("batch", batch)] if batch else []
    return b.emit("unpack", [x], attributes, [Dense(tuple(shape), t.element)])


def constant(b):
    """A dense constant of one value on known sizes."""
    x = b.pick_ragged(lambda t: t.static_dims())
    if not x:
        return None
    shape = tuple(x.type.dims[d] for d in x.type.static_dims())
    value = 2 if x.type.element == "i64" else float(b.rng.choice([0.5, -1.0]))
    return b.emit("arith.constant", [], [("value", value)], [Dense(shape, x.type.element)])


# ---- Control flow and calls -------------------------------------------------------------------


def keep_type(b, v):
    """One op on v whose result has v's type; v itself where none is found."""
    t = v.type
    floats = t.element != "i64"
    step = b.choice(["binary", "relu", "scalar"] + (["unary", "mean", "norm"] if floats else []))
    y = None
    if step == "relu" or not isinstance(t, Ragged):
        y = b.emit("relu", [v], [], [t], inferred=False)
    elif step == "unary":
        y = b.emit(b.choice(["gelu", "sigmoid", "exp"]), [v], [], [t], inferred=False)
    elif step == "norm" and t.static_dims():
        y = b.emit("softmax", [v], [("dim", t.static_dims()[0])], [t], inferred=False)
    elif step == "mean" and t.rank:
        dims = [int(b.rng.integers(t.rank))]
        mean = b.emit("mean", [v], [("dims", dims), ("keep_dims", None), ("empty", "zero")],
                      [kept_ones(t, dims)])
        y = mean and b.emit("add", [v, mean], [], [t], inferred=False)
    else:
        other = scalar(b, t.element) if step == "scalar" else partner(b, v, False)
        types = [u.type for u in (v, other) if u and isinstance(u.type, Ragged)]
        if other and elementwise_type(types) == t:
            y = b.emit(b.choice(["add", "sub", "mul", "maximum"]), [v, other], [], [t],
                       inferred=False)
    return y or v


def region(b, start, t, arguments=()):
    inner = RegionBuilder(b, b.values + list(arguments))
    if b.chance(0.4):
        inner.propose()
    v = start
    for _ in range(b.rng.integers(1, 4)):
        v = keep_type(inner, v)
    b.used |= inner.used
    return Block(list(arguments), inner.ops, [v])


def carried(b):
    return b.pick_ragged(lambda t: elements(b, t))


def known(b, x):
    """x with a known schema, as regions and signatures want it."""
    return b.emit("schema_cast", [x], [], [x.type], inferred=False) if x.unknown else x


def nested(b):
    return isinstance(b, RegionBuilder) or isinstance(b, CalleeBuilder)


def scf_if(b):
    x = carried(b)
    if not x or nested(b) and b.chance(0.7):
        return None
    x = known(b, x)
    flag = b.argument(Scalar("i64"), ("number", int(b.rng.integers(0, 2))))
    blocks = [region(b, x, x.type), region(b, x, x.type)]
    return b.emit("scf.if", [flag], [], [x.type], blocks, inferred=False)


def scf_for(b):
    x = carried(b)
    if not x or nested(b) and b.chance(0.7):
        return None
    x = known(b, x)
    count = b.argument(Scalar("i64"), ("number", int(b.rng.integers(0, 4))))
    argument = Value(x.type)
    for context in b.state.contexts:
        context.values[argument] = context.values[x]
    return b.emit("scf.for", [count, x], [], [x.type], [region(b, argument, x.type, [argument])],
                  inferred=False)


def call(b):
    program = b.state.program
    if len(program.callees) >= 2 or nested(b):
        return recall(b)
    renames = b.chance(0.7)
    callee = CalleeBuilder(b, renames)
    for _ in range(b.rng.integers(1, 3)):
        x = b.pick_ragged(lambda t: elements(b, t) and (renames or not any(
            a in EXPRESSIONS for a in t.space())))
        if x:
            callee.add_formal(x if renames else known(b, x))
    if not callee.formals:
        return None
    callee.grow(int(b.rng.integers(2, 5)))
    if not callee.ops:
        return None
    results = choose_results(callee)[:2]
    results = list(dict.fromkeys(v for v in results if v not in callee.formals))
    if not results or any(isinstance(v.type, Dense) and v.type.element != b.state.program.element
                          and b.chance(ONE_IN_TWO) for v in results):
        return None
    results = [known(callee, v) for v in results]
    function = Function(f"{program.name}_layer{len(program.callees)}", callee.formals,
                                  callee.ops, results)
    program.callees.append(function)
    function.substitution = callee.substitution
    made = call_with(b, function, callee.actuals, dict(callee.substitution), renames)
    if made is None:
        program.callees.remove(function)
    return made


def call_with(b, function, actuals, substitution, renames):
    """Names the axes that the callee creates, in the order in which its results mention them."""
    born = list(dict.fromkeys(x for v in function.results if isinstance(v.type, Ragged)
                              for x in v.type.dims if isinstance(x, str) and x not in substitution))
    if born and not renames:
        return None
    names = [b.state.new_axis(x) for x in born]
    substitution.update(zip(born, names))
    types = [Ragged(tuple(substitution[x] if isinstance(x, str) else x for x in v.type.dims),
                    v.type.order, v.type.element) if isinstance(v.type, Ragged) else v.type
             for v in function.results]
    return b.emit("ragged.call" if renames else "func.call", actuals, [("axes", names)] if names else [],
                  types, callee=function, inferred=False)


def recall(b):
    """A callee again, with other operands where some fit."""
    callee = b.choice(b.state.program.callees)
    if not callee or isinstance(b, CalleeBuilder):
        return None
    if any(op.name in ("assume_same_axis", "from_values", "from_offsets", "pack")
           for op in walk(callee.ops)):
        return None  # these rely on the lengths of the first call
    substitution, actuals = {}, []
    for formal in callee.arguments:
        def fits(v, bind=False):
            t, f = v.type, formal.type
            if not isinstance(f, Ragged) or not isinstance(t, Ragged):
                return t == f
            if (t.order, t.element, t.rank) != (f.order, f.element, f.rank):
                return False
            new = dict(substitution)
            for x, y in zip(f.dims, t.dims):
                if not isinstance(x, str) and x != y or isinstance(x, str) != isinstance(y, str):
                    return False
                if isinstance(x, str) and new.setdefault(x, y) != y:
                    return False
            if bind:
                substitution.update(new)
            return True
        actual = b.pick(fits)
        if not actual:
            return None
        fits(actual, True)
        actuals.append(actual)
    return call_with(b, callee, actuals, substitution, True)


PROPOSALS = {
    "add": (6, partial(binary, "add")), "sub": (5, partial(binary, "sub")),
    "mul": (5, partial(binary, "mul")), "div": (5, partial(binary, "div")),
    "maximum": (5, partial(binary, "maximum")),
    "exp": (4, partial(unary, "exp", True)), "gelu": (4, partial(unary, "gelu", True)),
    "relu": (4, partial(unary, "relu", False)), "sigmoid": (4, partial(unary, "sigmoid", True)),
    "expand_dims": (5, expand_dims), "squeeze": (4, squeeze), "transpose": (5, transpose),
    "reorder": (5, reorder), "broadcast": (7, broadcast), "schema_cast": (2, schema_cast),
    "assume_same_axis": (8, assume_same_axis),
    "linear": (7, linear), "layer_norm": (9, layer_norm), "softmax": (5, softmax),
    "sum": (6, partial(reduction, "sum")), "mean": (6, partial(reduction, "mean")),
    "max": (6, partial(reduction, "max")),
    "values": (1, values), "extents": (1, extents), "offsets": (1, offsets),
    "from_values": (3, from_values), "from_offsets": (2, from_offsets), "pack": (3, pack),
    "unpack": (2, unpack), "arith.constant": (1, constant),
    "scf.if": (2, scf_if), "scf.for": (2, scf_for), "ragged.call": (4, call), "func.call": (0, call),
}
