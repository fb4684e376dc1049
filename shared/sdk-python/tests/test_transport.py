import http.server
import threading
import unittest
import unittest.mock
import urllib.request

from stanza_sdk import Stanza, StanzaError


class Slow(http.server.BaseHTTPRequestHandler):
    """Answers with a byte now and then, so that no pause is long."""

    left = threading.Event()

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        for _ in range(500):
            try:
                self.wfile.write(b" ")
            except OSError:
                break
            self.left.wait(0.01)
        self.left.set()

    def log_message(self, *_):
        pass


class Cut(Slow):
    """Answers with less than it has announced."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("content-length", "50")
        self.end_headers()
        self.wfile.write(b"{}")


class Late(http.server.BaseHTTPRequestHandler):
    """A stream whose event comes later than the timeout of the call."""

    opened = 0

    def do_GET(self):
        type(self).opened += 1
        self.send_response(200 if self.opened == 1 else 404)
        self.end_headers()
        threading.Event().wait(0.4)
        self.wfile.write(b'id: a\ndata: {"id": "message-1"}\n\n')

    def log_message(self, *_):
        pass


class Closed(Slow):
    """A proxy that asks for a password."""

    def do_CONNECT(self):
        self.send_error(407)


class AStreamOverHttp(unittest.TestCase):
    def test_stays_open_for_longer_than_it_may_take_to_open(self):
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Late) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            stanza = Stanza(f"http://127.0.0.1:{server.server_port}", "stz_live_1")
            self.assertEqual(next(iter(stanza.messages.stream(timeout=0.2)))["id"], "message-1")
            server.shutdown()
        self.assertEqual(Late.opened, 1)


class ACallOverHttp(unittest.TestCase):
    def failure_of(self, handler, **options):
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            stanza = Stanza(f"http://127.0.0.1:{server.server_port}", "stz_live_1", max_retries=0)
            with self.assertRaises(StanzaError) as raised:
                stanza.templates.get("template-1", **options)
            server.shutdown()
        return raised.exception

    def test_ends_at_its_deadline_also_while_the_answer_comes_slowly(self):
        self.assertIn("it took too long", str(self.failure_of(Slow, timeout=0.2)))
        self.assertTrue(Slow.left.wait(10))

    def test_has_no_answer_where_a_part_of_it_is_missing(self):
        self.assertIn("the connection broke", str(self.failure_of(Cut)))

    def test_says_that_the_proxy_on_the_way_has_refused(self):
        def said(port):
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({"https": f"http://127.0.0.1:{port}"}))
            with unittest.mock.patch("stanza_sdk._transport._opener", opener):
                with self.assertRaises(StanzaError) as raised:
                    Stanza("https://stanza.test", "stz_live_1", max_retries=0).templates.get("template-1")
            return raised.exception.text

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Closed) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.assertEqual(said(server.server_port), "no answer from stanza.test:443: the proxy on the way answered 407")
            server.shutdown()
        refused = f"the connection was refused at 127.0.0.1:{server.server_port}, as of a proxy"
        self.assertEqual(said(server.server_port), f"no answer from stanza.test:443: {refused}")
