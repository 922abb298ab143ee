"""Shows what a token says."""

import sys

import billing.report
from auth import validate
from auth.keys import Key, KeySet

import helper


def main(token):
    keys = KeySet(Key("k1", b"secret"))
    claims = validate(token, keys)
    print(helper.shown(claims), claims.has_role("admin"))
    print(billing.report.total(["1;2"]))
    for key in keys:
        key.sign(token)
    keys.close()


if __name__ == "__main__":
    main(sys.argv[1])
