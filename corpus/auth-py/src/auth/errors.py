"""Errors that callers map to a status code."""


class AuthError(Exception):
    """A request that may not pass."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def status(self) -> int:
        return 401


class ExpiredToken(AuthError):
    """A token that was good once."""

    def status(self) -> int:
        return super().status() + 18
