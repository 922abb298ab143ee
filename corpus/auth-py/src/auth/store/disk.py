from pathlib import Path

from auth.store import base


class DiskStore(base.Store):
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def save(self, session: base.Session) -> None:
        (self.folder / session.id).write_text(session.subject)

    def load(self, id: str) -> base.Session:
        return base.Session(id, (self.folder / id).read_text())
