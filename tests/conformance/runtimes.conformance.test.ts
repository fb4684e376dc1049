import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { channelsOf } from '../kit/channels.ts';
import { installPackages, type StrangersFolder } from '../kit/install-packages.ts';
import { openWorld, type World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';

const run = promisify(execFile);
const packages = join(import.meta.dirname, 'node_modules');
const nodes = { 20: join(packages, 'node-20/bin/node'), 22: join(packages, 'node-22/bin/node') };

/** What runs programs: Node before the floor, at it and after it, and two others. */
const runtimes = {
  'Node 20': [nodes[20]],
  'Node 22.12': [nodes[22]],
  'the Node of Stanza': [process.execPath],
  Bun: [join(packages, '@oven/bun-linux-x64-baseline/bin/bun')],
  Deno: [join(packages, '@deno/linux-x64-glibc/deno'), 'run', '--allow-all'],
};

/** The compilers, oldest first, with how they look for packages; the oldest way went with TypeScript 7. */
const compilers = ['typescript-5.4', 'typescript', 'typescript-6', 'typescript-7'].flatMap((compiler) =>
  ['esm nodenext', 'cjs nodenext', 'esm bundler', 'cjs node10']
    .filter((way) => !(way === 'cjs node10' && compiler === 'typescript-7'))
    .map((way) => ({ compiler, way })),
);

const program = `import { Stanza, StanzaError, type PublicEvent, verify } from '@stanza/sdk';

declare const process: { env: Record<string, string | undefined>; argv: string[] };
const stanza = new Stanza({ url: process.env.API, key: process.env.KEY });

export const event = async (request: Request): Promise<PublicEvent['type']> =>
  (await verify<PublicEvent>(request, { secret: 'whsec_c2VjcmV0' })).payload.type;

const main = async (): Promise<void> => {
  // @ts-expect-error: there is no such template
  const wrong = () => stanza.send('deploy-alrt', { channel_id: 'C0', data: { service: 'api', version: '1' } });
  const { message_id } = await stanza.send('deploy-alert', {
    channel_id: process.argv[2] ?? '',
    data: { service: 'api', version: '1' },
  });
  const codes: string[] = [];
  for (const asked of [() => stanza.templates.get(message_id), () => nobody.auth.validate()])
    await asked().catch((error: unknown) => {
      if (error instanceof StanzaError) codes.push(error.code === 'no_answer' ? String(error.fault?.code) : error.code);
    });
  let listed = 0;
  for await (const { id } of stanza.messages.list({ limit: 1 })) listed += id === message_id ? 1 : 0;
  console.log(JSON.stringify({ message_id, codes, listed, wrong: typeof wrong }));
};
const nobody = new Stanza({ url: 'http://127.0.0.1:1023', key: 'stz_test_1', maxRetries: 0 });
void main();
`;

const alert = `import { expect, test } from 'vitest';
import { Stanza } from '@stanza/sdk';
test('the alert names the service', async () => {
  const sent = [];
  const answer = async (_, { body }) => (sent.push(JSON.parse(body)), Response.json({ message_id: 'm' }));
  const stanza = new Stanza({ url: 'http://stanza.test', key: 'stz_test_1', fetch: answer });
  await stanza.send('deploy-alert', { channel_id: 'C0DEPLOYS', data: { service: 'checkout' } });
  expect(sent[0].data.service).toBe('checkout');
});
`;

const tsconfig = (way: string) => {
  const [format, found] = way.split(' ');
  const module = { nodenext: 'nodenext', bundler: 'esnext', node10: 'commonjs' }[String(found)];
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    target: 'es2022',
    module,
    moduleResolution: found,
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    skipDefaultLibCheck: true,
    rootDir: '.',
    outDir: '.',
    noEmit: found !== 'nodenext',
    ...(found === 'node10' && { ignoreDeprecations: '5.0' }),
  };
  return { compilerOptions, files: [`${format}/program.ts`, `${format}/templates.d.ts`] };
};

