"""Tests the tests of GPU kernels: plants faults in the text of lowered kernels, one at a time, and runs
them on the emulated device against the reference. Run by `make faults-nvvm` (half a minute).

  plant_nvvm.py --opt ragged-opt --run run-all-lengths [--short] [--only NAME] [--keep FOLDER]

Prints what caught each fault: a check of the device, or a wrong result. Exits 1 unless at least nine of
ten are caught, or if a fault no longer applies to the text, or makes it something that does not compile.
--short: only those marked so, all of which must be caught."""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass

PROGRAMS = pathlib.Path(__file__).parent / "Inputs" / "nvvm_programs.mlir"
TIMEOUT = 120

ADD_MUL_ADDRESS = r"(\n +%\d+ = llvm\.add .*\n +%\d+ = llvm\.mul .*\n +%\d+ = llvm\.getelementptr %arg5\[)"


@dataclass
class Fault:
    name: str
    function: str          # of PROGRAMS
    kernel: str            # how the name of its GPU function begins
    pattern: str           # what stands there
    planted: str
    match: int = 0         # which of the places
    constant: str = ""     # %fault in what is planted
    lengths: str = ""      # instead of all vectors; see run_all_lengths.c
    short: bool = False


FAULTS = [
    Fault("off by one: elements after the last whole access", "elements", "elements_0",
          r'llvm\.icmp "slt" (%\d+, %\d+)', r'llvm.icmp "sle" \1', match=1, short=True),
    Fault("alignment raised", "elements", "elements_0",
          r"\{alignment = 4 : i64\} : (.*) -> f32", r"{alignment = 16 : i64} : \1 -> f32"),
    Fault("stride wrong: threads begin one element apart, not one access", "elements", "elements_0",
          r"llvm\.mul (%\d+), %\d+ : i64(\n +llvm\.br)", r"llvm.mul \1, %fault : i64\2", constant="1 : i64"),
    Fault("search bound wrong: the last sample is never found", "pairs", "pairs_0",
          r"( +)llvm\.br (\^bb\d+)\((%\d+), %arg2 : i64, i64\)",
          r"\1%fewer = llvm.sub %arg2, %fault : i64\n\1llvm.br \2(\3, %fewer : i64, i64)",
          constant="1 : i64"),
    Fault("search wrong: the first row of a sample belongs to the one before", "pairs", "pairs_0",
          r'llvm\.icmp "sle"', 'llvm.icmp "slt"'),
    Fault("order and offsets of the samples swapped", "pairs", "pairs_0",
          r"%arg12(\[%\d+\](?:.*\n){5}.*getelementptr) %arg11", r"%arg11\1 %arg12"),
    Fault("barrier dropped: before the samples of a block's ends are read", "pairs", "pairs_0",
          r"nvvm\.barrier0", "", short=True),
    Fault("barrier dropped: before the table of samples is read", "pairs", "pairs_0",
          r"nvvm\.barrier0", "", match=1),
    Fault("the table of samples lacks the last", "pairs", "pairs_0",
          r'llvm\.icmp "slt" (%\d+), %\d+ : i64(\n.*\n.*\n +%\d+ = llvm\.add .*\n.*getelementptr %arg12)',
          r'llvm.icmp "slt" \1, %fault : i64\2', constant="1 : i64"),
    Fault("two words of a sample lie on each other", "pairs", "pairs_0",
          r"constant\(1026 : i64\)", "constant(1282 : i64)"),
    Fault("row and column swapped", "pairs", "pairs_0",
          r"llvm\.urem (.*\n.*)llvm\.udiv", r"llvm.udiv \1llvm.urem"),
    Fault("stride wrong: rows of a pair are as long as there are of them", "pairs", "pairs_0",
          r"llvm\.mul (%\d+), %\d+ : i64" + ADD_MUL_ADDRESS, r"llvm.mul \1, \1 : i64\2"),
    Fault("warp barrier dropped: after what lane 0 computed", "norm", "norm_0",
          r"nvvm\.bar\.warp\.sync %\d+ : i32", "", match=2, short=True),
    # Of the variance: what is wrong in the mean, the next sum takes back.
    Fault("shuffle distance halved", "norm", "norm_0",
          r"nvvm\.shfl\.sync +bfly (%\d+), (%\d+), %\d+,", r"nvvm.shfl.sync bfly \1, \2, %fault,", match=14,
          constant="8 : i32", short=True),
    Fault("shuffle left out", "norm", "norm_0",
          r"llvm\.fadd (%\d+), %\d+ (\{[^}]*\} : f32)", r"llvm.fadd \1, \1 \2", match=11),
    Fault("group mask wrong: half a warp", "norm", "norm_0",
          r"constant\(-1 : i32\)", "constant(65535 : i32)", short=True),
    Fault("lane 0 guard dropped", "norm", "norm_0",
          r"llvm\.cond_br %\d+, (\^bb\d+), \^bb\d+(\n +\^bb\d+:.*\n +llvm\.store .* f32, !llvm\.ptr<3>)",
          r"llvm.br \1\2"),
    Fault("shared offset moved: two row arrays overlap", "norm", "norm_0",
          r"(getelementptr %\d+)\[528\]", r"\1[448]"),
    Fault("shared stride too small: the arrays of two warps overlap", "norm", "norm_0",
          r"constant\(2128 : i64\)", "constant(2048 : i64)"),
    Fault("barrier dropped: before weights are read from shared memory", "norm", "norm_0",
          r"nvvm\.barrier0", ""),
    Fault("a thread too few copies weights", "norm", "norm_0",
          r'llvm\.icmp "slt" (%\d+), %\d+ : i32(\n +llvm\.cond_br %\d+, \^bb1,)',
          r'llvm.icmp "slt" \1, %fault : i32\2', constant="31 : i32"),
    Fault("the maximum of nothing is 0", "total", "total_1",
          r"constant\(0xFF800000 : f32\)", "constant(0.000000e+00 : f32)", short=True),
    Fault("barrier dropped: before the sums of all warps are read", "total", "total_0",
          r"nvvm\.barrier0", "", match=1),
    Fault("barrier inside the guard of those that write", "total", "total_0",
          r"( +llvm\.br (\^bb\d+)\n +\2:.*\n) +nvvm\.barrier0\n", r"      nvvm.barrier0\n\1"),
    Fault("guard dropped: a thread without an element writes", "total", "total_0",
          r"llvm\.and (%\d+), (%\d+) : i1", r"llvm.and \2, \2 : i1"),
    Fault("guard inverted: threads without an element sum, the others do not", "total", "total_0",
          r"llvm\.select (%\d+), (%\d+), (%\d+) : i1, i64", r"llvm.select \1, \3, \2 : i1, i64"),
    Fault("step wrong: positions are counted twice", "total", "total_0",
          r"(llvm\.add %\d+), %\d+( : i64\n +llvm\.br .*f32, f32, f32\))", r"\1, %fault\2",
          constant="32 : i64"),
    Fault("partial sums lie on each other", "total", "total_0",
          r"llvm\.mul (%\d+), %\d+ : i32(\n.*zext.*\n.*getelementptr.*\n +llvm\.store)",
          r"llvm.mul \1, %fault : i32\2", constant="2 : i32"),
    Fault("off by one: the last position of a column is left out", "columns", "columns_0",
          r'(vector<2xf32>\):.*\n)( +)(%\d+) = llvm\.icmp "slt" (%\d+), (%\d+) : i64',
          r'\1\2%less = llvm.sub \5, %fault : i64\n\2\3 = llvm.icmp "slt" \4, %less : i64',
          constant="1 : i64"),
    Fault("compensation dropped", "tenths", "tenths_1",
          r"llvm\.fsub (%\d+), %\d+ : vector<2xf32>", r"llvm.fsub \1, %fault : vector<2xf32>",
          constant="dense<0.0> : vector<2xf32>", lengths="20000/1"),
    Fault("too many rows in the last block", "product", "product_0",
          r"llvm\.intr\.smin\(%\d+, (%\d+)\)", r"llvm.intr.smin(\1, \1)"),
    Fault("barrier dropped: between a norm and its product", "product", "product_0",
          r"nvvm\.barrier0", ""),
    Fault("barrier dropped: before a product's tiles are read", "product", "ragged_product",
          r"nvvm\.barrier0", ""),
    Fault("barrier dropped: before the next tiles are written", "product", "ragged_product",
          r"nvvm\.barrier0", "", match=1),
    Fault("mask dropped: rows beyond the block", "product", "ragged_product",
          r"llvm\.and (%\d+), (%\d+) : i1", r"llvm.and \2, \2 : i1"),
    Fault("mask dropped: columns beyond the product", "product", "ragged_product",
          r"llvm\.and (%\d+), (%\d+) : i1(\n.*\n +\^bb\d+:.*\n.*getelementptr %arg2)",
          r"llvm.and \1, \1 : i1\3"),
    Fault("the second tile begins in the first", "product", "ragged_product",
          r"\[4352\]", "[4096]"),
    Fault("stride of a tile wrong where it is written", "product", "ragged_product",
          r"llvm\.mul (%\d+), %\d+ : i64(\n.*\n.*getelementptr %arg5.*\n +llvm\.store)",
          r"llvm.mul \1, %fault : i64\2", constant="64 : i64"),
    Fault("the same bias for all columns", "product", "ragged_product",
          r"getelementptr %arg2\[%\d+\]", "getelementptr %arg2[%fault]", match=1, constant="0 : i64"),
]

