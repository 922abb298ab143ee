"""What a parcel costs."""

from .price import price_of
from .zones import Zone, zone_of

__all__ = ["Zone", "price_of", "zone_of"]
