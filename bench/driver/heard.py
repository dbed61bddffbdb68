"""The recordings that are transcribed, made of the samples, and what is known to be said in them.

Five minutes each. The samples are cut in pauses and put together again with other pauses between,
a round after another, each as loud as its turn says, so where every phrase begins is known.
"""

import array
import itertools
import re
import subprocess
import wave

from .build import ROOT

RATE = 16_000

# Where a sample is cut, the pauses that follow each piece in turn, and how loud the rounds are.
# A phrase has the second at which it begins in the sample, where that is certain.
ENGLISH = {
    "name": "en", "sample": "two-cities-en.ogg", "rounds": 6, "loud": [1.0, 0.5, 0.8, 0.3, 1.0, 0.6],
    "cuts": [0.9, 8.4, 17.1, 24.3, 28.7, 42.2], "pauses": [0.3, 2.5, 0.8, 4.0, 1.2],
    # Where nobody speaks in the sample: what the pauses are filled with.
    "room": (43.15, 44.3),
    "phrases": [
        (1.21, "it was the best of times"), (2.99, "it was the worst of times"),
        (5.05, "it was the age of wisdom"), (6.69, "it was the age of foolishness"),
        (8.82, "it was the epoch of belief"), (10.78, "it was the epoch of incredulity"),
        (13.49, "it was the season of light"), (15.16, "it was the season of darkness"),
        (17.58, "it was the spring of hope"), (18.99, "it was the winter of despair"),
        (21.27, "we had everything before us"), (None, "we had nothing before us"),
        (24.66, "we were all going direct to heaven"),
        (26.58, "we were all going direct the other way"),
        (29.13, "in short"), (29.94, "the period was so far like the present period"),
        (None, "some of its noisiest authorities"), (None, "for good or for evil"),
        (None, "in the superlative degree of comparison only"),
    ],
}

RUSSIAN = {
    "name": "ru", "sample": "server-ru.ogg", "rounds": 12, "loud": [1.0, 0.6],
    "cuts": [0.0, 5.65, 11.0, 15.8, 20.4], "pauses": [0.5, 1.0, 2.0, 1.1], "room": None,
    "phrases": [
        (0.24, "сегодня мы поговорим о том"), (2.30, "как скачивать файлы"),
        (None, "раздавать их другим людям"), (5.90, "программа работает на домашнем сервере"),
        (None, "сама находит новые серии"), (11.08, "после загрузки"),
        (None, "переименует файлы"), (None, "положит их в нужную папку"),
        (15.94, "если места на диске мало"), (18.22, "старые файлы будут удалены"),
    ],
}


def make(plan, place):
    """Writes the recording as people send them, Ogg Opus, and returns what is said in it and when."""
    sample = decoded(ROOT / "samples" / plan["sample"])
    room = stretch(sample, *plan["room"]) if plan["room"] else array.array("h", [0] * RATE)
    pauses = itertools.cycle(plan["pauses"])
    whole, said = array.array("h"), []
    for turn in range(plan["rounds"]):
        loud = plan["loud"][turn % len(plan["loud"])]
        for start, end in itertools.pairwise(plan["cuts"]):
            at = len(whole) / RATE - start
            said += [(at + begins, words) for begins, words in plan["phrases"]
                     if begins is not None and start <= begins < end]
            whole.extend(int(it * loud) for it in stretch(sample, start, end))
            length = round(next(pauses) * RATE)
            whole.extend(itertools.islice(itertools.cycle(room), length))
    path = place / f"{plan['name']}.ogg"
    with wave.open(str(path.with_suffix(".wav")), "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(whole.tobytes())
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", path.with_suffix(".wav"), "-c:a", "libopus",
                    "-b:a", "48k", path], check=True)
    return {"path": path, "seconds": len(whole) / RATE, "said": said, "plan": plan}


def decoded(path):
    told = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "s16le", "-ac", "1", "-ar",
                           str(RATE), "-"], check=True, stdout=subprocess.PIPE)
    return array.array("h", told.stdout)


def stretch(samples, start, end):
    return samples[round(start * RATE):round(end * RATE)]


def words(text):
    return "".join(it if it.isalnum() else " " for it in text.lower().replace("ё", "е")).split()


def found(recording, segments):
    """How often each known phrase was heard, at most as often as it was said."""
    text = " " + " ".join(words(" ".join(it["text"] for it in segments))) + " "
    rounds = recording["plan"]["rounds"]
    phrases = [phrase for _, phrase in recording["plan"]["phrases"]]
    return {it: min(len(re.findall(f" {it}(?= )", text)), rounds) for it in phrases}


def late(recording, segments):
    """How many milliseconds late each segment begins that begins with a phrase whose time is known.

    Each is compared with the nearest time at which its phrase was said."""
    errors = []
    for segment in segments:
        heard = words(segment["text"])
        times = [at for at, phrase in recording["said"]
                 if heard[:len(words(phrase))] == words(phrase)]
        if times:
            start = segment["start_ms"]
            errors.append(min((start - at * 1000 for at in times), key=abs))
    return errors