# What a message says -> what caught the fault.
CHECKS = [("out of bounds", "bounds"), ("not aligned", "alignment"), ("race: ", "races"),
          ("never written", "written"), ("mask", "warp operations"), ("barrier", "barriers"),
          ("error / allowed error", "wrong result"), ("bits differ", "wrong result"),
          ("differs beside", "wrong result"), ("differs alone", "wrong result")]


def run(command):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "no end")


def plant(text, fault):
    start = text.find("llvm.func @" + fault.kernel)
    start = text.find("llvm.func internal @" + fault.kernel) if start < 0 else start
    end = text.find("llvm.func ", start + 1)
    head, body, tail = text[:start], text[start:end], text[end:]
    if end < 0:
        head, body, tail = text[:start], text[start:], ""
    places = list(re.finditer(fault.pattern, body))
    if start < 0 or len(places) <= fault.match:
        sys.exit(f"the text of '{fault.name}' is not in the kernel '{fault.kernel}...'")
    place = places[fault.match]
    planted = place.expand(fault.planted)
    if planted == place.group():
        sys.exit(f"'{fault.name}' changes nothing")
    body = body[:place.start()] + planted + body[place.end():]
    if fault.constant:
        first = body.index("\n") + 1
        body = body[:first] + f"      %fault = llvm.mlir.constant({fault.constant}) : " \
            f"{fault.constant.split(' : ')[1]}\n" + body[first:]
    return head + body + tail


