import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePorts, type PreparedPostgres, startPostgres } from '@stanza/stack/testing';
import { readSecretsFile } from '../../../shared/stack/src/admin/kubernetes.ts';
import { commandLine } from '../../../shared/stack/src/testing/command-line.ts';
import { testFolders } from '../../../shared/stack/src/testing/folder.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/kubernetes.md'), 'utf8');
const newFolder = testFolders();
let folder: string;
let postgres: PreparedPostgres;

beforeAll(async () => {
  folder = await newFolder();
  const [port = 0] = await freePorts(1);
  postgres = await startPostgres({ folder, logFile: `${folder}/postgres.log`, port, password: 'secret' });
});
afterAll(() => postgres.process.stop());

/** A command of the page, with this test's database and folder in the place of the reader's. */
const words = (name: string): string[] =>
  (new RegExp(`^npm run (admin) -- (kubernetes ${name} .*)$`, 'm').exec(page)?.slice(1) ?? [])
    .flatMap((part) => part.split(' '))
    .map((word) =>
      word.startsWith('postgres://')
        ? postgres.url
        : word.replace('secrets.json', join(folder, 'secrets.json')),
    );

describe("the page's commands for a new cluster", () => {
  it('make Secrets, and the roles that they name', async () => {
    const run = commandLine(folder);
    const made = await run(...words('secrets'));
    expect([made.code, made.output]).toEqual([0, expect.stringContaining('Wrote')]);
    const provisioned = await run(...words('provision'));
    expect([provisioned.code, provisioned.output]).toEqual([0, expect.stringContaining('stanza_delivery')]);
    const { items } = await readSecretsFile(join(folder, 'secrets.json'));
    expect(items).toHaveLength(9);
  });
});
