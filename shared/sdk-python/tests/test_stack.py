"""Against a running gateway: its address is in API, a key in KEY, and channels in CHANNELS."""
import asyncio
import itertools
import os
import threading
import unittest

from scripted import new_id
from stanza_sdk import Stanza, StanzaError, __version__


@unittest.skipUnless("API" in os.environ, "no gateway is given")
class ARunningGateway(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stanza = Stanza(os.environ["API"], os.environ["KEY"])
        blocks = [{"type": "section", "text": {"type": "mrkdwn", "text": "Deploy of {{service}}"}}]
        made = cls.stanza.templates.create({"name": f"Python {new_id()}", "blocks": blocks})
        cls.stanza.templates.versions.activate(made["id"], made["version"]["id"])
        cls.template = made
        cls.channels = itertools.cycle(os.environ["CHANNELS"].split())

    def test_sends_once_whatever_is_repeated(self):
        answers = []
        message = {"channel_id": next(self.channels), "data": {"service": "checkout"}}
        key = new_id()
        first = self.stanza.send(self.template["key"], **message, idempotency_key=key, on_answer=answers.append)
        again = self.stanza.send(self.template["key"], **message, idempotency_key=key, on_answer=answers.append)
        self.assertEqual(first["message_id"], again["message_id"])
        self.assertEqual([answer.replayed for answer in answers], [False, True])
        listed = [one["id"] for one in self.stanza.messages.list(template_id=self.template["id"])]
        self.assertIn(first["message_id"], listed)

    def test_compiles_and_previews(self):
        compiled = self.stanza.compile(self.template["id"], data={"service": "checkout"})
        self.assertEqual(compiled["blocks"][0]["text"]["text"], "Deploy of checkout")
        self.assertIn("blocks", self.stanza.preview(self.template["key"], data={"service": "api"}))

    def test_pushes_events_to_a_queue(self):
        queue = self.stanza.queues.create(
            {
                "name": f"Python {new_id()}",
                "mode": "fixed_volume",
                "threshold": 9,
                "template_id": self.template["id"],
                "channel_id": next(self.channels),
            }
        )
        pushed = self.stanza.push(queue["id"], [{"id": "1", "service": "a"}, {"id": "2", "service": "b"}])
        self.assertEqual(pushed["event_count"], 2)

    def test_goes_through_lists_with_for_and_async_for(self):
        async def ids():
            return [one["id"] async for one in self.stanza.templates.list(limit=1)]

        found = [one["id"] for one in self.stanza.templates.list(limit=1)]
        self.assertIn(self.template["id"], found)
        self.assertEqual(asyncio.run(ids()), found)

    def test_follows_messages_as_they_are_sent(self):
        stop = threading.Event()

        def send():
            while not stop.is_set():
                self.stanza.send(self.template["key"], channel_id=next(self.channels), data={"service": "x"})
                stop.wait(0.2)

        sending = threading.Thread(target=send)
        sending.start()
        try:
            event = next(iter(self.stanza.messages.stream(template_id=self.template["id"])))
        finally:
            stop.set()
            sending.join()
        self.assertEqual(event["template_id"], self.template["id"])

    def test_says_what_is_wrong(self):
        with self.assertRaises(StanzaError) as raised:
            self.stanza.templates.get(new_id())
        error = raised.exception
        self.assertEqual((error.code, error.status), ("template_not_found", 404))
        self.assertTrue(error.request_id)
        with self.assertRaises(StanzaError) as raised:
            Stanza("http://127.0.0.1:1", "stz_1", timeout=0.5).auth.validate()
        self.assertIn("127.0.0.1:1", str(raised.exception))

    def test_is_of_the_same_version(self):
        self.assertEqual(__version__, os.environ["STANZA_VERSION"])
