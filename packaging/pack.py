#!/usr/bin/env python3
"""Packs programs that are compiled: an archive, a wheel, npm packages and a Debian package for each system.

The same files give the same bytes: entries are sorted, belong to nobody, and have the time SOURCE_DATE_EPOCH.
"""

import argparse
import base64
import dataclasses
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import textwrap
import time
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME, SECOND_NAME = "activate", "activate-context"
EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])


@dataclasses.dataclass(frozen=True)
class System:
    """What the registries call a system."""

    wheel: str
    npm_os: str
    npm_cpu: str
    debian: str | None = None
    libc: str | None = None
    ending: str = ""


SYSTEMS = {
    "x86_64-unknown-linux-gnu": System("manylinux_2_28_x86_64", "linux", "x64", "amd64", "glibc"),
    "aarch64-unknown-linux-gnu": System("manylinux_2_28_aarch64", "linux", "arm64", "arm64", "glibc"),
    "x86_64-apple-darwin": System("macosx_10_12_x86_64", "darwin", "x64"),
    "aarch64-apple-darwin": System("macosx_11_0_arm64", "darwin", "arm64"),
    "x86_64-pc-windows-msvc": System("win_amd64", "win32", "x64", ending=".exe"),
}


@dataclasses.dataclass(frozen=True)
class About:
    """What every package says of the program."""

    version: str
    description: str
    licence: str
    repository: str
    keywords: list[str]


@dataclasses.dataclass(frozen=True)
class Along:
    """Texts that go along."""

    licences: dict[str, bytes]
    man: dict[str, bytes]
    completions: dict[str, bytes]


def about() -> About:
    manifest = tomllib.loads((ROOT / "Cargo.toml").read_text())
    shared = manifest["workspace"]["package"]
    return About(
        version=shared["version"],
        description=manifest["package"]["description"],
        licence=shared["license"],
        repository=shared["repository"],
        keywords=shared["keywords"],
    )


def folder(path: pathlib.Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(path.iterdir())} if path.is_dir() else {}


