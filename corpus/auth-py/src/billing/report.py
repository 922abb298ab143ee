"""A package without a file of its own: its folder is enough."""


def validate_token(token):
    return token.isdigit()


def parse(line):
    return line.split(";")


def total(lines):
    return sum(int(parse(line)[1]) for line in lines if validate_token(parse(line)[0]))
