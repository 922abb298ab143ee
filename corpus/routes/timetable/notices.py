"""What passengers should know."""

from fastapi import APIRouter

router = APIRouter()


@router.get("/notices")
def list_notices() -> list[str]:
    """All notices, the newest first."""
    return ["The north crossing is late."]
