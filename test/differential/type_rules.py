"""Result types of ops, by rules written here once more: the verifiers judge them."""
from record import Any, Dense, ragged


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


def values_type(t):
    return Dense((Any("rows " + ", ".join(t.space())),) + t.tail(), t.element)
