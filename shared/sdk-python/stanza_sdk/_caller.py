"""Makes the calls of a client: repeats what is safe to repeat, within the time of the call."""
from __future__ import annotations

import http.client
import json
import math
import platform
import random
import re
import time
import uuid
from email.utils import formatdate, parsedate_to_datetime
from typing import Any, Callable, Mapping, NamedTuple
from urllib.parse import quote, urlencode

from ._bulk import in_hundreds
from ._errors import StanzaError
from ._pages import Pages
from ._retry import Kind, is_repeated, pause_before
from ._rules import VERSION
from ._stream import Stream
from ._transport import Lines, Request, Response, Transport, broken, urllib_transport

_USER_AGENT = f"stanza-sdk/{VERSION} python/{platform.python_version()}"
_UUID = re.compile(r"[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}", re.IGNORECASE)


class Answer(NamedTuple):
    """What the answer of a call says of itself."""

    status: int
    request_id: str | None
    # The answer was given before, to the first request with this idempotency key.
    replayed: bool
    idempotency_key: str | None
    # Requests that it took.
    attempts: int


OnAnswer = Callable[[Answer], None]


class Retry(NamedTuple):
    """Why a call is made again, and when."""

    operation: str
    # The number of the attempt that failed, from 1.
    attempt: int
    error: StanzaError
    # Seconds until the next attempt.
    pause: float


class Surroundings(NamedTuple):
    """Time and chance, which tests hold."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    random: Callable[[], float] = random.random


def part(value: str) -> str:
    """A part of a path. An empty one would make it the path of something else, and so would ``.`` and ``..``."""
    if not value:
        raise ValueError("an id is empty")
    if value in (".", ".."):
        raise ValueError(f"{value} is no id: it would name another path")
    return quote(value, safe="")


def named(template: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """A body that names a template by its key or its id: no key looks like an id."""
    name = "template_id" if _UUID.fullmatch(template) else "template_key"
    return {name: template, **{key: value for key, value in fields.items() if value is not None}}


def _query_of(query: Mapping[str, Any] | None) -> str:
    given = {name: value for name, value in (query or {}).items() if value is not None}
    texts = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in given.items()}
    return f"?{urlencode(texts)}" if texts else ""


def _read_key(key: str | None, name: str) -> str:
    if key and re.fullmatch(r"[\x21-\x7e]+", key):
        return key
    raise ValueError(f"`{name}` is to be an API key or a session token: it is empty, or has characters that none has")


def _read_header(option: str, value: Any) -> str:
    if isinstance(value, str) and re.fullmatch(r"[\t\x20-\x7e\x80-\xff]*", value):
        return value
    raise ValueError(f"`{option}` is no header: it may have characters of Latin-1 in one line, and no others")


def _read_name(name: Any) -> str:
    """The name of a header. With a space in it the gateway would refuse each request, and not say which header it is."""
    if isinstance(name, str) and re.fullmatch(r"[\w!#$%&'*+.^`|~-]+", name, re.ASCII):
        return name.lower()
    raise ValueError(f"`headers.{name}` is no header: its name may have letters, digits and hyphens")


def _read_idempotency_key(given: str | None) -> str:
    """The given one, or a random one. All calls of an empty one would be one call, or each of them another."""
    if given is None:
        return str(uuid.uuid4())
    if _read_header("idempotency_key", given).strip():
        return given
    raise ValueError("`idempotency_key` is empty; leave it out for a random one")


def _read_number(name: str, given: float) -> float:
    """A number of an option. A comparison with NaN holds never, so that a call would go on for ever."""
    if isinstance(given, (int, float)) and given >= 0:
        return given
    raise ValueError(f"`{name}` is to be a number of 0 or more: it is {given}")


def _read_url(url: str | None) -> str:
    # No path can follow a query, and no message is to have a password.
    if url and re.match(r"[^/]*//([^/]*@|.*[?#])", url):
        raise ValueError("`url` is to have no user, query or fragment; `headers` takes what a proxy asks for")
    if url and re.match(r"https?://[^/]", url):
        return re.sub(r"(/v1)?/*$", "", url)
    raise ValueError(f"`url` is to be the address of the gateway, as https://stanza.example.com: it is {url}")


def _address_of(url: str, page: Any) -> str | None:
    """The address of a page of the gateway, or of one elsewhere that a browser opens."""
    if not isinstance(page, str):
        return None
    if re.match(r"/(?!/)", page):
        return url + page
    return page if re.match(r"https?://", page) else None


# Issues that the text of an error has; all are in `issues`.
_SHOWN_ISSUES = 5


def _shortened(line: str, issues: list[Any]) -> str:
    """A line of issues, cut where there are many."""
    if len(issues) <= _SHOWN_ISSUES:
        return line
    shown = [f"{'.'.join(map(str, it['path']))}: {it['message']}" for it in issues[:_SHOWN_ISSUES]]
    return f"{'; '.join(shown)}; and {len(issues) - _SHOWN_ISSUES} more in `issues`"


def _object_in(response: Response) -> dict[str, Any]:
    """The object of an answer; an empty one where it has none, as that of a proxy on the way."""
    try:
        said = json.loads(response.body)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _formless_in(value: Any, path: str = "") -> str | None:
    """The path of the first number for which JSON has no form."""
    if isinstance(value, float):
        return None if math.isfinite(value) else path
    if isinstance(value, dict):
        inside = [(f"{path}.{key}" if path else str(key), inner) for key, inner in value.items()]
    elif isinstance(value, (list, tuple)):
        inside = [(f"{path}[{index}]", inner) for index, inner in enumerate(value)]
    else:
        return None
    found = (_formless_in(inner, at) for at, inner in inside)
    return next((at for at in found if at is not None), None)


def _content_of(body: Any) -> bytes:
    """The JSON of a body. It has characters as they are: as escapes, texts of many languages take twice the bytes."""
    try:
        # JSON has no NaN: the API would refuse the whole body, and not say where.
        content = json.dumps(body, allow_nan=False, ensure_ascii=False)
    except ValueError as error:
        path = _formless_in(body) if str(error).startswith("Out of range") else None
        if path is None:
            raise
        raise ValueError(f"`{path}` has no form in JSON, which has no NaN and no infinity") from None
    try:
        return content.encode()
    except UnicodeEncodeError:
        # Half of a character, which is no text: as an escape the API names the place.
        return json.dumps(body).encode()


def _seconds_in(headers: Mapping[str, str]) -> float | None:
    """Seconds that an answer asks to wait. A proxy may name the end instead, by the clock that the answer's date shows."""
    asked = headers.get("retry-after", "")
    if asked.isdecimal():
        return int(asked)
    try:
        now = parsedate_to_datetime(headers.get("date") or formatdate(usegmt=True))
        seconds = (parsedate_to_datetime(asked) - now).total_seconds()
    except (TypeError, ValueError):
        return None
    return seconds if seconds > 0 else None


