# What the tile program says of its kernels: which buffers a kernel reads and writes, in which order within
# a row, and how many bytes that are on given lengths. Used by kernel_report.py. The text is what
# ragged-opt prints before --ragged-lower-kernels-to-gpu.
import math
import re

ELEMENT_BYTES = {"f32": 4, "f64": 8, "bf16": 2, "i64": 8, "i1": 1}


def parse_extents(text):
    """Extents and element type of a shape such as 3x4xf32."""
    *extents, element = text.split("x")
    return [int(extent) for extent in extents], element


class Ref:
    """A buffer as a kernel sees it: the axes that index it (none: one row per sample, or dense)."""

    def __init__(self, text):
        inner, shape = text.rsplit(", ", 1)
        lists = re.findall(r"\[([^\]]*)\]", inner)
        self.dense = inner == "dense"
        self.axes = [int(axis) for axis in lists[-1].split(",") if axis.strip()] if lists else []
        self.extents, element = parse_extents(shape)
        self.tail_bytes = math.prod(self.extents) * ELEMENT_BYTES[element]
        # A box has batch (0), axes and tail in any order in memory; a packed buffer has its tail last.
        order = [int(k) for k in lists[0].split(",")] if inner.startswith("box") else []
        tail = len(order) - len(self.extents)
        self.tail_last = not order or order[tail:] == list(range(tail, len(order)))


class Access:
    """A load or a store of the body; `loops`: the indices of the accumulations around it."""

    def __init__(self, ref, indices, loops, is_load):
        self.ref, self.indices, self.loops, self.is_load = ref, indices, loops, is_load


class Kernel:
    def __init__(self, name, axes, grid):
        self.name, self.axes, self.grid = name, axes, grid
        self.refs, self.loads, self.stores, self.whole = [], [], [], set()
        self.has_sample = self.has_dot = self.accumulates = False
        self.coordinates, self.indices = [], {}  # of the grid; index: its axis, None: the batch
        self.scattered = set()  # refs that are read in another order than they lie, or as a part

    # -- Bytes ---------------------------------------------------------------------------------------

    def _bounds(self, access, extents):
        """Index: how many values it takes in a sample of these extents where the access is made. A load
        beyond the buffer's extent gives a constant."""
        of_ref = self.refs[access.ref].axes
        bounds = {index: extents[self.indices[index]]
                  for index in self.coordinates + access.loops if self.indices[index] is not None}
        for k, index in enumerate(access.indices[1:]):
            if k < len(of_ref):
                bounds[index] = min(bounds[index], extents[of_ref[k]])
        return bounds

    def traffic(self, axes, buffers, batch):
        """Bytes of one launch: `minimum`: each byte that is read, read once, and each that is written,
        written once; `asked`: each different load of the body made for each row; `repeated`: what equal
        loads of the body would load beyond that. `axes`: the extents, a list per axis."""
        samples = [[axis[s] for axis in axes] for s in range(batch)] if self.has_sample else [[]]
        once, asked, repeated, seen = {}, 0, 0, set()
        for access in self.loads + self.stores:
            ref, is_load = self.refs[access.ref], access.is_load
            over_batch = any(self.indices[index] is None for index in access.loops)
            rows = turns = 0
            for extents in samples:
                bounds = self._bounds(access, extents)
                reached = math.prod(bounds.values())
                turns += reached
                if reached:
                    rows += math.prod(bounds[index] for index in set(access.indices) & set(bounds))
            if over_batch:
                rows, turns = rows * batch, turns * batch
            if ref.dense:
                rows = min(turns, 1)
            buffer = (buffers[access.ref], is_load)
            once[buffer] = max(once.get(buffer, 0), rows * ref.tail_bytes)
            same = (access.ref, tuple(access.indices), is_load)
            if same in seen:
                repeated += turns * ref.tail_bytes
            else:
                asked += turns * ref.tail_bytes
            seen.add(same)
        if any(all(extents[axis] for axis in self.grid) for extents in samples):
            for ref in self.whole:
                once[(buffers[ref], True)] = self.refs[ref].tail_bytes
        return {"minimum": sum(once.values()), "asked": asked, "repeated": repeated}

    def different_loads(self):
        """Ref: how many different loads the body makes of it, where it makes equal ones too."""
        loads = {}
        for load in self.loads:
            loads.setdefault(load.ref, []).append(tuple(load.indices))
        return {ref: len(set(made)) for ref, made in loads.items() if len(set(made)) < len(made)}

    # -- Order ---------------------------------------------------------------------------------------

    def wide_refs(self):
        """(loaded, stored): refs whose tails are a multiple of 16 bytes and accessed as they lie."""
        wide = [k for k, ref in enumerate(self.refs)
                if ref.tail_last and ref.tail_bytes and ref.tail_bytes % 16 == 0]
        loads = {load.ref for load in self.loads}
        stores = {store.ref for store in self.stores}
        return [k for k in wide if k in loads and k not in self.scattered], \
            [k for k in wide if k in stores]


