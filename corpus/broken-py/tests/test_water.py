import pytest

from garden.beds import by_name
from garden.water import Tap, water


def test_plants(beds):
    assert beds[0].plants(0.3) == 13


def test_water(beds):
    assert water(Tap(100), beds) == 40


class TestTap:
    def test_pours(self, beds):
        tap = Tap(10)
        assert tap.pour(beds[0]) == 40

    @pytest.mark.skip(reason="no rain")
    def test_rain(self):
        assert False

    @pytest.mark.parametrize("name", ["roses", "herbs"])
    def test_names(self, beds, name):
        assert name in by_name(beds)
