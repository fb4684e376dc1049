import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testFolders } from '@stanza/test-kit/local/folder';
import { z } from 'zod';
import { channelsOf } from '../kit/channels.ts';
import { openWorldWith, type World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';

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
import { listTemplates, sendTemplate } from './hey';
import { client } from './hey/client.gen';
import { listTemplates as listByOrval, sendTemplate as sendByOrval } from './orval';

declare const process: { argv: string[] };
const [base = '', key = '', channel_id = ''] = process.argv.slice(2);
const headers = { Authorization: 'Bearer ' + key };
type Send = paths['/v1/templates/send']['post'];
type Body = Send['requestBody']['content']['application/json'];
type Sent = Send['responses']['200']['content']['application/json'];
type Templates = paths['/v1/templates']['get']['responses']['200']['content']['application/json'];

const main = async () => {
  const plain: Templates = await (await fetch(base + '/v1/templates?limit=5', { headers })).json();
  client.setConfig({ baseUrl: base, auth: key });
  const hey = await listTemplates({ query: { limit: 5 } });
  const orval = await listByOrval({ limit: 5 }, { headers });
  const totals = [plain.pagination.total, hey.data?.pagination.total];
  const body: Body = { template_key: 'deploy-alert', channel_id, data: { service: 'api', version: '1' } };
  const posted = { method: 'POST', body: JSON.stringify(body) };
  const json = { ...headers, 'Content-Type': 'application/json' };
  const byTypes: Sent = await (await fetch(base + '/v1/templates/send', { ...posted, headers: json })).json();
  const byHey = await sendTemplate({ body });
  const byOrval = await sendByOrval(body, { headers: json });
  console.log(JSON.stringify({
    totals: [...totals, orval.status === 200 ? orval.data.pagination.total : orval.status],
    sent: [byTypes.message_id, byHey.data?.message_id, byOrval.status === 200 ? byOrval.data.message_id : byOrval.status],
  }));
};
main();
`;

const newFolder = testFolders();
const channels = channelsOf('generators');
let world: World;
let key: string;

beforeAll(async () => {
  const opened = await openWorldWith({});
  world = opened.world;
  await liveTemplate(opened.api);
  key = (await opened.organization.key()).key;
});
afterAll(() => world.close());

it('clients that openapi-typescript, hey-api and orval make compile, and list and send with this stack', async () => {
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
  const channel = channels.next();
  const { stdout } = await run(process.execPath, ['js/caller.js', base, key, channel], { cwd });
  const { totals, sent } = z
    .object({ totals: z.array(z.int()), sent: z.array(z.string()) })
    .parse(JSON.parse(stdout));
  expect(totals).toEqual([1, 1, 1]);
  const posted = await world.sandbox.messages(channel);
  expect(posted.map(({ key: message }) => message).toReversed()).toEqual(sent);
});
