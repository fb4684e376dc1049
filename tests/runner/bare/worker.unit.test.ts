import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projectRoot } from '@stanza/local/project';
import { limits } from '@stanza/test-kit/limits';
import { testFolders } from '../../kit/local/folder.ts';

const program = join(projectRoot, 'tests/runner/bare/worker.ts');
const newFolder = testFolders();

describe('a process that runs test files', () => {
  let folder: string;
  let worker: ChildProcess;
  let files = 0;

  beforeAll(async () => {
    folder = await newFolder();
    worker = fork(program, { execArgv: ['--no-warnings'], serialization: 'advanced' });
    limitTests(limits.conditionMs);
  });
  afterAll(() => void worker.kill('SIGKILL'));

  const limitTests = (testTimeout: number): void => {
    const project = { rootDir: folder, testMatch: [], fakeTimers: {} };
    worker.send({ settings: { project, testTimeout } });
  };

  /** Runs a file with this text; answers what the runner hears of it. */
  const run = async (text: string) => {
    files += 1;
    const path = join(folder, `${files}.unit.test.mjs`);
    await writeFile(path, `import { describe, expect, it, jest } from '@jest/globals';\n${text}`);
    worker.send({ run: path });
    const [{ result }] = await once(worker, 'message');
    const { numPassingTests, numFailingTests, testResults, testExecError, failureMessage } = Object(result);
    const titles = testResults.map(
      (it: { fullName: string; status: string }) => `${it.fullName}: ${it.status}`,
    );
    return {
      passed: numPassingTests,
      failed: numFailingTests,
      titles,
      error: testExecError?.stack,
      failureMessage,
    };
  };

  it('counts what passed and what failed, by full names', async () => {
    const ran = await run(`describe('a', () => {
      it('holds', () => expect(1).toBe(1));
      it.each([1, 2])('is %d', (n) => expect(n).toBe(1));
    });`);
    expect(ran).toMatchObject({
      passed: 2,
      failed: 1,
      titles: ['a holds: passed', 'a is 1: passed', 'a is 2: failed'],
    });
    expect(ran.failureMessage).toContain('Expected: ');
  });

  it('ends a test that hangs', async () => {
    limitTests(300);
    const ran = await run(`it('hangs', () => new Promise(() => {}));`);
    limitTests(limits.conditionMs);
    expect(ran).toMatchObject({ passed: 0, failed: 1 });
    expect(ran.failureMessage).toContain('Exceeded timeout of 300 ms');
  });

  it('fails a file that cannot be loaded', async () => {
    expect((await run(`throw new Error('no such luck');`)).error).toContain('no such luck');
  });

  it('fails a file with a rejection that nothing awaits, and none whose rejection is awaited later', async () => {
    expect((await run(`it('forgets', () => void Promise.reject(new Error('lost')));`)).error).toContain(
      'lost',
    );
    const late = await run(`it('waits', async () => {
      const promise = Promise.reject(new Error('found'));
      await new Promise((resolve) => setTimeout(resolve, 1));
      await expect(promise).rejects.toThrow('found');
    });`);
    expect(late).toMatchObject({ passed: 1, failed: 0, error: undefined });
  });

  it('outlives an error that comes after the end of a file, and reports it with the next', async () => {
    const quick = await run(`it('leaves work behind', () => {
      process.once('the next file runs', () => void Promise.reject(new Error('too late')));
    });`);
    expect(quick).toMatchObject({ passed: 1, failed: 0, error: undefined });
    const next = await run(`it('waits for it', async () => {
      const rejected = new Promise((resolve) => process.once('unhandledRejection', resolve));
      process.emit('the next file runs');
      await rejected;
    });`);
    expect(next).toMatchObject({ passed: 1, error: expect.stringContaining('too late') });
  });

  it('undoes what a file faked, replaced or set, before the next', async () => {
    await run(`it('leaves its things', () => {
      jest.useFakeTimers();
      jest.spyOn(Math, 'random').mockReturnValue(7);
      process.env.STANZA_LEFT_BEHIND = 'yes';
      delete process.env.PATH;
    });`);
    const next = await run(`it('finds none of them', async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      expect([Math.random() === 7, process.env.STANZA_LEFT_BEHIND, process.env.PATH === undefined]).toEqual([false, undefined, false]);
    });`);
    expect(next).toMatchObject({ passed: 1, failed: 0 });
  });
});
