"""The table of ops that random programs are made of: name -> (weight, propose). `propose(builder)`
chooses operands, infers the result type by rules of its own (type_rules.py) and emits the op; it
returns None where it finds nothing to do. A new op needs a row here and one in evaluate.py; an op of
the dialect without a row fails the run."""
from functools import partial

from propose_compute import (argmax, binary, cast, clamp, comparison, layer_norm, linear,
                             product_over_rows, reduction, scatter_max, softmax, unary, where)
from propose_control import call, scf_for, scf_if
from propose_structure import (assume_same_axis, broadcast, constant, expand_dims, extents, extract,
                               from_offsets, from_values, full, offsets, pack, reorder, schema_cast,
                               size, squeeze, transpose, unpack, values, with_padded, with_values)

PROPOSALS = {
    "add": (6, partial(binary, "add")), "sub": (5, partial(binary, "sub")),
    "mul": (5, partial(binary, "mul")), "div": (5, partial(binary, "div")),
    "maximum": (5, partial(binary, "maximum")),
    "exp": (4, partial(unary, "exp", True)), "gelu": (4, partial(unary, "gelu", True)),
    "relu": (4, partial(unary, "relu", False)), "sigmoid": (4, partial(unary, "sigmoid", True)),
    "neg": (3, partial(unary, "neg", False)), "sqrt": (3, partial(unary, "sqrt", True)),
    "rsqrt": (3, partial(unary, "rsqrt", True)), "erf": (3, partial(unary, "erf", True)),
    "normal_cdf": (3, partial(unary, "normal_cdf", True)),
    "equal": (3, partial(comparison, "equal")), "not_equal": (3, partial(comparison, "not_equal")),
    "less": (3, partial(comparison, "less")), "less_equal": (3, partial(comparison, "less_equal")),
    "greater": (3, partial(comparison, "greater")),
    "greater_equal": (3, partial(comparison, "greater_equal")),
    "where": (8, where), "clamp": (5, clamp), "cast": (8, cast), "full": (3, full),
    "expand_dims": (5, expand_dims), "squeeze": (4, squeeze), "transpose": (5, transpose),
    "reorder": (5, reorder), "broadcast": (7, broadcast), "schema_cast": (3, schema_cast),
    "assume_same_axis": (8, assume_same_axis),
    "linear": (7, linear), "layer_norm": (9, layer_norm), "softmax": (5, softmax),
    "sum": (6, partial(reduction, "sum")), "mean": (6, partial(reduction, "mean")),
    "max": (6, partial(reduction, "max")), "argmax": (3, argmax), "scatter_max": (4, scatter_max),
    "product_over_rows": (4, product_over_rows),
    "values": (2, values), "extents": (1, extents), "offsets": (2, offsets),
    "from_values": (3, from_values), "from_offsets": (3, from_offsets), "pack": (3, pack),
    "unpack": (2, unpack), "with_values": (3, with_values), "with_padded": (3, with_padded),
    "size": (2, size), "tensor.extract": (3, extract), "arith.constant": (1, constant),
    "scf.if": (2, scf_if), "scf.for": (2, scf_for), "ragged.call": (4, call), "func.call": (0, call),
}
