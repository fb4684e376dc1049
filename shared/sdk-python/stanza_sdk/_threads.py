"""Work that blocks, for asynchronous code."""
from __future__ import annotations

import asyncio
import contextvars
import threading
from typing import Callable, TypeVar

Result = TypeVar("Result")


def _settle(done: asyncio.Future[Result], result: Result | None, error: BaseException | None) -> None:
    if done.done():
        return
    if error is not None:
        done.set_exception(error)
    else:
        done.set_result(result)  # type: ignore[arg-type]


async def in_thread(work: Callable[[], Result]) -> Result:
    """Runs work in a thread of its own. Who is cancelled goes on at once, and a program ends while the thread still waits:
    threads of ``asyncio.to_thread`` keep ``asyncio.run`` until each of them is done.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Result] = loop.create_future()
    context = contextvars.copy_context()

    def run() -> None:
        result: Result | None = None
        failure: BaseException | None = None
        try:
            result = context.run(work)
        except BaseException as error:
            failure = error
        try:
            loop.call_soon_threadsafe(_settle, done, result, failure)
        except RuntimeError:
            # The loop has ended meanwhile, and nobody waits any more.
            return

    threading.Thread(target=run, name="stanza-sdk", daemon=True).start()
    return await done
