"""The signatures of what Stanza delivers."""
from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from datetime import datetime, timezone
from typing import Any, Callable, Mapping, NamedTuple, Sequence

from ._errors import StanzaError


class Verified(NamedTuple):
    """A request that Stanza has signed."""

    # The same in each attempt at one delivery: whoever remembers it does nothing twice.
    id: str
    # When this attempt was signed.
    at: datetime
    payload: Any


def _bytes_of(secret: str) -> bytes:
    """An empty secret would let anybody sign, so it is an error of the receiver and never the answer to a request."""
    # A program may give a variable that is not set; a file of secrets ends with a line break.
    text = secret.strip().removeprefix("whsec_") if isinstance(secret, str) else ""
    try:
        decoded = base64.b64decode(text, validate=True)
    except binascii.Error:
        decoded = b""
    if not decoded:
        raise ValueError("`secret` is to be the signing secret of a destination, `whsec_…`: it is not set, empty, or not base64")
    return decoded


def _refused(text: str) -> StanzaError:
    return StanzaError("invalid_signature", text, operation="verify")


def verify(
    headers: Mapping[str, str],
    body: bytes | str,
    secret: str | Sequence[str],
    *,
    tolerance: float = 300.0,
    now: Callable[[], float] = time.time,
) -> Verified:
    """Checks what came to a destination: digests, interactions, events.

    :param headers: of the request; the case of their names makes no difference
    :param body: its bytes as they came, before anything has parsed them
    :param secret: the destination's signing secret; while it changes, the new one and the one before
    :param tolerance: seconds by which the signature may be older or newer than now
    :raises StanzaError: ``invalid_signature`` where it is missing, too old, or made with another secret
    :raises ValueError: where the receiver gives no secret, whatever came
    :raises TypeError: where something has parsed the body
    """
    secrets = [_bytes_of(one) for one in ([secret] if isinstance(secret, str) or secret is None else secret)]
    if not secrets:
        raise ValueError("`secret` is to have one or more signing secrets: it has none")
    lower = {name.lower(): value for name, value in headers.items()}
    id, timestamp, signatures = (lower.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not id or not timestamp or not signatures:
        raise _refused("a webhook header is missing")
    if not re.fullmatch(r"[0-9]{1,15}", timestamp) or not abs(now() - int(timestamp)) <= tolerance:
        raise _refused("the signature is too old, or from the future")
    if not isinstance(body, (str, bytes, bytearray, memoryview)):
        raise TypeError("`body` is to be the text or the bytes as they came, before anything has parsed them")
    content = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{id}.{timestamp}.".encode() + content
    expected = [base64.b64encode(hmac.new(one, signed, hashlib.sha256).digest()) for one in secrets]
    given = [one[3:].encode() for one in signatures.split(" ") if one.startswith("v1,")]
    if not any([hmac.compare_digest(one, other) for one in given for other in expected]):
        raise _refused("no signature was made with this secret")
    return Verified(id, datetime.fromtimestamp(int(timestamp), timezone.utc), json.loads(content))
