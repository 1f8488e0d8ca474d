"""Runs a command that must fail as a user's mistake: exit status 2, nothing on stdout, exactly one
line on stderr that begins with `ragged-run: error: ` (--diagnostic: MLIR's text instead), and no
file of that name made: --output FOLDER is added to the command and must not exist afterwards.
Prints the line.

expect_error.py [--diagnostic] FOLDER COMMAND..."""
import os
import subprocess
import sys

arguments = sys.argv[1:]
diagnostic = arguments[0] == "--diagnostic"
folder, *command = arguments[1:] if diagnostic else arguments
assert not os.path.lexists(folder), f"{folder} is in the way"
outcome = subprocess.run(command + ["--output", folder], capture_output=True, text=True, timeout=60)
lines = outcome.stderr.splitlines()
print(outcome.stderr, end="")
wrong = []
if outcome.returncode != 2:
    wrong.append(f"exit status {outcome.returncode}, expected 2")
if outcome.stdout:
    wrong.append(f"wrote to stdout: {outcome.stdout[:200]!r}")
if diagnostic:
    if " error: " not in outcome.stderr or "ragged-run: error" in outcome.stderr:
        wrong.append("expected a diagnostic of MLIR alone")
elif len(lines) != 1 or not lines[0].startswith("ragged-run: error: "):
    wrong.append(f"{len(lines)} lines, expected one that begins with 'ragged-run: error: '")
if os.path.lexists(folder):
    wrong.append(f"made {folder}")
if wrong:
    sys.exit("expect_error.py: " + "; ".join(wrong) + ": " + " ".join(command))
