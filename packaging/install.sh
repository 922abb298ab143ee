#!/bin/sh
# Installs `activate`, and its second name `activate-context`, into a folder of yours; `--help` says how.
set -eu

RELEASES=https://github.com/activate-context/activate/releases
OLDEST_GLIBC=2.28

usage() {
    cat << 'END'
Usage: install.sh [--dir DIR] [--version X.Y.Z] [--from DIR]

  --dir DIR        where the commands go; else ~/.local/bin
  --version X.Y.Z  which release; else the newest
  --from DIR       take the files from this folder and load nothing

It needs no rights beyond yours. What was loaded is compared with the release's
SHA256SUMS before anything of it is unpacked or run.
END
}

say() { printf '%s\n' "install: $*" >&2; }
fail() { say "$*"; exit 1; }
has() { command -v "$1" > /dev/null 2>&1; }

# The name that compilers give to this system.
system() {
    case $(uname -s) in
        Linux) rest=unknown-linux-gnu ;;
        Darwin) rest=apple-darwin ;;
        *) fail "there is no program for $(uname -s); build it from its sources" ;;
    esac
    case $(uname -m) in
        x86_64 | amd64) echo "x86_64-$rest" ;;
        aarch64 | arm64) echo "aarch64-$rest" ;;
        *) fail "there is no program for the processor $(uname -m); build it from its sources" ;;
    esac
}

# Stops where the C library is another, or too old.
check_libc() {
    has getconf || return 0
    libc=$(getconf GNU_LIBC_VERSION 2> /dev/null) || fail "this system has no glibc (it may have musl), and the program needs it"
    libc=${libc##* }
    older=$(printf '%s\n%s\n' "$libc" "$OLDEST_GLIBC" | sort -t . -k 1,1n -k 2,2n | head -n 1)
    [ "$older" = "$OLDEST_GLIBC" ] || fail "this system has glibc $libc, and the program needs $OLDEST_GLIBC or newer"
}

load() {
    if has curl; then
        curl --proto '=https' --tlsv1.2 --fail --silent --show-error --location --output "$2" "$1" || fail "$1 cannot be loaded"
    elif has wget; then
        wget --quiet --output-document="$2" "$1" || fail "$1 cannot be loaded"
    else
        fail "neither curl nor wget is installed"
    fi
}

sum_of() {
    if has sha256sum; then
        sha256sum "$1"
    elif has shasum; then
        shasum -a 256 "$1"
    else
        fail "neither sha256sum nor shasum is installed, and nothing is installed unchecked"
    fi | cut -d ' ' -f 1
}

main() {
    dir=${HOME:+$HOME/.local/bin} version='' from=''
    while [ $# -gt 0 ]; do
        case $1 in
            --help) usage; exit 0 ;;
            --dir | --version | --from) [ $# -ge 2 ] && [ -n "$2" ] || fail "$1 needs a value" ;;
            *) fail "there is no option $1; --help lists them" ;;
        esac
        case $1 in
            --dir) dir=$2 ;;
            --version) version=${2#v} ;;
            *) from=$2 ;;
        esac
        shift 2
    done
    [ -n "$dir" ] || fail "there is no HOME; say where to with --dir"
    case $version in *[!0-9A-Za-z.+-]*) fail "$version is no version" ;; esac

    triple=$(system)
    case $triple in *-linux-gnu) check_libc ;; esac
    name=activate-$triple
    file=$name.tar.gz

    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' HUP INT TERM
    if [ -n "$from" ]; then
        for one in SHA256SUMS "$file"; do
            cp "$from/$one" "$work/$one" || fail "$from has no $one"
        done
    else
        at=$RELEASES/latest/download
        [ -z "$version" ] || at=$RELEASES/download/v$version
        load "$at/SHA256SUMS" "$work/SHA256SUMS"
        load "$at/$file" "$work/$file"
    fi

    wanted=$(awk -v file="$file" '$2 == file || $2 == "*" file { print $1 }' "$work/SHA256SUMS")
    [ -n "$wanted" ] || fail "SHA256SUMS does not name $file"
    found=$(sum_of "$work/$file")
    [ "$found" = "$wanted" ] || fail "$file is not what SHA256SUMS says: $found instead of $wanted. Nothing was installed"

    # Of the archive only the program is used.
    tar -xzf "$work/$file" -C "$work" "$name/activate" || fail "$file cannot be unpacked"
    chmod 755 "$work/$name/activate"
    said=$("$work/$name/activate" --version) || fail "the program does not run here. Nothing was installed"

    mkdir -p "$dir" || fail "$dir cannot be made"
    dir=$(cd "$dir" && pwd) || fail "$dir cannot be entered"
    for one in activate activate-context; do
        [ ! -d "$dir/$one" ] || fail "$dir/$one is a folder"
    done
    # Moved into place whole: a program that runs, or an install that is stopped, is not disturbed.
    cp "$work/$name/activate" "$dir/.activate.$$" || fail "$dir cannot be written"
    ln -s activate "$dir/.activate-context.$$" || { rm -f "$dir/.activate.$$"; fail "$dir cannot be written"; }
    mv -f "$dir/.activate.$$" "$dir/activate"
    mv -f "$dir/.activate-context.$$" "$dir/activate-context"
    say "$said is in $dir, as activate and activate-context"

    case :$PATH: in
        *:"$dir":*) ;;
        *) say "$dir is not on PATH; add it, or call the program by its whole path" ;;
    esac
    first=$(command -v activate || true)
    case $first in
        '' | "$dir/activate") ;;
        *) say "by the name activate the shell finds $first; call activate-context, or the whole path" ;;
    esac
}

# Called last, so that nothing runs of a script that came in half.
main "$@"
