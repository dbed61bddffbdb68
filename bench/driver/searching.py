"""Pages of lists and of hits over many recordings."""

import subprocess

from .build import program
from .places import Files
from .runs import one

RECORDINGS = 100_000
# Making a card is a third of a second's hundredth; a hundred thousand take their time.
FILLING_S = 3600


def search(running, short):
    count, rounds = (5000, 20) if short else (RECORDINGS, 200)
    rows = []
    for places in [Files(), running]:
        place = places.make()
        subprocess.run([program("bench-ours"), "texts", place, str(count)], check=True,
                       timeout=FILLING_S, stdout=subprocess.DEVNULL)
        rows.append({**one(["bench-ours", "search", place, count, rounds]), "recordings": count})
        places.remove(place)
    return rows
