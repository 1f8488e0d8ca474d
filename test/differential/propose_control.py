"""Proposals of branches, loops and calls. See proposals.py."""
from builder import EXPRESSIONS, CalleeBuilder, RegionBuilder, choose_results
from propose_compute import elements, partner, scalar
from record import Block, Dense, Function, Ragged, Scalar, Value, walk
from type_rules import elementwise_type, kept_ones


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


def scf_for(b, constant=0):
    """`constant`: the share of loops whose number of turns is a constant."""
    x = carried(b)
    if not x or nested(b) and b.chance(0.7):
        return None
    x = known(b, x)
    turns = int(b.rng.integers(0, 4))
    if constant and b.chance(constant):
        count = b.emit("arith.constant", [], [("value", turns)], [Scalar("i64")])
    else:
        count = b.argument(Scalar("i64"), ("number", turns))
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
                          and b.chance(0.5) for v in results):
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
