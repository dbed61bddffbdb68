"""The whole road of a recording, from the file to its text, beside faster-whisper with the same model.

Ours is the program as it is run by people, on a new data directory each time: it takes the file in,
decodes it, finds the speech, hears it in a process of its own and keeps every slice. Theirs is a
program of a few lines around the library. Both are timed from the start of the process to its end,
both detect the language, both have two threads, and they take turns.
"""

import json
import os
import shutil
import subprocess
import tempfile

from . import heard, peer
from .build import ROOT, TARGET, VERST
from .watched import Watched

NATIVE = TARGET / "native"

# A run beside which others had more of a processor than this is done again, so many times.
QUIET, TRIES = 0.15, 5


def build():
    """What ships is built already; besides, the same for this processor alone, and the peer."""
    print("building verst for this processor", flush=True)
    environment = {**os.environ, "CARGO_TARGET_DIR": str(NATIVE),
                   "TRANSCRIBE_CMAKE_ARGS": "-DGGML_NATIVE=ON"}
    subprocess.run(["cargo", "build", "--release", "--locked", "-p", "verst"], cwd=ROOT,
                   env=environment, check=True)
    print("installing faster-whisper", flush=True)
    peer.install()


class Ours:
    def __init__(self, label, program):
        self.label, self.program = label, program

    def run(self, audio, memory):
        data = tempfile.mkdtemp(dir=TARGET)
        try:
            words = [self.program, "transcribe", "--data", data, "--format", "json", audio]
            run = Watched(words, {"VERST_MODELS": str(ROOT / "models")}, memory)
        finally:
            shutil.rmtree(data, ignore_errors=True)
        return run, json.loads(run.output)["segments"]


class Theirs:
    def __init__(self, label, mode):
        self.label, self.mode = label, mode

    def run(self, audio, memory):
        run = Watched([peer.PYTHON, peer.PROGRAM, peer.MODEL, audio, self.mode], memory=memory)
        return run, json.loads(run.output)["segments"]


CONTENDERS = [
    Ours("ours, as shipped", VERST),
    Ours("ours, built for this processor", NATIVE / "release" / "verst"),
    Theirs("faster-whisper", "plain"),
    Theirs("faster-whisper, batched", "batched"),
]


def quietly(contender, audio):
    """A run that had the machine to itself; the least disturbed one if there was none."""
    best = None
    for _ in range(TRIES):
        run, segments = contender.run(audio, memory=False)
        if best is None or run.others < best[0].others:
            best = run, segments
        if run.others <= QUIET:
            break
    return best


def measure(_, short):
    peer.PLACE.mkdir(parents=True, exist_ok=True)
    results = []
    for plan in [heard.ENGLISH, heard.RUSSIAN]:
        recording = heard.make(plan, peer.PLACE)
        rows = {it.label: {"seconds": [], "others": []} for it in CONTENDERS}
        for _ in range(1 if short else 3):
            for contender in CONTENDERS:
                run, segments = quietly(contender, recording["path"])
                row = rows[contender.label]
                row["seconds"].append(run.seconds)
                row["others"].append(run.others)
                row["found"] = heard.found(recording, segments)
                row["late"] = heard.late(recording, segments)
                print(f"  {plan['name']} {contender.label}: {run.seconds:.1f} s", flush=True)
        for contender in CONTENDERS:
            run, _ = contender.run(recording["path"], memory=True)
            rows[contender.label]["peak_mb"] = run.peak_kb / 1000
        results.append({"language": plan["name"], "audio_s": recording["seconds"],
                        "said": plan["rounds"], "rows": rows})
    return results
