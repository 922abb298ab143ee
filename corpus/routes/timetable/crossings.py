"""Crossings and their times."""

from fastapi import APIRouter

router = APIRouter(prefix="/crossings")

TIMES = {"north": ["08:00", "17:30"]}


@router.get("")
def list_crossings() -> list[str]:
    """All crossings, by name."""
    return sorted(TIMES)


@router.get("/{crossing}")
def read_times(crossing: str) -> list[str]:
    """When a crossing leaves."""
    return TIMES.get(crossing, [])


@router.delete("/{crossing}/{time}")
def cancel(crossing: str, time: str) -> list[str]:
    """Takes a time out."""
    TIMES[crossing] = [other for other in read_times(crossing) if other != time]
    return TIMES[crossing]
