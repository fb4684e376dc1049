import json
import pickle
import ssl
import traceback
import unittest
from urllib.error import URLError

from scripted import SECRET_KEY, Scripted, answer, failing, new_id
from stanza_sdk import Stanza, StanzaError

SENT = {"success": True, "message_id": "message-1"}
LOST = ConnectionResetError("reset")


class ACall(unittest.TestCase):
    def test_is_made_with_the_key_and_answers_the_content(self):
        script = Scripted([answer(200, SENT)])
        answers = []
        template = new_id()
        sent = script.stanza.send(
            template, channel_id="C1", data={"name": "Ada"}, idempotency_key="order-1", on_answer=answers.append
        )
        self.assertEqual(sent, SENT)
        self.assertEqual(answers[0], (200, "request-1", False, "order-1", 1))
        request = script.made[0]
        self.assertEqual((request.method, request.url), ("POST", "https://stanza.test/v1/templates/send"))
        body = {"template_id": template, "channel_id": "C1", "data": {"name": "Ada"}}
        self.assertEqual(json.loads(request.body), body)
        self.assertEqual(request.headers["authorization"], f"Bearer {SECRET_KEY}")
        self.assertRegex(request.headers["user-agent"], r"^stanza-sdk/\d.* python/3")

    def test_names_a_template_by_its_key_where_it_is_no_id(self):
        script = Scripted([answer(200, SENT)])
        script.stanza.compile("deploy-alert")
        self.assertEqual(json.loads(script.made[0].body), {"template_key": "deploy-alert"})

    def test_has_parameters_in_its_path_and_query(self):
        script = Scripted([answer(200, {})])
        script.stanza.templates.versions.diff("a/b", "c", against="d")
        self.assertEqual(script.made[0].url, "https://stanza.test/v1/templates/a%2Fb/versions/c/diff?against=d")

    def test_has_characters_of_every_language_as_they_are(self):
        script = Scripted([answer(200, {}), answer(200, {})])
        script.stanza.preview("a", data={"name": "漢😀"})
        self.assertIn('"漢😀"'.encode(), script.made[0].body)
        # What is no text is for the API to refuse, which names the place.
        script.stanza.preview("a", data={"name": "漢\ud800"})
        self.assertIn(rb"\u6f22\ud800", script.made[1].body)

    def test_with_an_id_that_would_name_another_path_is_refused(self):
        script = Scripted([])
        for id in ("", ".", ".."):
            with self.assertRaises(ValueError):
                script.stanza.templates.delete(id)
        self.assertEqual(script.made, [])

    def test_without_content_answers_nothing(self):
        self.assertIsNone(Scripted([answer(204, None)]).stanza.scim.users.delete("user-1"))

    def test_needs_an_address_and_a_key_that_can_be_sent(self):
        for url, key in ((None, "stz_1"), ("stanza.test", "stz_1"), ("https://stanza.test", None), ("https://a", "a\n")):
            with self.assertRaises(ValueError):
                Stanza(url, key)

    def test_refuses_an_address_that_no_path_can_follow_and_says_no_password(self):
        for url in ("https://ada:secret@stanza.test", "https://stanza.test?a=b", "https://stanza.test/#a"):
            with self.assertRaisesRegex(ValueError, "no user, query or fragment") as raised:
                Stanza(url, "stz_1")
            self.assertNotIn("secret", str(raised.exception))

    def test_takes_an_address_that_ends_in_the_path_of_the_interface(self):
        for url in ("https://stanza.test/v1", "https://stanza.test/v1/", "https://stanza.test//"):
            script = Scripted([answer(200, {})], url=url)
            script.stanza.auth.validate()
            self.assertEqual(script.made[0].url, "https://stanza.test/v1/auth/validate")


