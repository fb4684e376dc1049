import { describe, expect, it } from '@jest/globals';
import { errorFields } from './log.ts';
import { scrubbed } from './scrub.ts';

const shown = (error: unknown): string => JSON.stringify(errorFields(error));

/** The error of a JSON parser for a text. */
const thrownBy = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe('the text of an error in the log', () => {
  it.each([
    ['cannot reach postgres://stanza:hunter2@db:5432/stanza', 'postgres://[redacted]@db:5432/stanza'],
    ['nats://u:hunter/2@x@nats:4222 is away', 'nats://[redacted]@nats:4222 is away'],
    ['smtp://mail:hunter2@mail and nats://u:hunter2@n', 'smtp://[redacted]@mail and nats://[redacted]@n'],
    ['GET https://a.example/hook?token=hunter2&b=1 failed', 'https://a.example/hook?[redacted] failed'],
    ['refused: Bearer hunter2', 'refused: Bearer [redacted]'],
    ['the key stz_live_hunter2 is unknown', 'the key [redacted] is unknown'],
    ['xoxb-1-hunter2 and whsec_hunter2==', '[redacted] and [redacted]'],
    [`AKIA${'HUNTER2A'.repeat(2)} of AWS`, '[redacted] of AWS'],
    [`ghp_${'hunter2'.repeat(5)}, github_pat_hunter2`, '[redacted], [redacted]'],
    [
      `glpat-${'hunter2'.repeat(3)} sk_live_hunter2 AIza${'hunter2'.repeat(5)}`,
      '[redacted] [redacted] [redacted]',
    ],
    ['-----BEGIN RSA PRIVATE KEY-----\\nhunter2\\n-----END RSA PRIVATE KEY----- it', '[redacted] it'],
    ['-----BEGIN PRIVATE KEY-----\nhunter2', '[redacted]'],
  ])('hides passwords, queries and tokens: %s', (message, expected) => {
    expect(scrubbed(message, {})).toContain(expected);
    const error = new Error(message);
    expect(shown(new Error('outer', { cause: error }))).not.toContain('hunter2');
  });

  it('hides the text that a JSON parser quotes', () => {
    const error = thrownBy(() => JSON.parse('hunter2'));
    expect(String(error)).toContain('hunter2');
    expect(shown(error)).not.toContain('hunter2');
  });

  it('hides the invalid value that Postgres quotes', () => {
    const error = Object.assign(new Error('invalid input syntax for type uuid: "hunter2"'), {
      code: '22P02',
    });
    expect(shown(error)).toContain('invalid input syntax for type uuid: [redacted]');
    expect(shown(error)).not.toContain('hunter2');
  });

  it.each(['a-', 'a://', '@', 'a://@', '?', 'token'])(
    'A text of %s, a million times, is read in one pass',
    (part) => {
      const text = part.repeat(1_000_000);
      expect(scrubbed(text, {}).length).toBeLessThanOrEqual(text.length);
    },
  );

  it('is otherwise unchanged, with its stack', () => {
    const error = new Error('duplicate key violates "messages_key" at http://127.0.0.1:80/x');
    expect(errorFields(error)).toMatchObject({ message: error.message, stack: error.stack });
  });
});
