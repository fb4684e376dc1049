"""Stanza from Python: every operation typed, retries that double nothing, webhooks verified."""
from . import _types as types
from ._caller import Answer, OnAnswer, Retry
from ._client import Stanza
from ._errors import Issue, StanzaError
from ._pages import Pages
from ._rules import VERSION as __version__
from ._stream import Stream
from ._transport import Request, Response, Transport
from ._verify import Verified, verify

__all__ = [
    "Answer",
    "Issue",
    "OnAnswer",
    "Pages",
    "Request",
    "Response",
    "Retry",
    "Stanza",
    "StanzaError",
    "Stream",
    "Transport",
    "Verified",
    "__version__",
    "types",
    "verify",
]
