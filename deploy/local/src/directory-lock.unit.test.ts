import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { testFolders } from '@stanza/test-kit/local/folder';
import { lockHolder, releaseLock, takeLock } from './directory-lock.ts';
import { identifyProcess } from './process-identity.ts';

const newFolder = testFolders();
const own = identifyProcess(process.pid);

describe('the lock of a stack', () => {
  it('is taken once, names its holder, and can be taken again after its release', async () => {
    const lock = join(await newFolder(), 'stack.lock');
    expect(takeLock(lock)).toBeUndefined();
    expect(lockHolder(lock)).toEqual(own);
    expect(takeLock(lock)).toEqual(own);
    releaseLock(lock);
    expect(lockHolder(lock)).toBeUndefined();
    expect(takeLock(lock)).toBeUndefined();
  });

  it('of an ended process is taken over, even when its number was reused', async () => {
    const lock = join(await newFolder(), 'stack.lock');
    await writeFile(lock, JSON.stringify({ pid: process.pid, started: 'long ago' }));
    expect(lockHolder(lock)).toBeUndefined();
    expect(takeLock(lock)).toBeUndefined();
    expect(lockHolder(lock)).toEqual(own);
  });

  it('that is unreadable is taken over', async () => {
    const lock = join(await newFolder(), 'stack.lock');
    await writeFile(lock, '');
    expect(takeLock(lock)).toBeUndefined();
  });
});