class Bench:
    """The programs in files, and their lowered texts."""

    def __init__(self, options, folder):
        self.options, self.folder, self.texts = options, folder, {}
        for part in PROGRAMS.read_text().split("// -----"):
            name = re.search(r"func\.func @(\w+)", part)[1]
            (folder / f"{name}.mlir").write_text(part)
            lowered = subprocess.run([options.opt, str(folder / f"{name}.mlir"),
                                      "--lower-to-nvvm=format=nvvm"], capture_output=True, text=True)
            if lowered.returncode:
                sys.exit(lowered.stderr)
            self.texts[name] = lowered.stdout

    def run(self, function, text, lengths):
        lowered = self.folder / "lowered.mlir"
        lowered.write_text(text)
        return run([self.options.run, f"--lowered={lowered}"] +
                   ([f"--lengths={lengths}"] if lengths else []) + [str(self.folder / f"{function}.mlir")])

    def caught(self, fault):
        """What caught it, and the first line that says so; None: nothing."""
        done = self.run(fault.function, plant(self.texts[fault.function], fault), fault.lengths)
        if not done.returncode:
            return None
        line = next((x for x in done.stdout.splitlines() if "batch " in x), "")
        if not line:
            sys.exit(f"'{fault.name}' is no program any more:\n{done.stdout[:2000]}")
        what = next((check for words, check in CHECKS if words in line), "another error")
        return what, re.sub(r"^.*?batch \d+: ", "", line)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opt", required=True)
    parser.add_argument("--run", required=True)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--only", default="", help="faults whose name holds this")
    parser.add_argument("--keep", help="folder for the programs and the last text")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(options.keep or made)
        folder.mkdir(parents=True, exist_ok=True)
        bench = Bench(options, folder)
        chosen = [f for f in FAULTS if options.only in f.name and (f.short or not options.short)]
        for function, lengths in sorted({(f.function, f.lengths) for f in chosen}):
            done = bench.run(function, bench.texts[function], lengths)
            if done.returncode:
                sys.exit(f"{function} fails without a fault:\n{done.stdout}")
        found = [bench.caught(f) for f in chosen]
        for fault, result in zip(chosen, found):
            print(f"caught by {result[0]}: {fault.name}\n    {result[1]}" if result else
                  f"MISSED: {fault.name}")
    caught = len([r for r in found if r])
    print(f"{caught} of {len(chosen)} faults caught")
    required = len(chosen) if options.short else 0.9 * len(chosen)
    return 0 if chosen and caught >= required else 1


sys.exit(main())
