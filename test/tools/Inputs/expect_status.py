"""Runs a command and fails unless its exit status is the one given first.

expect_status.py STATUS COMMAND..."""
import subprocess
import sys

got = subprocess.run(sys.argv[2:]).returncode
if got != int(sys.argv[1]):
    sys.exit(f"exit status {got}, expected {sys.argv[1]}: {' '.join(sys.argv[2:])}")
