"""check_kernels.py PROGRAM.mlir KNOWN.txt LIMIT...: what GPU kernels may cost.

Every kernel of the program, on sm_80 and sm_90, keeps the limits named, except for the misses that KNOWN.txt
lists. A listed miss that is none any more is an error too: whoever removes it removes its line. What ptxas
decides differs between its releases; there such a line is only pointed out.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "bench"))
import kernel_report

CHIPS = ["sm_80", "sm_90"]
# Lengths, by the most axes that a buffer of the function has: long enough that a block's last rows do not
# count, and short where there are products, which the emulated device computes slowly.
LENGTHS = {
    1: {"n": [1000, 900], "m": [900, 1200], "h": [1000, 900], "w": [900, 1200], "k": [700, 800]},
    2: {"n": [40, 60], "m": [70, 50], "h": [40, 60], "w": [50, 40], "k": [30, 20]},
    3: {"n": [12, 20], "m": [16, 14], "k": [10, 18], "h": [12, 20], "w": [16, 14]},
}
LENGTHS_OF_PRODUCTS = {
    1: {"n": [60, 70], "m": [50, 80], "h": [60, 70], "w": [50, 80], "k": [70, 60]},
    2: {"n": [14, 16], "m": [16, 14], "h": [14, 16], "w": [16, 14], "k": [15, 13]},
    3: {"n": [5, 6], "m": [6, 5], "k": [5, 5], "h": [5, 6], "w": [6, 5]},
}
LEAST_BYTES = 4096  # launches that move less say nothing about moving

def spill(row):
    if row["spill"]:
        return f"{row['spill']} bytes of spills"


def stack(row):
    if row["stack"]:
        return f"a stack frame of {row['stack']} bytes"


def occupancy(row):
    if row["occupancy"] < 0.5 and row["limited_by"] != "shared memory":
        return f"{100 * row['occupancy']:.0f} % of the warps, limited by {row['limited_by']}"


def local(row):
    code = row["instructions"]
    if code["local"] or code["depot"]:
        return f"{code['local']} accesses to local memory"


def division(row):
    code = row["instructions"]
    if code["div_64"] or code["rem_64"]:
        return f"{code['div_64']} divisions and {code['rem_64']} remainders of 64 bits"


def wide(row):
    """16 bytes at a time where rows allow it. The code has such accesses; when it runs, narrow ones are
    those to offsets and extents only, which have 8 bytes, and to buffers that do not allow wide ones."""
    for what, widths in (("load", row["load_widths"]), ("store", row["store_widths"])):
        for ref in row["wide_" + what + "s"]:
            if ref in widths and max(widths[ref]) < 16:
                return f"{what}s of buffer {ref} have {max(widths[ref])} bytes"
    if row["has_product"] or row["scratch_per_block"] or "loads" not in row:
        return None
    for what, narrow in (("load", "124"), ("store", "1248")):
        counted = sum(row[what + "s"][width] for width in narrow)
        if row[f"all_{what}s_wide"] and counted:
            return f"{counted} {what}s of less than 16 bytes"


def moves_little(row):
    """Launches of a few bytes say nothing; kernels with products move what their blocks ask for."""
    return row["has_product"] or row.get("minimum", 0) < LEAST_BYTES


def moved(row):
    """To and from memory, each sector once a launch."""
    if moves_little(row) or row["ratio"] <= 1.1:
        return None
    return f"{row['moved']} bytes, {row['ratio']:.2f} times the least, {row['minimum']}"


def requested(row):
    """By the threads: each load of the tile program once a row."""
    if moves_little(row) or row["requested"] <= 1.1 * row["asked"]:
        return None
    return (f"{row['requested']} bytes for {row['asked']} of the tile program; "
            f"{row.get('metadata')} of offsets and extents, {row.get('again')} loaded again")


LIMITS = {function.__name__: function
          for function in (spill, stack, occupancy, local, division, wide, moved, requested)}

OF_PTXAS = ("spill", "stack", "occupancy")


def lengths_of(program, entry):
    kernels = program.kernels_of(entry)
    most = max((len(ref.axes) for kernel in kernels for ref in kernel.refs), default=1)
    table = LENGTHS_OF_PRODUCTS if any(kernel.has_dot for kernel in kernels) else LENGTHS
    return table[min(max(most, 1), 3)]


def read_known(path, program):
    """The lines of one program: {(kernel, limit, chip)}."""
    known = set()
    with open(path) as file:
        for line in file:
            words = line.split("#")[0].split()
            if words and words[0] == program:
                chips = words[3:] or CHIPS
                known.update((words[1], words[2], chip) for chip in chips)
    return known


def find_misses(rows, notes, limits):
    """(kernel, limit, chip): what is missed. An entry that does not run misses the limit `run`."""
    misses = {}
    for row in rows:
        for limit in limits:
            what = LIMITS[limit](row)
            if what:
                misses[row["kernel"], limit, row["chip"]] = what
    for note in notes:
        if " was not run " in note:
            for chip in CHIPS:
                misses[note.split()[0], "run", chip] = note
    return misses


def main():
    path, known_path, *limits = sys.argv[1:]
    program = os.path.splitext(os.path.basename(path))[0]
    runs = {"wide", "moved", "requested"} & set(limits)
    judged = set(limits) | ({"run"} if runs else set())
    known = {miss for miss in read_known(known_path, program) if miss[1] in judged}
    rows, notes = kernel_report.report(path, None, lengths_of if runs else None, CHIPS)
    misses = find_misses(rows, notes, limits)
    wrong = [f"{' '.join(miss)}: {what}" for miss, what in misses.items() if miss not in known]
    for miss in sorted(known - set(misses)):
        line = f"{' '.join(miss)}: missed no longer; remove it from {known_path}"
        if miss[1] in OF_PTXAS:
            print(program, line)
        else:
            wrong.append(line)
    for line in wrong:
        print(program, line)
    print(f"{program}: {len(rows)} kernels, {len(misses)} misses, {len(wrong)} not as {known_path} says")
    sys.exit(bool(wrong) or not rows)


if __name__ == "__main__":
    main()
