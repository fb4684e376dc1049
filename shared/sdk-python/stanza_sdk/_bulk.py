"""Sends to any number of destinations."""
from __future__ import annotations

from typing import Any, Callable

from ._errors import StanzaError

# Destinations that one request may have.
_MOST = 100
# The longest idempotency key that the API takes.
_LONGEST_KEY = 255
# Rounds that may bring nothing before the rest is left as it is.
_IDLE_ROUNDS = 3
# Seconds before a round; twice as many after one that has brought nothing.
_ROUND_S = 2.0
_NAMES = ("channel_id", "recipient_email", "recipient_chat_id")

Send = Callable[[dict[str, Any], str], Any]


def _key_of(key: str, index: int, round_: int = 0) -> str:
    return f"{key}~h{index}" if round_ == 0 else f"{key}~r{round_}h{index}"


def _count(reply: dict[str, Any]) -> dict[str, Any]:
    sent = sum(1 for result in reply["results"] if result["success"])
    reply.update(total_sent=sent, total_failed=len(reply["results"]) - sent, success=sent == len(reply["results"]))
    reply["warnings"] = list(dict.fromkeys(reply["warnings"]))
    return reply


def _failures(piece: dict[str, Any], code: str) -> list[dict[str, Any]]:
    """The destinations of a request that failed as a whole."""
    named = [{name: to[name] for name in _NAMES if to.get(name)} for to in piece["destinations"]]
    return [{"destination": destination, "success": False, "error": code} for destination in named]


def _in_requests(body: dict[str, Any], key: str, round_: int, send: Send) -> dict[str, Any]:
    """A hundred with each request. Once something was sent, a request that fails is told as that of its destinations."""
    destinations = body["destinations"]
    if len(destinations) <= _MOST:
        reply: dict[str, Any] = send(body, key if round_ == 0 else _key_of(key, 1, round_))
        return reply
    whole: dict[str, Any] | None = None
    for index, start in enumerate(range(0, len(destinations), _MOST), 1):
        piece = {**body, "destinations": destinations[start : start + _MOST]}
        try:
            reply = send(piece, _key_of(key, index, round_))
        except StanzaError as error:
            error.idempotency_key = key
            if whole is None:
                raise
            whole["results"] += _failures(piece, error.code)
            continue
        if whole is None:
            whole = reply
        else:
            whole["results"] += reply["results"]
            whole["warnings"] += reply["warnings"]
            whole["remaining_credits"] = reply["remaining_credits"]
    assert whole is not None
    return _count(whole)


def in_hundreds(body: dict[str, Any], key: str, send: Send, sleep: Callable[[float], None]) -> dict[str, Any]:
    """Sends to all, and tries those again where nothing was posted, for as long as that brings something.

    The key of each request is made of the given one, so that the whole may be repeated.
    """
    body = {**body, "destinations": list(body["destinations"])}
    count = -(-len(body["destinations"]) // _MOST)
    if count > 1 and len(_key_of(key, count)) > _LONGEST_KEY:
        most = _LONGEST_KEY - len(_key_of("", count))
        raise ValueError(
            f"`idempotency_key` has {len(key)} characters: for {count} requests it may have {most}, "
            "since the number of each is added"
        )
    whole = _in_requests(body, key, 0, send)
    idle, round_ = 0, 1
    while idle < _IDLE_ROUNDS and len(_key_of(key, count, round_)) <= _LONGEST_KEY:
        again = [at for at, it in enumerate(whole["results"]) if not it["success"] and it.get("retryable")]
        if not again:
            break
        sleep(_ROUND_S * 2.0**idle)
        try:
            more = _in_requests({**body, "destinations": [body["destinations"][at] for at in again]}, key, round_, send)
        except StanzaError:
            # What was sent before is answered, with the results that it had.
            break
        for at, result in zip(again, more["results"]):
            whole["results"][at] = result
        whole["warnings"] += more["warnings"]
        whole["remaining_credits"] = more["remaining_credits"]
        idle = 0 if more["total_sent"] > 0 else idle + 1
        round_ += 1
    return _count(whole) if round_ > 1 else whole
