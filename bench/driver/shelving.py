"""Ten thousand files into a library, in turns with `cp -al`."""

import os
import shutil
import subprocess
import time

from .build import DATA
from .runs import one

FILES = 10_000
EACH = 100
# As the program that places them lists them.
NAME = "Очень.длинный.сериал.S{0:02}E{1:02}.One.of.Many.1080p.WEB-DL.x264-GROUP.mkv"


def library(_, short):
    """A download of a hundred directories; each run links it into a new directory on its disk."""
    count, rounds = (1000, 1) if short else (FILES, 10)
    downloads = DATA / "downloads"
    shutil.rmtree(downloads, ignore_errors=True)
    for season in range(count // EACH):
        (downloads / str(season + 1)).mkdir(parents=True)
        for episode in range(EACH):
            (downloads / str(season + 1) / NAME.format(season + 1, episode + 1)).write_text("film")
    runs = {"ours": lambda to: shelved(downloads, to, count), "cp": lambda to: copied(downloads, to)}
    measured = {"files": count, "ours": [], "cp": [], "ratios": [], "plan": []}
    for turn in range(rounds):
        took = {}
        for name in list(runs) if turn % 2 == 0 else list(reversed(runs)):
            to = DATA / "library"
            to.mkdir()
            # What the run before left to be written is not held against this one.
            os.sync()
            took[name] = runs[name](to)
            shutil.rmtree(to)
        for name in runs:
            measured[name].append(took[name]["ms"])
        measured["plan"].append(took["ours"]["plan_ms"])
        measured["ratios"].append(took["ours"]["ms"] / took["cp"]["ms"])
    shutil.rmtree(downloads)
    return measured


def shelved(downloads, to, count):
    return one(["bench-ours", "shelve", downloads, to, count])


def copied(downloads, to):
    began = time.perf_counter()
    subprocess.run(["cp", "-al", downloads, to / "copy"], check=True)
    return {"ms": (time.perf_counter() - began) * 1000}
