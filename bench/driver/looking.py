"""Looks at ten thousand torrents in which nothing changes."""

from .places import Files
from .runs import one

TORRENTS = 10_000


def tick(running, short):
    count, turns = (1000, 3) if short else (TORRENTS, 40)
    rows = []
    for places, server in [(Files(), []), (running, [running.pid])]:
        place = places.make()
        rows.append(one(["bench-ours", "tick", place, count, turns, *server]))
        places.remove(place)
    return rows
