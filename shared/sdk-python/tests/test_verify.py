import base64
import hashlib
import hmac
import unittest

from stanza_sdk import StanzaError, verify

SECRET = "whsec_" + base64.b64encode(b"one").decode()
OTHER = "whsec_" + base64.b64encode(b"two").decode()
BODY = b'{"number": 4711}'


def signed(secret=SECRET, at=1_000, body=BODY):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"msg_1.{at}.".encode() + body, hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(digest).decode()
    return {"Webhook-Id": "msg_1", "Webhook-Timestamp": str(at), "Webhook-Signature": f"v1a,x {signature}"}


class ASignature(unittest.TestCase):
    def check(self, headers, secret=SECRET, body=BODY, at=1_000):
        return verify(headers, body, secret, now=lambda: at)

    def test_of_this_secret_or_the_one_before_is_taken(self):
        self.assertEqual(self.check(signed()).payload, {"number": 4711})
        delivered = self.check(signed(OTHER), [SECRET, OTHER])
        self.assertEqual((delivered.id, delivered.at.timestamp()), ("msg_1", 1_000))

    def test_is_refused_where_it_is_missing_old_or_of_something_else(self):
        for headers, options in (
            ({}, {}),
            (signed(), {"at": 1_301}),
            (signed(), {"at": 699}),
            (signed(), {"secret": OTHER}),
            (signed(), {"body": b"{}"}),
            ({**signed(), "Webhook-Timestamp": "now"}, {}),
            ({**signed(), "Webhook-Timestamp": "9" * 5_000}, {}),
        ):
            with self.assertRaises(StanzaError) as raised:
                self.check(headers, **options)
            self.assertEqual(raised.exception.code, "invalid_signature")

    def test_is_not_checked_without_a_secret(self):
        for secret in ("", "whsec_", [], "whsec_%%", None, [SECRET, None]):
            with self.assertRaises(ValueError):
                self.check(signed(), secret)

    def test_takes_a_secret_as_a_file_holds_it(self):
        self.assertEqual(self.check(signed(), f"{SECRET}\n").id, "msg_1")

    def test_says_that_the_body_was_parsed(self):
        with self.assertRaisesRegex(TypeError, "`body` is to be the text or the bytes as they came"):
            self.check(signed(), body={"number": 4711})
