import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testFolders } from '@stanza/test-kit/local/folder';
import { z } from 'zod';
import { openWorldWith, type World } from '../kit/stack.ts';

const run = promisify(execFile);
const programs = join(import.meta.dirname, 'node_modules/.bin');

const orval = ({ base }: { base: string }): string => `module.exports = { stanza: {
  input: './openapi.json',
  output: { mode: 'single', client: 'fetch', target: 'orval.ts', baseUrl: ${JSON.stringify(base)} },
} };`;

const compilerOptions = {
  strict: true,
  target: 'es2023',
  module: 'commonjs',
  moduleResolution: 'node10',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
  skipLibCheck: true,
  outDir: 'js',
};

const caller = `import type { paths } from './types';
import { listTemplates } from './hey';
import { client } from './hey/client.gen';
import { listTemplates as listByOrval } from './orval';

declare const process: { argv: string[] };
const [base = '', key = ''] = process.argv.slice(2);
const headers = { Authorization: 'Bearer ' + key };
type Templates = paths['/v1/templates']['get']['responses']['200']['content']['application/json'];

const main = async () => {
  const plain: Templates = await (await fetch(base + '/v1/templates?limit=5', { headers })).json();
  client.setConfig({ baseUrl: base, auth: key });
  const hey = await listTemplates({ query: { limit: 5 } });
  const orval = await listByOrval({ limit: 5 }, { headers });
  const totals = [plain.pagination.total, hey.data?.pagination.total];
  console.log(JSON.stringify([...totals, orval.status === 200 ? orval.data.pagination.total : orval.status]));
};
main();
`;

const newFolder = testFolders();
let world: World;
let key: string;

beforeAll(async () => {
  const opened = await openWorldWith({ connected: false });
  world = opened.world;
  key = (await opened.organization.key()).key;
});
afterAll(() => world.close());

it('clients that openapi-typescript, hey-api and orval make compile, and call this stack', async () => {
  const cwd = await newFolder();
  const { base } = world.api;
  const call = (name: string, ...words: string[]) =>
    run(process.execPath, [join(programs, name), ...words], { cwd });
  const document = await (await fetch(`${base}/openapi.json`)).text();
  await writeFile(join(cwd, 'openapi.json'), document);
  await writeFile(join(cwd, 'orval.config.cjs'), orval({ base }));
  await writeFile(join(cwd, 'caller.ts'), caller);
  await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['caller.ts'] }));
  await Promise.all([
    call('openapi-typescript', 'openapi.json', '--output', 'types.ts'),
    call('openapi-ts', '--input', 'openapi.json', '--output', 'hey'),
    call('orval', '--config', 'orval.config.cjs'),
  ]);
  await call('tsc', '--project', '.');
  const { stdout } = await run(process.execPath, ['js/caller.js', base, key], { cwd });
  expect(z.array(z.int()).length(3).parse(JSON.parse(stdout))).toEqual([0, 0, 0]);
});