class ACallThatIsMadeAgain(unittest.TestCase):
    def test_keeps_its_idempotency_key_while_no_answer_comes(self):
        script = Scripted([LOST, answer(502, "oops"), answer(200, SENT)])
        script.stanza.send("a", channel_id="C1")
        self.assertEqual(len(set(script.keys())), 1)
        self.assertEqual(script.pauses, [0.125, 0.25])

    def test_waits_as_long_as_a_proxy_says(self):
        script = Scripted([answer(503, "down", retry_after="3"), answer(429, "slow", retry_after="4"), answer(200, SENT)])
        script.stanza.send("a", channel_id="C1")
        self.assertEqual(script.pauses, [3, 4])

    def test_waits_until_the_moment_that_a_proxy_names_by_the_clock_of_the_answer(self):
        date = "Sat, 03 Jan 2026 12:00:00 GMT"
        moments = ["Sat, 03 Jan 2026 12:00:09 GMT", "Sat, 03 Jan 2026 11:00:00 GMT", "soon"]
        steps = [answer(503, "down", retry_after=moment, date=date) for moment in moments]
        script = Scripted([*steps, answer(200, SENT)])
        script.stanza.send("a", channel_id="C1")
        self.assertEqual(script.pauses, [9, 0.25, 0.5])

    def test_waits_as_long_as_the_answer_says_and_tells_it(self):
        told = []
        steps = [failing(429, "rate_limited", retry_after="7"), answer(200, SENT)]
        script = Scripted(steps, on_retry=told.append)
        script.stanza.send("a", channel_id="C1")
        self.assertEqual(script.pauses, [7])
        self.assertEqual((told[0].operation, told[0].attempt, told[0].error.code), ("templates.send", 1, "rate_limited"))

    def test_is_not_made_where_it_changes_something_and_takes_no_key(self):
        script = Scripted([LOST])
        with self.assertRaises(StanzaError) as raised:
            script.stanza.templates.archive(new_id())
        self.assertEqual((raised.exception.code, script.keys()), ("no_answer", [None]))

    def test_ends_at_its_deadline_and_says_what_failed_last(self):
        script = Scripted([URLError(ConnectionRefusedError())] * 9, timeout=1.0, url="http://127.0.0.1:9")
        with self.assertRaises(StanzaError) as raised:
            script.stanza.send("a", channel_id="C1")
        self.assertEqual(raised.exception.code, "deadline_exceeded")
        self.assertIn("no answer from 127.0.0.1:9: the connection was refused", str(raised.exception))
        self.assertIsInstance(raised.exception.__cause__, URLError)
        self.assertEqual(len(script.made), 4)

    def test_ends_after_as_many_retries_as_it_may_have(self):
        script = Scripted([LOST] * 3, max_retries=2)
        with self.assertRaises(StanzaError) as raised:
            script.stanza.send("a", channel_id="C1")
        self.assertEqual((raised.exception.code, raised.exception.attempts), ("no_answer", 3))

    def test_is_not_made_where_the_certificate_is_not_trusted(self):
        script = Scripted([URLError(ssl.SSLCertVerificationError("self-signed certificate"))])
        with self.assertRaises(StanzaError) as raised:
            script.stanza.send("a", channel_id="C1")
        self.assertEqual((raised.exception.code, len(script.made)), ("tls_failed", 1))


