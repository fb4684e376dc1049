import { spawnSync } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const print = join(import.meta.dirname, 'print.ts');
const fail = join(import.meta.dirname, '../commands/fail.ts');

/** Prints an answer as a command does, to where everything that is written is lost. */
const code = `
const { print } = await import(${JSON.stringify(print)});
const { failWith } = await import(${JSON.stringify(fail)});
await print('the only copy of a key').catch(failWith);
`;

const onFullDisks = existsSync('/dev/full') ? it : it.skip;

onFullDisks('an answer that cannot be written fails the command: nothing would have it', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--conditions=@stanza/source', '--input-type=module', '--eval', code],
    { stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'], encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([1, expect.stringMatching(/✗ ENOSPC: .*\n +Free some disk space/)]);
  expect(stderr).not.toContain('    at ');
});
