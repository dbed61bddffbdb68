"""What is measured, part by part."""

from contextlib import nullcontext

from . import at_rest, looking, searching, shelving, speech
from .places import Files, server
from .runs import Contender, alone, pairs

OURS = ["bench-ours", "drain"]

# How many jobs a run has: enough for seconds, the same for both of a pair.
SQLITE_JOBS = {1: 1000, 8: 3000, 64: 4000}
POSTGRES_JOBS = {1: 1000, 8: 3000, 16: 4000}

SQLITE_PEERS = [
    Contender("bare loop", ["bench-ours", "bare"], "single"),
    Contender("honker", ["bench-honker"], "single"),
    Contender("effectum at FULL", ["bench-effectum-full"], "full"),
    Contender("effectum at FULL, mended to WAL", ["bench-effectum-wal"], "wal"),
    Contender("apalis-sqlite, one by one", ["bench-apalis-sqlite"], "single"),
]
SQLITE_BESIDES = [
    Contender("ours, with the last step's product", OURS, "product"),
    Contender("ours, whole turns of a worker", OURS, "turn"),
    Contender("honker, 128 at once", ["bench-honker"], "batch"),
    Contender("effectum as it comes (DELETE, NORMAL)", ["bench-effectum"], "default"),
    Contender("apalis-sqlite, its default of 10 at once", ["bench-apalis-sqlite"], "batch"),
]


def completing_one_by_one(workers):
    return {"AWA_COMPLETION_BATCH_SIZE": "1", "AWA_COMPLETION_SHARDS": str(workers)}


POSTGRES_PEERS = [
    Contender("awa, one by one", ["bench-awa"], "single", 0.1, completing_one_by_one),
    Contender("graphile_worker", ["bench-graphile-worker"], "single"),
    Contender("apalis-postgres, one by one", ["bench-apalis-postgres"], "single"),
]
POSTGRES_BESIDES = [
    Contender("ours, with the last step's product", OURS, "product"),
    Contender("ours, whole turns of a worker", OURS, "turn"),
    Contender("awa, its default of up to 512 at once", ["bench-awa"], "default", 0.25),
    Contender("graphile_worker, 100 at once", ["bench-graphile-worker"], "batch"),
    Contender("apalis-postgres, its default of 10 at once", ["bench-apalis-postgres"], "batch"),
]


def throughput(places, jobs, peers, besides, short):
    ours = Contender("ours", OURS, "finish")
    compared, listed = [], []
    for workers, count in jobs.items():
        count, rounds = (count // 5, 1) if short else (count, 3)
        compared += pairs(places, ours, peers, count, workers, rounds)
        listed += alone(places, besides, count, workers, 1 if short else 3)
    return {"compared": compared, "listed": listed}


def sqlite(_, short):
    return throughput(Files(), SQLITE_JOBS, SQLITE_PEERS, SQLITE_BESIDES, short)


def postgres(running, short):
    return throughput(running, POSTGRES_JOBS, POSTGRES_PEERS, POSTGRES_BESIDES, short)


PARTS = {
    "sqlite": sqlite,
    "postgres": postgres,
    "claim": at_rest.claim,
    "idle": at_rest.idle,
    "start": at_rest.start,
    "search": searching.search,
    "library": shelving.library,
    "tick": looking.tick,
    "speech": speech.measure,
}

# Those that need no database server.
WITHOUT_SERVER = {"library", "speech"}


def run(chosen, short):
    with server() if set(chosen) - WITHOUT_SERVER else nullcontext() as running:
        measured = {"server": running.shown} if running else {}
        for name in PARTS:
            if name in chosen:
                print(f"measuring {name}", flush=True)
                measured[name] = PARTS[name](running, short)
        return measured
