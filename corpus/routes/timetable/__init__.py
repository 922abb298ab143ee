"""When ferries leave."""
