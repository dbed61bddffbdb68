"""The tables."""

import re
from statistics import median

from . import speech_report
from .build import BENCH
from .tables import spread, table, verdict

README = BENCH / "README.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


def throughput(measured):
    compared = [[it["workers"], it["label"], spread(it["ours"]), spread(it["peer"]),
                 spread(it["ratios"], "{:.2f}")] for it in measured["compared"]]
    listed = [[it["workers"], it["label"], spread(it["rates"])] for it in measured["listed"]]
    return (table(["workers", "peer", "ours, jobs/s", "peer, jobs/s", "ours ÷ peer"], compared)
            + "\nBesides, compared with nothing:\n\n"
            + table(["workers", "what", "jobs/s"], listed))


def ratio(measured, label, workers):
    rows = [it for it in measured["compared"] if it["workers"] == workers]
    ratios = next(it["ratios"] for it in rows if it["label"].split(", one")[0] == label)
    return median(ratios) if ratios else float("nan")


def sqlite(measured):
    share = ratio(measured, "bare loop", 64)
    text = verdict(share >= 0.6, f"64 workers reach at least 60 % of the bare loop: {share:.0%}")
    for peer in ["honker", "effectum at FULL", "effectum at FULL, mended to WAL", "apalis-sqlite"]:
        times = ratio(measured, peer, 64)
        text += verdict(times >= 3, f"64 workers are at least 3 times {peer}: {times:.1f} times")
    return "### SQLite, `synchronous = FULL`\n\n" + throughput(measured) + "\n" + text


def postgres(measured):
    text = ""
    for workers in sorted({it["workers"] for it in measured["compared"]}):
        rows = [it for it in measured["compared"] if it["workers"] == workers and it["peer"]]
        best = max(rows, key=lambda it: median(it["peer"]))
        times = median(best["ratios"])
        text += verdict(times >= 1, f"{workers} workers are at least equal to the best one that "
                                    f"takes jobs one by one, {best['label']}: {times:.2f} times")
    return "### PostgreSQL, `fsync` and `synchronous_commit` on\n\n" + throughput(measured) + "\n" + text


def claim(measured):
    rows, text = [], ""
    for it in measured:
        back = it["back"]
        times = (it["time_ratio"] * back) ** 0.5
        few, many = (f"{min(s)} to {max(s)}" if min(s) != max(s) else str(s[0])
                     for s in (it["one"]["steps"], it["other"]["steps"]))
        rows.append([it["system"], "yes" if it["same_plan"] else "no", few, many,
                     f"{it['one']['us']:.1f}", f"{it['other']['us']:.1f}", f"{times:.2f}"])
        more = max(it["other"]["steps"]) - max(it["one"]["steps"])
        # Two levels of an index at most, each gone down twice.
        few_pages = "postgres" in it["system"] and 0 <= more <= 4
        text += verdict(it["same_plan"], f"{it['system']}: the same plan, and the same rows in it")
        text += verdict(more == 0 or few_pages, f"{it['system']}: the same steps: {more:+}")
        text += verdict(times <= 1.2, f"{it['system']}: at most 1.2 times as long: {times:.2f}")
        text += f"  - plan with a million finished rows: `{it['other']['plan']}`\n"
    head = ["store", "same plan", "steps, none", "steps, a million", "µs, none", "µs, a million",
            "times"]
    return ("### A claim beside a million finished rows\n\nSteps are those of SQLite's virtual "
            "machine; on PostgreSQL, pages looked at.\n\n" + table(head, rows) + "\n" + text)


def idle(measured):
    rows, text = [], ""
    for system in dict.fromkeys(it["system"] for it in measured):
        shares = {}
        for waiting in sorted({it["waiting"] for it in measured}):
            mine = [it for it in measured if (it["system"], it["waiting"]) == (system, waiting)]
            seconds = mine[0]["seconds"]
            share = [[it[key] / seconds / 10 for it in mine] for key in ("cpu_ms", "server_cpu_ms")]
            shares[waiting] = median([sum(it) for it in zip(*share)])
            rss = median([it["rss_kb"] / 1024 for it in mine])
            server = spread(share[1], "{:.3f}") if "postgres" in system else "–"
            rows.append([system, f"{waiting:,}", spread(share[0], "{:.3f}"), server, f"{rss:.1f}"])
        none, much = shares.values()
        text += verdict(much - none < 0.1, f"{system}: 100,000 deferred rows cost an idle service "
                        f"less than a thousandth of a processor: {much - none:+.3f} %")
    head = ["store", "deferred rows", "service, % of a processor", "server, %", "resident, MB"]
    return "### Four idle workers\n\n" + table(head, rows) + "\n" + text


