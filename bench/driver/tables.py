"""Rows and verdicts as Markdown."""

from statistics import median


def spread(values, form="{:,.0f}"):
    if not values:
        return "did not finish"
    if len(values) == 1:
        return form.format(values[0])
    shown = [form.format(it) for it in (median(values), min(values), max(values))]
    return f"{shown[0]} ({shown[1]} to {shown[2]})"


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def verdict(met, what):
    return f"- {'met' if met else '**missed**'}: {what}\n"
