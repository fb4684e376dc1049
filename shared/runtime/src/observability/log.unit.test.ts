import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { until } from '../testing/wait.ts';
import { createLogger, errorFields, redactFields, standardOutput } from './log.ts';

const logged = () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { lines, log: createLogger({ name: 'gateway', level: 'info', destination }) };
};

describe('the log', () => {
  it('writes one JSON object a line, with the service and the time', () => {
    const { log, lines } = logged();
    log.child({ request_id: 'r' }).info({ http_status: 200 }, 'answered');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'info',
      service: 'gateway',
      request_id: 'r',
      http_status: 200,
      msg: 'answered',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
  });

  it.each([
    [{ authorization: 'hunter2' }],
    [{ request: { headers: { authorization: 'hunter2' } } }],
    [{ body: { token: 'hunter2', access_token: 'hunter2' } }],
    [{ settings: { database: { password: 'hunter2' } } }],
    [{ 'set-cookie': 'hunter2', key: 'hunter2', secret: 'hunter2', client_secret: 'hunter2' }],
  ])('redacts secrets in %j', (fields) => {
    const shown = JSON.stringify(redactFields({ ...fields }));
    expect(shown).not.toContain('hunter2');
    expect(shown).toContain('[redacted]');
  });

  it('shows an error with its causes, without the rows and requests that errors carry', () => {
    const { log, lines } = logged();
    const cause = Object.assign(new Error('duplicate key'), {
      code: '23505',
      detail: 'Key (email)=(ada@example.com)',
    });
    log.error({ err: new Error('failed', { cause }) }, 'x');
    expect(JSON.parse(lines[0] ?? '').err).toMatchObject({
      type: 'Error',
      message: 'failed',
      cause: { message: 'duplicate key', code: '23505' },
    });
    expect(lines[0]).not.toContain('ada@example.com');
  });

  it('cuts a message and a stack that another system made long', () => {
    const { message, stack } = errorFields(new Error('.a'.repeat(100_000)));
    expect(message).toHaveLength(4_096);
    expect(stack?.length).toBeLessThanOrEqual(16_384);
    expect(stack).toContain('log.unit.test');
  });

  it('stops at a circular chain of causes', () => {
    const error = new Error('round');
    error.cause = error;
    expect(JSON.stringify(errorFields(error)).length).toBeLessThan(20_000);
  });

  it('takes any thrown value', () => {
    for (const thrown of [undefined, null, 'text', 7, {}])
      expect(errorFields(thrown)).toHaveProperty('message');
  });

  it('outlives an output that takes no lines, as on a full disk, and counts each failed write', async () => {
    const unwritable = openSync(import.meta.filename, 'r');
    let failures = 0;
    const failed = () => {
      failures += 1;
    };
    const log = createLogger({
      name: 'gateway',
      level: 'info',
      destination: standardOutput(failed, unwritable),
    });
    log.info('one');
    await until(async () => failures > 0);
    log.info('two');
    const before = failures;
    await until(async () => failures > before);
    closeSync(unwritable);
  });

  it('An output whose reader stops holds nothing up, and has its lines once it is read again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stanza-pipe-'));
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const pipe = openSync(path, constants.O_WRONLY);
    let failures = 0;
    const failed = () => {
      failures += 1;
    };
    const log = createLogger({ name: 'gateway', level: 'info', destination: standardOutput(failed, pipe) });
    // A pipe holds 64 KiB.
    log.info({ reason: 'r'.repeat(128 * 1024) }, 'one');
    await until(async () => failures > 0);
    const room = Buffer.alloc(64 * 1024);
    let read = '';
    await until(async () => {
      log.info('two');
      read += room.toString('utf8', 0, readSync(reader, room));
      // The lines of a turn are written behind it.
      await new Promise((turned) => setImmediate(turned));
      return read.includes('"two"}');
    });
    expect(read).toContain('"one"}');
    for (const fd of [reader, pipe]) closeSync(fd);
    rmSync(folder, { recursive: true });
  });
});
