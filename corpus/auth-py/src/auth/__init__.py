"""Decides whether a request may pass."""

from . import store
from .claims import Claims
from .errors import AuthError, ExpiredToken
from .login import Authenticator, validate_token as validate

__all__ = ["Authenticator", "AuthError", "Claims", "ExpiredToken", "store", "validate"]
