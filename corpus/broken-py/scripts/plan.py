"""Prints how much water a plan of beds needs."""

import sys

from garden.beds import Bed


def read(line):
    name, metres = line.split(",")
    return Bed(name, float(metres))


def main(lines):
    try:
        beds = [read(line) for line in lines]
    except ValueError as error:
        raise RuntimeError("a line is no bed") from error
    print(sum(bed.metres * 10 for bed in beds))


if __name__ == "__main__":
    main(sys.argv[1:])
