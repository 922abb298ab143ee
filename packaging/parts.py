#!/usr/bin/env python3
"""What the program is made of: the list of its crates as CycloneDX, and the texts of their licences.

Reads what `cargo metadata` says, and Cargo.lock for the hashes. Both files are the same for the same sources: the time is SOURCE_DATE_EPOCH, and the
number of the list is made from its content.
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import sys
import tomllib
import uuid

ROOT = "activate"
# Names of files that hold the text of a licence or a notice that has to be kept.
NOTICE = re.compile(r"(licen[cs]e|copying|notice|unlicense|copyright|authors)([-_.].*)?", re.IGNORECASE)


def compiled_in(metadata):
    """The packages whose code or data is in the program: what the root needs, and what that needs, without tests."""
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    root = next(package["id"] for package in metadata["packages"] if package["name"] == ROOT)
    needs, waiting = {}, [root]
    while waiting:
        number = waiting.pop()
        if number in needs:
            continue
        edges = [(edge["pkg"], {kind["kind"] for kind in edge["dep_kinds"]}) for edge in nodes[number]["deps"]]
        # Macros run while compiling; nothing of them is handed out.
        needs[number] = [to for to, kinds in edges if None in kinds and not is_macro(packages[to])]
        waiting.extend(needs[number])
        if packages[number]["source"] is None:
            # What a build script of ours uses, it lays into the program: the vocabularies of tokenizers.
            for to in (to for to, kinds in edges if "build" in kinds and packages[to]["source"] is not None):
                needs[number].append(to)
                needs.setdefault(to, [])
    return root, {number: (packages[number], sorted(set(to))) for number, to in needs.items()}


def is_macro(package):
    return any("proc-macro" in target["kind"] for target in package["targets"])


def licence(package):
    """The expression, with the old way of writing `or` replaced."""
    return re.sub(r"\s*/\s*", " OR ", package["license"] or "")


def reference(package):
    return f"pkg:cargo/{package['name']}@{package['version']}"


def component(package, hashes, kind):
    entry = {"type": kind, "bom-ref": reference(package), "name": package["name"], "version": package["version"]}
    if package["description"]:
        entry["description"] = " ".join(package["description"].split())
    if checksum := hashes.get((package["name"], package["version"])):
        entry["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    if licence(package):
        entry["licenses"] = [{"expression": licence(package)}]
    entry["purl"] = reference(package)
    if package["repository"]:
        entry["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return entry


def sbom(root, parts, hashes):
    ordered = sorted(parts.values(), key=lambda part: (part[0]["name"], part[0]["version"]))
    names = {number: reference(package) for number, (package, _) in parts.items()}
    epoch = int(os.environ["SOURCE_DATE_EPOCH"])
    stamp = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    bom = {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"timestamp": stamp, "component": component(parts[root][0], hashes, "application")},
        "components": [component(package, hashes, "library") for package, _ in ordered if package["id"] != root],
        "dependencies": [
            {"ref": reference(package), "dependsOn": sorted(names[to] for to in needs)} for package, needs in ordered
        ],
    }
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(bom, sort_keys=True))
    return {**bom, "serialNumber": f"urn:uuid:{number}"}


def licences(parts):
    """Every text once, with the crates that it is of."""
    texts, bare = {}, []
    for package, _ in sorted(parts.values(), key=lambda part: (part[0]["name"], part[0]["version"])):
        # Crates of this project have the project's own licence.
        if package["source"] is None:
            continue
        name = f"{package['name']} {package['version']}"
        folder = pathlib.Path(package["manifest_path"]).parent
        found = sorted(path for path in folder.iterdir() if path.is_file() and NOTICE.fullmatch(path.name))
        if not found:
            bare.append(f"{name}: {licence(package)}")
        for path in found:
            text = path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n").strip()
            texts.setdefault(" ".join(text.split()), (text, []))[1].append(f"{name} ({licence(package)}), {path.name}")
    blocks = ["Licences of the crates whose code is in the program. Every text stands here once, below the crates that come with it.\n"]
    if bare:
        blocks.append("Without a text of their own:\n" + "\n".join(bare) + "\n")
    for text, owners in sorted(texts.values(), key=lambda block: block[1]):
        blocks.append("\n".join(owners) + "\n\n" + text + "\n")
    return ("\n" + "=" * 80 + "\n\n").join(blocks)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("metadata", type=pathlib.Path)
    parser.add_argument("lock", type=pathlib.Path)
    parser.add_argument("--sbom", type=pathlib.Path, required=True)
    parser.add_argument("--licences", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    root, parts = compiled_in(json.loads(arguments.metadata.read_text()))
    locked = tomllib.loads(arguments.lock.read_text())["package"]
    hashes = {(entry["name"], entry["version"]): entry.get("checksum") for entry in locked}
    arguments.sbom.write_text(json.dumps(sbom(root, parts, hashes), indent=1, ensure_ascii=False) + "\n")
    text = licences(parts)
    arguments.licences.write_text(text)
    print(f"{len(parts)} crates, {len(text)} characters of licences", file=sys.stderr)


if __name__ == "__main__":
    main()
