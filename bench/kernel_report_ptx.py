# What can be seen of a kernel without running it: its launch in the host code, its PTX, what ptxas says,
# and how many warps of it fit on a multiprocessor. Used by kernel_report.py.
import os
import re
import shutil
import subprocess
import tempfile

# ---- Occupancy -----------------------------------------------------------------------------------

# Per multiprocessor: NVIDIA, CUDA C++ Programming Guide, appendix "Compute Capabilities", table
# "Technical Specifications per Compute Capability". Shared memory in KiB.
LIMITS = {
    "sm_80": {"warps": 64, "blocks": 32, "registers": 65536, "shared": 164},
    "sm_86": {"warps": 48, "blocks": 16, "registers": 65536, "shared": 100},
    "sm_89": {"warps": 48, "blocks": 24, "registers": 65536, "shared": 100},
    "sm_90": {"warps": 64, "blocks": 32, "registers": 65536, "shared": 228},
}
# Units of allocation for all of these chips: cuda_occupancy.h of the CUDA toolkit. A warp gets registers
# of one of four parts of the multiprocessor; a block pays 1 KiB of shared memory to the system.
WARP, PARTS, REGISTER_UNIT, SHARED_UNIT, SHARED_OF_SYSTEM = 32, 4, 256, 128, 1024


