"""Writes docs/reference/status.md: op x element type x executor, found by trying, and derivatives.

    /usr/bin/python3 docs/status_table.py build docs/reference/status.md

Each op gets one small program per element type. `ragged-opt` says whether the types are legal and
whether the program lowers to the CPU, `ragged-run --target=reference` whether the interpreter
evaluates it. What has a derivative is read from the tables of rules in passes/grad/rules_*.c, and tried in
f32. Elementwise ops are read from dialect/elementwise.def; every other op that the generated
reference of the dialect lists needs a program in PROGRAMS, or this script fails. The test is
test/tools/examples.test; it shows what exists, not that the numbers are right (see docs/testing.md).
"""
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ELEMENT_TYPES = ["f64", "f32", "bf16", "i64", "i1"]
X = "!ragged.tensor<[n, 3], T>"
ANY = "!ragged.tensor<*, T>"

# Op → (arguments, body, result type). The body defines %r; T stands for the element type, S for that of
# its sums.
PROGRAMS = {
    "from_values": ("%x: " + X, """
  %v = ragged.values %x : !ragged.tensor<[n, 3], T> -> tensor<?x3xT>
  %l = ragged.extents %x dim = 0 : !ragged.tensor<[n, 3], T> -> tensor<?xi64>
  %k = ragged.from_values %v, %l axes = ["k"]
      : tensor<?x3xT>, tensor<?xi64> -> !ragged.tensor<[k, 3], T>
  %r = ragged.extents %k dim = 0 : !ragged.tensor<[k, 3], T> -> tensor<?xi64>""", "tensor<?xi64>"),
    "from_offsets": ("%x: " + X, """
  %v = ragged.values %x : !ragged.tensor<[n, 3], T> -> tensor<?x3xT>
  %o = ragged.offsets %x : !ragged.tensor<[n, 3], T> -> tensor<?xi64>
  %k = ragged.from_offsets %v, %o axes = ["k"]
      : tensor<?x3xT>, tensor<?xi64> -> !ragged.tensor<[k, 3], T>
  %r = ragged.extents %k dim = 0 : !ragged.tensor<[k, 3], T> -> tensor<?xi64>""", "tensor<?xi64>"),
    "pack": ("%x: " + X, """
  %p = ragged.unpack %x : !ragged.tensor<[n, 3], T> -> tensor<?x?x3xT>
  %l = ragged.extents %x dim = 0 : !ragged.tensor<[n, 3], T> -> tensor<?xi64>
  %k = ragged.pack %p, %l axes = ["k"]
      : tensor<?x?x3xT>, tensor<?xi64> -> !ragged.tensor<[k, 3], T>
  %r = ragged.values %k : !ragged.tensor<[k, 3], T> -> tensor<?x3xT>""", "tensor<?x3xT>"),
    "values": ("%x: " + X, """
  %r = ragged.values %x : !ragged.tensor<[n, 3], T> -> tensor<?x3xT>""", "tensor<?x3xT>"),
    "unpack": ("%x: " + X, """
  %r = ragged.unpack %x : !ragged.tensor<[n, 3], T> -> tensor<?x?x3xT>""", "tensor<?x?x3xT>"),
    "with_values": ("%x: " + X, """
  %v = ragged.values %x : !ragged.tensor<[n, 3], T> -> tensor<?x3xT>
  %r = ragged.with_values %v like %x
      : tensor<?x3xT>, !ragged.tensor<[n, 3], T> -> !ragged.tensor<*, T>""", ANY),
    "with_padded": ("%x: " + X, """
  %p = ragged.unpack %x : !ragged.tensor<[n, 3], T> -> tensor<?x?x3xT>
  %r = ragged.with_padded %p like %x
      : tensor<?x?x3xT>, !ragged.tensor<[n, 3], T> -> !ragged.tensor<*, T>""", ANY),
    "size": ("%x: " + X, """
  %r = ragged.size %x dims = [0, 1] : !ragged.tensor<[n, 3], T> -> !ragged.tensor<[], i64>""",
             "!ragged.tensor<[], i64>"),
    "extents": ("%x: " + X, """
  %r = ragged.extents %x dim = 0 : !ragged.tensor<[n, 3], T> -> tensor<?xi64>""", "tensor<?xi64>"),
    "offsets": ("%x: " + X, """
  %r = ragged.offsets %x : !ragged.tensor<[n, 3], T> -> tensor<?xi64>""", "tensor<?xi64>"),
    "expand_dims": ("%x: " + X, """
  %r = ragged.expand_dims %x dim = 1 : !ragged.tensor<[n, 3], T> -> !ragged.tensor<*, T>""", ANY),
    "squeeze": ("%x: !ragged.tensor<[n, 1], T>", """
  %r = ragged.squeeze %x dims = [1] : !ragged.tensor<[n, 1], T> -> !ragged.tensor<*, T>""", ANY),
    "broadcast": ("%x: " + X + ", %w: tensor<3xT>", """
  %r = ragged.broadcast %w dims = [1] like %x
      : tensor<3xT>, !ragged.tensor<[n, 3], T> -> !ragged.tensor<*, T>""", ANY),
    "full": ("%v: T, %x: " + X, """
  %r = ragged.full %v like %x : T, !ragged.tensor<[n, 3], T> -> !ragged.tensor<*, T>""", ANY),
    "transpose": ("%x: " + X, """
  %r = ragged.transpose %x permutation = [1, 0]
      : !ragged.tensor<[n, 3], T> -> !ragged.tensor<*, T>""", ANY),
    "reorder": ("%x: !ragged.tensor<[n, n, 3], T>", """
  %r = ragged.reorder %x order = [1, 0, 2]
      : !ragged.tensor<[n, n, 3], T> -> !ragged.tensor<*, T>""", ANY),
    "assume_same_axis": ("%x: !ragged.tensor<[m, 3], T>, %y: " + X, """
  %r = ragged.assume_same_axis %x dims = [0] to = "n" like %y
      : !ragged.tensor<[m, 3], T>, !ragged.tensor<[n, 3], T> -> !ragged.tensor<*, T>""", ANY),
    "schema_cast": ("%x: " + X, """
  %r = ragged.schema_cast %x : !ragged.tensor<[n, 3], T> -> !ragged.tensor<*, T>""", ANY),
    "linear": ("%x: " + X + ", %w: tensor<5x3xT>, %b: tensor<5xT>", """
  %r = ragged.linear %x, %w, %b dim = 1
      : !ragged.tensor<[n, 3], T>, tensor<5x3xT>, tensor<5xT> -> !ragged.tensor<*, T>""", ANY),
    "product_over_rows": ("%x: " + X + ", %y: !ragged.tensor<[n, 5], T>", """
  %r = ragged.product_over_rows %x, %y dims = [1, 1]
      : !ragged.tensor<[n, 3], T>, !ragged.tensor<[n, 5], T> -> tensor<5x3xT>""", "tensor<5x3xT>"),
    "argmax": ("%x: !ragged.tensor<[n, n, 3], T>", """
  %r = ragged.argmax %x dims = [1]
      : !ragged.tensor<[n, n, 3], T> -> !ragged.tensor<*, i64>""", "!ragged.tensor<*, i64>"),
    "scatter_max": ("%y: " + X + ", %p: !ragged.tensor<[n, 3], i64>, %x: !ragged.tensor<[n, n, 3], f32>", """
  %r = ragged.scatter_max %y, %p dims = [1] like %x
      : !ragged.tensor<[n, 3], T>, !ragged.tensor<[n, 3], i64>, !ragged.tensor<[n, n, 3], f32>
      -> !ragged.tensor<[n, n, 3], T>""", "!ragged.tensor<[n, n, 3], T>"),
    "layer_norm": ("%x: " + X + ", %w: tensor<3xT>, %b: tensor<3xT>", """
  %r = ragged.layer_norm %x, %w, %b dims = [1] eps = 1.0e-5
      : !ragged.tensor<[n, 3], T>, tensor<3xT>, tensor<3xT> -> !ragged.tensor<*, T>""", ANY),
    "softmax": ("%x: " + X, """
  %r = ragged.softmax %x dim = 1 : !ragged.tensor<[n, 3], T> -> !ragged.tensor<*, T>""", ANY),
    "call": ("%x: " + X, """
  %r = ragged.call @twice(%x) : (!ragged.tensor<[n, 3], T>) -> !ragged.tensor<[n, 3], T>""", X),
}
for reduction, element in [("sum", "S"), ("mean", "T"), ("max", "T")]:
    PROGRAMS[reduction] = ("%x: !ragged.tensor<[n, n, 3], T>", f"""
  %r = ragged.{reduction} %x dims = [1]
      : !ragged.tensor<[n, n, 3], T> -> !ragged.tensor<*, {element}>""", f"!ragged.tensor<*, {element}>")