def keeps_order(mapping, source, target):
    """Whether a view shows its operand's elements in their order, next to each other."""
    moved = [to for to, extent in zip(mapping, source) if extent != 1]
    kept = [k for k, extent in enumerate(target) if extent != 1]
    return not moved or moved == kept[len(kept) - len(moved):]


def parse_kernel(lines):
    head = re.match(r"\s*ragged_tile\.kernel @(\S+) axes = \[(.*?)\] grid = \[(.*?)\]", lines[0])
    kernel = Kernel(head[1], re.findall(r'"([^"]*)"', head[2]),
                    [int(axis) for axis in head[3].split(",") if axis.strip()])
    arguments = re.findall(r"(%\S+): (index|!ragged_tile\.ref<([^>]*)>)", lines[1])
    coordinates = [name for name, kind, _ in arguments if kind == "index"]
    kernel.has_sample = bool(coordinates)
    kernel.coordinates = coordinates[1:]
    kernel.indices = dict(zip(coordinates[1:], kernel.grid))
    number = {}
    for name, kind, text in arguments:
        if kind != "index":
            number[name] = len(kernel.refs)
            kernel.refs.append(Ref(text))
    sources, ref_of, views, loops, over = {}, {}, [], [], None
    for line in lines[2:]:
        match = re.match(r"\s*(?:(%\w+)(?:, %\w+)* = )?ragged_tile\.(\w+) (.*)", line)
        if not match:
            block = re.match(r"\s*\^bb0\((%\S+): index\)", line)
            if block:
                kernel.indices[block[1]] = over
                loops.append(block[1])
            elif line.strip() == "}" and loops:
                loops.pop()
            continue
        result, op, rest = match.groups()
        operands = re.findall(r"%[\w#]+", rest.split(" : ")[0])
        if op == "load" or op == "store":
            at = operands[0] if op == "load" else operands[1]
            access = Access(number[at], re.findall(r"%\w+", re.search(r"\[(.*?)\]", rest)[1]),
                            list(loops), op == "load")
            (kernel.loads if op == "load" else kernel.stores).append(access)
            if op == "load":
                ref_of[result] = number[at]
        elif op == "accumulate":
            kernel.accumulates = True
            axis = re.search(r" over (\d+) of", rest)
            over = int(axis[1]) if axis else None
        elif op in ("dot", "product_over_rows"):
            kernel.has_dot = True
            kernel.whole.update(number[name] for name in operands if name in number)
        elif op in ("elementwise", "where_equal", "convert", "view"):
            sources[result] = operands
            if op == "view":
                mapping = [int(k) for k in re.search(r"map = \[(.*?)\]", rest)[1].split(",") if k.strip()]
                source, target = re.findall(r"<([^>]*)>", rest)
                views.append((operands[0], mapping, parse_extents(source)[0], parse_extents(target)[0]))
    for value, mapping, source, target in views:
        if keeps_order(mapping, source, target):
            continue
        todo = [value]
        while todo:
            at = todo.pop()
            todo += sources.get(at, [])
            if at in ref_of:
                kernel.scattered.add(ref_of[at])
    return kernel


