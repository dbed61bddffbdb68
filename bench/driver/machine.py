"""What the figures were measured on."""

import os
import platform
import statistics
import subprocess
import time
from datetime import datetime, timezone

from .build import DATA, ROOT


def tell(*words):
    told = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    return told.stdout.strip()


def describe(command):
    DATA.mkdir(parents=True, exist_ok=True)
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as lines:
        model = next((line.split(":")[1].strip() for line in lines if "model name" in line), "?")
    with open("/proc/meminfo", encoding="ascii") as lines:
        memory = int(next(lines).split()[1]) // 1024 // 1024
    source, kind = tell("df", "--output=source,fstype", str(DATA)).splitlines()[1].split()
    return {
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "command": " ".join(command),
        "commit": tell("git", "describe", "--always", "--dirty"),
        "processor": f"{os.cpu_count()} × {model}, {memory} GB of memory",
        "disk": f"{source}, {kind}; {syncs()}",
        "system": f"{platform.system()} {platform.release()}",
        "compiler": tell("rustc", "--version"),
        "load": "load before: " + " ".join(f"{it:.2f}" for it in os.getloadavg()),
    }


def syncs():
    """How long the disk takes to keep 4 KiB: everything durable waits for this."""
    took = []
    path = DATA / "sync"
    with open(path, "wb", buffering=0) as file:
        for _ in range(300):
            file.write(b"x" * 4096)
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            took.append((time.perf_counter() - began) * 1000)
    path.unlink()
    took.sort()
    return (f"fdatasync after 4 KiB: median {statistics.median(took):.2f} ms, "
            f"of 100 the slowest {took[int(len(took) * 0.99)]:.2f} ms")
