"""Proposals of elementwise ops, products, normalisations and reductions. See proposals.py."""
from builder import EXTENTS, Builder
from record import FLOATS, Dense, Ragged, Scalar, ragged
from type_rules import broadcast_dims, elementwise_type, kept_ones, without


# ---- Elementwise -------------------------------------------------------------------------------


def elements(b, t):
    return t.element in FLOATS or t.element == b.state.program.element


def with_element(t, element):
    return Dense(t.shape, element) if isinstance(t, Dense) else ragged(t.dims, element, t.order)


def unary(name, floats, b):
    def fits(v):
        t = v.type
        return t.element in (FLOATS if floats else (*FLOATS, "i64")) and \
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
    if y and b.chance(0.5):
        return y
    if element == "i1":
        if b.chance(0.5):
            return b.emit("arith.constant", [], [("value", bool(b.chance(0.5)))], [Scalar(element)])
    elif b.chance(0.5):
        value = float(b.rng.choice([0.5, 2.0, -1.5, 0.75])) if element != "i64" else \
            int(b.rng.integers(-3, 5))
        return b.emit("arith.constant", [], [("value", value)], [Scalar(element)])
    return b.argument(Scalar(element), ("positive" if positive else "uniform",))


def binary(name, b):
    if b.chance(0.15):
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


# ---- Scalars ----------------------------------------------------------------------------------


def float_scalar(b, element):
    x = b.pick(lambda v: v.type == Scalar(element))
    return x if x and b.chance(0.8) else scalar(b, element)


def arith(name, b):
    """Of builtin scalars of f64 or f32: on the CPU those of bf16 need a function that is not linked."""
    x = float_scalar(b, "f64" if b.state.program.element == "bf16" else b.state.program.element)
    operands = [x] if name == "negf" else [x, scalar(b, x.type.element, name == "divf")]
    return b.emit(f"arith.{name}", operands, [], [x.type], inferred=False)


# ---- Comparisons, choices, casts: a rounding error must not change what they decide ---------------


def is_exact(b, v):
    """Whether every executor has the same bits for it; of floats in regions and callees it is not known."""
    return v.type.element in ("i1", "i64", "index") or \
        (type(b) is Builder and all(c.values[v].operations == 0 for c in b.state.contexts))


def exact(b, wanted=lambda t: True):
    """A ragged value that is the same in every executor; one more argument where there is none."""
    x = b.pick(lambda v: isinstance(v.type, Ragged) and is_exact(b, v) and wanted(v.type))
    if x and b.chance(0.7):
        return x
    like = b.pick_ragged(lambda t: b.may_bear(t) and wanted(t))
    how = str(b.rng.choice(["integers", "special", "uniform"]))
    return b.argument(like.type, (how,)) if like else x


def exact_partner(b, x, element):
    """As `partner`, of that element type and the same in every executor."""
    t = x.type
    y = b.pick(lambda v: isinstance(v.type, Ragged) and v.type.element == element and v is not x and
               is_exact(b, v) and broadcast_dims(t.dims, v.type.dims))
    if y and b.chance(0.4):
        return y
    if b.chance(0.25) or not b.may_bear(t):
        return scalar_argument(b, element)
    dims = [1 if b.chance(0.3) else x for x in t.dims]
    order = b.random_order(dims) if b.chance(0.25) else None
    return b.argument(ragged(dims, element, order), ("integers",))


def scalar_argument(b, element):
    return scalar(b, element) if element == "i1" else b.argument(Scalar(element), ("integers",))


def dense_choice(name, b):
    """A comparison, choice or cast of builtin tensors of one shape and scalars."""
    x = b.pick(lambda v: isinstance(v.type, Dense) and is_exact(b, v))
    if not x:
        return None
    shape, element = x.type.shape, x.type.element

    def partner_of(element):
        y = b.pick(lambda v: v.type == Dense(shape, element) and is_exact(b, v))
        return y if y and b.chance(0.7) else scalar_argument(b, element)

    if name == "cast":
        target = str(b.rng.choice(["f64", "f32", "bf16", "i64", "i1"]))
        return b.emit(name, [x], [], [Dense(shape, target)])
    if name == "where":
        return b.emit(name, [partner_of("i1"), x, partner_of(element)], [], [x.type])
    return b.emit(name, [x, partner_of(element)], [], [Dense(shape, "i1")])


def result_of(values, element):
    return elementwise_type([ragged(v.type.dims, element, v.type.order) for v in values
                             if isinstance(v.type, Ragged)])


def comparison(name, b):
    if b.chance(0.15):
        return dense_choice(name, b)
    x = exact(b)
    y = x and exact_partner(b, x, x.type.element)
    if y is None:
        return None
    pair = [x, y] if b.chance(0.7) else [y, x]
    return b.emit(name, pair, [], [result_of(pair, "i1")])


def agree(values):
    """Whether the ragged ones broadcast together."""
    dims = None
    for v in values:
        if not isinstance(v.type, Ragged):
            continue
        dims = v.type.dims if dims is None else broadcast_dims(dims, v.type.dims)
        if dims is None:
            return False
    return dims is not None


def where(b):
    if b.chance(0.15):
        return dense_choice("where", b)
    x = b.pick_ragged(lambda t: elements(b, t) or t.element == "i1")
    if not x:
        return None
    y = exact_partner(b, x, "i1") if x.type.element == "i1" else partner(b, x, False)
    c = y and exact_partner(b, x, "i1")
    if not c:
        return None
    values = [c, x, y] if b.chance(0.5) else [c, y, x]
    return b.emit("where", values, [], [result_of(values, x.type.element)]) if agree(values) else None