def round_up(value, unit):
    return -(-value // unit) * unit


def occupancy(chip, registers, shared, threads):
    """(resident warps / possible warps, what limits them); None for an unknown chip."""
    limits = LIMITS.get(chip)
    if not limits or not threads:
        return None
    warps = -(-threads // WARP)  # of a block
    blocks = {"threads": limits["warps"] // warps, "blocks": limits["blocks"]}
    if registers:
        of_warp = round_up(registers * WARP, REGISTER_UNIT)
        resident = limits["registers"] // PARTS // of_warp * PARTS
        blocks["registers"] = resident // warps
    of_block = round_up(shared + SHARED_OF_SYSTEM, SHARED_UNIT)
    blocks["shared memory"] = limits["shared"] * 1024 // of_block
    limit = min(blocks, key=blocks.get)
    return blocks[limit] * warps / limits["warps"], limit


# ---- Launches in the host code ---------------------------------------------------------------------


def parse_launches(module):
    """Constants of each kernel's launch, from calls of the runtime."""
    strings = dict(re.findall(r'llvm\.mlir\.global internal constant @(\w+)\("([^"]*)\\00"\)', module))
    launches = {}
    for function in re.split(r"^  llvm\.func ", module, flags=re.MULTILINE)[1:]:
        for values, call in launch_calls(function, strings):
            words = [values.get(word) for word in call]
            names = ("rows_per_block", "threads", "dynamic_shared", "scratch_per_block",
                     "bytes_per_row", "flops_per_row")
            launches[words[2]] = dict(zip(names, words[7:13]))
    return launches


def launch_calls(function, strings):
    """(values by name, operands) of each launch of a function; once for each edge to its block, since equal
    launches of two branches may have become one."""
    values = {name: int(number) for name, number in
              re.findall(r"(%\w+) = llvm\.mlir\.constant\((-?\d+) : i64\)", function)}
    values.update((name, strings.get(of)) for name, of in
                  re.findall(r"(%\w+) = llvm\.mlir\.addressof @(\w+)", function))
    edges = {}
    for line in re.findall(r"llvm\.(?:cond_)?br .*", function):
        for block, passed in re.findall(r"\^(\w+)(?:\(([^:)]*) : )?", line):
            edges.setdefault(block, []).append(passed.split(", "))
    for block in re.split(r"^  \^", function, flags=re.MULTILINE):
        head = re.match(r"(\w+)\(([^)]*)\):", block)
        parameters = re.findall(r"%\w+", head[2]) if head else []
        for passed in edges.get(head[1], [[]]) if head else [[]]:
            own = dict(values, **{to: values.get(of) for to, of in zip(parameters, passed)})
            for call in re.findall(r"llvm\.call @ragged_rt_frame_launch_(?:grid|product)\(([^)]*)\)", block):
                yield own, call.split(", ")


# ---- PTX ------------------------------------------------------------------------------------------


def unescape(text):
    """A string as MLIR prints it: two hexadecimal digits, or the character itself, after a backslash."""
    return re.sub(r"\\([0-9A-Fa-f]{2}|.)",
                  lambda m: chr(int(m[1], 16)) if len(m[1]) == 2 else m[1], text)


def parse_objects(module):
    """PTX by chip, of every gpu.binary in a module."""
    pattern = r'#gpu\.object<#nvvm\.target<[^>]*?chip = "(\w+)"[^>]*>[^"]*?assembly = "((?:[^"\\]|\\.)*)"'
    return {chip: unescape(text).rstrip("\0") for chip, text in re.findall(pattern, module)}


def split_functions(ptx):
    """name: (is an entry, lines of the body)."""
    functions, name, entry, body = {}, None, False, None
    for line in ptx.splitlines():
        match = re.match(r"(?:\.visible |\.weak )?\.(entry|func)(?:\s+\([^)]*\))?\s+([\w$]+)\(?", line)
        if match:
            name, entry, body = match[2], match[1] == "entry", None
        elif line == "{":
            body = []
        elif line == "}" and body is not None:
            functions[name] = (entry, body)
            body = None
        elif body is not None:
            body.append(line)
    return functions


INSTRUCTION = re.compile(r"\s*(?:@!?%p\d+\s+)?([a-z][\w.:]*)\s*(.*?);")
COUNTED = {
    "mma": r"(mma|wgmma)\.", "ex2": r"ex2\.", "div_float": r"div\.\w+\.(.*\.)?f(32|64)$",
    "div_32": r"div\.[su]32$", "div_64": r"div\.[su]64$",
    "rem_32": r"rem\.[su]32$", "rem_64": r"rem\.[su]64$",
    "local": r"(ld|st)\.local\.", "generic": r"(ld|st)\.(volatile\.)?(v\d\.)?[bsuf]\d+$",
    "shuffles": r"shfl\.", "barriers": r"(bar|barrier)\.",
}
COUNTED = {key: re.compile(pattern) for key, pattern in COUNTED.items()}


def access_bytes(opcode):
    vector = re.search(r"\.v(\d)", opcode)
    return int(re.search(r"\.[bsuf](\d+)$", opcode)[1]) // 8 * (int(vector[1]) if vector else 1)


class Flow:
    """The blocks of a function and the loops around each."""

    def __init__(self, lines):
        self.block_of, self.next = [], [[]]  # of a line; of a block
        labels, jumps, open_ = {}, [], True  # open_: the block runs on into the next line
        for line in lines:
            label = re.match(r"(\$L\w+):", line)
            if label or not open_:
                self.next.append([])
                if open_:
                    self.next[-2].append(len(self.next) - 1)
                if label:
                    labels[label[1]] = len(self.next) - 1
                open_ = True
            self.block_of.append(len(self.next) - 1)
            jump = re.match(r"\s*(@!?%p\d+\s+)?(bra\S*|ret)\b\s*(\$L\w+)?", line)
            if jump:
                if jump[3]:
                    jumps.append((len(self.next) - 1, jump[3]))
                open_ = False
                if jump[1]:
                    self.next.append([])
                    self.next[-2].append(len(self.next) - 1)
                    open_ = True
        for block, label in jumps:
            if label in labels:
                self.next[block].append(labels[label])
        self.depth = [0] * len(self.next)
        for header, body in self._loops().items():
            for block in body:
                self.depth[block] += 1

    def _loops(self):
        """Header of a loop: its blocks. Every loop of compiled code has one header."""
        state, loops, before = [0] * len(self.next), {}, [[] for _ in self.next]
        for block, after in enumerate(self.next):
            for to in after:
                before[to].append(block)
        stack = [(0, iter(self.next[0]))]
        state[0] = 1
        while stack:
            block, after = stack[-1]
            to = next(after, None)
            if to is None:
                state[block] = 2
                stack.pop()
            elif state[to] == 1:
                body, todo = loops.setdefault(to, {to}), [block]
                while todo:
                    at = todo.pop()
                    if at not in body:
                        body.add(at)
                        todo += before[at]
            elif state[to] == 0:
                state[to] = 1
                stack.append((to, iter(self.next[to])))
        return loops


class Body:
    """One function: counts of instructions, calls, and global accesses by the parameter whose pointer
    they use, whatever is added to it. Registers are followed without regard to the order of the code:
    a register that ever holds an address of a parameter counts as one."""

    def __init__(self, name, lines):
        self.counts = dict.fromkeys(COUNTED, 0)
        self.calls = set()
        self.uses_depot = False
        self.accesses = []  # (ld or st, bytes, parameters, loops around it)
        origins, moves, addresses, flow = {}, [], [], Flow(lines)
        for line, block in zip(lines, flow.block_of):
            self.uses_depot = self.uses_depot or ".local " in line
            match = INSTRUCTION.match(line)
            if not match:
                continue
            opcode, operands = match[1], match[2]
            for key, pattern in COUNTED.items():
                self.counts[key] += bool(pattern.match(opcode))
            registers = re.findall(r"%rd\d+", operands)
            if opcode.startswith("call"):
                self.calls.update(re.findall(r"\b(\w+), \(", operands))
            elif opcode.startswith("ld.param"):
                parameter = re.search(re.escape(name) + r"_param_(\d+)", operands)
                if parameter and registers:
                    origins.setdefault(registers[0], set()).add(int(parameter[1]))
            elif re.match(r"(ld|st)\.global", opcode):
                at = re.search(r"\[(%rd\d+)", operands)
                addresses.append((opcode[:2], access_bytes(opcode), at[1] if at else None,
                                  flow.depth[block]))
            elif re.match(r"(add|sub|mov|selp|cvta)\b", opcode) and len(registers) > 1:
                moves.append((registers[0], registers[1:]))
            elif opcode.startswith("mad.lo") and len(registers) > 1:
                moves.append((registers[0], registers[-1:]))  # offset * stride + base
        self._follow(origins, moves)
        for kind, size, register, depth in addresses:
            self.accesses.append((kind, size, frozenset(origins.get(register, ())), depth))

    @staticmethod
    def _follow(origins, moves):
        changed = True
        while changed:
            changed = False
            for to, sources in moves:
                known = origins.setdefault(to, set())
                before = len(known)
                for source in sources:
                    known |= origins.get(source, set())
                changed = changed or len(known) != before


def analyse_ptx(ptx):
    """entry: (counts with those of the functions that it calls, its accesses, names of these)."""
    functions = split_functions(ptx)
    bodies = {name: Body(name, lines) for name, (_, lines) in functions.items()}
    out = {}
    for name, (entry, _) in functions.items():
        if not entry:
            continue
        reached, todo = [], [name]
        while todo:
            at = todo.pop()
            if at in bodies and at not in reached:
                reached.append(at)
                todo += bodies[at].calls
        counts = {key: sum(bodies[at].counts[key] for at in reached) for key in COUNTED}
        counts["depot"] = any(bodies[at].uses_depot for at in reached)
        out[name] = (counts, bodies[name].accesses, reached)
    return out


# ---- ptxas ------------------------------------------------------------------------------------------


def find_ptxas():
    path = shutil.which("ptxas")
    for variable in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"):
        if not path and os.environ.get(variable):
            path = shutil.which("ptxas", path=os.path.join(os.environ[variable], "bin"))
    return path


def run_ptxas(ptxas, chip, ptx):
    """Function: registers, static_shared (entries only), stack, spill. RuntimeError when it fails."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "kernels.ptx")
        with open(source, "w") as file:
            file.write(ptx)
        done = subprocess.run([ptxas, "-v", "-O3", "-arch=" + chip, source, "-o", os.devnull],
                              capture_output=True, text=True)
    text = done.stderr + done.stdout
    if done.returncode:
        raise RuntimeError(f"ptxas refuses the code for {chip}: {text.strip()}")
    functions, name = {}, None
    for line in text.splitlines():
        match = re.search(r"Compiling entry function '(\w+)'", line) or \
            re.search(r"Function properties for (\w+)", line)
        if match:
            name = match[1]
            functions.setdefault(name, {"registers": 0, "static_shared": 0, "stack": 0, "spill": 0})
        match = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", line)
        if match:
            functions[name]["stack"] = int(match[1])
            functions[name]["spill"] = int(match[2]) + int(match[3])
        match = re.search(r"Used (\d+) registers", line)
        if match:
            functions[name]["registers"] = int(match[1])
            shared = re.search(r"(\d+)(?:\+\d+)? bytes smem", line)
            functions[name]["static_shared"] = int(shared[1]) if shared else 0
    return functions
