"""Derivatives of random programs: every mode and keep of --ragged-differentiate against differences of
the reference interpreter and of NumPy, and compiled.

  gradients.py --bin BUILD/bin [--seed S] [--count N] [--cpu-every N] [--emulated-every N] [--jobs N]
  gradients.py --bin BUILD/bin --seed S --only INDEX                one program again, on everything

Prints the seed, what the programs were like and how many were left out because differences could not
judge them (gradient_programs.py says by what). Fails where a program fails, and where the mix misses what
it must hold. A program that fails is shrunk, printed and kept under --keep.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import sys
import time

from generator import describe
from gradient_driver import run_gradients
from gradient_programs import differentiated, generate, rules, well_conditioned
from record import program_text
from run import MIN_FOR_MIX, batches_of, report_failures, report_mix
from shrink import shrink

TARGETS = ("check-gradients", "cpu", "emulated")


class Tools:
    def __init__(self, folder):
        folder = pathlib.Path(folder)
        self.check_gradients, self.opt = folder / "check-gradients", folder / "ragged-opt"
        self.driver = folder / "differential_run"


def parse():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="folder of the build's programs")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--programs-per-module", type=int, default=10)
    parser.add_argument("--cpu-every", type=int, default=4, help="one module in so many is compiled")
    parser.add_argument("--emulated-every", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", type=int, help="this program alone")
    parser.add_argument("--keep", default="gradient-failures", help="folder for failing programs")
    parser.add_argument("--shrink-seconds", type=float, default=60)
    return parser.parse_args()


def targets_of(options, batch):
    every = {"check-gradients": 1, "cpu": options.cpu_every, "emulated": options.emulated_every}
    return [t for t in TARGETS if options.only is not None or batch % every[t] == 0]


def run_batch(options, batch, indices):
    """(facts, cases, left out, worst, failures, compiled) of one module."""
    tools = Tools(options.bin)
    made = [generate(options.seed, k) for k in indices]
    programs = [program for program, _ in made]
    worst, failures, compiled = {}, [], {}
    for target in targets_of(options, batch):
        found, worst[target] = run_gradients(tools, target, programs)
        compiled[target] = len(programs)
        first = {}
        for failure in found:
            first.setdefault(failure.program.name, failure)
        failures += [(k, target, first[p.name].kind, first[p.name].message)
                     for k, p in zip(indices, programs) if p.name in first]
    facts = [dict(describe(p), names=differentiated(p)) for p in programs]
    return (facts, sum(len(p.cases) for p in programs), sum(n for _, n in made), worst, failures,
            compiled)


# ---- Failures ---------------------------------------------------------------------------------


def report_failure(options, index, target, kind, message):
    tools = Tools(options.bin)
    print(f"\nFAILED on {target}: program {index}: {kind}\n  {message}")
    print(f"  again: {pathlib.Path(__file__).name} --bin {options.bin} --seed {options.seed} --only {index}")
    program, _ = generate(options.seed, index)
    failures, _ = run_gradients(tools, target, [program])
    if not failures:
        print("  alone it passes; its module is that of the seed and --programs-per-module "
              f"{options.programs_per_module}")
        return
    smallest = shrink(failures[0], options.shrink_seconds, lambda on, p: run_gradients(tools, on, [p])[0],
                      well_conditioned)
    folder = pathlib.Path(options.keep) / f"{options.seed}-{index}-{target}"
    folder.mkdir(parents=True, exist_ok=True)
    run_gradients(tools, target, [smallest.program], folder)
    print(f"  shrunk on {target}, in {folder}: {smallest.kind}: {smallest.message}")
    print("  lengths: " + "; ".join(f"{a} = {e}" for c in smallest.program.cases for a, e in c.items()))
    print(program_text(smallest.program), flush=True)


def main():
    options = parse()
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(1 << 31)
    print(f"seed {options.seed}", flush=True)
    batches = batches_of(options)
    begin, facts, calls, left_out, failures = time.monotonic(), [], 0, 0, []
    worst, compiled = dict.fromkeys(TARGETS, 0.0), dict.fromkeys(TARGETS, 0)
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for done in pool.map(run_batch, [options] * len(batches), range(len(batches)), batches):
            facts += done[0]
            calls += done[1]
            left_out += done[2]
            worst = {target: max(worst[target], done[3].get(target, 0.0)) for target in worst}
            failures += done[4]
            compiled = {target: compiled[target] + done[5].get(target, 0) for target in compiled}
    wanted = [name for name, passes in rules().items() if passes]
    good = report_mix(facts, len(facts) >= MIN_FOR_MIX, wanted)
    print(f"{len(facts)} programs, {calls} calls, {left_out} programs left out; {len(failures)} failed; "
          + ", ".join(f"{compiled[t]} on {t}: largest error / allowed error {worst[t]:.3g}"
                      for t in TARGETS)
          + f"; {time.monotonic() - begin:.0f} s", flush=True)
    report_failures(options, failures, report_failure)
    return 0 if good and not failures else 1


if __name__ == "__main__":
    sys.exit(main())
