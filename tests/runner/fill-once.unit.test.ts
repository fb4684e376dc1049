import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { testFolders } from '../kit/local/folder.ts';
import { fillOnce, removeLeftovers } from './fill-once.ts';

const newFolder = testFolders();

const writing = (text: string) => (folder: string) => writeFile(join(folder, 'file'), text);

describe('a folder that is filled once', () => {
  it('is filled by the first call, and kept by later ones', async () => {
    const parent = join(await newFolder(), 'new');
    expect(await fillOnce(parent, 'tool-1', writing('first'))).toBe(true);
    expect(await fillOnce(parent, 'tool-1', writing('second'))).toBe(false);
    expect(await readFile(join(parent, 'tool-1/file'), 'utf8')).toBe('first');
  });

  it('is whole whenever it can be seen, and one of two calls at once makes it', async () => {
    const parent = await newFolder();
    let started = 0;
    const both = Promise.withResolvers<void>();
    const seenWhileFilling: string[][] = [];
    const fill = async (folder: string): Promise<void> => {
      started += 1;
      if (started === 2) both.resolve();
      await both.promise;
      seenWhileFilling.push((await readdir(parent)).filter((name) => name === 'tool-1'));
      await writing('whole')(folder);
    };
    const made = await Promise.all([fillOnce(parent, 'tool-1', fill), fillOnce(parent, 'tool-1', fill)]);
    expect(made.sort()).toEqual([false, true]);
    expect(seenWhileFilling[0]).toEqual([]);
    expect(await readdir(parent)).toEqual(['tool-1']);
    expect(await readFile(join(parent, 'tool-1/file'), 'utf8')).toBe('whole');
  });

  it('does not exist after a failure, nor does its draft', async () => {
    const parent = await newFolder();
    const fill = async (folder: string): Promise<void> => {
      await writing('half')(folder);
      throw new Error('no space left');
    };
    await expect(fillOnce(parent, 'tool-1', fill)).rejects.toThrow('no space left');
    expect(await readdir(parent)).toEqual([]);
  });
});

describe('the leftovers of a folder', () => {
  it('are other versions and drafts of ended processes', async () => {
    const parent = await newFolder();
    const own = `tool-2.draft-${process.pid}-abc`;
    // No process has a number this high.
    const dead = 'tool-2.draft-999999999-abc';
    for (const name of ['tool-1', 'tool-2', own, dead, 'other-1']) await mkdir(join(parent, name));
    await removeLeftovers(parent, 'tool-', 'tool-2');
    expect((await readdir(parent)).sort()).toEqual(['other-1', 'tool-2', own]);
  });
});
