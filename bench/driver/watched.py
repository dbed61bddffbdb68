"""Runs a program and watches it with all its children: how long, how much memory, and who else ran.

Memory is the proportional set size (PSS) summed over all processes of the tree at one instant, so
that what two of them share counts once; the highest such sum is the peak. Reading it costs the
watched ones time, so a run is watched either for its time or for its memory.
"""

import os
import subprocess
import threading
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
LONGEST_S = 900


class Watched:
    """What a run was. `others` is the part of one processor that went to somebody else."""

    def __init__(self, words, environment=None, memory=False):
        self.cpu, self.peak_kb = {}, 0
        busy, began = machine_busy(), time.perf_counter()
        process = subprocess.Popen(list(map(str, words)), text=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env={**os.environ, **(environment or {})})
        ended = threading.Event()
        watcher = threading.Thread(target=self.watch, args=(process.pid, ended, memory))
        watcher.start()
        try:
            self.output, told = process.communicate(timeout=LONGEST_S)
        finally:
            ended.set()
            watcher.join()
        self.seconds = time.perf_counter() - began
        self.cpu_s = sum(self.cpu.values())
        self.others = max(0.0, (machine_busy() - busy - self.cpu_s) / self.seconds)
        if process.returncode != 0:
            raise RuntimeError(f"{words[0]}: {told.strip()[-600:]}")

    def watch(self, root, ended, memory):
        while not ended.wait(0.025 if memory else 0.05):
            tree = processes(root)
            for pid in tree:
                self.cpu[pid] = max(self.cpu.get(pid, 0), cpu_of(pid))
            if memory:
                self.peak_kb = max(self.peak_kb, sum(map(pss_of, tree)))


def machine_busy():
    """Seconds that all processors together were not idle."""
    told = list(map(int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]))
    return (sum(told[:3]) + sum(told[5:8])) / TICKS


def processes(root):
    parents = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            parents[int(entry.name)] = parent_of(entry.name)
    tree, fresh = [], [root]
    while fresh:
        tree += fresh
        fresh = [pid for pid, parent in parents.items() if parent in fresh]
    return tree


def stat_of(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return None


def parent_of(pid):
    told = stat_of(pid)
    return int(told[1]) if told else 0


def cpu_of(pid):
    told = stat_of(pid)
    return (int(told[11]) + int(told[12])) / TICKS if told else 0.0


def pss_of(pid):
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(it.split()[1]) for it in lines if it.startswith("Pss:")), 0)
