"""Includes may only point down the folders' table (docs/lowering.md). Reads every source file of the
tree and prints each include that points up; exits 1 if there is one."""
import os
import re
import sys

ROOT = sys.argv[1]
SUPPORT, SCHEMA, IR = "lib/support", "lib/schema", "lib/ir"
# Folder → the folders whose headers it may include (besides its own).
ALLOWED = {
    "lib/support": [],
    "lib/schema": [SUPPORT],
    "lib/ir": [SUPPORT],
    "dialect": [SUPPORT, SCHEMA, IR],
    "passes": [SUPPORT, SCHEMA, IR, "dialect"],
    "lib/reference": [SUPPORT, SCHEMA, IR, "dialect"],
    "lib/lower": [SUPPORT, SCHEMA, IR, "dialect", "passes"],
    "runtime": [SUPPORT, SCHEMA],
    "lib/compile": [SUPPORT, SCHEMA, IR, "dialect", "passes", "lib/lower", "runtime"],
    "include": [SUPPORT, SCHEMA, "runtime"],
    "capi": [SUPPORT, SCHEMA, IR, "dialect", "passes", "lib/lower", "lib/compile", "runtime",
             "include"],
}
# Where an included name may lie, as the build's include paths say.
PATHS = ["", "lib", "include", "runtime"]


def folder_of(path):
    return next((f for f in sorted(ALLOWED, key=len, reverse=True) if path.startswith(f + "/")), None)


def resolve(including, name):
    for base in [os.path.dirname(including)] + PATHS:
        candidate = os.path.normpath(os.path.join(base, name))
        if os.path.exists(os.path.join(ROOT, candidate)):
            return candidate
    return None


def main():
    bad = checked = 0
    for top in sorted({f.split("/")[0] for f in ALLOWED}):
        for directory, _, files in os.walk(os.path.join(ROOT, top)):
            for file in sorted(files):
                if not file.endswith((".c", ".h", ".cpp", ".td", ".def", ".in")):
                    continue
                path = os.path.relpath(os.path.join(directory, file), ROOT)
                own = folder_of(path)
                text = open(os.path.join(ROOT, path), encoding="utf-8").read()
                for name in re.findall(r'^\s*#?include\s+"([^"]+)"', text, re.M):
                    target = resolve(path, name)
                    to = folder_of(target) if target else None
                    if to is None or to == own:
                        continue
                    checked += 1
                    if to not in ALLOWED[own]:
                        print(f"{path} includes {name}: {own} may not use {to}")
                        bad += 1
    print(f"{checked} includes between folders, {bad} of them upwards")
    return 1 if bad or checked == 0 else 0


sys.exit(main())
