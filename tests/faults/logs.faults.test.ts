import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceNames } from '@stanza/contracts';
import { type Stack, startStack } from '@stanza/local';
import { logLineSchema } from '@stanza/runtime';
import { z } from 'zod';
import { logMessages } from '../docs/log-messages.ts';
import { type Receiver, startReceiver } from '../kit/receiver.ts';
import { openWorld, type World } from '../kit/stack.ts';
import { waitFor } from '../kit/wait.ts';
import { WatchedStory } from '../kit/watched.ts';

interface Line {
  file: string;
  /** As it was written. */
  text: string;
}

const linesOf = async (folder: string): Promise<Line[]> => {
  const written = [...serviceNames, 'migrate'].map((name) => `${name}.log`);
  const files = (await readdir(folder)).filter((file) => written.includes(file));
  const read = files.map(async (file) => {
    const text = await readFile(join(folder, file), 'utf8');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ file, text: line }));
  });
  return (await Promise.all(read)).flat();
};

/** What the schema has against a line; undefined where it has nothing. */
const faultOf = ({ file, text }: Line): string | undefined => {
  const { error } = logLineSchema.safeParse(JSON.parse(text));
  return error && `${file}: ${z.prettifyError(error)}\n${text}`;
};

describe('the log of a system from its start to its end', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  let directory: string;
  let stack: Stack;
  let world: World;
  let receiver: Receiver;
  let lines: Line[];

  /** A life with what goes well, what the caller got wrong, what the platform refuses, and a death. */
  const live = async (): Promise<void> => {
    const organization = await world.newOrganization({ tier: 'pro' });
    const api = world.api.with((await organization.key()).key);
    const story = await WatchedStory.begin(api);
    await story.compile({ traceparent: `00-${traceId}-b7ad6b7169203331-01` });
    await story.compile({ 'idempotency-key': 'once' });
    await story.compile({ 'idempotency-key': 'once' });
    await story.send('C1001');
    await story.send('C0SECRET');
    await api.post('/v1/templates/compile', { template_id: organization.id, data: {} });
    await api.post('/v1/templates', 'no template');
    await world.api.get('/v1/templates');
    await api.get('/v1/no/such/path');
    receiver.answers.push(200, 500);
    await Promise.all([
      story.digest('C1002'),
      story.digest('C0SECRET'),
      story.deliver(receiver.url),
      story.deliver(receiver.url),
    ]);
    const before = stack.info.pids.compile;
    stack.kill('nats', 'SIGKILL');
    stack.kill('compile', 'SIGKILL');
    await waitFor('another process', () => stack.info.pids.compile !== before);
    await stack.whenReady();
    await waitFor('an answer', async () => (await story.compile()).status === 200);
  };

  beforeAll(async () => {
    receiver = await startReceiver();
    directory = await mkdtemp(join(tmpdir(), 'stanza-logs-'));
    stack = await startStack({ directory, seed: false });
    world = await openWorld(stack.info);
    await live();
    await world.close();
    await stack.stop();
    lines = await linesOf(join(directory, 'logs'));
  });
  afterAll(async () => {
    await stack?.stop();
    await receiver?.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('keeps to its schema, line for line', () => {
    expect(lines.map(faultOf).filter((fault) => fault !== undefined)).toEqual([]);
  });

  it('has no words that its page does not know', () => {
    const known = new Set(logMessages().map((it) => it.message));
    const said = lines.map((it) => logLineSchema.parse(JSON.parse(it.text)).msg);
    expect([...new Set(said)].filter((message) => !known.has(message))).toEqual([]);
    // The story is told from beginning to end, with what went wrong.
    for (const message of [
      'schema is up to date',
      'started',
      'listening',
      'request',
      'chat call',
      'delivery attempt',
      'disconnected from NATS',
      'connected to NATS again',
      'stopped',
    ])
      expect(said).toContain(message);
  });

  it('tells of each request with its organization, its key and its trace', () => {
    const requests = lines
      .map((it) => logLineSchema.parse(JSON.parse(it.text)))
      .filter((it) => it.msg === 'request');
    expect(requests.find((it) => it.trace_id === traceId)).toMatchObject({
      operation: 'compile-template',
      path: '/v1/templates/compile',
      status: '200',
      organization_id: expect.any(String),
      actor: expect.any(String),
    });
    expect(requests.some((it) => it.replay_of !== undefined)).toBe(true);
    expect(requests.find((it) => it.operation === undefined)).toMatchObject({
      path: '/v1/*/*/*',
      code: 'not_found',
    });
  });

  it('refuses a line with one field too many', () => {
    const [first] = lines;
    const spoilt = JSON.stringify({ ...JSON.parse(first?.text ?? ''), api_key: 'x' });
    expect(faultOf({ file: 'gateway.log', text: spoilt })).toContain('api_key');
  });
});
