import { describe, expect, it } from '@jest/globals';
import { type Restartable, Restarts } from './restarts.ts';

const changeOf = (path: string) => ({ paths: [path], since: 0 });

/** A process whose starts the test ends, with its events. */
const controlled = () => {
  const happened: string[] = [];
  let starting: { resolve: () => void; reject: (error: Error) => void } | undefined;
  let begun = (): void => {};
  let pid: number | undefined = 1;
  const subject: Restartable = {
    get pid() {
      return pid;
    },
    start: () => {
      happened.push('start');
      pid = 2;
      const result = new Promise<void>((resolve, reject) => {
        starting = { resolve, reject };
      });
      begun();
      return result;
    },
    stop: async () => {
      happened.push('stop');
      pid = undefined;
      starting?.reject(new Error('was stopped'));
      starting = undefined;
    },
  };
  const events = {
    onRestarted: (name: string, _milliseconds: number, { paths }: { paths: string[] }) =>
      happened.push(`${name} restarted by ${paths}`),
    onSlow: (name: string, message: string) => happened.push(`${name} is slow: ${message}`),
  };
  return {
    happened,
    restarts: new Restarts(() => subject, events),
    /** Waits for a start to begin. */
    nextStart: () =>
      new Promise<void>((resolve) => {
        begun = resolve;
      }),
    becomeReady: () => {
      starting?.resolve();
      starting = undefined;
    },
    fail: (alive: boolean) => {
      if (!alive) pid = undefined;
      starting?.reject(new Error('not within 60 s'));
      starting = undefined;
    },
  };
};

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('restarts', () => {
  it('stop a process, start it, and report when it is ready', async () => {
    const { happened, restarts, nextStart, becomeReady } = controlled();
    const started = nextStart();
    restarts.request('one', changeOf('a.ts'));
    await started;
    expect(happened).toEqual(['stop', 'start']);
    becomeReady();
    await turn();
    expect(happened).toEqual(['stop', 'start', 'one restarted by a.ts']);
  });

  it('begin again when a change comes during a start, and report only the last', async () => {
    const { happened, restarts, nextStart, becomeReady } = controlled();
    const first = nextStart();
    restarts.request('one', changeOf('a.ts'));
    await first;
    const second = nextStart();
    restarts.request('one', changeOf('b.ts'));
    restarts.request('one', changeOf('c.ts'));
    await second;
    becomeReady();
    await turn();
    expect(happened.filter((it) => it !== 'stop')).toEqual(['start', 'start', 'one restarted by c.ts']);
  });

  it('report a process that runs without becoming ready, and not one that has died', async () => {
    for (const alive of [true, false]) {
      const { happened, restarts, nextStart, fail } = controlled();
      const started = nextStart();
      restarts.request('one', changeOf('a.ts'));
      await started;
      fail(alive);
      await turn();
      expect(happened.slice(2)).toEqual(alive ? ['one is slow: not within 60 s'] : []);
    }
  });

  it('start nothing after they are closed', async () => {
    const { happened, restarts, nextStart } = controlled();
    const started = nextStart();
    restarts.request('one', changeOf('a.ts'));
    await started;
    await restarts.close();
    restarts.request('one', changeOf('b.ts'));
    await turn();
    expect(happened).toEqual(['stop', 'start', 'stop']);
  });
});
