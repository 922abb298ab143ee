"""Where sessions are kept."""

from .base import Session, Store
from .memory import MemoryStore

try:
    from .disk import DiskStore
except ImportError:
    DiskStore = None