# ---- Host programs -------------------------------------------------------------------------------------


class Axes:
    """Extents of the axes of one entry; None where they are not known before the program runs."""

    def __init__(self, lengths, batch):
        self.lengths, self.batch, self.values, self.numbers = lengths, batch, {}, {}

    def read(self, line):
        match = re.match(r"\s*(%\S+) = arith\.constant (-?\d+) : ", line)
        if match:
            self.numbers[match[1]] = int(match[2])
            return
        match = re.match(r"\s*(%\S+) = arith\.muli (%\S+), (%\S+) : ", line)
        if match and match[2] in self.numbers and match[3] in self.numbers:
            self.numbers[match[1]] = self.numbers[match[2]] * self.numbers[match[3]]
            return
        match = re.match(r"\s*(%\S+) = ragged_tile\.(\w*axis\w*) %\w+, (.*)", line)
        if match:
            self.values[match[1]] = self._evaluate(match[2], match[3])

    def _evaluate(self, op, rest):
        names = re.findall(r'"([^"]*)"', rest)
        known = [self.values.get(name) for name in re.findall(r"%\w+", rest)]
        if op == "argument_axis":
            return self.lengths.get(names[0])
        if op == "constant_axis":
            extent = self.numbers.get(re.match(r"%\w+", rest)[0])
            return None if extent is None or self.batch is None else [extent] * self.batch
        if None in known or self.batch is None:
            return None
        if op == "envelope_axis":
            return [max(known[0], default=0)] * self.batch
        if op == "axis_expression":
            text = names[0].replace("floordiv", "//")
            scope = {"__builtins__": {}, "max": max, "min": min}
            return [eval(text, scope, dict(zip(names[1:], values))) for values in zip(*known)]
        return None


class Program:
    """Kernels by name; entries: the names of their axes, and the lines of their host programs."""

    def __init__(self, text):
        self.kernels, self.entries = {}, {}
        lines = text.splitlines()
        for k, line in enumerate(lines):
            if line.startswith("  ragged_tile.kernel "):
                end = lines.index("  }", k)
                kernel = parse_kernel(lines[k:end])
                self.kernels[kernel.name] = kernel
            match = re.match(r"  func\.func @ragged_entry_(\S+)\(", line)
            if match:
                body = lines[k + 1:lines.index("  }", k)]
                found = (re.search(r'ragged_tile\.argument_axis %\w+, \d+ "([^"]*)"', at) for at in body)
                axes = list(dict.fromkeys(at[1] for at in found if at))
                self.entries[match[1]] = (axes, body)

    def kernels_of(self, entry):
        launches = re.findall(r"ragged_tile\.launch %\w+, @(\w+) ", "\n".join(self.entries[entry][1]))
        return [self.kernels[name] for name in dict.fromkeys(launches)]

    def traffic(self, entry, lengths, batch):
        """kernel: what Kernel.traffic gives for one launch; kernels whose extents are not known lack."""
        axes, out = Axes(lengths, batch), {}
        for line in self.entries[entry][1]:
            axes.read(line)
            match = re.match(r"\s*ragged_tile\.launch %\w+, @(\w+) items (%\w+) batch (%\w+) "
                             r"axes\((.*?)\) buffers\((.*?)\)", line)
            if not match:
                continue
            kernel, items, samples = self.kernels[match[1]], axes.numbers.get(match[2]), batch
            extents = [axes.values.get(name) for name in re.findall(r"%\w+", match[4])]
            if match[3] in axes.numbers:  # over the rows of builtin tensors, which axes of the program do not say
                samples, extents = items, [None] * len(extents)
            if samples is not None and None not in extents:
                out[kernel.name] = kernel.traffic(extents, re.findall(r"%[\w#]+", match[5]), samples)
        return out
