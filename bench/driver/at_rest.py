"""What a large database and waiting work cost: a claim, a service with nothing to do, a start."""

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

from .build import DATA, VERST, program
from .places import Files
from .runs import one

MILLION = 1_000_000
WAITING = 100_000


def filled(places, finished=0, deferred=0, ready=0):
    place = places.make()
    one_quietly(["bench-ours", "fill", place, finished, deferred, ready])
    return place


def one_quietly(words):
    subprocess.run([program(words[0]), *map(str, words[1:])], check=True, timeout=600)


def claim(running, short):
    """The same claim beside a million finished rows and beside none."""
    rows = []
    for places in [Files(), running]:
        few = filled(places, ready=2000)
        many = filled(places, finished=MILLION // (20 if short else 1), ready=2000)
        # The later of two has the warmer machine; neither may always be the later.
        there, back = one(["bench-ours", "steps", few, many]), one(["bench-ours", "steps", many, few])
        rows.append({**there, "back": 1 / back["time_ratio"]})
        places.remove(few)
        places.remove(many)
    return rows


def idle(running, short):
    """Processor time of four workers with nothing ready: nothing waits, or much does."""
    seconds, rows = (5, []) if short else (30, [])
    for places in [Files(), running]:
        none, much = filled(places), filled(places, deferred=WAITING)
        for _ in range(1 if short else 2):
            for place, waiting in [(none, 0), (much, WAITING)]:
                told = one(["bench-ours", "idle", place, seconds, running.pid])
                rows.append({**told, "waiting": waiting})
        places.remove(none)
        places.remove(much)
    return rows


def start(running, short):
    """From nothing to the first answered claim beside a million finished rows."""
    finished, rows = MILLION // (20 if short else 1), []
    files = Files()
    place = filled(files, finished=finished)
    for cold in [False, True] if os.geteuid() == 0 else [False]:
        for _ in range(5):
            if cold:
                os.sync()
                Path("/proc/sys/vm/drop_caches").write_text("3")
            rows.append({**one(["bench-ours", "ready", place]), "cold": cold})
    place_there = filled(running, finished=finished)
    for _ in range(5):
        rows.append({**one(["bench-ours", "ready", place_there]), "cold": False})
    running.remove(place_there)
    binaries = [binary(place, short) for _ in range(1 if short else 5)]
    files.remove(place)
    return {"ready": rows, "binary": binaries}


def binary(database, short):
    """The shipped program on a data directory with that database: ready when it says so."""
    if not VERST.exists() or subprocess.run([VERST, "serve", "--help"], capture_output=True,
                                            check=False).returncode != 0:
        return {"ready_ms": None, "rss_kb": None}
    data = DATA / "service"
    shutil.rmtree(data, ignore_errors=True)
    # Made by itself first, so that only its database is exchanged.
    started(data).end()
    shutil.copy(database, data / "verst.sqlite")
    service = started(data)
    time.sleep(1 if short else 5)
    status = Path(f"/proc/{service.process.pid}/status").read_text()
    rss = int(re.search(r"VmRSS:\s+(\d+)", status).group(1))
    service.end()
    shutil.rmtree(data)
    return {"ready_ms": service.ready_ms, "rss_kb": rss}


class started:
    """A service, from its start to the first line it writes."""

    def __init__(self, data):
        began = time.perf_counter()
        self.process = subprocess.Popen([VERST, "serve", "--data", data], text=True,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE)
        self.process.stderr.readline()
        self.ready_ms = (time.perf_counter() - began) * 1000

    def end(self):
        self.process.terminate()
        self.process.communicate(timeout=60)
