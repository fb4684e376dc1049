"""The one error that every method raises."""
from __future__ import annotations

from functools import partial
from typing import Any, Sequence, TypedDict


class Issue(TypedDict):
    """One thing wrong with the shape of a request."""

    code: str
    path: list[str | int]
    message: str


class StanzaError(Exception):
    """What every method raises. Match on ``code``. It never holds the API key.

    Codes of the client itself: ``no_answer`` (the connection broke or the answer is late), ``tls_failed`` (the host's
    certificate is not trusted), ``deadline_exceeded`` (the time of the call is over), ``unreadable_answer`` (the answer is
    not Stanza's) and ``invalid_signature`` (of ``verify``).
    """

    def __init__(
        self,
        code: str,
        text: str,
        *,
        operation: str = "",
        status: int = 0,
        request_id: str | None = None,
        details: str | None = None,
        error_details: str | None = None,
        issues: Sequence[Issue] = (),
        required_scopes: Sequence[str] = (),
        user_scopes: Sequence[str] = (),
        docs: str | None = None,
        retry_after: int | None = None,
        idempotency_key: str | None = None,
        replayed: bool = False,
        attempts: int = 0,
    ) -> None:
        super().__init__(f"{code}: {text}" + (f" (request {request_id})" if request_id else ""))
        self.code = code
        # What happened, for people: the message without the code and the request id.
        self.text = text
        # The method that failed: "templates.send".
        self.operation = operation
        # Of the answer; 0 where there was none.
        self.status = status
        # For the operator: names the request in the log.
        self.request_id = request_id
        self.details = details
        self.error_details = error_details
        self.issues = list(issues)
        self.required_scopes = list(required_scopes)
        self.user_scopes = list(user_scopes)
        # The address at which the gateway explains the code; none for codes of the client itself.
        self.docs = docs
        # Seconds that the answer asks to wait.
        self.retry_after = retry_after
        self.idempotency_key = idempotency_key
        # The answer was given before: it stays the same.
        self.replayed = replayed
        self.attempts = attempts

    def __reduce__(self) -> tuple[Any, ...]:
        # Pools of processes and task queues hand errors on by pickle, which makes an exception of its message alone.
        return partial(StanzaError, request_id=self.request_id), (self.code, self.text), vars(self)
