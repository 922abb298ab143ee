import pytest

from auth import Authenticator, store
from auth.keys import Key, KeySet


@pytest.fixture
def keys():
    return KeySet(Key("k1", b"secret"))


@pytest.fixture
def authenticator(keys):
    with store.MemoryStore() as memory:
        yield Authenticator(keys, memory, clock=lambda: 10.0)
