"""One run of a measured program, and pairs of them that take turns."""

import json
import os
import subprocess

from .build import program

LONGEST_S = 300


def one(words, environment=None):
    """Runs a program to its end and returns what it says of itself."""
    told = subprocess.run([program(words[0]), *map(str, words[1:])], text=True, timeout=LONGEST_S,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          env={**os.environ, **(environment or {})})
    if told.returncode != 0:
        raise RuntimeError(f"{words}: {told.stderr.strip()[-600:]}")
    return json.loads(told.stdout.strip().splitlines()[-1])


class Contender:
    """A program in one of its modes. A slow one is given a share of the jobs, and so is ours beside it."""

    def __init__(self, label, words, mode, share=1, environment=None):
        self.label, self.words, self.mode, self.share = label, words, mode, share
        self.environment = environment or (lambda workers: {})

    def rate(self, places, jobs, workers):
        """Jobs a second, on a new database; nothing when it failed, which spoils no other's figure."""
        place = places.make()
        try:
            words = [*self.words, place, jobs, workers, self.mode]
            rate = one(words, self.environment(workers))["rate"]
            print(f"  {workers:3} workers, {self.label}: {rate:.0f}", flush=True)
            return rate
        except (RuntimeError, subprocess.TimeoutExpired) as failure:
            print(f"  {workers:3} workers, {self.label} failed: {failure}", flush=True)
            return None
        finally:
            places.remove(place)


def pairs(places, ours, peers, jobs, workers, rounds):
    """Ours and each peer take turns; who begins changes from round to round."""
    rows = [{"label": it.label, "workers": workers, "ours": [], "peer": [], "ratios": []}
            for it in peers]
    for turn in range(rounds):
        for peer, row in zip(peers, rows):
            order = [(ours, "ours"), (peer, "peer")]
            rates = {side: contender.rate(places, int(jobs * peer.share), workers)
                     for contender, side in (order if turn % 2 == 0 else reversed(order))}
            if None not in rates.values():
                row["ours"].append(rates["ours"])
                row["peer"].append(rates["peer"])
                row["ratios"].append(rates["ours"] / rates["peer"])
    return rows


def alone(places, contenders, jobs, workers, rounds):
    """What is listed besides, and compared with nothing."""
    rows = [{"label": it.label, "workers": workers, "rates": []} for it in contenders]
    for _ in range(rounds):
        for contender, row in zip(contenders, rows):
            rate = contender.rate(places, int(jobs * contender.share), workers)
            row["rates"] += [] if rate is None else [rate]
    return rows