class AnError(unittest.TestCase):
    def test_has_what_the_answer_says_and_never_the_key(self):
        issues = [{"code": "custom", "path": ["data", 0], "message": "is odd"}]
        said = {"code": "validation_failed", "message": "data.0: is odd", "error": {"issues": issues}}
        script = Scripted([answer(422, said)])
        with self.assertRaises(StanzaError) as raised:
            script.stanza.send("a", channel_id="C1")
        error = raised.exception
        self.assertEqual(str(error), "validation_failed: data.0: is odd (request request-1)")
        self.assertEqual((error.status, error.issues, error.operation), (422, issues, "templates.send"))
        self.assertNotIn(SECRET_KEY, "".join(traceback.format_exception(error)) + repr(vars(error)))

    def test_says_the_first_five_of_many_issues(self):
        issues = [{"code": "custom", "path": ["data", index], "message": "is odd"} for index in range(100)]
        said = {"code": "validation_failed", "message": "long", "error": {"issues": issues}}
        with self.assertRaises(StanzaError) as raised:
            Scripted([answer(422, said)]).stanza.send("a", channel_id="C1")
        error = raised.exception
        self.assertEqual(error.issues, issues)
        self.assertTrue(error.text.endswith("; data.4: is odd; and 95 more in `issues`"), error.text)

    def test_has_the_page_about_its_code_as_an_address_of_the_gateway(self):
        page = "/docs/errors#template_not_found"
        for url, docs, address in (
            ("https://stanza.test/", page, f"https://stanza.test{page}"),
            ("https://stanza.test/chat/v1", page, f"https://stanza.test/chat{page}"),
            ("https://stanza.test/", "https://other.test/errors", "https://other.test/errors"),
            ("https://stanza.test/", "javascript:alert(1)", None),
            ("https://stanza.test/", 7, None),
            ("https://stanza.test/", None, None),
        ):
            said = {"code": "template_not_found", "error": "no", "docs": docs}
            with self.assertRaises(StanzaError) as raised:
                Scripted([answer(404, said)], url=url).stanza.templates.get("a")
            self.assertEqual(raised.exception.docs, address)

    def test_says_when_the_answer_is_not_of_stanza(self):
        moved = answer(301, None, location="https://stanza.test/v1/templates/send?next=1")
        for response, text in (
            (answer(200, None)._replace(body=b"<h1>"), "the address answered 200 with what is not JSON"),
            (answer(204, None)._replace(body=b""), "the address answered 204 with what is not JSON"),
            (
                moved._replace(body=b""),
                "the address answered 301 and redirects to https://stanza.test/v1/templates/send, which is not followed",
            ),
        ):
            with self.assertRaises(StanzaError) as raised:
                Scripted([response]).stanza.send("a", channel_id="C1", idempotency_key="order-1")
            error = raised.exception
            self.assertEqual((error.code, error.text), ("unreadable_answer", text))
            self.assertEqual((error.idempotency_key, error.attempts), ("order-1", 1))

    def test_says_when_json_is_not_of_stanza(self):
        for content in (None, [], "ok", 5):
            with self.assertRaises(StanzaError) as raised:
                Scripted([answer(200, content)]).stanza.templates.get("a")
            self.assertEqual(raised.exception.text, "the address answered 200 with JSON that is not of Stanza")
        to = [{"channel_id": "C1"}]
        for content in ({}, {"data": None, "results": {}}):
            for call in (
                lambda stanza: stanza.messages.list().page(),
                lambda stanza: list(stanza.messages.list()),
                lambda stanza: stanza.send_bulk("a", destinations=to),
            ):
                with self.assertRaises(StanzaError) as raised:
                    call(Scripted([answer(200, content)]).stanza)
                self.assertEqual(raised.exception.code, "unreadable_answer")
        for said in ({"code": "unavailable", "message": "down"}, {"code": "a", "error": "b", "details": [{"type": "c"}]}):
            for status, code in ((503, "no_answer"), (404, "unreadable_answer")):
                with self.assertRaises(StanzaError) as raised:
                    Scripted([answer(status, said)], max_retries=0).stanza.templates.get("a")
                self.assertEqual((raised.exception.code, raised.exception.status), (code, status))

    def test_passes_through_pickle_whole(self):
        with self.assertRaises(StanzaError) as raised:
            said = {"code": "invalid_data", "error": "It does not fit.", "details": "a: is missing"}
            Scripted([answer(400, said)]).stanza.templates.get("a")
        again = pickle.loads(pickle.dumps(raised.exception))
        self.assertEqual((str(again), vars(again)), (str(raised.exception), vars(raised.exception)))

    def test_has_a_message_with_the_problems_or_the_platforms_name_of_it(self):
        head, lines = "invalid_data: It does not fit.", "1\n2\n3\n4\n5"
        for facts, message in (
            ({"details": "a: is missing"}, f"{head} (request request-1)\na: is missing"),
            ({"details": f"{lines}\n6\n7"}, f"{head} (request request-1)\n{lines}\nand 2 more in `details`"),
            ({"error_details": '"channel_not_found"'}, f"{head} (channel_not_found; request request-1)"),
            ({"error_details": '[{"rule":"a"}]'}, f"{head} (request request-1)"),
        ):
            said = {"code": "invalid_data", "error": "It does not fit.", **facts}
            with self.assertRaises(StanzaError) as raised:
                Scripted([answer(400, said)]).stanza.templates.get("a")
            self.assertEqual(str(raised.exception), message)