for other in ["f64", "f32", "bf16", "i64", "i1"]:
    PROGRAMS[f"cast to {other}"] = ("%x: " + X, f"""
  %r = ragged.cast %x : !ragged.tensor<[n, 3], T> -> !ragged.tensor<*, {other}>""",
                                    f"!ragged.tensor<*, {other}>")

# Ops that also work on builtin tensors, besides the elementwise ones: the same programs on these shapes.
BUILTIN = ["size", "broadcast", "full", "sum", "max", "argmax", "scatter_max", "mean"]
SHAPES = [("[n, n, 3]", "4x4x3x"), ("[n, 3]", "4x3x"), ("[]", ""), ("*", "4x3x")]
PROGRAMS["builtin tensor.extract"] = ("%x: tensor<T>", """
  %r = tensor.extract %x[] : tensor<T>""", "T")

CALLEE = """func.func private @twice(%x: !ragged.tensor<[k, 3], T>) -> !ragged.tensor<[k, 3], T> {
  %c = arith.constant true
  %r = ragged.where %c, %x, %x
      : i1, !ragged.tensor<[k, 3], T>, !ragged.tensor<[k, 3], T> -> !ragged.tensor<[k, 3], T>
  return %r : !ragged.tensor<[k, 3], T>
}
"""

# Section of the table → ODS file; elementwise ops have a file that is made from the .def.
FAMILIES = [
    ("Conversion", "RaggedConversionOps.td"),
    ("Structure", "RaggedStructureOps.td"),
    ("Elementwise", None),
    ("Reduction", "RaggedReductionOps.td"),
    ("Contraction", "RaggedLinearOps.td"),
    ("Normalisation", "RaggedNormalizationOps.td"),
    ("Calls", "RaggedCallOps.td"),
]


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


