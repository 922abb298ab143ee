"""What a valid token says about its bearer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Optional


@dataclass
class Claims:
    subject: str
    expires_at: float
    roles: list[Role] = field(default_factory=list)
    issuer: Optional["Issuer"] = None

    def expired(self, now: float) -> bool:
        return now >= self.expires_at

    def has_role(self, name: str) -> bool:
        return any(role.matches(name) for role in self.roles)

    @property
    def label(self) -> str:
        if self.issuer is not None:
            return self.issuer.prefix() + self.subject
        return self.subject


class Role:
    def __init__(self, name: str) -> None:
        self.name = name

    def matches(self, name: str) -> bool:
        return self.name == name


class Issuer:
    def __init__(self, name: str) -> None:
        self.name = name

    def prefix(self) -> str:
        return self.name + ":"
