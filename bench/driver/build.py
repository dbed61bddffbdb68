"""Builds the measured programs, each in a workspace of its own, before anything is measured."""

import json
import os
import shutil
import subprocess
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent
ROOT = BENCH.parent
TARGET = ROOT / "target" / "bench"
DATA = TARGET / "data"
VERST = ROOT / "target" / "release" / "verst"

PROGRAMS = {
    "ours": "bench-ours",
    "sqlite-peers/honker": "bench-honker",
    "sqlite-peers/effectum": "bench-effectum",
    "sqlite-peers/apalis": "bench-apalis-sqlite",
    "postgres-peers/awa": "bench-awa",
    "postgres-peers/graphile_worker": "bench-graphile-worker",
    "postgres-peers/apalis": "bench-apalis-postgres",
}


def program(name):
    return str(TARGET / "release" / name)


def cargo(*words, where):
    environment = {**os.environ, "CARGO_TARGET_DIR": str(TARGET)}
    subprocess.run(["cargo", *words], cwd=where, env=environment, check=True)


def everything():
    for place in PROGRAMS:
        print(f"building {place}", flush=True)
        cargo("build", "--release", "--locked", where=BENCH / place)
    print("building effectum with its pragmas mended", flush=True)
    mended_effectum("full", [FULL])
    mended_effectum("wal", [FULL, WAL])
    print("building verst", flush=True)
    subprocess.run(["cargo", "build", "--release", "--locked", "-p", "verst"], cwd=ROOT, check=True)


FULL = ('"synchronous", "normal"', '"synchronous", "full"')
# The pragma that is meant answers with a row, which needs another function.
WAL = ('pragma_update(None, "journal", "wal")',
       'pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))')


def mended_effectum(name, changes):
    """The same program on a copy of effectum's source in which a line or two differ.

    Effectum sets NORMAL, and a pragma called `journal`, which SQLite does not have and ignores.
    Nothing in its interface changes that.
    """
    original = BENCH / "sqlite-peers" / "effectum"
    told = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--locked"],
        cwd=original, check=True, capture_output=True, text=True,
    )
    packages = json.loads(told.stdout)["packages"]
    manifest = next(it["manifest_path"] for it in packages if it["name"] == "effectum")
    copy = TARGET / f"effectum-{name}"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(Path(manifest).parent, copy / "effectum")
    queue = copy / "effectum" / "src" / "local_queue.rs"
    text = queue.read_text()
    for old, new in changes:
        assert text.count(old) == 1, "effectum is not as it was"
        text = text.replace(old, new)
    queue.write_text(text)
    # Under a name of its own: Cargo takes two packages for one that have the same name and place.
    manifest = copy / "effectum" / "Cargo.toml"
    manifest.write_text(manifest.read_text().replace('name = "effectum"', f'name = "effectum-{name}"', 1))
    ours = (original / "Cargo.toml").read_text()
    ours = ours.replace('effectum = "=0.7.0"', f'effectum = {{ package = "effectum-{name}", path = "effectum" }}')
    ours = ours.replace('name = "bench-effectum"', f'name = "bench-effectum-{name}"')
    main = json.dumps(str(original / "src" / "main.rs"))
    ours += f'\n[[bin]]\nname = "bench-effectum-{name}"\npath = {main}\n'
    (copy / "Cargo.toml").write_text(ours)
    shutil.copy(original / "Cargo.lock", copy / "Cargo.lock")
    cargo("build", "--release", where=copy)
