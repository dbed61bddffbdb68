"""Where databases are made: files beside each other, and a PostgreSQL server of our own.

The server keeps everything through a loss of power, unlike the tests' one: fsync and
full_page_writes are on. The rest of its settings are those that PostgreSQL has by itself, but for
the memory it may use.
"""

import itertools
import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

from .build import DATA, ROOT

SETTINGS = ["fsync=on", "full_page_writes=on", "shared_buffers=256MB", "max_wal_size=4GB"]

numbers = itertools.count(1)


class Files:
    """SQLite files, all on the disk that holds the build directory."""

    def make(self):
        DATA.mkdir(parents=True, exist_ok=True)
        return str(DATA / f"{next(numbers)}.sqlite")

    def remove(self, place):
        for end in ["", "-wal", "-shm", "-journal"]:
            Path(place + end).unlink(missing_ok=True)


class Server:
    """A PostgreSQL server, and databases on it."""

    def __init__(self):
        # The server runs as another user, who may not be able to enter the build directory.
        self.dir = tempfile.mkdtemp(prefix="verst-bench-")
        os.chmod(self.dir, 0o711)
        self.postgres = str(Path(self.dir) / "postgres")
        told = self.script("start", self.postgres, *SETTINGS)
        self.address = told.stdout.strip()
        shown = self.sql("SELECT string_agg(name || ' ' || setting, ', ' ORDER BY name) "
                         "FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', "
                         "'full_page_writes', 'server_version')")
        assert "fsync on" in shown and "synchronous_commit on" in shown, shown
        self.shown = shown
        self.pid = int((Path(self.postgres) / "data" / "postmaster.pid").read_text().split()[0])

    @staticmethod
    def script(*words):
        return subprocess.run([str(ROOT / "scripts" / "postgres"), *words], check=True,
                              stdout=subprocess.PIPE, text=True)

    def sql(self, statement):
        told = subprocess.run(["psql", "-XAtq", "-c", statement, self.address], check=True,
                              stdout=subprocess.PIPE, text=True)
        return told.stdout.strip()

    def make(self):
        name = f"bench_{next(numbers)}"
        self.sql(f"CREATE DATABASE {name}")
        self.sql("CHECKPOINT")
        return self.address.rsplit("/", 1)[0] + "/" + name

    def remove(self, place):
        self.sql(f"DROP DATABASE {place.rsplit('/', 1)[1]} WITH (FORCE)")

    def stop(self):
        self.script("stop", self.postgres)
        shutil.rmtree(self.dir, ignore_errors=True)


@contextmanager
def server():
    running = Server()
    try:
        yield running
    finally:
        running.stop()