def _failure_of(response: Response, url: str) -> StanzaError:
    """What an answer of failure says."""
    request_id = response.headers.get("x-request-id")
    retry_after = _seconds_in(response.headers)
    said = _object_in(response)
    # Other services name codes too, as those behind the same proxy: their errors say nothing of a request to Stanza.
    is_own = (
        isinstance(said.get("code"), str)
        and isinstance(said.get("error"), (str, dict))
        and isinstance(said.get("details") or "", str)
    )
    if not is_own:
        # A proxy on the way has given up: the request may have arrived, as when there is no answer at all.
        code = "no_answer" if response.status >= 500 else "unreadable_answer"
        # The rest of such an address, as of a page to sign in, may be long.
        place = response.headers.get("location", "").partition("?")[0] if 300 <= response.status < 400 else ""
        end = f"and redirects to {place}, which is not followed" if place else "without an error of Stanza"
        text = f"the address answered {response.status} {end}"
        return StanzaError(code, text, status=response.status, request_id=request_id, retry_after=retry_after)
    error = said.get("error")
    issues = error.get("issues", []) if isinstance(error, dict) else []
    return StanzaError(
        said["code"],
        error if isinstance(error, str) else _shortened(str(said.get("message") or ""), issues),
        status=response.status,
        request_id=request_id,
        details=said.get("details"),
        error_details=said.get("error_details"),
        issues=issues,
        required_scopes=said.get("required_scopes") or [],
        user_scopes=said.get("user_scopes") or [],
        docs=_address_of(url, said.get("docs")),
        retry_after=retry_after,
        replayed="idempotency-replayed" in response.headers,
    )


