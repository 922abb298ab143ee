import pytest

from garden.beds import Bed


@pytest.fixture
def beds():
    return [Bed("roses", 4.0), Bed("leeks", 2.5)]
