import { describe, expect, it } from '@jest/globals';
import { startFailure } from './start-failure.ts';

const source = 'file:///home/ada/stanza/services/delivery/src/dependencies.ts';
const started = '{"level":"info","service":"delivery","msg":"started"}';

describe('why a process ended', () => {
  it('is a syntax error with the file and the line that Node prints above it', () => {
    const lines = [
      started,
      `${source}:7`,
      'const x = ;',
      '          ^',
      '',
      'SyntaxError [ERR_INVALID_TYPESCRIPT_SYNTAX]: Expression expected',
      '    at parseTypeScript (node:internal/modules/typescript:68:40)',
      '',
      'Node.js v24.21.0',
    ];
    expect(startFailure(lines)).toBe(
      'SyntaxError [ERR_INVALID_TYPESCRIPT_SYNTAX]: Expression expected (services/delivery/src/dependencies.ts:7)',
    );
  });

  it('is an error with the first source location of the checkout in its stack', () => {
    const lines = [
      'Error: no such table',
      '    at Client.query (/home/ada/stanza/node_modules/pg/lib/client.js:1:1)',
      `    at ${source}:12:9`,
      `    at file:///home/ada/stanza/services/delivery/src/main.ts:3:1`,
    ];
    expect(startFailure(lines)).toBe('Error: no such table (services/delivery/src/dependencies.ts:12)');
  });

  it('is the fatal log line of the service, when that is last', () => {
    const fatal = {
      level: 'fatal',
      msg: 'could not start',
      err: { type: 'TypeError', message: 'x is not a function', stack: `TypeError\n    at ${source}:9:1` },
    };
    const lines = ['Error: of an earlier start', JSON.stringify(fatal)];
    expect(startFailure(lines)).toBe(
      'could not start: TypeError: x is not a function (services/delivery/src/dependencies.ts:9)',
    );
    expect(startFailure([JSON.stringify(fatal), 'TypeError: of this start'])).toBe(
      'TypeError: of this start',
    );
  });

  it('is the reason that a service gives without an error', () => {
    expect(startFailure(['{"level":"fatal","msg":"exiting","reason":"NATS is gone"}'])).toBe(
      'exiting: NATS is gone',
    );
  });

  it('is the last line without an error, and unknown without a line', () => {
    expect(startFailure(['delivery: STANZA_NATS_URL is required', ''])).toBe(
      'delivery: STANZA_NATS_URL is required',
    );
    expect(startFailure([])).toBeUndefined();
  });
});
