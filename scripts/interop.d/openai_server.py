"""A real recogniser behind OpenAI's interface, for one interoperability test.

whisper.cpp through pywhispercpp (PyPI) with the model that lies in `models/`, served by FastAPI, which is
what most self-hosted servers of this kind are made of. Prints its address on the first line.

    openai_server.py MODEL
"""

import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Form, HTTPException, UploadFile
from fastapi.responses import PlainTextResponse
from pywhispercpp.model import Model

MODEL = Path(sys.argv[1])
LARGEST = 26_214_400
app = FastAPI()
whisper = Model(str(MODEL), print_progress=False, print_realtime=False)


@app.get("/v1/models")
def models():
    return {"object": "list", "data": [{"id": MODEL.stem, "object": "model"}]}


@app.post("/v1/audio/transcriptions")
def transcribe(
    file: UploadFile,
    model: str = Form(),
    language: str = Form("auto"),
    response_format: str = Form("json"),
):
    if model != MODEL.stem:
        raise HTTPException(404, f"Model '{model}' is not installed locally.")
    sound = file.file.read()
    if len(sound) > LARGEST:
        raise HTTPException(413, "Maximum content size limit exceeded")
    with tempfile.TemporaryDirectory() as place:
        given, wave = Path(place, file.filename), Path(place, "sound.wav")
        given.write_bytes(sound)
        decode = ["ffmpeg", "-nostdin", "-v", "error", "-i", given, "-ac", "1", "-ar", "16000", wave]
        subprocess.run(decode, check=True)
        heard = whisper.transcribe(str(wave), language=language)
    text = " ".join(segment.text.strip() for segment in heard)
    if response_format == "text":
        return PlainTextResponse(text)
    if response_format == "json":
        return {"text": text}
    segments = [
        {"id": n, "start": it.t0 / 100, "end": it.t1 / 100, "text": it.text}
        for n, it in enumerate(heard)
    ]
    return {"task": "transcribe", "language": language, "text": text, "segments": segments}


listener = socket.create_server(("127.0.0.1", 0))
print(f"http://127.0.0.1:{listener.getsockname()[1]}/v1", flush=True)
uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listener])
