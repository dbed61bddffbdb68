"""OpenAI's own client against a running service: every form of answer, and errors as it raises them."""

import os

import openai

URL, TOKEN = os.environ["VERST_URL"], os.environ["VERST_TOKEN"]
RUSSIAN, ENGLISH = "samples/server-ru.ogg", "samples/two-cities-en.ogg"

client = openai.OpenAI(base_url=f"{URL}/v1", api_key=TOKEN, timeout=600)


def transcribe(path, **more):
    with open(path, "rb") as file:
        return client.audio.transcriptions.create(model="whisper-1", file=file, **more)


def refused(kind, code, act):
    try:
        act()
    except kind as error:
        assert error.code == code, (error.code, code)
        return
    raise AssertionError(f"{kind.__name__} was expected")


heard = transcribe(ENGLISH, language="en")
assert "best of times" in heard.text, heard

whole = transcribe(
    RUSSIAN, response_format="verbose_json", timestamp_granularities=["segment"], temperature=0
)
assert whole.language == "russian" and 20 < float(whole.duration) < 21, whole
assert whole.segments and whole.segments[0].text and whole.segments[-1].end <= 21, whole

for form, begins in [("text", "Сегодня"), ("srt", "1\n00:00:"), ("vtt", "WEBVTT")]:
    text = transcribe(RUSSIAN, response_format=form, language="ru", prompt="Сервер")
    assert text.startswith(begins), (form, text)

names = [model.id for model in client.models.list()]
assert "whisper-1" in names and len(names) > 1, names
assert client.models.retrieve(names[-1]).id == names[-1]

refused(openai.NotFoundError, "model_not_found", lambda: client.models.retrieve("gpt-9"))
refused(openai.UnprocessableEntityError, "language_unknown", lambda: transcribe(ENGLISH, language="xx"))
refused(openai.BadRequestError, "parameter_wrong", lambda: transcribe(ENGLISH, response_format="xml"))
refused(openai.UnprocessableEntityError, "unsupported_format", lambda: transcribe(__file__))
stranger = openai.OpenAI(base_url=f"{URL}/v1", api_key="verst_nobody", max_retries=0)
refused(openai.AuthenticationError, "invalid_api_key", stranger.models.list)
print("OpenAI's client", openai.__version__, "is served")
