import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { testFolders } from '@stanza/test-kit/local/folder';
import { lastLines, rotateLog } from './logs.ts';

const newFolder = testFolders();

describe('a log', () => {
  it('is moved aside past its limit, and continues empty', async () => {
    const file = join(await newFolder(), 'x.log');
    await writeFile(file, 'old line\n');
    expect(await rotateLog(file, 100)).toBe(false);
    expect(await rotateLog(file, 5)).toBe(true);
    await appendFile(file, 'new line\n');
    expect(await readFile(file, 'utf8')).toBe('new line\n');
    expect(await readFile(`${file}.1`, 'utf8')).toBe('old line\n');
  });

  it('shows its last lines, or none without a log', async () => {
    const file = join(await newFolder(), 'x.log');
    expect(lastLines(file, 2)).toEqual([]);
    await writeFile(file, 'a\nb\nc\n');
    expect(lastLines(file, 2)).toEqual(['b', 'c']);
  });
});
