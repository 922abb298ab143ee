import unittest

from auth.store import MemoryStore, Session


class MemoryTest(unittest.TestCase):
    def setUp(self):
        self.store = MemoryStore()

    def test_rename(self):
        self.store.save(Session("a", "ada"))
        self.assertEqual(self.store.rename("a", "bea").subject, "bea")

    def test_close(self):
        self.store.close()
        self.assertEqual(self.store.counts, 0)
