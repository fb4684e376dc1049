import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { testFolders } from '@stanza/test-kit/local/folder';
import { type Change, SourceWatch } from './watch-sources.ts';

const newFolder = testFolders();
const watches: SourceWatch[] = [];

afterEach(() => {
  for (const watch of watches.splice(0)) watch.close();
});

/** A checkout with two packages, and the changes reported for it. */
const watched = async () => {
  const root = await newFolder();
  for (const folder of ['services/one/src/deep', 'shared/two/src', 'services/one/dist']) {
    await mkdir(join(root, folder), { recursive: true });
  }
  await writeFile(join(root, 'services/one/src/a.ts'), '');
  const changes: Change[] = [];
  let wake = (): void => {};
  watches.push(
    new SourceWatch(root, (change) => {
      changes.push(change);
      wake();
    }),
  );
  const next = async (): Promise<string[]> => {
    while (changes.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return changes.shift()?.paths.sort() ?? [];
  };
  /** Collects changes until the path is among them. */
  const until = async (path: string): Promise<string[]> => {
    const seen = new Set<string>();
    while (!seen.has(path)) for (const it of await next()) seen.add(it);
    return [...seen].sort();
  };
  return { at: (path: string) => join(root, path), next, until };
};

describe('the watch of sources', () => {
  it('reports a file that was touched', async () => {
    const { at, next } = await watched();
    await utimes(at('services/one/src/a.ts'), new Date(), new Date());
    expect(await next()).toEqual(['services/one/src/a.ts']);
  });

  it('reports files that are written in a burst, of any package', async () => {
    const { at, until } = await watched();
    await Promise.all([
      writeFile(at('services/one/src/deep/b.ts'), '1'),
      writeFile(at('shared/two/src/c.ts'), '1'),
      writeFile(at('services/one/dist/d.js'), '1'),
    ]);
    await writeFile(at('services/one/src/last.ts'), '1');
    expect(await until('services/one/src/last.ts')).toEqual([
      'services/one/src/deep/b.ts',
      'services/one/src/last.ts',
      'shared/two/src/c.ts',
    ]);
  });

  it('reports a file that an editor replaces, each time', async () => {
    const { at, until } = await watched();
    for (const text of ['1', '2']) {
      await writeFile(at('services/one/src/a.ts.new'), text);
      await rename(at('services/one/src/a.ts.new'), at('services/one/src/a.ts'));
      expect(await until('services/one/src/a.ts')).toContain('services/one/src/a.ts');
    }
  });

  it('reports files of folders that are created, deleted, and created again', async () => {
    const { at, until } = await watched();
    const file = 'services/one/src/new/deeper/e.ts';
    for (const text of ['1', '2']) {
      await mkdir(at('services/one/src/new/deeper'), { recursive: true });
      await writeFile(at(file), text);
      await until(file);
      await rm(at('services/one/src/new'), { recursive: true });
      await until('services/one/src/new');
    }
  });
});
