"""Asks the validator of the published package what it says of every pack of verdicts.txt, and of the packs named as arguments.

Needs `pip install openclaw-context-pack==2.0.0`. Not part of the test run, which needs no network.
"""

import json
import pathlib
import sys

from openclaw_mem.context_pack_contract import validate_context_pack_v1

HERE = pathlib.Path(__file__).parent


def patched(value, patch):
    """The JSON merge patch of RFC 7396."""
    if not isinstance(patch, dict):
        return patch
    result = dict(value) if isinstance(value, dict) else {}
    for key, part in patch.items():
        if part is None:
            result.pop(key, None)
        else:
            result[key] = patched(result.get(key), part)
    return result


def main():
    wrong = 0
    pack = json.loads((HERE / "pack.json").read_text())
    for line in (HERE / "verdicts.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        name, patch, verdict, _ = line.split("\t")
        said = "ok" if validate_context_pack_v1(patched(pack, json.loads(patch))).ok else "refused"
        if said != verdict:
            wrong += 1
            print(f"{name}: recorded as {verdict}, now {said}")
    for path in sys.argv[1:]:
        result = validate_context_pack_v1(json.loads(pathlib.Path(path).read_text()))
        print(f"{path}: {'ok' if result.ok else '; '.join(result.errors)}")
        wrong += not result.ok
    sys.exit(1 if wrong else 0)


main()
