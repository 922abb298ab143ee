import pytest

from auth.store import DiskStore


@pytest.fixture
def disk(tmp_path):
    return DiskStore(tmp_path)