class Caller:
    """Makes the calls of a client."""

    def __init__(
        self,
        url: str | None,
        key: str | None,
        *,
        timeout: float = 60.0,
        attempt_timeout: float = 35.0,
        max_retries: int | None = None,
        headers: Mapping[str, str] | None = None,
        on_retry: Callable[[Retry], None] | None = None,
        transport: Transport = urllib_transport,
        surroundings: Surroundings = Surroundings(),
    ) -> None:
        self._key = _read_key(key, "key")
        self._url = _read_url(url)
        self._timeout = _read_number("timeout", timeout)
        self._attempt_timeout = _read_number("attempt_timeout", attempt_timeout)
        self._max_retries = None if max_retries is None else _read_number("max_retries", max_retries)
        given = (headers or {}).items()
        self._headers = {_read_name(name): _read_header(f"headers.{name}", value) for name, value in given}
        self._on_retry = on_retry
        self._transport = transport
        self._surroundings = surroundings

    def call(
        self,
        kind: Kind,
        operation: str,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        source_key: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        on_answer: OnAnswer | None = None,
        holds: str | None = None,
        is_empty: bool = False,
    ) -> Any:
        """Calls an operation until it has an answer that stands, or its time is over.

        ``holds`` is the key of the list that the client itself goes through: ``{}`` of a proxy has none. ``is_empty``
        is an operation that answers nothing.
        """
        key = _read_idempotency_key(idempotency_key) if kind == "keyed" else None
        request = self._request(operation, method, path, body, query, source_key, key)
        response, attempts = self._persist(kind, operation, request, key, timeout)
        if on_answer is not None:
            replayed = "idempotency-replayed" in response.headers
            on_answer(Answer(response.status, response.headers.get("x-request-id"), replayed, key, attempts))
        if is_empty:
            return None
        try:
            said = json.loads(response.body)
            if isinstance(said, dict) and (holds is None or isinstance(said.get(holds), list)):
                return said
            what = "JSON that is not of Stanza"
        except (ValueError, RecursionError):
            what = "what is not JSON"
        raise StanzaError(
            "unreadable_answer",
            f"the address answered {response.status} with {what}",
            operation=operation,
            status=response.status,
            request_id=response.headers.get("x-request-id"),
            idempotency_key=key,
            attempts=attempts,
        )

    def pages(
        self, operation: str, path: str, *, query: Mapping[str, Any] | None = None, timeout: float | None = None
    ) -> Pages[Any, Any]:
        """A list, whose pages are fetched as they are come to."""
        return Pages(
            operation,
            query or {},
            lambda at: self.call("read", operation, "GET", path, query=at, timeout=timeout, holds="data"),
        )

    def stream(
        self, operation: str, path: str, *, query: Mapping[str, Any] | None = None, timeout: float | None = None
    ) -> Stream[Any]:
        """What happens, as it happens; a stream that ends or breaks is opened again where it was."""

        def opened(after: str | None) -> Lines | None:
            at = {**(query or {}), **({"after": after} if after else {})}
            request = self._request(operation, "GET", path, None, at, None, None)._replace(is_stream=True)
            return self._persist("read", operation, request, None, timeout)[0].stream

        return Stream(opened, self._surroundings.sleep)

    def bulk(
        self,
        *,
        body: dict[str, Any],
        idempotency_key: str | None,
        timeout: float | None,
        on_answer: OnAnswer | None,
    ) -> Any:
        """Sends to any number of destinations, a hundred with each request."""
        key = _read_idempotency_key(idempotency_key)

        def tell(answer: Answer) -> None:
            if on_answer is not None:
                on_answer(answer._replace(idempotency_key=key))

        def send(piece: dict[str, Any], own: str) -> Any:
            return self.call(
                "keyed", "templates.send_bulk", "POST", "/templates/send-bulk", body=piece, idempotency_key=own,
                timeout=timeout, on_answer=tell, holds="results",
            )

        return in_hundreds(body, key, send, self._surroundings.sleep)

    def _request(
        self,
        operation: str,
        method: str,
        path: str,
        body: Any,
        query: Mapping[str, Any] | None,
        source_key: str | None,
        idempotency_key: str | None,
    ) -> Request:
        headers = {"user-agent": _USER_AGENT, **self._headers, "authorization": f"Bearer {self._key}"}
        if body is not None:
            headers["content-type"] = "application/scim+json" if operation.startswith("scim.") else "application/json"
        if source_key is not None:
            headers["x-source-authorization"] = f"Bearer {_read_key(source_key, 'source_key')}"
        if idempotency_key is not None:
            headers["idempotency-key"] = idempotency_key
        content = None if body is None else _content_of(body)
        return Request(method, f"{self._url}/v1{path}{_query_of(query)}", headers, content, 0.0, False)

    def _persist(
        self, kind: Kind, operation: str, request: Request, idempotency_key: str | None, timeout: float | None
    ) -> tuple[Response, int]:
        now, sleep, chance = self._surroundings
        deadline = now() + (self._timeout if timeout is None else _read_number("timeout", timeout))
        attempt = 1
        while True:
            left = max(0.001, deadline - now())
            outcome, cause = self._attempt(request._replace(timeout=min(self._attempt_timeout, left), total=left))
            if isinstance(outcome, Response):
                return outcome, attempt
            outcome.operation, outcome.idempotency_key, outcome.attempts = operation, idempotency_key, attempt
            is_over = self._max_retries is not None and attempt > self._max_retries
            if is_over or not is_repeated(outcome.code, outcome.status, outcome.replayed, kind, attempt):
                raise outcome from cause
            pause = pause_before(attempt, outcome.retry_after, chance())
            if now() + pause >= deadline:
                if outcome.code != "no_answer":
                    raise outcome from cause
                count = f"{attempt} attempt{'' if attempt == 1 else 's'}"
                text = f"the time of the call is over, after {count}; the last one: {outcome.text}"
                raise StanzaError(
                    "deadline_exceeded", text, operation=operation, idempotency_key=idempotency_key, attempts=attempt
                ) from cause
            if self._on_retry is not None:
                self._on_retry(Retry(operation, attempt, outcome, pause))
            sleep(pause)
            attempt += 1

    def _attempt(self, request: Request) -> tuple[Response | StanzaError, BaseException | None]:
        try:
            response = self._transport(request)
        except (OSError, http.client.HTTPException) as error:
            return broken(error, request), error
        return (response if 200 <= response.status < 300 else _failure_of(response, self._url)), None
