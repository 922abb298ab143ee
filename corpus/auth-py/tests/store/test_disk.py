from auth.store.base import Session


def test_what_is_saved_is_loaded(disk):
    disk.save(Session("a", "ada"))
    assert disk.rename("a", "bea").subject == "bea"