def start(measured):
    rows, text = [], ""
    kinds = dict.fromkeys((it["system"], it["cold"]) for it in measured["ready"])
    for system, cold in kinds:
        mine = [it for it in measured["ready"] if (it["system"], it["cold"]) == (system, cold)]
        ready = [it["ready_ms"] for it in mine]
        name = system + (", nothing of it in memory" if cold else "")
        rows.append([name, spread([it["open_ms"] for it in mine], "{:.1f}"), spread(ready, "{:.1f}")])
        text += verdict(median(ready) <= 300, f"{name}: ready in at most 300 ms: {median(ready):.0f}")
    binary = [it for it in measured["binary"] if it["ready_ms"] is not None]
    if binary:
        ready, rss = ([it[key] for it in binary] for key in ("ready_ms", "rss_kb"))
        rss = [it / 1024 for it in rss]
        rows.append(["`verst serve`, to its first line", "–", spread(ready, "{:.0f}")])
        text += verdict(median(ready) <= 300, f"`verst serve` ready in at most 300 ms: {median(ready):.0f}")
        text += verdict(median(rss) <= 40, f"`verst serve` idle in at most 40 MB: {spread(rss, '{:.1f}')}")
    head = ["what", "opened, ms", "first claim answered, ms"]
    return "### A start beside a million finished rows\n\n" + table(head, rows) + "\n" + text


def search(measured):
    rows, text = [], ""
    for it in measured:
        worst = max(it["kinds"], key=lambda kind: kind["p99_ms"])
        for kind in it["kinds"]:
            rows.append([it["system"], kind["asked"], f"{kind['found']:.0f}",
                         f"{kind['p50_ms']:.1f}", f"{kind['p99_ms']:.1f}",
                         f"{kind['shown_p50_ms']:.1f}", f"{kind['shown_p99_ms']:.1f}"])
        text += verdict(worst["p99_ms"] <= 20, f"{it['system']}: each kind of page in at most 20 ms "
                        f"at the 99th percentile: {worst['p99_ms']:.1f} ({worst['asked']})")
    head = ["store", "asked", "found", "page, ms", "p99", "with snippets, ms", "p99"]
    title = f"### A page of 50 among {measured[0]['recordings']:,} recordings\n\n"
    return title + table(head, rows) + "\n" + text


def tick(measured):
    rows, text = [], ""
    for it in measured:
        server = spread(it["server_ms"], "{:.1f}") if "postgres" in it["system"] else "–"
        rows.append([it["system"], spread(it["ms"], "{:.1f}"), server, spread(it["full_ms"], "{:.1f}")])
        text += verdict(median(it["ms"]) <= 50, f"{it['system']}: a look costs at most 50 ms of "
                        f"processor: {median(it['ms']):.1f}")
    head = ["store", "a look, ms of processor", "server, ms", "one that lists everything anew, ms"]
    title = f"### A look at {measured[0]['torrents']:,} torrents in which nothing changes\n\n"
    return title + table(head, rows) + "\n" + text


def library(measured):
    times = median(measured["ratios"])
    rows = [["placed, and on the disk", spread(measured["ours"], "{:.1f}")],
            ["`cp -al`, not on the disk yet", spread(measured["cp"], "{:.1f}")],
            ["the plan before, which is only names", spread(measured["plan"], "{:.1f}")]]
    title = f"### {measured['files']:,} files into a library\n\n"
    shown = spread(measured["ratios"], "{:.2f}")
    text = verdict(times <= 1.3, f"at most 1.3 times as long as `cp -al`: {shown}")
    return title + table(["what", "ms"], rows) + "\n" + text


SECTIONS = {"sqlite": sqlite, "postgres": postgres, "claim": claim, "idle": idle, "start": start,
            "search": search, "library": library, "tick": tick, "speech": speech_report.section}


def text(machine, measured):
    told = "".join(f"- {name}: {value}\n" for name, value in machine.items())
    if "server" in measured:
        told += f"- server: {measured['server']}\n"
    return told + "\n" + "\n".join(SECTIONS[it](measured[it]) for it in SECTIONS if it in measured)


def write(text, complete):
    """Between the marks; a part alone goes to a file beside the databases."""
    if not complete:
        from .build import TARGET

        (TARGET / "measured.md").write_text(text)
        return
    readme = README.read_text()
    marks = re.compile(re.escape(BEGIN) + ".*" + re.escape(END), re.S)
    README.write_text(marks.sub(lambda _: f"{BEGIN}\n\n{text}\n{END}", readme))
