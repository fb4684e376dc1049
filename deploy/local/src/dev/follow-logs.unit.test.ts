import { appendFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { testFolders } from '@stanza/test-kit/local/folder';
import { followLogs } from './follow-logs.ts';

const newFolder = testFolders();

const lineAt = (second: number, msg: string): string =>
  `${JSON.stringify({ time: `2026-11-22T00:00:0${second}.000Z`, level: 'info', msg })}\n`;

/** Follows the logs `a` and `b` of a new folder; `end` returns the texts that were shown. */
const following = async (fromStart: boolean, before: Record<string, string> = {}) => {
  const folder = await newFolder();
  for (const [name, text] of Object.entries(before)) writeFileSync(join(folder, `${name}.log`), text);
  const shown: string[] = [];
  const endFollowing = followLogs({
    folder,
    processes: ['a', 'b'],
    fromStart,
    onLines: (lines) => shown.push(...lines.map((it) => `${it.process} ${it.fields?.msg ?? it.text}`)),
  });
  return {
    shown,
    fileOf: (name: string) => join(folder, `${name}.log`),
    end: () => {
      endFollowing();
      return shown;
    },
  };
};

describe('the logs of several processes', () => {
  it('become one stream in the order of time, in which a stack trace follows its line', async () => {
    const { end } = await following(true, {
      a: `${lineAt(1, 'one')}    at trace\n${lineAt(4, 'four')}`,
      b: `${lineAt(2, 'two')}${lineAt(3, 'three')}`,
    });
    expect(end()).toEqual(['a one', 'a     at trace', 'b two', 'b three', 'a four']);
  });

  it('are followed from now on when the beginning is not requested', async () => {
    const { end, fileOf } = await following(false, { a: lineAt(1, 'old') });
    appendFileSync(fileOf('a'), lineAt(2, 'new'));
    writeFileSync(fileOf('b'), lineAt(3, 'of a process that had no log'));
    expect(end()).toEqual(['a new', 'b of a process that had no log']);
  });

  it('are shown line by line, however they are written', async () => {
    const { end, shown, fileOf } = await following(true, { a: '{"msg":"ha' });
    expect(shown).toEqual([]);
    appendFileSync(fileOf('a'), 'lf"}\n');
    expect(end()).toEqual(['a half']);
  });

  it('are followed on when a log has been emptied', async () => {
    const { end, fileOf } = await following(false, { a: lineAt(1, 'a line that is rather long') });
    truncateSync(fileOf('a'));
    appendFileSync(fileOf('a'), lineAt(2, 'new'));
    expect(end()).toEqual(['a new']);
  });
});
