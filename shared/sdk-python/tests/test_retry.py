import json
import os
import unittest

from stanza_sdk._retry import is_repeated, pause_before


class TheReactionToAFailure(unittest.TestCase):
    @unittest.skipUnless("STANZA_RETRY_CASES" in os.environ, "the decisions of the other SDK are not given")
    def test_is_that_of_the_sdk_for_typescript_for_every_code(self):
        cases = json.loads(os.environ["STANZA_RETRY_CASES"])
        self.assertGreater(len(cases), 300)
        for case in cases:
            expected = case.pop("again")
            self.assertEqual(is_repeated(**case), expected, case)


class ThePauseBeforeAnotherAttempt(unittest.TestCase):
    def test_is_never_shorter_than_the_answer_asks_for(self):
        self.assertEqual(pause_before(1, 7, 0.0), 7)
        self.assertGreater(pause_before(1, 7, 0.5), 7)

    def test_grows_has_jitter_and_is_bounded(self):
        self.assertEqual([pause_before(attempt, None, 0.5) for attempt in (1, 2, 3)], [0.25, 0.5, 1.0])
        self.assertLess(pause_before(5_000, None, 0.999), 12)