def clamp(b):
    x = b.pick_ragged(lambda t: elements(b, t))
    low = x and partner(b, x, False)
    high = low and partner(b, x, b.chance(0.7))
    values = [x, low, high]
    if not high or not agree(values):
        return None
    return b.emit("clamp", values, [], [result_of(values, x.type.element)])


def cast(b):
    """Between floats of anything; to integers, of what no rounding error moves."""
    if b.chance(0.15):
        return dense_choice("cast", b)
    target = str(b.rng.choice(["f64", "f32", "bf16", "i64", "i1"]))
    if target in FLOATS and b.chance(0.6):
        x = b.pick_ragged()
    else:
        x = exact(b)
    return x and b.emit("cast", [x], [], [ragged(x.type.dims, target, x.type.order)])


# ---- Linear and normalisation ------------------------------------------------------------------


def linear(b):
    x = b.pick_ragged(lambda t: t.static_dims() and elements(b, t))
    if not x:
        return None
    t = x.type
    dim = b.choice(t.static_dims())
    out = b.state.size(int(b.rng.choice(EXTENTS))) if b.chance(0.5) else t.dims[dim]
    if out == 1:
        out = b.state.size(3)
    transposed = b.chance(0.4)
    weight = Dense((t.dims[dim], out) if transposed else (out, t.dims[dim]), t.element)
    operands = [x, b.pick(lambda v: v.type == weight) or b.argument(weight, ("weight",))]
    if b.chance(0.5):
        operands.append(b.argument(Dense((out,), t.element), ("uniform",)))
    dims = t.dims[:dim] + (out,) + t.dims[dim + 1:]
    attributes = [("dim", dim)] + [("transposed", None)] * transposed
    return b.emit("linear", operands, attributes, [ragged(dims, t.element, t.order)])


def product_over_rows(b):
    """Two values of one space; the second is often a new argument, packed its own way."""
    x = b.pick_ragged(lambda t: t.static_dims() and elements(b, t))
    if not x:
        return None
    t = x.type
    dims = [b.choice(t.static_dims()), 0]
    others = t.dims[:dims[0]] + t.dims[dims[0] + 1:]

    def contracted(u):
        return [d for d in u.static_dims() if u.dims[:d] + u.dims[d + 1:] == others]

    y = b.pick_ragged(lambda u: u.element == t.element and contracted(u))
    if y and b.chance(0.6):
        dims[1] = b.choice(contracted(y.type))
    elif b.may_bear(t):
        dims[1] = dims[0] if b.chance(0.5) else int(b.rng.integers(len(others) + 1))
        out = b.state.size(int(b.rng.choice([e for e in EXTENTS if e > 1])))
        new = others[:dims[1]] + (out,) + others[dims[1]:]
        y = b.argument(ragged(new, t.element, b.random_order(new) if b.chance(0.4) else None),
                       ("uniform",))
    else:
        return None
    result = Dense((y.type.dims[dims[1]], t.dims[dims[0]]), t.element)
    return b.emit("product_over_rows", [x, y], [("dims", dims)], [result])


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


# ---- Reductions --------------------------------------------------------------------------------


def counted(element):
    return "i64" if element == "i1" else element


def dense_reduction(name, b):
    x = b.pick(lambda v: isinstance(v.type, Dense) and
               (v.type.element in FLOATS if name == "mean" else
                elements(b, v.type) or (name == "sum" and v.type.element == "i1")))
    if not x:
        return None
    shape = x.type.shape
    dims = [d for d in range(len(shape)) if b.chance(0.5)]
    dims = [int(d) for d in b.rng.permutation(dims)]
    keep = b.chance(0.3)
    attributes = [("dims", dims)] + [("keep_dims", None)] * keep
    if name == "mean" and b.chance(0.4):
        attributes.append(("empty", "zero"))
    left = tuple(1 if d in dims else e for d, e in enumerate(shape) if keep or d not in dims)
    return b.emit(name, [x], attributes, [Dense(left, counted(x.type.element))])


def reduced(b, t):
    """Dimensions, attributes and the type of what is left, of t's element type."""
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
    result = kept_ones(t, dims) if keep else without(t, dims)
    return attributes, Dense(result.dims, t.element) if batch else result


def reduction(name, b):
    if b.chance(0.2):
        return dense_reduction(name, b)
    x = b.pick_float() if name == "mean" else \
        b.pick_ragged(lambda t: elements(b, t) or (name == "sum" and t.element == "i1"))
    if not x:
        return None
    attributes, result = reduced(b, x.type)
    if name == "mean" and b.chance(0.4):
        attributes.append(("empty", "zero"))
    return b.emit(name, [x], attributes, [with_element(result, counted(result.element))])


# ---- Positions ---------------------------------------------------------------------------------


def propose_positions(b):
    x = exact(b, lambda t: elements(b, t))
    if not x:
        return None
    attributes, result = reduced(b, x.type)
    positions = b.emit("argmax", [x], attributes, [with_element(result, "i64")])
    return positions and (x, attributes, result, positions)


def argmax(b):
    found = propose_positions(b)
    return found and found[3]


def scatter_max(b):
    """Back to where an argmax found its entries."""
    found = propose_positions(b)
    if not found:
        return None
    x, attributes, result, positions = found
    dy = b.pick(lambda v: type(v.type) is type(result) and elements(b, v.type) and
                with_element(v.type, result.element) == result)
    if not dy or b.chance(0.5):
        if isinstance(result, Ragged) and not b.may_bear(result):
            return None
        dy = b.argument(result, ("uniform",))
    return b.emit("scatter_max", [dy, positions, x], attributes,
                  [with_element(x.type, dy.type.element)])
