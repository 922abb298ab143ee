"""The application: the crossings below one prefix."""

from fastapi import FastAPI

from timetable import crossings, notices

app = FastAPI()
app.include_router(crossings.router, prefix="/timetable")
app.include_router(notices.router, prefix="/timetable")
