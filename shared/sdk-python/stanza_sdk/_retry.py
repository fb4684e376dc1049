"""When a request is made again, by the rules that all SDKs share."""
from __future__ import annotations

from typing import Literal

from . import _rules as rules

# How often a request may be made: reads as often as one likes, keyed ones with their key, changes once.
Kind = Literal["read", "keyed", "change"]


def is_repeated(code: str, status: int, replayed: bool, kind: Kind, attempt: int) -> bool:
    """Whether a request is made again after a failure. ``attempt`` is the number of the one that failed, from 1."""
    if code in rules.PERMANENT_CODES:
        return False
    if code in rules.NOT_BEGUN_CODES or status in rules.NOT_BEGUN_STATUSES:
        return True
    if kind == "change" or replayed:
        return False
    if code in rules.ONCE_CODES:
        return attempt == 1
    return code in rules.TRANSIENT_CODES or status in rules.TRANSIENT_STATUSES


def pause_before(attempt: int, retry_after: float | None, random: float) -> float:
    """Seconds before the next attempt: never fewer than the answer asks for, and never the same for all who wait."""
    if retry_after is not None:
        return retry_after + random * min(1.0, retry_after * 0.2 + 0.1)
    longest = min(rules.LONGEST_PAUSE_S, rules.FIRST_PAUSE_S * 2.0 ** min(attempt - 1, 16))
    return longest * (0.5 + random)