KINDS = {"UNARY": 1, "BINARY": 2, "COMPARE": 2, "TERNARY": 3}


def add_elementwise(source):
    """Programs for the rows of elementwise.def; returns their names in its order, then the casts."""
    names = []
    rows = re.findall(r'^RAGGED_(\w+)\(\w+, (\w+), "(\w+)"', read(source, "dialect", "elementwise.def"),
                      re.MULTILINE)
    for kind, name, domain in rows:
        names.append(name)
        types = [X] * KINDS[kind]
        if domain == "choice":
            types[0] = "!ragged.tensor<[n, 3], i1>"
        values = ["%x", "%y", "%z"][:len(types)]
        result = "!ragged.tensor<*, i1>" if kind == "COMPARE" else ANY
        arguments = ", ".join(f"{value}: {type_}" for value, type_ in zip(values, types))
        PROGRAMS[name] = (arguments, f"""
  %r = ragged.{name} {', '.join(values)} : {', '.join(types)} -> {result}""", result)
    return names + [name for name in PROGRAMS if name.startswith("cast to ")]


def on_builtin(name):
    def replace(text):
        for schema, shape in SHAPES:
            text = re.sub(rf"!ragged\.tensor<{re.escape(schema)}, (\w+)>", rf"tensor<{shape}\1>", text)
        return text
    PROGRAMS["builtin " + name] = tuple(replace(text) for text in PROGRAMS[name])
    return "builtin " + name


def read_families(source):
    """(family, op names) in the order of the definitions."""
    elementwise = add_elementwise(source)
    families = []
    for family, file in FAMILIES:
        if file is None:
            families.append((family, elementwise))
            continue
        text = read(source, "dialect", file)
        names = re.findall(r'^def \w+\s*:\s*(?:Ragged_\w*Op|Op)<(?:Ragged_Dialect, )?"(\w+)"', text,
                           re.MULTILINE)
        families.append((family, names))
    families.append(("Of builtin tensors", [on_builtin(name) for name in BUILTIN + elementwise] +
                     ["builtin tensor.extract"]))
    return families


def program(name, element_type):
    arguments, body, result = PROGRAMS[name]
    function = name.replace(" ", "_")
    text = f"func.func @{function}({arguments}) -> {result} {{{body}\n  return %r : {result}\n}}\n"
    if name == "call":
        text = CALLEE + text
    text = re.sub(r"\bS\b|(?<=x)S\b", "i64" if element_type == "i1" else element_type, text)
    return re.sub(r"\bT\b|(?<=x)T\b", element_type, text)


def read_rules(source):
    """op -> whether its row has a rule; a row without one says that gradients end there."""
    folder = os.path.join(source, "passes", "grad")
    rules = {}
    for name in sorted(os.listdir(folder)):
        if re.fullmatch(r"rules_\w+\.c", name):
            rows = re.findall(r'^ +\{"([\w.]+)", (\w+)\},$', read(folder, name), re.MULTILINE)
            rules.update((op.removeprefix("ragged."), rule != "NULL") for op, rule in rows)
    return rules


def derivative_of(name, rules):
    op, _, target = name.removeprefix("builtin ").partition(" to ")
    if op == "call":
        return "inlined"
    if target in ("i64", "i1"):
        return "ends the chain"
    return {True: "yes", False: "ends the chain", None: "none"}[rules.get(op)]


