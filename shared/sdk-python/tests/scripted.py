"""A client whose server answers by a script, and whose pauses take no time but are written down."""
import json
import uuid

from stanza_sdk import Response, Stanza
from stanza_sdk._caller import Surroundings

SECRET_KEY = "stz_live_secret"


def answer(status, content, **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(status, {"x-request-id": "request-1", **named}, json.dumps(content).encode())


def failing(status, code, **headers):
    return answer(status, {"code": code, "error": f"because of {code}"}, **headers)


class Scripted:
    def __init__(self, steps, **options):
        self.made, self.pauses, self._steps, self._time = [], [], list(steps), 0.0
        surroundings = Surroundings(lambda: self._time, self._sleep, lambda: 0.0)
        url = options.pop("url", "https://stanza.test/")
        self.stanza = Stanza(url, SECRET_KEY, transport=self._send, surroundings=surroundings, **options)

    def _sleep(self, seconds):
        self.pauses.append(seconds)
        self._time += seconds

    def _send(self, request):
        self.made.append(request)
        step = self._steps[len(self.made) - 1]
        step = step(request) if callable(step) else step
        if isinstance(step, BaseException):
            raise step
        return step

    def keys(self):
        return [request.headers.get("idempotency-key") for request in self.made]


def new_id():
    return str(uuid.uuid4())
