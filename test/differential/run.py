"""The differential test: random programs, compiled for each target = reference = NumPy.

  run.py --driver differential_run [--targets cpu,emulated] [--seed S] [--count N]
         [--programs-per-module N] [--jobs N]
  run.py --driver differential_run --seed S --only INDEX [--targets T]     one program again

Every program runs on every target with the same lengths and values. The emulated device is slow, but
the generator's samples are short (60 at most): it takes about as long as the CPU, most of it compiling.

Prints the seed and what the programs were like; fails where a program fails, and where the mix misses
what it must hold. A program that fails on a target is shrunk there, printed and kept under --keep, with
the commands that run it again. Exit status 1: a failure.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import statistics
import sys
import time

from driver import command, run_programs, write_files
from generator import describe, generate
from proposals import PROPOSALS
from record import program_text
from shrink import shrink

MAX_SHRUNK = 5     # failures that are shrunk; more are only counted
MIN_FOR_MIX = 200  # programs from which on the mix is judged
DIALECT = pathlib.Path(__file__).resolve().parents[2] / "dialect"


def parse():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--driver", required=True)
    parser.add_argument("--targets", type=lambda text: text.split(","), default=["cpu", "emulated"],
                        help="cpu, emulated, or both")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--programs-per-module", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", type=int, help="this program alone")
    parser.add_argument("--keep", default="differential-failures", help="folder for failing programs")
    parser.add_argument("--shrink-seconds", type=float, default=60)
    return parser.parse_args()


def generate_one(seed, index):
    try:
        return generate(seed, index)
    except Exception as error:
        raise RuntimeError(f"the generator failed at --seed {seed} --only {index}") from error


def run_batch(options, indices):
    programs = [generate_one(options.seed, k) for k in indices]
    first, worst = {}, {}
    for target in options.targets:
        failures, worst[target] = run_programs(options.driver, target, programs)
        for failure in failures:
            first.setdefault((failure.program.name, target), failure)
    return ([describe(p) for p in programs], sum(len(p.cases) for p in programs), worst,
            [(k, target, first[p.name, target].kind, first[p.name, target].message)
             for k, p in zip(indices, programs) for target in options.targets
             if (p.name, target) in first])


def missing_ops():
    """Ops of the dialect that the table of proposals lacks."""
    text = "".join(p.read_text() for p in [*DIALECT.glob("*.td"), DIALECT / "elementwise.def"])
    names = re.findall(r'^def Ragged_\w+Op\s*:\s*\w+<(?:Ragged_Dialect, )?"(\w+)"', text, re.M)
    names += re.findall(r"^RAGGED_\w+\(\w+, (\w+), \"", text, re.M)
    return sorted(set(names) - {name.removeprefix("ragged.") for name in PROPOSALS})


# ---- The mix ----------------------------------------------------------------------------------


def report_mix(facts, whole, wanted=tuple(PROPOSALS)):
    """Prints what the programs were like; false where it misses what is prescribed. `wanted`: the ops
    that must occur often enough."""
    count = len(facts)
    ops = collections.Counter(n for f in facts for n in f["names"])
    print("ops: " + ", ".join(f"{name} {ops[name]}" for name in wanted))
    checks = [("median number of ops", statistics.median(f["ops"] for f in facts), 6)]
    for key, share in (("two spaces", 1 / 3), ("other order", 1 / 5), ("empty sample", 1 / 4)):
        checks.append((f"share with {key}", sum(f[key] for f in facts) / count, share))
    checks.append(("least used op", min(ops[name] for name in wanted), 20 * count / 500))
    good = True
    for what, found, required in checks:
        print(f"{what}: {found:.3g} (at least {required:.3g})")
        good = good and found >= required
    if not good and whole:
        print("FAILED: the mix of programs is not as prescribed")
    return good or not whole


# ---- Failures ---------------------------------------------------------------------------------


def report_failure(options, index, target, kind, message):
    script = f"{pathlib.Path(__file__).name} --driver {options.driver} --seed {options.seed}"
    print(f"\nFAILED on {target}: program {index}: {kind}\n  {message}")
    print(f"  again: {script} --only {index} --targets {target}")
    program = generate(options.seed, index)
    failures, _ = run_programs(options.driver, target, [program])
    if not failures:
        print("  alone it passes; its module is that of the seed and --programs-per-module "
              f"{options.programs_per_module}")
        return
    smallest = shrink(failures[0], options.shrink_seconds,
                      lambda on, p: run_programs(options.driver, on, [p])[0])
    folder = pathlib.Path(options.keep) / f"{options.seed}-{index}-{target}"
    folder.mkdir(parents=True, exist_ok=True)
    write_files(folder, [smallest.program])
    print(f"  shrunk on {target}: {smallest.kind}: {smallest.message}")
    print("  lengths: " + "; ".join(f"{a} = {e}" for c in smallest.program.cases for a, e in c.items()))
    print("  draws: " + ", ".join(str(smallest.program.draws[a][1][0])
                                  for a in smallest.program.main.arguments))
    print("  again: " + " ".join(command(options.driver, target, folder)))
    print(program_text(smallest.program))


def report_failures(options, failures, report):
    """`report` shrinks and prints the first failures; the others are named."""
    for failure in failures[:MAX_SHRUNK]:
        report(options, *failure)
    for index, target, kind, _ in failures[MAX_SHRUNK:]:
        print(f"also failed on {target}: program {index}: {kind}")


def batches_of(options):
    """The numbers of the programs that are asked for, a list for each module."""
    indices = [options.only] if options.only is not None else list(range(options.count))
    size = options.programs_per_module
    return [indices[k:k + size] for k in range(0, len(indices), size)]


def main():
    options = parse()
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(1 << 31)
    print(f"seed {options.seed}", flush=True)
    missing = missing_ops()
    if missing:
        print("FAILED: ops without a row in proposals.py: " + ", ".join(missing))
        return 1
    batches = batches_of(options)
    begin, facts, calls, failures = time.monotonic(), [], 0, []
    worst = dict.fromkeys(options.targets, 0.0)
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for done in pool.map(run_batch, [options] * len(batches), batches):
            facts += done[0]
            calls += done[1]
            worst = {target: max(worst[target], done[2][target]) for target in worst}
            failures += done[3]
    good = report_mix(facts, len(facts) >= MIN_FOR_MIX)
    print(f"{len(facts)} programs, {calls} calls on each of {', '.join(options.targets)}; "
          f"{len(failures)} failed; largest error / allowed error: "
          + ", ".join(f"{error:.3g} on {target}" for target, error in worst.items())
          + f"; {time.monotonic() - begin:.0f} s", flush=True)
    report_failures(options, failures, report_failure)
    return 0 if good and not failures else 1


if __name__ == "__main__":
    sys.exit(main())
