import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { limits } from '@stanza/test-kit/limits';
import { testFolders } from '@stanza/test-kit/local/folder';
import { inheritedEnvironment } from './environment.ts';
import {
  type ProcessEvents,
  type ProcessSpec,
  restartDelay,
  SupervisedProcess,
} from './supervised-process.ts';
import { waitUntil } from './wait.ts';

const newFolder = testFolders();
const started: SupervisedProcess[] = [];

const always = async () => true;
const never = async () => false;
const stay = 'setInterval(() => {}, 1e6)';

/** A process that runs the given JavaScript. */
const processRunning = async (
  script: string,
  isReady = always,
  events: ProcessEvents = {},
  more: Partial<ProcessSpec> = {},
): Promise<SupervisedProcess> => {
  const folder = await newFolder();
  const made = new SupervisedProcess(
    {
      name: 'subject',
      command: process.execPath,
      args: ['-e', script],
      env: inheritedEnvironment(),
      cwd: folder,
      logFile: join(folder, 'subject.log'),
      isReady,
      stopSignal: 'SIGTERM',
      orphanSignal: 'SIGKILL',
      stopTimeoutMs: 300,
      readyTimeoutMs: 10_000,
      ...more,
    },
    events,
  );
  started.push(made);
  return made;
};

afterEach(async () => {
  for (const it of started.splice(0)) await it.stop();
});

describe('a supervised process', () => {
  it('is restarted when it is killed', async () => {
    const subject = await processRunning(stay);
    await subject.start();
    const first = subject.pid;
    subject.kill('SIGKILL');
    expect(
      await waitUntil(() => subject.ready && subject.pid !== first, { timeoutMs: limits.conditionMs }),
    ).toBe(true);
  });

  it('runs nothing once it is frozen, and goes on when it is thawed', async () => {
    const writer = `for (;;) require('node:fs').writeSync(1, '.')`;
    const subject = await processRunning(
      `new (require('node:worker_threads').Worker)(\`${writer}\`, { eval: true }); ${stay}`,
    );
    const written = () => statSync(subject.logFile).size;
    const writesOn = async () => {
      const before = written();
      return waitUntil(() => written() > before, { timeoutMs: limits.conditionMs, everyMs: 1 });
    };
    await subject.start();
    expect(await writesOn()).toBe(true);
    for (let round = 0; round < 25; round += 1) {
      await subject.freeze();
      const before = written();
      await setImmediate();
      expect(written()).toBe(before);
      subject.thaw();
      expect(await writesOn()).toBe(true);
    }
  });

  it('that does not run is frozen without waiting', async () => {
    const subject = await processRunning(stay);
    await expect(subject.freeze()).resolves.toBeUndefined();
  });

  it('stays down when it is stopped, and can be started again', async () => {
    const subject = await processRunning(stay);
    await subject.start();
    await subject.stop();
    expect(subject.pid).toBeUndefined();
    await subject.start();
    expect(subject.ready).toBe(true);
  });

  it('is killed when it does not exit in time', async () => {
    const subject = await processRunning(`process.on('SIGTERM', () => {}); ${stay}; console.log('deaf')`);
    await subject.start();
    await subject.stop();
    expect(subject.pid).toBeUndefined();
  });

  it('that never becomes ready fails its start with its last lines', async () => {
    const subject = await processRunning(`console.error('no database'); process.exit(3)`, never);
    await expect(subject.start()).rejects.toThrow(/subject ended with code 3.*no database/s);
  });

  it('A process that dies is reported with its exit, and once with its last lines where it keeps dying', async () => {
    const reports: string[] = [];
    const subject = await processRunning(
      `console.error('boom'); setTimeout(() => process.exit(1), 50)`,
      always,
      {
        onRestart: (name, how) => reports.push(`${name} ${how}`),
        onCrashLoop: (name, deaths, lines) => reports.push(`${name} ${deaths} ${lines.at(-1)}`),
      },
    );
    await subject.start();
    expect(await waitUntil(() => reports.length > 2, { timeoutMs: limits.conditionMs })).toBe(true);
    const once = 'subject ended with code 1';
    expect(reports).toEqual([once, once, 'subject 3 boom']);
  });

  it('that is to stay down stays down when it dies before it is ready, until it is started again', async () => {
    const told: string[] = [];
    const onDown = (name: string, how: string) => told.push(`${name} ${how}`);
    const subject = await processRunning('process.exit(3)', never, { onDown }, { staysDown: true });
    await expect(subject.start()).rejects.toThrow('subject ended with code 3');
    expect([subject.pid, told]).toEqual([undefined, ['subject ended with code 3']]);
    await expect(subject.start()).rejects.toThrow('subject ended with code 3');
    expect(told).toHaveLength(2);
  });

  it('that is to stay down is restarted when it dies once, and stays down when it keeps dying', async () => {
    const numbers = new Set<number>();
    const down = new Promise<string>((resolve) => {
      const events: ProcessEvents = {
        onPid: (_name, pid) => pid !== undefined && numbers.add(pid),
        onDown: (_name, how) => resolve(how),
      };
      const dying = `setTimeout(() => process.exit(1), 50)`;
      void processRunning(dying, always, events, { staysDown: true }).then((subject) => subject.start());
    });
    expect(await down).toBe('ended with code 1');
    expect(numbers.size).toBe(3);
  });

  it('is restarted after a growing backoff, up to five seconds', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 50].map(restartDelay)).toEqual([
      200, 400, 800, 1600, 3200, 5000, 5000, 5000,
    ]);
  });
});
