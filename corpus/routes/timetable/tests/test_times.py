"""The timetable, asked as passengers do."""

from fastapi.testclient import TestClient

from timetable.app import app

client = TestClient(app)


def test_a_cancelled_time_is_gone():
    crossing = "north"
    client.delete(f"/timetable/crossings/{crossing}/17:30")
    times = client.get(f"/timetable/crossings/{crossing}").json()
    assert times == ["08:00"]


def test_crossings_are_listed():
    assert client.get("/timetable/crossings").json() == ["north"]
