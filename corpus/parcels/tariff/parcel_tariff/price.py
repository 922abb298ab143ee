"""The price of one parcel."""

from .zones import Zone, zone_of

BASE_CENTS = {Zone.LOCAL: 390, Zone.COUNTRY: 590, Zone.WORLD: 1890}


class TooHeavy(ValueError):
    """The parcel weighs more than any zone takes."""


def price_of(grams: int, postcode: str, country: str = "DE") -> int:
    """Cents for a parcel of this weight."""
    zone = zone_of(postcode, country)
    return BASE_CENTS[zone] + surcharge(grams) + island_fee(postcode)


def surcharge(grams: int) -> int:
    """A step for every started kilogram after the second."""
    if grams > 31_500:
        raise TooHeavy(f"{grams} g is more than 31.5 kg")
    started = -(-max(grams - 2000, 0) // 1000)
    return started * 110


def island_fee(postcode: str) -> int:
    return 450 if postcode.startswith("2584") else 0
