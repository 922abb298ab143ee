from parcel_tariff import price_of


def test_an_island_costs_more():
    assert price_of(900, "25849") == 390 + 450


def test_every_started_kilogram_counts():
    assert price_of(2001, "20095") == 390 + 110
