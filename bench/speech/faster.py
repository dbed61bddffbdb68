"""Transcribes one file with faster-whisper and prints what it heard as JSON: the one we compare with.

Run by bench/driver in an environment of its own. Greedy, int8, two threads, the language detected,
as ours is run. With `batched` its pipeline for several windows at once, as it comes.
"""

import json
import sys
import time


def main(model_dir, audio, mode):
    began = time.perf_counter()
    from faster_whisper import BatchedInferencePipeline, WhisperModel

    model = WhisperModel(model_dir, device="cpu", compute_type="int8", cpu_threads=2)
    loaded = time.perf_counter()
    if mode == "batched":
        heard, info = BatchedInferencePipeline(model).transcribe(audio, beam_size=1, batch_size=8)
    else:
        heard, info = model.transcribe(audio, beam_size=1)
    segments = [{"start_ms": round(it.start * 1000), "end_ms": round(it.end * 1000),
                 "text": it.text.strip()} for it in heard]
    json.dump({"language": info.language, "segments": segments, "load_s": loaded - began}, sys.stdout)


main(*sys.argv[1:])
