"""The table of speech."""

from statistics import median

from .tables import spread, table, verdict

OURS, THEIRS, BATCHED = "ours, as shipped", "faster-whisper", "faster-whisper, batched"


def section(measured):
    text = ("### A recording of five minutes\n\nTimes real time: length of the recording by that of "
            "the run. Late: the median and the largest distance between where a phrase begins and "
            "where its segment does, of those segments that begin with one.\n\n")
    return text + "\n".join(language(it) for it in measured)


def language(measured):
    rows, audio_s = measured["rows"], measured["audio_s"]
    listed = []
    for label, row in rows.items():
        late = sorted(map(abs, row["late"]))
        listed.append([
            label, spread([audio_s / it for it in row["seconds"]], "{:.1f}"),
            f"{row['peak_mb']:.0f}", f"{sum(row['found'].values())} of "
            f"{len(row['found']) * measured['said']}",
            f"{median(late):.0f}, {late[-1]:.0f} ({len(late)})" if late else "–",
            f"{max(row['others']):.0%}",
        ])
    head = [f"{measured['language']}, {audio_s:.0f} s", "times real time", "peak, MB",
            "phrases found", "late, ms", "others' share of a processor, most"]
    return table(head, listed) + "\n" + verdicts(rows)


def verdicts(rows):
    took = {label: median(row["seconds"]) for label, row in rows.items()}
    share = rows[OURS]["peak_mb"] / rows[THEIRS]["peak_mb"]
    ours, theirs = rows[OURS]["found"], rows[THEIRS]["found"]
    lost = sum(max(0, theirs[phrase] - ours[phrase]) for phrase in theirs)
    return (verdict(took[OURS] < took[THEIRS], "as shipped, faster than its plain run: "
                    f"{took[THEIRS] / took[OURS]:.2f} times")
            + verdict(share <= 0.65, f"in at most 65 % of its memory: {share:.0%}")
            + verdict(lost == 0, f"no phrase lost that it finds: {lost}")
            + verdict(took[OURS] < took[BATCHED], "as shipped, faster than its batched run: "
                      f"{took[BATCHED] / took[OURS]:.2f} times"))
