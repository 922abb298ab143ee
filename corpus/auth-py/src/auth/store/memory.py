from .base import Counting, Session, Store


class MemoryStore(Counting, Store):
    def __init__(self) -> None:
        self.sessions: dict[str, Session] = {}

    def save(self, session: Session) -> None:
        self.count("save")
        self.sessions[session.id] = session

    def load(self, id: str) -> Session:
        return self.sessions[id].touch()
