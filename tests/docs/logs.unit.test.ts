import { describe, expect, it } from '@jest/globals';
import { type LogFields, logFieldGroups, logLineSchema } from '@stanza/runtime';
import { logMessages, messagesOf } from './log-messages.ts';
import { logRemedies } from './log-remedies.ts';

const line = {
  time: '2026-11-21T12:00:00.000Z',
  level: 'info',
  service: 'gateway',
  msg: 'request',
} as const;

describe('the schema of a line', () => {
  it('takes what every line has, and fields that are known', () => {
    const fields = { status: '200', ms: 4, path: '/v1/templates' } satisfies LogFields;
    expect(logLineSchema.safeParse({ ...line, ...fields }).success).toBe(true);
  });

  it.each([
    ['a field that is not known', { ...line, token: 'x' }],
    ['an error with more than its parts', { ...line, err: { message: 'x', detail: 'Key (email)=(a@b.c)' } }],
    ['a level that is none', { ...line, level: 30 }],
    ['a value of another type', { ...line, organization_id: 'acme' }],
    ['nothing that happened', { ...line, msg: '' }],
  ])('refuses %s', (_, given) => {
    expect(logLineSchema.safeParse(given).success).toBe(false);
  });
});

describe('the lines in the code', () => {
  const known = new Set(Object.values(logFieldGroups).flatMap((group) => Object.keys(group)));

  it('have fields of the schema alone, and every field has a line', () => {
    const given = new Set(logMessages().flatMap((it) => it.fields));
    expect([...given].filter((name) => !known.has(name))).toEqual([]);
    // What children of a log bear, and what is said of the front alone.
    const borne = ['request_id', 'operation_id', 'trace_id', 'origin', 'origin_id'];
    expect([...known].filter((name) => !given.has(name) && !borne.includes(name))).toEqual([]);
  });

  it('have a cause and a remedy where they say that something failed, and no other', () => {
    const failures = logMessages().filter(({ level }) => ['warn', 'error', 'fatal'].includes(level));
    expect(new Set(failures.map(({ message }) => message))).toEqual(new Set(Object.keys(logRemedies)));
  });

  it('are found wherever a log is at hand', () => {
    const source = `
      log.info('a');
      this.#log.warn({ err }, 'b');
      parts.log.child({ job: 'x' }).error({ err: e, job }, 'c');
      console.log('d'); catalogue.info('e');`;
    expect(messagesOf(source, 'x.ts').map((it) => [it.level, it.message, it.fields])).toEqual([
      ['info', 'a', []],
      ['warn', 'b', ['err']],
      ['error', 'c', ['err', 'job']],
    ]);
  });

  it.each(["log.info({ ...fields }, 'a')", "log.info(fields(), 'a')", 'log.info(message)'])(
    'may say nothing that only running tells: %s',
    (source) => {
      expect(() => messagesOf(source, 'x.ts')).toThrow('only running it tells');
    },
  );
});
