import { beforeAll, describe, expect, it } from '@jest/globals';
import { type PreparedPostgres, startPostgres } from '@stanza/test-kit/database';
import { runPage } from '../../docs/run-page.ts';
import { testFolders } from '../../kit/local/folder.ts';

const newFolder = testFolders(() => postgres.process.stop());
let folder: string;
let postgres: PreparedPostgres;

beforeAll(async () => {
  folder = await newFolder();
  postgres = await startPostgres({ folder, logFile: `${folder}/postgres.log`, password: 'secret' });
});
describe("the page's commands for a new cluster", () => {
  it('make Secrets, and the roles that they name', async () => {
    const values = { DATABASE: postgres.url, OWNER: postgres.url };
    const { output } = await runPage('docs/kubernetes.md', { values, stackDirectory: folder });
    expect(output).toContain('Wrote secrets.json.');
    expect(output).toMatch(/^Roles and schemas exist: .*\bstanza_delivery\b/m);
  });
});
