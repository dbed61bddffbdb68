"""Compares how Verst reads release names with guessit's own test cases.

The cases come from guessit's wheel on PyPI, into a directory that goes away: they are under the LGPL,
and no copy of them is kept here. Left out are keys that begin with `-`, which say what a name is not;
cases with options; and keys that are no strings. Right is who has guessit's title (letters and digits
compared), its year if it gives one, and its season and episode, absence included.

    names.py READER     READER reads JSON strings, one a line, and answers each with a line of JSON
"""

import json
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import yaml

VERSION = "4.4.0"
FILES = ("movies", "episodes", "various")
DECIDED = 0.55
RIGHT = 0.94


def cases(text):
    """The cases of a file: name and what is expected, those without an answer taking the next one's."""
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    loader = yaml.SafeLoader("")
    found, default, following = {}, {}, None
    for key, value in reversed(node.value):
        expected = loader.construct_object(value, deep=True)
        following = following if expected is None else expected
        if key.value == "__default__":
            default = following
        elif key.tag == "tag:yaml.org,2002:str":
            found.setdefault(key.value, following)
    for written, expected in found.items():
        marks, name = re.match(r"([ +-]*)(.*)", written, re.DOTALL).groups()
        expected = {**default, **expected}
        if "-" not in marks and not expected.get("options"):
            yield name, expected


def plain(title):
    """A title as it is compared."""
    title = title[0] if isinstance(title, list) else title
    return "".join(letter for letter in str(title or "").lower() if letter.isalnum())


def numbers(value):
    """Seasons or episodes as a sorted list."""
    if value is None:
        return []
    return sorted({int(one) for one in (value if isinstance(value, list) else [value])})


def is_right(expected, answer):
    title, year = expected.get("title"), expected.get("year")
    return (
        (title is None or plain(title) == plain(answer["title"]))
        and (year is None or year == answer["year"])
        and numbers(expected.get("season")) == numbers(answer["season"])
        and numbers(expected.get("episode")) == numbers(answer["episode"])
    )


def main():
    with tempfile.TemporaryDirectory() as place:
        download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", place]
        subprocess.run([*download, f"guessit=={VERSION}"], check=True)
        with zipfile.ZipFile(next(Path(place).glob("*.whl"))) as wheel:
            texts = [wheel.read(f"guessit/test/{name}.yml").decode() for name in FILES]
    all_cases = [case for text in texts for case in cases(text)]
    asked = "".join(json.dumps(name) + "\n" for name, _ in all_cases)
    reader = subprocess.run(sys.argv[1:2], input=asked, stdout=subprocess.PIPE, text=True, check=True)
    answers = [json.loads(line) for line in reader.stdout.splitlines()]
    if len(answers) != len(all_cases):
        sys.exit(f"names: {len(answers)} answers to {len(all_cases)} names")
    decided = [(case[1], answer) for case, answer in zip(all_cases, answers) if answer["sure"]]
    right = sum(is_right(expected, answer) for expected, answer in decided)
    share, accuracy = len(decided) / len(all_cases), right / max(len(decided), 1)
    print(f"names: {len(all_cases)} cases of guessit {VERSION}, {share:.1%} decided, {accuracy:.1%} of these right")
    if share < DECIDED or accuracy < RIGHT:
        sys.exit(f"names: at least {DECIDED:.0%} and {RIGHT:.0%} are demanded")


main()