class AMistakeOfTheProgram(unittest.TestCase):
    def test_in_an_option_is_told_by_its_name_before_a_request(self):
        script = Scripted([])
        to = [{"channel_id": f"C{index}"} for index in range(101)]
        for call, option in (
            (lambda: script.stanza.send("a", channel_id="C1", idempotency_key=""), "idempotency_key"),
            (lambda: script.stanza.send("a", channel_id="C1", idempotency_key="order-€"), "idempotency_key"),
            (lambda: script.stanza.send_bulk("a", destinations=to, idempotency_key=""), "idempotency_key"),
            (lambda: script.stanza.send("a", channel_id="C1", timeout=float("nan")), "timeout"),
            (lambda: Scripted([], timeout=-1), "timeout"),
            (lambda: Scripted([], attempt_timeout=float("nan")), "attempt_timeout"),
            (lambda: Scripted([], max_retries="3"), "max_retries"),
            (lambda: Scripted([], headers={"X-Team": "a\nb"}), "headers.X-Team"),
            (lambda: Scripted([], headers={"X Team": "a"}), "headers.X Team"),
        ):
            with self.assertRaisesRegex(ValueError, f"`{option}` is "):
                call()
        with self.assertRaisesRegex(ValueError, r"`data\.rows\[1\]\.total` has no form in JSON"):
            script.stanza.send("a", channel_id="C1", data={"rows": [{}, {"total": float("nan")}]})
        self.assertEqual(script.made, [])


class ABulk(unittest.TestCase):
    def sending(self, is_sent):
        def send(request):
            results = []
            for to in json.loads(request.body)["destinations"]:
                sent = is_sent(to["channel_id"])
                refusal = {} if sent else {"error": "rate_limited", "retryable": True}
                results.append({"destination": to, "success": sent, **refusal})
            count = sum(1 for result in results if result["success"])
            totals = {"total_sent": count, "total_failed": len(results) - count, "remaining_credits": 9}
            return answer(200, {"success": count == len(results), "results": results, "warnings": ["w"], **totals})

        return send

    def test_of_many_is_split_into_hundreds_with_keys_made_of_the_given_one(self):
        script = Scripted([self.sending(lambda _: True)] * 3)
        to = [{"channel_id": f"C{index}"} for index in range(250)]
        reply = script.stanza.send_bulk("a", destinations=to, idempotency_key="all")
        self.assertEqual(script.keys(), ["all~h1", "all~h2", "all~h3"])
        self.assertEqual([result["destination"] for result in reply["results"]], to)
        self.assertEqual((reply["total_sent"], reply["warnings"]), (250, ["w"]))

    def test_tries_destinations_again_that_were_refused_without_a_post(self):
        none = self.sending(lambda _: False)
        steps = [self.sending(lambda to: to == "C1"), self.sending(lambda to: to == "C0"), none, none, none]
        script = Scripted(steps)
        to = [{"channel_id": f"C{index}"} for index in range(3)]
        reply = script.stanza.send_bulk("a", destinations=to, idempotency_key="all")
        self.assertEqual(script.keys(), ["all", "all~r1h1", "all~r2h1", "all~r3h1", "all~r4h1"])
        self.assertEqual(script.pauses, [2, 2, 4, 8])
        self.assertEqual([result["success"] for result in reply["results"]], [True, True, False])
        self.assertEqual((reply["success"], reply["total_sent"], reply["total_failed"]), (False, 2, 1))


if __name__ == "__main__":
    unittest.main()
