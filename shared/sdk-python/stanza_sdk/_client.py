"""The client."""
from __future__ import annotations

from typing import Any, Callable, Mapping, Sequence

from . import _types as types
from ._caller import Caller, OnAnswer, Retry, Surroundings
from ._operations import Operations
from ._transport import Transport, urllib_transport


class Stanza(Operations):
    """The API of a Stanza. Every operation is a method, under the names of its path, as ``stanza.templates.versions.list``.

    What is done most has a shorter way: ``send``, ``send_bulk``, ``compile``, ``preview``, ``push``. A client may be used by
    several threads at once.

    :param url: the address of the gateway, as ``https://stanza.example.com``
    :param key: an API key, or a session token
    :param timeout: seconds for a call in all, with its retries and waits
    :param attempt_timeout: seconds without a byte after which an attempt counts as lost
    :param max_retries: how often a call is made again; as often as its time allows unless given
    :param headers: of every request, such as those of a proxy
    :param on_retry: called before each pause, after which the call is made again
    :param transport: makes the requests, in place of ``urllib``
    :raises ValueError: where the address or the key is none
    """

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
        super().__init__(
            Caller(
                url,
                key,
                timeout=timeout,
                attempt_timeout=attempt_timeout,
                max_retries=max_retries,
                headers=headers,
                on_retry=on_retry,
                transport=transport,
                surroundings=surroundings,
            )
        )

    def push(
        self,
        queue_id: str,
        events: Sequence[Mapping[str, Any]],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        on_answer: OnAnswer | None = None,
    ) -> types.PushEventsReply:
        """Pushes events to a queue. One with an ``id`` is taken once in 24 hours."""
        return self.queues.events.push(
            queue_id,
            {"events": [dict(event) for event in events]},
            idempotency_key=idempotency_key,
            timeout=timeout,
            on_answer=on_answer,
        )
