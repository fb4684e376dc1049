"""One request over HTTP, by the standard library."""
from __future__ import annotations

import http.client
import re
import socket
import ssl
import time
import urllib.error
import urllib.request
from typing import IO, Any, Callable, Mapping, NamedTuple, Protocol
from urllib.parse import urlsplit

from ._errors import StanzaError


class Request(NamedTuple):
    """A request as a transport gets it."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None
    # Seconds without a byte after which the answer counts as lost.
    timeout: float
    # Whether a successful answer is left to be read line by line.
    is_stream: bool
    # Seconds after which the answer is given up, though bytes still come.
    total: float = float("inf")


class Lines(Protocol):
    """An answer that is read line by line."""

    def readline(self) -> bytes: ...

    def close(self) -> None: ...


class Response(NamedTuple):
    """An answer, whatever its status. The names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    stream: Lines | None = None


# What requests are made with. It raises OSError or http.client.HTTPException where no answer comes.
Transport = Callable[[Request], Response]


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Stanza redirects nothing, and the key goes to no other address."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirects)


def _body_of(answer: Any, deadline: float) -> bytes:
    """All of an answer. The timeout of a socket begins anew with each byte, so that a slow answer could go on for ever."""
    pieces: list[bytes] = []
    while piece := answer.read1(65_536):
        pieces.append(piece)
        if time.monotonic() > deadline:
            raise TimeoutError
    if answer.length:
        raise http.client.IncompleteRead(b"".join(pieces), answer.length)
    return b"".join(pieces)


# Seconds without a byte after which a stream counts as broken: three times its pulse.
_SILENCE_S = 45.0


def _wait_for_pulses(answer: Any) -> None:
    """The timeout of a call is for opening a stream. A shorter one than the pulse would open it again without end."""
    # The library shows the socket of an answer nowhere else.
    opened = getattr(getattr(answer.fp, "raw", None), "_sock", None)
    if opened is not None:
        opened.settimeout(_SILENCE_S)


def urllib_transport(request: Request) -> Response:
    """Makes a request; the proxies of the environment (``HTTPS_PROXY``) are used."""
    deadline = time.monotonic() + request.total
    made = urllib.request.Request(
        request.url, data=request.body, headers=dict(request.headers), method=request.method
    )
    try:
        answer = _opener.open(made, timeout=request.timeout)
    except urllib.error.HTTPError as error:
        answer = error
    except urllib.error.URLError as error:
        # The library has put the address of the proxy in the place of the host.
        if made.host != urlsplit(request.url).netloc:
            error.filename = made.host
        raise
    headers = {name.lower(): value for name, value in answer.headers.items()}
    status = int(answer.status or 0)
    if request.is_stream and 200 <= status < 300:
        _wait_for_pulses(answer)
        return Response(status, headers, b"", answer)
    with answer:
        return Response(status, headers, _body_of(answer, deadline))


# Connections that broke, and no matter of certificates.
_ENDED = (ssl.SSLEOFError, ssl.SSLZeroReturnError, ssl.SSLSyscallError)


def _said_of(reason: BaseException) -> str:
    refused = re.match(r"Tunnel connection failed: (\d+)", str(reason))
    if refused:
        return f"the proxy on the way answered {refused[1]}"
    if isinstance(reason, ConnectionRefusedError):
        return "the connection was refused"
    if isinstance(reason, socket.gaierror):
        return "the host is unknown"
    if isinstance(reason, TimeoutError):
        return "it took too long"
    if isinstance(reason, (ConnectionError, http.client.HTTPException)):
        return "the connection broke"
    return type(reason).__name__


def broken(error: BaseException, request: Request) -> StanzaError:
    """The failure of an attempt without an answer: where it went, and what broke."""
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    reason = reason if isinstance(reason, BaseException) else error
    parts = urlsplit(request.url)
    host = f"{parts.hostname}:{parts.port or (443 if parts.scheme == 'https' else 80)}"
    if isinstance(reason, ssl.SSLError) and not isinstance(reason, _ENDED):
        return StanzaError("tls_failed", f"no secure connection to {host}: {reason}")
    place = error.filename if isinstance(error, urllib.error.URLError) else None
    at = f" at {place}, as of a proxy" if place and isinstance(reason, (ConnectionRefusedError, socket.gaierror)) else ""
    return StanzaError("no_answer", f"no answer from {host}: {_said_of(reason)}{at}")
