"""Server-sent events."""
from __future__ import annotations

import http.client
import json
import threading
from typing import Any, AsyncIterator, Callable, Generic, Iterator, TypeVar

from ._threads import in_thread
from ._transport import Lines

Event = TypeVar("Event")


def _fields_of(stream: Lines) -> Iterator[dict[str, str]]:
    """The fields of each event of one connection, until it ends or breaks."""
    fields: dict[str, str] = {}
    while True:
        try:
            line = stream.readline().decode()
        except (OSError, http.client.HTTPException):
            # Whether it can be opened again tells what is wrong.
            return
        if not line:
            return
        if line.strip():
            name, _, value = line.rstrip("\n").partition(": ")
            fields[name] = value
        else:
            yield fields
            fields = {}


class Stream(Generic[Event]):
    """What happens, as it happens: ``for`` and ``async for`` wait for the next event, and never end by themselves."""

    def __init__(self, opened: Callable[[str | None], Lines | None], sleep: Callable[[float], None]) -> None:
        self._opened = opened
        self._sleep = sleep

    def __iter__(self) -> Iterator[Event]:
        return self._events(threading.Event())

    def _events(self, left: threading.Event) -> Iterator[Event]:
        """The events, until nobody reads them any more."""
        last: str | None = None
        retry = 1.0
        while not left.is_set():
            stream = self._opened(last)
            try:
                for fields in _fields_of(stream) if stream is not None else ():
                    if left.is_set():
                        return
                    if fields.get("retry", "").isdecimal():
                        retry = int(fields["retry"]) / 1_000
                    if "data" in fields and "event" not in fields:
                        event: Any = json.loads(fields["data"])
                        yield event
                    last = fields.get("id", last)
            finally:
                if stream is not None:
                    stream.close()
            self._sleep(retry)

    async def __aiter__(self) -> AsyncIterator[Event]:
        left = threading.Event()
        events = self._events(left)
        try:
            while True:
                yield await in_thread(lambda: next(events))
        finally:
            # A thread that still reads ends the connection with the next pulse of the gateway.
            left.set()