def tar_gz(files: dict[str, tuple[bytes | str, int]]) -> bytes:
    """Content and mode by path; a text instead of bytes is where a link leads."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path, (content, mode) in sorted(files.items()):
            entry = tarfile.TarInfo(path)
            entry.mtime, entry.mode = EPOCH, mode
            if isinstance(content, str):
                entry.type, entry.linkname = tarfile.SYMTYPE, content
                archive.addfile(entry)
            else:
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
    # No name and no time in the head.
    return gzip.compress(raw.getvalue(), compresslevel=9, mtime=0)


def archive(triple: str, binary: bytes, system: System, along: Along) -> tuple[str, bytes]:
    """The archive that `install.sh` knows. It has no version in its name, so that the newest has an address."""
    top = f"{NAME}-{triple}"
    files: dict[str, tuple[bytes | str, int]] = {f"{top}/{NAME}{system.ending}": (binary, 0o755)}
    if not system.ending:
        files[f"{top}/{SECOND_NAME}"] = (NAME, 0o777)
    files[f"{top}/README.md"] = ((ROOT / "README.md").read_bytes(), 0o644)
    files[f"{top}/CHANGELOG.md"] = ((ROOT / "CHANGELOG.md").read_bytes(), 0o644)
    for inner, texts in (("", along.licences), ("man/", along.man), ("completions/", along.completions)):
        files.update({f"{top}/{inner}{name}": (text, 0o644) for name, text in texts.items()})
    return f"{top}.tar.gz", tar_gz(files)


def wheel(binary: bytes, system: System, what: About, along: Along) -> tuple[str, bytes]:
    """A wheel that holds the program alone, under its second name.

    Under its first name it would take the place of `bin/activate`, by which a virtual environment is entered, in whatever environment it is
    installed into.
    """
    stem = f"{SECOND_NAME.replace('-', '_')}-{what.version}"
    tag = f"py3-none-{system.wheel}"
    texts = {f"{stem}.dist-info/licenses/{name}": text for name, text in along.licences.items()}
    metadata = [
        "Metadata-Version: 2.4",
        f"Name: {SECOND_NAME}",
        f"Version: {what.version}",
        f"Summary: {what.description}",
        f"License-Expression: {what.licence}",
        *(f"License-File: {name}" for name in sorted(along.licences)),
        f"Keywords: {','.join(what.keywords)}",
        f"Project-URL: Source, {what.repository}",
        "Requires-Python: >=3.8",
        "Description-Content-Type: text/markdown",
        "",
        readme(what, "The command is `activate-context`: in a virtual environment the name `activate` is taken."),
    ]
    files = {
        f"{stem}.data/scripts/{SECOND_NAME}{system.ending}": binary,
        f"{stem}.dist-info/METADATA": "\n".join(metadata).encode(),
        f"{stem}.dist-info/WHEEL": f"Wheel-Version: 1.0\nGenerator: {NAME}\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
        **texts,
    }
    record = f"{stem}.dist-info/RECORD"
    lines = []
    for path, content in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(content)}\n")
    # It comes last, as the format asks.
    ordered = [*sorted(files.items()), (record, ("".join(lines) + f"{record},,\n").encode())]
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        for path, content in ordered:
            entry = zipfile.ZipInfo(path, time.gmtime(max(EPOCH, 315_532_800))[:6])
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
            entry.external_attr = (0o100755 if "/scripts/" in path else 0o100644) << 16
            archive.writestr(entry, content, compresslevel=9)
    return f"{stem}-{tag}.whl", raw.getvalue()


def readme(what: About, note: str) -> str:
    return f"# {SECOND_NAME}\n\n{what.description}\n\n{note}\n\nDocumentation: <{what.repository}>\n"


def npm_package(manifest: dict, files: dict[str, tuple[bytes, int]], along: Along) -> tuple[str, bytes]:
    """A package as `npm pack` would lay it out."""
    every = {**files, **{name: (text, 0o644) for name, text in along.licences.items()}}
    every["package.json"] = ((json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode(), 0o644)
    name = manifest["name"].lstrip("@").replace("/", "-")
    return f"{name}-{manifest['version']}.tgz", tar_gz({f"package/{path}": file for path, file in every.items()})


def npm_shared(what: About) -> dict:
    return {"license": what.licence, "repository": {"type": "git", "url": f"git+{what.repository}.git"}}


def npm_system(binary: bytes, system: System, what: About, along: Along) -> tuple[str, bytes]:
    manifest = {
        "name": npm_name(system),
        "version": what.version,
        "description": f"The program of {SECOND_NAME} for {system.npm_os} on {system.npm_cpu}.",
        **npm_shared(what),
        "os": [system.npm_os],
        "cpu": [system.npm_cpu],
        **({"libc": [system.libc]} if system.libc else {}),
        # Yarn would else run it out of an archive.
        "preferUnplugged": True,
    }
    return npm_package(manifest, {f"bin/{NAME}{system.ending}": (binary, 0o755)}, along)


def npm_name(system: System) -> str:
    return f"@{SECOND_NAME}/{system.npm_os}-{system.npm_cpu}"


def npm_main(systems: list[System], what: About, along: Along) -> tuple[str, bytes]:
    manifest = {
        "name": SECOND_NAME,
        "version": what.version,
        "description": what.description,
        "keywords": what.keywords,
        **npm_shared(what),
        "bin": {name: f"bin/{SECOND_NAME}.js" for name in (NAME, SECOND_NAME)},
        "engines": {"node": ">=18"},
        "optionalDependencies": {name: what.version for name in sorted(npm_name(system) for system in systems)},
    }
    shim = (ROOT / "packaging/npm/activate-context.js").read_bytes()
    text = readme(what, f"The commands are `{NAME}` and `{SECOND_NAME}`.").encode()
    # Its licences are those of its few lines; the program comes with its own.
    own = dataclasses.replace(along, licences={name: text for name, text in along.licences.items() if name.startswith("LICENSE")})
    return npm_package(manifest, {f"bin/{SECOND_NAME}.js": (shim, 0o755), "README.md": (text, 0o644)}, own)


def debian(binary: pathlib.Path, system: System, what: About, along: Along, out: pathlib.Path) -> None:
    """A Debian package, by dpkg-deb."""
    if shutil.which("dpkg-deb") is None:
        print("left out: the Debian package, for dpkg-deb is not installed", file=sys.stderr)
        return
    version = f"{what.version}-1"
    share, doc = "usr/share", f"usr/share/doc/{SECOND_NAME}"
    packed = lambda content: gzip.compress(content, compresslevel=9, mtime=0)
    texts = ROOT / "packaging/debian"
    stamp = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(EPOCH))
    entry = f"{SECOND_NAME} ({version}) unstable; urgency=medium\n\n  * New release; changelog.gz beside this says what is new.\n\n"
    maintainer = (texts / "maintainer").read_text().strip()
    files: dict[str, tuple[bytes | str, int]] = {
        f"usr/bin/{NAME}": (binary.read_bytes(), 0o755),
        f"usr/bin/{SECOND_NAME}": (NAME, 0o777),
        f"{doc}/copyright": ((texts / "copyright").read_bytes(), 0o644),
        f"{doc}/changelog.Debian.gz": (packed(f"{entry} -- {maintainer}  {stamp}\n".encode()), 0o644),
        f"{doc}/changelog.gz": (packed((ROOT / "CHANGELOG.md").read_bytes()), 0o644),
        f"{doc}/THIRD-PARTY.txt.gz": (packed(along.licences["THIRD-PARTY.txt"]), 0o644),
    }
    for name, page in along.man.items():
        # A page that only names another is a link there.
        other = re.fullmatch(rb"\.so man1/(\S+)\n", page)
        files[f"{share}/man/man1/{name}.gz"] = (f"{other[1].decode()}.gz", 0o777) if other else (packed(page), 0o644)
    places = {"bash": "bash-completion/completions/{}", "zsh": "zsh/vendor-completions/_{}", "fish": "fish/vendor_completions.d/{}.fish"}
    for file, script in along.completions.items():
        name, shell = file.rsplit(".", 1)
        files[f"{share}/{places[shell].format(name)}"] = (script, 0o644)
    size = sum(-(-len(content) // 1024) if isinstance(content, bytes) else 1 for content, _ in files.values())
    sums = sorted(f"{hashlib.md5(content).hexdigest()}  {path}\n" for path, (content, _) in files.items() if isinstance(content, bytes))
    control = (texts / "control").read_text().format(
        version=version, architecture=system.debian, maintainer=maintainer, size=size, homepage=what.repository, description=textwrap.fill(what.description, 78).replace("\n", "\n ")
    )
    files["DEBIAN/control"] = (control.encode(), 0o644)
    files["DEBIAN/md5sums"] = ("".join(sums).encode(), 0o644)
    with tempfile.TemporaryDirectory() as top:
        for path, (content, mode) in sorted(files.items()):
            place = pathlib.Path(top, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, str):
                place.symlink_to(content)
            else:
                place.write_bytes(content)
                place.chmod(mode)
        pathlib.Path(top).chmod(0o755)
        target = out / f"{SECOND_NAME}_{version}_{system.debian}.deb"
        # It takes the time of its entries from SOURCE_DATE_EPOCH and sorts them; one thread, since threads change the bytes.
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "--threads-max=1", "-Zxz", "--build", top, target], check=True, stdout=subprocess.DEVNULL
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--licences", type=pathlib.Path, required=True, help="the file with the licences of others")
    parser.add_argument("--man", type=pathlib.Path, required=True, help="folder of manual pages")
    parser.add_argument("--completions", type=pathlib.Path, required=True, help="folder of scripts, NAME.SHELL")
    parser.add_argument("binaries", nargs="+", metavar="TRIPLE=FILE")
    arguments = parser.parse_args()
    own = {name: (ROOT / name).read_bytes() for name in ("LICENSE-APACHE", "LICENSE-MIT")}
    along = Along(
        licences={**own, "THIRD-PARTY.txt": arguments.licences.read_bytes()},
        man=folder(arguments.man),
        completions=folder(arguments.completions),
    )
    what, systems = about(), []
    for binary in arguments.binaries:
        triple, _, path = binary.partition("=")
        system, content = SYSTEMS[triple], pathlib.Path(path).read_bytes()
        systems.append(system)
        packages = [
            archive(triple, content, system, along),
            wheel(content, system, what, along),
            npm_system(content, system, what, along),
        ]
        for name, packed in packages:
            (arguments.out / name).write_bytes(packed)
        if system.debian:
            debian(pathlib.Path(path), system, what, along, arguments.out)
    name, packed = npm_main(systems, what, along)
    (arguments.out / name).write_bytes(packed)


if __name__ == "__main__":
    main()
