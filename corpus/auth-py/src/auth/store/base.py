from abc import ABC, abstractmethod


class Session:
    def __init__(self, id: str, subject: str) -> None:
        self.id = id
        self.subject = subject

    def touch(self) -> "Session":
        return self


class Store(ABC):
    @abstractmethod
    def save(self, session: Session) -> None: ...

    @abstractmethod
    def load(self, id: str) -> Session: ...

    def rename(self, id: str, subject: str) -> Session:
        session = self.load(id)
        session.subject = subject
        self.save(session.touch())
        return session

    def __enter__(self):
        return self

    def __exit__(self, *error) -> None:
        self.close()

    def close(self) -> None:
        pass


class Counting:
    def count(self, what: str) -> None:
        self.counts = getattr(self, "counts", 0) + len(what)

    def close(self) -> None:
        self.counts = 0