def run(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def failing_sections(opt, sections, *flags):
    """Numbers of the sections that ragged-opt reports an error in."""
    separator = "// -----\n"
    result = run(opt, "--split-input-file", "--mlir-disable-threading", *flags, "-o", os.devnull, "-",
                 text=separator.join(sections))
    starts, line = [], 1
    for section in sections:
        starts.append(line)
        line += section.count("\n") + 1
    failing = set()
    for error in re.findall(r"^<stdin>:(\d+):\d+: error:", result.stderr, re.MULTILINE):
        failing.add(max(k for k, start in enumerate(starts) if start <= int(error)))
    if (result.returncode != 0) != bool(failing):
        sys.exit(f"{opt} {' '.join(flags)}: cannot tell which section failed\n{result.stderr}")
    return failing


def evaluates(runner, folder, number, name, section):
    path = os.path.join(folder, f"{number}.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(section)
    axes = [f"--axis={axis}=2,0,3" for axis in "nm" if f"[{axis}, " in PROGRAMS[name][0]]
    entry = name.replace(" ", "_")
    return run(runner, path, f"--entry={entry}", "--target=reference", *axes).returncode == 0


def try_derivatives(opt, derivatives):
    """Fails where an op with a rule cannot be differentiated in f32."""
    tried = [name for name, derivative in derivatives.items()
             if derivative in ("yes", "inlined") and re.search(r"\bT\b|xT\b", PROGRAMS[name][2])]
    sections = [re.sub(r"^func\.func @[\w.]+", "func.func @f", program(name, "f32"), flags=re.MULTILINE)
                for name in tried]
    failed = failing_sections(opt, sections, "--ragged-propagate-schemas", "--ragged-differentiate=entry=f")
    if failed:
        sys.exit("cannot be differentiated in f32: " + ", ".join(tried[k] for k in sorted(failed)))


def main():
    build = os.path.abspath(sys.argv[1])
    source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    opt, runner = (os.path.join(build, "bin", tool) for tool in ("ragged-opt", "ragged-run"))
    families = read_families(source)
    names = [name for _, ops in families for name in ops]
    defined = set(re.findall(r"^### `ragged\.(\w+)`", read(build, "dialect", "RaggedOps.md"),
                             re.MULTILINE))
    tried = set(PROGRAMS) & set(names)
    missing = (defined | set(names)) - tried - {name.split(" ")[0] for name in tried}
    if missing:
        sys.exit(f"docs/status_table.py has no program for {', '.join(sorted(missing))}")

    cases = [(name, element_type) for name in names for element_type in ELEMENT_TYPES]
    sections = [program(*case) for case in cases]
    illegal = failing_sections(opt, sections)
    legal = [k for k in range(len(cases)) if k not in illegal]
    failed = failing_sections(opt, [sections[k] for k in legal], "--lower-to-cpu")
    lowers = {legal[k] for k in range(len(legal)) if k not in failed}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = pool.map(lambda k: evaluates(runner, folder, k, cases[k][0], sections[k]), legal)
        interpreted = {k for k, good in zip(legal, outcomes) if good}

    derivatives = {name: derivative_of(name, read_rules(source)) for name in names}
    try_derivatives(opt, derivatives)
    write_table(sys.argv[2], families, cases, illegal, interpreted, lowers, derivatives)


HEADER = """<!-- Written by docs/status_table.py; `ninja ragged-status` updates it. -->

# Status: op x element type x executor, and derivatives

Found by trying one small program for each. `reference`: the interpreter evaluates it. `cpu`: it
lowers to code for the CPU. `-`: the op does not take the type. `nothing`: the type is legal, but no
executor runs it.

Derivatives are those of the tables of rules (`passes/grad`). `ends the chain`: what the op gives is
piecewise constant. `none`: it is an error where a derivative depends on it. `inlined`: as what is called.
"""


def write_table(path, families, cases, illegal, interpreted, lowers, derivatives):
    lines = [HEADER]
    for family, ops in families:
        lines += [f"## {family}\n", "| op | " + " | ".join(ELEMENT_TYPES) + " | derivative |",
                  "|---" * (2 + len(ELEMENT_TYPES)) + "|"]
        for name in ops:
            cells = []
            for element_type in ELEMENT_TYPES:
                k = cases.index((name, element_type))
                parts = ["reference"] * (k in interpreted) + ["cpu"] * (k in lowers)
                cells.append("-" if k in illegal else ", ".join(parts) or "nothing")
            cells.append(derivatives[name])
            lines.append(f"| `{name.removeprefix('builtin ')}` | " + " | ".join(cells) + " |")
        lines.append("")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines[:-1]) + "\n")


main()
