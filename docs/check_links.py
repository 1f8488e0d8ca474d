"""Fails when a Markdown file of the project links to a file that does not exist.

    /usr/bin/python3 docs/check_links.py SOURCE_FOLDER

Paths in backquotes are looked at too where they name a file of a known folder. Generated reference
pages are left out. Called by test/tools/examples.test.
"""
import os
import re
import sys

FOLDERS = "bench|capi|data|dialect|docs|examples|include|lib|passes|runtime|scripts|test|tools"


def targets(text):
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if not re.match(r"[a-z]+:", link):
            yield link, False
    for path in re.findall(rf"`((?:{FOLDERS})/[\w./-]+)`", text):
        yield path, True


def main():
    root = sys.argv[1]
    pages = [name for name in os.listdir(root) if name.endswith(".md")]
    for folder, _, names in os.walk(os.path.join(root, "docs")):
        relative = os.path.relpath(folder, root)
        pages += [os.path.join(relative, name) for name in names if name.endswith(".md")]
    missing = []
    for page in sorted(pages):
        with open(os.path.join(root, page), encoding="utf-8") as file:
            text = file.read()
        for target, from_root in targets(text):
            base = root if from_root else os.path.join(root, os.path.dirname(page))
            if not os.path.exists(os.path.join(base, target)):
                missing.append(f"{page}: {target}")
    if not pages or missing:
        sys.exit("no such file:\n" + "\n".join(missing))


main()
