"""Tokens to claims."""

import time

from . import errors
from .claims import Claims, Issuer, Role
from .keys import KeySet
from .store.base import Session, Store

_cache = {}


def validate_token(token: str, keys: KeySet, now=time.time) -> Claims:
    """The claims of a token, if it is good."""
    if not token:
        raise errors.AuthError("token is empty")
    body, _, key_id = token.partition("@")
    claims = parse(body)
    if claims.expired(now()):
        raise errors.ExpiredToken("token has expired")
    keys.find(key_id).sign(body)
    return claims


def parse(body):
    subject, expires_at, *roles = body.split("|")
    return Claims(subject, float(expires_at), [Role(name) for name in roles], Issuer("local"))


class Authenticator:
    def __init__(self, keys: KeySet, store: Store, clock=None):
        self.keys = keys
        self.store = store
        self.clock = clock or time.time

    def login(self, token: str) -> Session:
        claims = validate_token(token, self.keys, self.clock)
        session = self._session(claims)
        self.store.save(session)
        return session

    def _session(self, claims):
        def name():
            return claims.label

        if isinstance(claims, Claims) and not claims.has_role("guest"):
            return Session("s-" + name(), claims.subject)
        return Session("guest", name())

    def logout(self, id):
        with self.store as store:
            store.load(id).touch()
