"""The one error that every method raises."""
from __future__ import annotations

import re
from functools import partial
from typing import Any, Sequence, TypedDict


class Issue(TypedDict):
    """One thing wrong with the shape of a request."""

    code: str
    path: list[str | int]
    message: str


# Problems that the message of an error has; all are in `details`.
_SHOWN_PROBLEMS = 5


def _problems_in(details: str | None) -> str:
    """The lines of ``details`` below a message, cut where there are many."""
    lines = details.split("\n") if details else []
    more = len(lines) - _SHOWN_PROBLEMS
    return "\n".join(["", *lines[:_SHOWN_PROBLEMS], *([f"and {more} more in `details`"] if more > 0 else [])])


def _message_of(code: str, text: str, request_id: str | None, details: str | None, error_details: str | None) -> str:
    """An error in one line, with the chat platform's name of it, and its problems below."""
    name = re.fullmatch(r'"?([\w.:-]+)"?', error_details or "")
    facts = "; ".join([*([name[1]] if name else []), *([f"request {request_id}"] if request_id else [])])
    return f"{code}: {text}" + (f" ({facts})" if facts else "") + _problems_in(details)


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
        retry_after: float | None = None,
        idempotency_key: str | None = None,
        replayed: bool = False,
        attempts: int = 0,
    ) -> None:
        # Issues stand in the text.
        super().__init__(_message_of(code, text, request_id, None if issues else details, error_details))
        self.code = code
        # What happened, for people: the message without the code, the request id and the problems.
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
        again = partial(
            StanzaError,
            request_id=self.request_id,
            details=self.details,
            error_details=self.error_details,
            issues=self.issues,
        )
        return again, (self.code, self.text), vars(self)
