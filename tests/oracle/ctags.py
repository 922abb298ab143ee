#!/usr/bin/env python3
"""Compares the definitions of `activate facts` with those of universal-ctags.

usage: tests/oracle/ctags.py --activate PROGRAM LANGUAGE CHECKOUT... [--misses N] [--more N]

For languages of which only definitions are known. A tag is found where a definition of its name stands in its file around its line, and has
the right lines where it begins on the line of the tag, or above it with no other tag between, and ends where ctags says. `--misses` lists
tags that are not found or have other lines, `--more` definitions that ctags does not have. Fields and what stands inside of functions are
left out.
"""

import argparse
import collections
import functools
import json
import re
import subprocess
import sys

# What ctags calls a language, and its kinds of definitions.
LANGUAGES = {
    "c": ("C", {"function", "struct", "union", "enum", "typedef", "macro", "variable"}),
    "cpp": ("C++", {"function", "class", "struct", "union", "enum", "typedef", "macro", "variable", "namespace"}),
    "csharp": ("C#", {"class", "method", "interface", "struct", "enum", "namespace"}),
    "java": ("Java", {"class", "interface", "enum", "method"}),
    "kotlin": ("Kotlin", {"class", "interface", "object", "method", "typealias"}),
    "php": ("PHP", {"class", "interface", "trait", "function", "define"}),
    "ruby": ("Ruby", {"class", "module", "method", "singletonMethod", "constant", "alias"}),
    "lua": ("Lua", {"function"}),
    "bash": ("Sh", {"function"}),
}
# How far above its name a definition may begin: attributes, templates, types on lines of their own.
ABOVE = 8


@functools.cache
def lines_of(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read().split("\n")


def is_written(checkout, tag, language):
    """Whether a tag is a name that its line has: ctags takes lambdas, assignments and keys for definitions, and misreads some lines."""
    lines = lines_of(f"{checkout}/{tag['path']}")
    line = lines[tag["line"] - 1] if tag["line"] <= len(lines) else ""
    name = re.escape(tag["name"].split(".")[-1].split(":")[-1] if language == "lua" else tag["name"])
    if language == "lua":
        return re.search(rf"function\s[^(]*{name}\s*\(|{name}\s*=\s*function\b", line) is not None
    if language == "bash":
        return not tag["name"].endswith("=") and re.search(rf"(^|\s){name}\s*(\(\s*\)|\{{)|function\s+{name}", line) is not None
    return re.fullmatch(r"[\w$?!~=<>+*/%&|^.:\\\[\]-]+( ?[\w&*<>=+!\[\]()-]+)*", tag["name"]) is not None and tag["name"].split("::")[-1].split(" ")[-1] in line


def tags_of(checkout, language):
    name, kinds = LANGUAGES[language]
    command = ["ctags", "-R", f"--languages={name}", "--output-format=json", "--fields=+neKSsZ", "--pseudo-tags=", "-f", "-", "."]
    text = subprocess.run(command, cwd=checkout, capture_output=True, check=True).stdout.decode("utf-8", "replace")
    tags = collections.defaultdict(list)
    for line in text.splitlines():
        tag = json.loads(line)
        local = tag.get("scopeKind") in {"function", "method", "singletonMethod"}
        if tag.get("kind") in kinds and not local and is_written(checkout, tag, language):
            tags[tag["path"].removeprefix("./")].append(tag)
    return tags


def definitions_of(program, checkout):
    command = [program, "facts", "--relation", "defines", "--format", "jsonl", "--repo", checkout]
    text = subprocess.run(command, capture_output=True, check=True).stdout.decode("utf-8", "replace")
    found = collections.defaultdict(list)
    for line in text.splitlines():
        row = json.loads(line)
        name = row["to"].split("#", 1)[1]
        found[row["to_path"]].append((name, row["line"], *row["to_lines"], row["kind"]))
    return found


def same(language, tag, definition):
    """Whether a definition has the name of a tag, with or without what is around it."""
    name = tag["name"].replace("operator ", "operator")
    if language != "bash":
        name = re.split(r"::|[.:]", name)[-1] or name
    return definition.replace("operator ", "operator") == name or definition.endswith("." + name)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--activate", required=True)
    arguments.add_argument("--misses", type=int, default=0)
    arguments.add_argument("--more", type=int, default=0)
    arguments.add_argument("language", choices=sorted(LANGUAGES))
    arguments.add_argument("checkout", nargs="+")
    given = arguments.parse_args()
    for checkout in given.checkout:
        tags, definitions = tags_of(checkout, given.language), definitions_of(given.activate, checkout)
        n_tags = n_found = n_right = 0
        misses, more = [], []
        for path, of_file in sorted(tags.items()):
            known = definitions.get(path, [])
            met = set()
            for tag in of_file:
                n_tags += 1
                line, end = tag["line"], tag.get("end")
                fits = [one for one in known if same(given.language, tag, one[0]) and one[2] - ABOVE <= line <= max(one[3], one[2])]
                met.update(fits)
                right = [one for one in fits if one[2] <= line <= one[2] + ABOVE and (end is None or one[3] == end)]
                n_found += bool(fits)
                n_right += bool(right)
                if not right:
                    misses.append(f"  {path}:{line}-{end} {tag['kind']} {tag['name']}: {[one[2:4] for one in fits] or 'not found'}")
            more += [f"  {path}:{one[2]}-{one[3]} {one[4]} {one[0]}" for one in known if one not in met]
        share = lambda n: f"{100 * n / max(n_tags, 1):5.1f} %"
        name = checkout.rstrip("/").rsplit("/", 1)[-1]
        print(f"{given.language} {name}: {n_tags} tags, found {share(n_found)}, with right lines {share(n_right)}, {len(more)} more")
        for line in misses[: given.misses] + more[: given.more]:
            print(line)


if __name__ == "__main__":
    sys.exit(main())