describe('the packages that a gateway serves, elsewhere than where they were made', () => {
  const channels = channelsOf('runtimes');
  let world: World;
  let folder: StrangersFolder;
  let env: Record<string, string>;

  const command = async (node: string, ...words: string[]) =>
    run(node, [join(folder.path, 'node_modules/@stanza/cli/bin/stanza.js'), ...words], {
      cwd: folder.path,
      env: { ...env, STANZA_URL: world.api.base, STANZA_KEY: String(env.KEY) },
    });

  const compile = async (compiler: string, way: string): Promise<string> => {
    const file = join(folder.path, `${compiler}-${way.replace(' ', '-')}.json`);
    const config = tsconfig(way);
    if (compiler === 'typescript-6' && way.endsWith('node10'))
      Object.assign(config.compilerOptions, { ignoreDeprecations: '6.0' });
    await writeFile(file, JSON.stringify(config));
    const words = [join(packages, compiler, 'bin/tsc'), '--project', file, '--pretty', 'false'];
    return run(process.execPath, words, { cwd: folder.path }).then(
      () => '',
      (error) => `${error.stdout}${error.stderr}`,
    );
  };

  beforeAll(async () => {
    world = await openWorld();
    const { key } = await (await world.newOrganization({ credits: 1_000 })).key();
    env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', API: world.api.base, KEY: key };
    await liveTemplate(world.api.with(key));
    folder = await installPackages(world.api.base);
    await Promise.all(
      ['esm', 'cjs'].map(async (format) => {
        await mkdir(join(folder.path, format));
        const type = format === 'esm' ? 'module' : 'commonjs';
        await writeFile(join(folder.path, format, 'package.json'), JSON.stringify({ private: true, type }));
        await writeFile(join(folder.path, format, 'program.ts'), program);
        await command(process.execPath, 'types', '--out', `${format}/templates.d.ts`);
      }),
    );
  });
  afterAll(async () => {
    await folder[Symbol.asyncDispose]();
    await world.close();
  });

  it.each(compilers)('pass as strictly as $compiler checks, $way', async ({ compiler, way }) => {
    expect(await compile(compiler, way)).toBe('');
  });

  describe.each(Object.entries(runtimes))('on %s', (_, [runtime = '', ...words]) => {
    // Packages of runtimes are for Linux on x64, where the workflows run.
    (existsSync(runtime) ? it : it.skip).each(['esm', 'cjs'])('send as %s', async (format) => {
      const channel = channels.next();
      const path = join(folder.path, format, 'program.js');
      if (!existsSync(path)) await compile('typescript', `${format} nodenext`);
      const { stdout } = await run(runtime, [...words, path, channel], { env });
      const { message_id, ...rest } = JSON.parse(stdout);
      expect(rest).toEqual({ codes: ['template_not_found', 'ECONNREFUSED'], listed: 1, wrong: 'function' });
      const posted = await world.sandbox.messages(channel);
      expect(posted.map(({ key }) => key)).toEqual([message_id]);
    });
  });

  (existsSync(nodes[20]) ? it : it.skip)(
    'say which Node the command needs, and need no newer one',
    async () => {
      await expect(command(nodes[20], 'plan')).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^stanza needs Node 22\.12 or newer; this is 20\.[\d.]+\.\n$/),
      });
      await command(nodes[22], 'init');
      await command(nodes[22], 'pull');
      expect((await command(nodes[22], 'plan')).stdout).toContain('1 unchanged');
    },
  );

  it.each([
    ['vitest', 'module'],
    ['jest', 'commonjs'],
    ['jest', 'module'],
  ])('are tested by %s without configuration, as %s', async (tester, type) => {
    const own = join(folder.path, `${tester}-${type}`);
    await mkdir(own);
    const isJest = tester === 'jest';
    await writeFile(join(own, 'package.json'), JSON.stringify({ type }));
    const bare = isJest ? alert.replace(/^import .*vitest.*\n/, '') : alert;
    const required = bare.replace(/^import (.*) from (.*);/m, 'const $1 = require($2);');
    await writeFile(join(own, 'alert.test.js'), type === 'commonjs' ? required : bare);
    const programs = {
      jest: [
        join(import.meta.dirname, '../../node_modules/jest/bin/jest.js'),
        '--config',
        '{}',
        '--watchman=false',
      ],
      vitest: [join(packages, 'vitest/vitest.mjs'), 'run', '--root', '.'],
    };
    const words = isJest ? programs.jest : programs.vitest;
    // Modules are an experiment of Jest still, and of Node's for it.
    const flags = isJest && type === 'module' ? ['--experimental-vm-modules'] : [];
    const { stdout, stderr } = await run(process.execPath, [...flags, ...words], { cwd: own, env });
    expect(`${stdout}${stderr}`).toMatch(/1 passed/);
  });

  it('have types that arethetypeswrong finds right, however they are looked for', async () => {
    const file = join(folder.path, 'sdk.tgz');
    const packed = await fetch(`${world.api.base}/downloads/stanza-sdk.tgz`);
    await writeFile(file, Buffer.from(await packed.arrayBuffer()));
    const attw = join(packages, '@arethetypeswrong/cli/dist/index.js');
    const { stdout } = await run(process.execPath, [attw, file, '--entrypoints', '.', '--no-color']);
    expect(stdout).toContain('No problems found');
  });
});
