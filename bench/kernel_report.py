#!/usr/bin/env python3
"""Prints what the GPU kernels of a ragged program cost: one row per kernel and chip.

    kernel_report.py PROGRAM.mlir [--entry F]... [--axis n=30,40]... [--chips sm_80,sm_90] [--json FILE]

Registers, spills, stack, shared memory and warp occupancy come from NVIDIA's ptxas, which needs no GPU;
without it these columns are empty. Bytes that a kernel moves come from a run on the emulated device, for
which every axis of the function needs its lengths. docs/kernel-report.md says what each column means.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import kernel_report_ptx as ptx
import kernel_report_tiles as tiles

WIDTHS = ("1", "2", "4", "8", "16", "other")


def find_tool(name):
    build = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "build", "bin")
    path = shutil.which(name) or shutil.which(name, path=build)
    if not path:
        sys.exit(f"kernel_report.py: error: {name} is neither on PATH nor in the folder build/bin")
    return path


def run_tool(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:  # between dumps of the program
        errors = [line for line in done.stderr.splitlines() if "error:" in line]
        sys.exit(f"kernel_report.py: error: {' '.join(command[:2])}: {(errors or [done.stderr.strip()])[0]}")
    return done


# ---- The run on the emulated device -------------------------------------------------------------------


def parse_counts(text):
    """kernel: what `ragged-run --stats` prints of it."""
    counts, header = {}, None
    for line in text.splitlines():
        words = line.split()
        if line.startswith("kernel "):
            header = words[1]
        elif header == "calls" and len(words) == 7:
            counts[words[0]] = {"rows": int(words[2])}
        elif header == "launches" and len(words) == 22:
            names = ("launches", "blocks", "all_threads", "barriers_met", "warp_operations", "loaded",
                     "stored", "sectors_loaded", "sectors_stored")
            numbers = [int(word) for word in words[1:]]
            counts[words[0]].update(zip(names, numbers))
            counts[words[0]]["loads"] = dict(zip(WIDTHS, numbers[9:15]))
            counts[words[0]]["stores"] = dict(zip(WIDTHS, numbers[15:21]))
        elif line.startswith("memory:"):
            break
    return counts


def run_emulated(path, entry, axes, lengths):
    """(counts by kernel, None), or (None, why there are none)."""
    missing = [axis for axis in axes if axis not in lengths]
    if missing:
        return None, "no --axis " + ", ".join(missing)
    # One function of a large program compiles faster alone.
    alone = run_tool([find_tool("ragged-opt"), path, f"--symbol-privatize=exclude={entry}", "--symbol-dce"])
    options = ["--entry=" + entry, "--target=emulated", "--stats"]
    for axis in axes:
        options += ["--axis", f"{axis}={','.join(map(str, lengths[axis]))}"]
    batch = batch_of(lengths)
    if batch is not None:
        options += ["--batch", str(batch)]
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "entry.mlir")
        with open(program, "w") as file:
            file.write(alone.stdout)
        done = subprocess.run([find_tool("ragged-run"), program] + options, capture_output=True, text=True)
    if done.returncode:
        return None, done.stderr.strip().splitlines()[0]
    return parse_counts(done.stdout), None


def batch_of(lengths):
    return len(next(iter(lengths.values()))) if lengths else None


# ---- Rows -----------------------------------------------------------------------------------------------


SECTOR = 32  # bytes
FIRST_BUFFER = 3  # a kernel's parameters: the number of items, scratch, the batch, its buffers, the rest


def describe_accesses(kernel, accesses):
    """Two times: buffer of the kernel: widths of the instructions that access it, one for each."""
    loads, stores = {}, {}
    for kind, size, parameters, _ in accesses:
        for parameter in parameters:
            if 0 <= parameter - FIRST_BUFFER < len(kernel.refs):
                out = loads if kind == "ld" else stores
                out.setdefault(parameter - FIRST_BUFFER, []).append(size)
    return loads, stores


def merges_loads(kernel, loads):
    """Whether the code makes equal loads of the tile program once: not more instructions of the widest
    kind than there are different loads."""
    return all(loads.get(ref, []).count(max(loads.get(ref, [0]))) <= count
               for ref, count in kernel.different_loads().items())


def most_loaded(kernel, launch, accesses, run):
    """What the code can load at most where it has no loops but that over the rows, in which each thread of
    a row makes each load at most once; None where that is not so."""
    rows = launch["rows_per_block"]
    if kernel.accumulates or kernel.has_dot or rows > launch["threads"] or launch["threads"] % rows:
        return None
    buffers = range(FIRST_BUFFER, FIRST_BUFFER + len(kernel.refs))
    of_thread = 0
    for kind, size, parameters, depth in accesses:
        if kind == "ld" and any(parameter in buffers for parameter in parameters):
            if depth > 1:
                return None
            of_thread += size
    return of_thread * launch["threads"] // rows * run["rows"]


def describe_traffic(kernel, launch, accesses, run, traffic):
    """What the emulated device counted, and what it consists of. It runs the code before LLVM has
    optimised it: where the PTX shows that its threads request less, that is taken."""
    out = {"moved": SECTOR * (run["sectors_loaded"] + run["sectors_stored"]),
           "counted": run["loaded"] + run["stored"]}
    out["requested"] = out["counted"]
    if not traffic:
        return out
    loads, _ = describe_accesses(kernel, accesses)
    traffic = {key: value * run["launches"] for key, value in traffic.items()}
    if not kernel.has_dot and merges_loads(kernel, loads):
        out["requested"] -= traffic["repeated"]
    out["minimum"] = traffic["minimum"]
    out["ratio"] = out["moved"] / traffic["minimum"] if traffic["minimum"] else None
    metadata = None
    # Offsets, extents and orders have 8 bytes. Nothing else has in most kernels.
    if not any(8 in widths for widths in loads.values()):
        metadata = 8 * run["loads"]["8"]
    most = most_loaded(kernel, launch, accesses, run)
    if most is not None and metadata is not None:
        most += metadata + run["stored"]
        if traffic["asked"] + metadata <= most < out["requested"]:
            out["requested"] = most
    if not kernel.has_dot:
        out["asked"] = traffic["asked"]
        if metadata is not None:
            out["metadata"] = metadata
            out["again"] = out["requested"] - out["asked"] - metadata
    return out


def make_row(entry, kernel, chip, launch, instructions, assembled, run, traffic):
    counts, accesses, reached = instructions
    loads, stores = describe_accesses(kernel, accesses)
    wide_loads, wide_stores = kernel.wide_refs()
    row = {"entry": entry, "kernel": kernel.name, "chip": chip, "has_product": kernel.has_dot, **launch,
           "instructions": counts,
           "load_widths": {k: sorted(set(v)) for k, v in sorted(loads.items())},
           "store_widths": {k: sorted(set(v)) for k, v in sorted(stores.items())},
           # Buffers whose rows allow 16 bytes; whether all that the kernel loads or stores do.
           "wide_loads": wide_loads, "wide_stores": wide_stores,
           "all_loads_wide": set(wide_loads) == {at.ref for at in kernel.loads},
           "all_stores_wide": set(wide_stores) == {at.ref for at in kernel.stores}}
    if assembled:
        own = assembled[kernel.name]
        called = [assembled[name] for name in reached if name in assembled]
        row.update(own, spill=sum(at["spill"] for at in called),
                   stack=max(at["stack"] for at in called))
        shared = own["static_shared"] + launch["dynamic_shared"]
        fits = ptx.occupancy(chip, own["registers"], shared, launch["threads"])
        if fits:
            row["occupancy"], row["limited_by"] = fits
    if run:
        row.update(run, **describe_traffic(kernel, launch, accesses, run, traffic))
    return row


def report(path, entries, lengths_of, chips):
    """(rows, notes). `entries`: None for all; `lengths_of`(program, entry) gives the lengths by axis; null:
    nothing is run."""
    done = run_tool([find_tool("ragged-opt"), path, f"--lower-to-nvvm=format=isa chips={','.join(chips)}",
                     "--mlir-print-ir-before=ragged-lower-kernels-to-gpu"])
    program = tiles.Program(done.stderr)
    launches, objects = ptx.parse_launches(done.stdout), ptx.parse_objects(done.stdout)
    unknown = [entry for entry in entries or [] if entry not in program.entries]
    if unknown:
        sys.exit(f"kernel_report.py: error: '{path}' has no public function '{unknown[0]}'")
    notes, runs = [], {}
    for entry in entries or program.entries:
        runs[entry] = ({}, {})
        if not lengths_of or not program.kernels_of(entry):
            continue
        lengths = lengths_of(program, entry)
        counts, why = run_emulated(path, entry, program.entries[entry][0], lengths)
        if why:
            notes.append(f"{entry} was not run on the emulated device: {why}")
        else:
            runs[entry] = (counts, program.traffic(entry, lengths, batch_of(lengths)))
    ptxas, rows = ptx.find_ptxas(), []
    if not ptxas:
        notes.append("ptxas was not found: no registers, spills, stack, static shared memory, occupancy")
    for chip in chips:
        assembled = ptx.run_ptxas(ptxas, chip, objects[chip]) if ptxas else None
        instructions = ptx.analyse_ptx(objects[chip])
        for entry, (counts, traffic) in runs.items():
            for kernel in program.kernels_of(entry):
                rows.append(make_row(entry, kernel, chip, launches[kernel.name],
                                     instructions[kernel.name], assembled, counts.get(kernel.name),
                                     traffic.get(kernel.name)))
    return rows, notes


# ---- The table ---------------------------------------------------------------------------------------------


def text_of(value):
    return "" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)


def widths_of(by_ref):
    return " ".join(map(str, sorted(set().union(*map(set, by_ref.values()))))) if by_ref else ""


def occupancy_of(row):
    return f"{100 * row['occupancy']:.0f}% {row['limited_by']}" if "occupancy" in row else None


COLUMNS = (
    ("kernel", lambda row: row["kernel"]), ("chip", lambda row: row["chip"]),
    ("regs", lambda row: row.get("registers")), ("spill", lambda row: row.get("spill")),
    ("stack", lambda row: row.get("stack")),
    ("smem", lambda row: f"{row.get('static_shared', '?')}+{row['dynamic_shared']}"),
    ("threads", lambda row: row["threads"]), ("occupancy", occupancy_of),
    ("B/row", lambda row: row["bytes_per_row"]), ("flop/row", lambda row: row["flops_per_row"]),
    ("moved", lambda row: row.get("moved")), ("minimum", lambda row: row.get("minimum")),
    ("ratio", lambda row: row.get("ratio")), ("requested", lambda row: row.get("requested")),
    ("asked", lambda row: row.get("asked")),
    ("metadata", lambda row: row.get("metadata")), ("again", lambda row: row.get("again")),
    ("loads", lambda row: widths_of(row["load_widths"])),
    ("stores", lambda row: widths_of(row["store_widths"])),
) + tuple((title, lambda row, key=key: row["instructions"][key]) for title, key in (
    ("mma", "mma"), ("ex2", "ex2"), ("fdiv", "div_float"), ("div32", "div_32"), ("div64", "div_64"),
    ("rem32", "rem_32"), ("rem64", "rem_64"), ("local", "local"), ("shfl", "shuffles"),
    ("bar", "barriers")))


def print_table(rows):
    table = [[title for title, _ in COLUMNS]]
    table += [[text_of(value(row)) for _, value in COLUMNS] for row in rows]
    widths = [max(len(line[k]) for line in table) for k in range(len(COLUMNS))]
    for line in table:
        print("  ".join(word.ljust(width) if k < 2 else word.rjust(width)
                        for k, (word, width) in enumerate(zip(line, widths))).rstrip())


def parse_axis(text):
    match = re.fullmatch(r"([^=]+)=(\d+(?:,\d+)*)", text)
    if not match:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=LENGTH,LENGTH,...")
    return match[1], [int(length) for length in match[2].split(",")]


def main():
    parser = argparse.ArgumentParser(description="What the GPU kernels of a ragged program cost.")
    parser.add_argument("program")
    parser.add_argument("--entry", action="append", help="a public function; default: all of them")
    parser.add_argument("--axis", action="append", type=parse_axis, default=[],
                        help="NAME=LENGTHS, one per sample; those that a function lacks are left out")
    parser.add_argument("--chips", default="sm_80,sm_90", help="default: sm_80,sm_90")
    parser.add_argument("--json", help="a file for all that is known of each row")
    options = parser.parse_args()
    lengths = dict(options.axis)
    if len(lengths) < len(options.axis):
        parser.error("an axis is given twice")
    if "" in options.chips.split(","):
        parser.error(f"--chips '{options.chips}' names no chip somewhere")
    if len({len(values) for values in lengths.values()}) > 1:
        parser.error("all axes have one length per sample")
    try:
        rows, notes = report(options.program, options.entry, lambda program, entry: lengths,
                             options.chips.split(","))
    except RuntimeError as error:
        sys.exit(f"kernel_report.py: error: {error}")
    print_table(rows)
    for note in notes:
        print("note:", note)
    if options.json:
        try:
            with open(options.json, "w") as file:
                json.dump({"rows": rows, "notes": notes}, file, indent=1)
        except OSError as error:
            sys.exit(f"kernel_report.py: error: {error}")


if __name__ == "__main__":
    main()
