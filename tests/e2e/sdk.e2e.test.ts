import { execFile, spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDestination, getSigningSecret, rotateSigningSecret } from '@stanza/contracts';
import { Stanza, StanzaError } from '@stanza/sdk';
import { freePorts } from '@stanza/test-kit/database';
import { SeededRandom } from '../chaos/random.ts';
import type { Api } from '../kit/api.ts';
import { BadProxy } from '../kit/bad-proxy.ts';
import { channelsOf } from '../kit/channels.ts';
import { compileProgram } from '../kit/compile-program.ts';
import { installPackages, type StrangersFolder } from '../kit/install-packages.ts';
import { openWorld, type World } from '../kit/stack.ts';
import { stanzaCommand } from '../kit/stanza-command.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

const run = promisify(execFile);
const examples = join(import.meta.dirname, '../docs/examples');
const types = join(import.meta.dirname, '../../node_modules/@types');

describe('the SDK', () => {
  const channels = channelsOf('sdk');
  let world: World;
  let api: Api;
  let key: string;
  let stanza: Stanza;

  beforeAll(async () => {
    world = await openWorld();
    await enter();
  });
  afterAll(() => world.close());

  /** Goes on in an organization without templates. */
  const enter = async (): Promise<void> => {
    const organization = await world.newOrganization({ tier: 'enterprise', credits: 10_000 });
    ({ key } = await organization.key());
    api = world.api.with(key);
    stanza = new Stanza({ url: api.base, key });
  };

  const environment = () => ({ PATH: process.env.PATH, API: api.base, KEY: key });

  it('authors, sends, lists and explains', async () => {
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello *{{name}}*' } }];
    const made = await stanza.templates.create({ name: 'Greeting of the SDK', blocks });
    expect(made.$answer).toMatchObject({ status: 201, replayed: false, attempts: 1 });
    await stanza.templates.versions.activate(made.id, made.version.id);
    const message = { channel_id: channels.next(), data: { name: 'Ada' } };
    const first = await stanza.send(made.key, message, { idempotencyKey: 'greeting-1' });
    const again = await stanza.send(made.key, message, { idempotencyKey: 'greeting-1' });
    expect([again.message_id, again.$answer.replayed]).toEqual([first.message_id, true]);
    const listed: string[] = [];
    for await (const { id } of stanza.messages.list({ template_id: made.id })) listed.push(id);
    expect(listed).toEqual([first.message_id]);
    const error = await stanza.templates.get(made.version.id).catch((thrown: unknown) => thrown);
    if (!(error instanceof StanzaError)) throw error;
    expect(error).toMatchObject({ code: 'template_not_found', status: 404, operation: 'templates.get' });
    expect(error.requestId).toMatch(/./);
  });

  it('loses nothing and doubles nothing behind a proxy that cuts, delays and doubles', async () => {
    const { id } = await liveTemplate(api);
    await using stack = new AsyncDisposableStack();
    const proxy = await BadProxy.start(api.base, new SeededRandom(17));
    stack.defer(() => proxy.close());
    const sdk = new Stanza({ url: proxy.url, key });
    const sent = await Promise.all(
      Array.from({ length: 80 }, () => channels.next()).map(async (channel) => {
        const { message_id } = await sdk.send(id, {
          channel_id: channel,
          data: { service: 'api', version: '1' },
        });
        return message_id;
      }),
    );
    const posted = (await world.sandbox.allMessages()).filter(({ key: of }) => sent.includes(of ?? ''));
    expect(posted.map(({ key: of }) => of).sort()).toEqual(sent.toSorted());
    const listed = [];
    for await (const message of stanza.messages.list({ template_id: id })) listed.push(message);
    expect(listed).toHaveLength(80);
    expect(Object.values(proxy.counts).every((count) => count > 0)).toBe(true);
  });

  describe('in a folder of its own', () => {
    let folder: StrangersFolder;

    beforeAll(async () => {
      await enter();
      folder = await installPackages(api.base);
    });
    afterAll(async () => {
      await folder[Symbol.asyncDispose]();
    });

    /** Compiles a program as someone would who has the package alone. */
    const compile = async (name: string, text: string): Promise<string[]> => {
      await writeFile(join(folder.path, `${name}.ts`), text);
      const flags = ['--types', 'node', '--typeRoots', types, '--lib', 'es2024'];
      const files = [`${name}.ts`, 'templates.d.ts'];
      return compileProgram({ folder: folder.path, files, outDir: '.', flags });
    };

    const start = async (name: string, env: Record<string, string> = {}): Promise<string> => {
      const words = [join(folder.path, `${name}.js`)];
      return (await run(process.execPath, words, { env: { ...environment(), ...env } })).stdout;
    };

    const example = (name: string) => readFile(join(examples, `${name}.ts`), 'utf8');

    /** Writes the types as someone does who has the command. */
    const writeTypes = async (): Promise<void> => {
      const { code } = await stanzaCommand(['types', '--out', join(folder.path, 'templates.d.ts')], {
        env: { STANZA_URL: api.base, STANZA_KEY: key },
      });
      expect(code).toBe(0);
    };

    it('is a program, its types, and nothing else', () => {
      const names = folder.files.map((file) => file.split('/').at(-1) ?? '');
      expect(names).toContain('index.js');
      expect(names.filter((name) => /\.test\.|\.map$|tsbuildinfo/.test(name))).toEqual([]);
      expect(folder.files.filter((file) => file.includes('/src'))).toEqual([]);
    });

    it('has the command as one file behind a check of the version of Node, which needs nothing beside it', async () => {
      const names = folder.commandFiles
        .filter((file) => /\.\w+$/.test(file))
        .map((file) => file.split('/').slice(3));
      expect(names.map((name) => name.join('/')).sort()).toEqual([
        'bin/stanza.js',
        'dist/stanza.js',
        'package.json',
      ]);
      const { dependencies, scripts } = JSON.parse(
        await readFile(join(folder.path, 'node_modules/@stanza/cli/package.json'), 'utf8'),
      );
      expect([dependencies, Object.keys(scripts)]).toEqual([undefined, ['prepack']]);
    });

    it('is required by CommonJS with its types', async () => {
      const older = join(folder.path, 'older');
      await mkdir(older);
      await writeFile(join(older, 'package.json'), '{ "private": true, "type": "commonjs" }');
      const validates =
        "import { Stanza } from '@stanza/sdk';\nconst stanza = new Stanza({ url: process.env.API, key: process.env.KEY });\nvoid stanza.auth.validate().then(({ valid }) => console.log(valid));\n";
      await writeFile(join(older, 'program.ts'), validates);
      const flags = ['--types', 'node', '--typeRoots', types, '--lib', 'es2024'];
      expect(await compileProgram({ folder: older, files: ['program.ts'], outDir: '.', flags })).toEqual([]);
      const env = environment();
      expect((await run(process.execPath, [join(older, 'program.js')], { env })).stdout.trim()).toBe('true');
    });

    it('keeps templates as files by the command alone: pulled, planned, tested and pushed', async () => {
      await liveTemplate(api, undefined, {
        name: 'Of a stranger',
        sample_data: { service: 'api', version: '1' },
      });
      const command = async (...words: string[]): Promise<{ code: number; out: string }> => {
        const path = join(folder.path, 'node_modules/.bin/stanza');
        const env = { PATH: process.env.PATH, STANZA_URL: api.base, STANZA_KEY: key };
        try {
          const { stdout } = await run(path, words, { cwd: folder.path, env });
          return { code: 0, out: stdout };
        } catch (error) {
          const { code, stdout } = Object(error);
          return { code, out: stdout };
        }
      };
      expect(await command('--help')).toMatchObject({ code: 0, out: expect.stringContaining('plan') });
      expect((await command('init')).code).toBe(0);
      expect((await command('pull')).code).toBe(0);
      expect((await command('validate')).code).toBe(0);
      expect((await command('test')).code).toBe(0);
      expect((await command('preview', 'of-a-stranger')).out).toContain('# Deploy of api');
      expect((await command('plan')).code).toBe(0);
      const file = join(folder.path, 'templates/of-a-stranger/template.json');
      await writeFile(file, (await readFile(file, 'utf8')).replace('is live', 'is out'));
      expect((await command('test')).code).toBe(1);
      expect((await command('test', '--update')).code).toBe(0);
      expect((await command('plan')).code).toBe(2);
      expect((await command('push', '--yes')).code).toBe(0);
      expect((await command('plan')).code).toBe(0);
    });

    it('compiles and sends what the README shows, with the types of the template', async () => {
      const source = JSON.parse(
        await readFile(join(import.meta.dirname, '../../docs/examples/deploy-alert.json'), 'utf8'),
      );
      await liveTemplate(api, source.blocks, source);
      await writeTypes();
      const program = await example('send-in-typescript');
      const said = await compile('wrong', program.replace("'deploy-alert'", "'deploy-alrt'"));
      expect(said).toEqual([expect.stringContaining('"deploy-alrt"')]);
      const incomplete = await compile('incomplete', program.replace("version: '1.4.2', ", ''));
      expect(incomplete).toEqual([expect.stringContaining("'version' is missing")]);
      expect(await compile('program', program)).toEqual([]);
      const sent = (await start('program')).trim();
      const posted = await world.sandbox.messages('C0DEPLOYS');
      expect(posted.filter((message) => message.key === sent)).toHaveLength(1);
    });

    it('tells an error by its code, and a repeat from a first time, as its page shows', async () => {
      const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: '{{order}} with {{carrier}}' } }];
      await liveTemplate(api, blocks, { name: 'Order shipped' });
      await writeTypes();
      expect(await compile('errors', await example('sdk-errors'))).toEqual([]);
      expect(await start('errors')).toContain('is sent');
      expect(await start('errors')).toContain('was sent before');
      expect(await start('errors', { KEY: 'stz_live_none' })).toContain('invalid_token');
    });

    it('takes what is signed by either of two secrets, as its page shows', async () => {
      const [port = 0] = await freePorts(1);
      const url = `http://127.0.0.1:${port}/`;
      const { id } = await api.ok(createDestination, { body: { name: 'Receiver of the SDK', url } });
      const { secret: older } = await api.ok(getSigningSecret, { params: { id } });
      const { secret } = await api.ok(rotateSigningSecret, { params: { id } });
      await writeTypes();
      expect(await compile('receive', await example('sdk-receive'))).toEqual([]);
      const env = { ...environment(), PORT: String(port), SIGNING_SECRETS: `whsec_bm9uZQ== ${older}` };
      const child = spawn(process.execPath, [join(folder.path, 'receive.js')], { env });
      let output = '';
      child.stdout.on('data', (chunk) => {
        output += String(chunk);
      });
      try {
        const refused = await waitFor('the receiver', async () => {
          const answer = await fetch(url, { method: 'POST', body: '{}' }).catch(() => undefined);
          return answer?.status;
        });
        expect([refused, secret === older]).toEqual([401, false]);
        const tested = await stanza.destinations.test(id, { payload: { number: 4711 } });
        expect(tested.success).toBe(true);
        await waitFor('the payload', () => output.includes('4711'));
      } finally {
        child.kill();
      }
    });
  });
});
