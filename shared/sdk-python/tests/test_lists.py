import asyncio
import io
import json
import threading
import unittest
from urllib.parse import parse_qsl, urlsplit

from scripted import Scripted, answer
from stanza_sdk import Response, StanzaError


def page(ids, total, offset=0, **more):
    return answer(200, {"data": [{"id": id} for id in ids], "pagination": {"total": total, "offset": offset}, **more})


class AList(unittest.TestCase):
    def test_fetches_a_page_when_the_loop_comes_to_it_and_shows_items_once(self):
        script = Scripted([page(["a", "b"], 4), page(["b", "c"], 4, 2), page(["d"], 4, 4)])
        items = iter(script.stanza.templates.list(limit=2))
        self.assertEqual(script.made, [])
        self.assertEqual([next(items)["id"] for _ in range(2)], ["a", "b"])
        self.assertEqual(len(script.made), 1)
        self.assertEqual([item["id"] for item in items], ["c"])
        self.assertTrue(script.made[1].url.endswith("/v1/templates?limit=2&offset=2"))

    def test_gives_every_item_to_a_loop_that_deletes_what_it_reads(self):
        for start in (0, 10):
            left = [str(number) for number in range(250)]

            def serve(request):
                query = dict(parse_qsl(urlsplit(request.url).query))
                offset = int(query.get("offset", 0))
                return page(left[offset : offset + int(query["limit"])], len(left), offset)

            found = []
            for item in Scripted([serve] * 9).stanza.templates.list(offset=start):
                found.append(item["id"])
                if len(found) % 3:
                    left.remove(item["id"])
            self.assertEqual(found, [str(number) for number in range(start, 250)])

    def test_follows_the_cursor_where_there_is_one(self):
        for place, following in (("cursor", "next_cursor"), ("before", "next_before")):
            script = Scripted([page(["a"], 9, **{following: "a"}), page(["b"], 9, **{following: None})])
            self.assertEqual([item["id"] for item in script.stanza.messages.list()], ["a", "b"])
            self.assertIn(f"{place}=a", script.made[1].url)

    def test_goes_on_by_its_cursor_alone_and_ends_where_no_more_is_there_yet(self):
        pages = [{"next_cursor": "x", "has_more": True}, {"next_cursor": "y", "has_more": False}]
        script = Scripted([answer(200, {"data": [{"id": more["next_cursor"]}], **more}) for more in pages])
        self.assertEqual([item["id"] for item in script.stanza.audit_log.export()], ["x", "y"])
        self.assertTrue(script.made[1].url.endswith("/v1/audit-log/export?limit=100&cursor=x"))

    def test_ends_where_a_cache_answers_the_same_page_for_ever(self):
        for following in ("next_cursor", "next_before"):
            items = iter(Scripted([page(["a"], 9, **{following: "a"})] * 2).stanza.messages.list())
            self.assertEqual(next(items)["id"], "a")
            with self.assertRaises(StanzaError) as raised:
                next(items)
            self.assertEqual((raised.exception.code, raised.exception.operation), ("unreadable_answer", "messages.list"))

    def test_goes_with_async_for(self):
        script = Scripted([page(["a"], 2), page(["b"], 2, 1)])

        async def ids():
            return [item["id"] async for item in script.stanza.templates.list(limit=1)]

        self.assertEqual(asyncio.run(ids()), ["a", "b"])

    def test_answers_one_page(self):
        reply = Scripted([page(["a"], 9)]).stanza.templates.list(limit=1).page()
        self.assertEqual((reply["data"], reply["pagination"]["total"]), ([{"id": "a"}], 9))


def stream(text):
    return Response(200, {}, b"", io.BytesIO(text.encode()))


class Quiet:
    """A connection on which nothing comes until it is released."""

    def __init__(self):
        self.is_read, self.released, self.is_closed = threading.Event(), threading.Event(), threading.Event()
        self.was_waited_for = False

    def readline(self):
        self.is_read.set()
        self.was_waited_for = not self.released.wait(10)
        return b"" if self.was_waited_for else b"\n"

    def close(self):
        self.is_closed.set()


def event(id, number):
    return f"id: {id}\ndata: {json.dumps({'number': number})}\n\n"


class AStream(unittest.TestCase):
    def test_is_opened_again_after_the_last_event_that_came(self):
        script = Scripted([stream(f"retry: 3000\n\n{event('a', 1)}event: pulse\ndata: {{}}\n\n"), stream(event("b", 2))])
        events = iter(script.stanza.messages.stream(status="failed"))
        self.assertEqual([next(events)["number"] for _ in range(2)], [1, 2])
        self.assertEqual(script.pauses, [3])
        self.assertTrue(script.made[0].url.endswith("/messages/stream?status=failed"))
        self.assertTrue(script.made[1].url.endswith("status=failed&after=a"))

    def test_goes_with_async_for(self):
        script = Scripted([stream(event("a", 1))])

        async def first():
            async for one in script.stanza.messages.stream():
                return one["number"]

        self.assertEqual(asyncio.run(first()), 1)

    def test_lets_a_program_end_that_is_cancelled_while_nothing_comes(self):
        quiet = Quiet()
        script = Scripted([Response(200, {}, b"", quiet)])

        async def follow():
            async for _ in script.stanza.messages.stream():
                pass

        async def cancelled():
            following = asyncio.ensure_future(follow())
            await asyncio.to_thread(quiet.is_read.wait)
            following.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await following

        asyncio.run(cancelled())
        self.assertFalse(quiet.was_waited_for)
        quiet.released.set()
        self.assertTrue(quiet.is_closed.wait(10))
