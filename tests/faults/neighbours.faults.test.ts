import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createEntity, signatureHeaders } from '@stanza/contracts';
import type { Api } from '../kit/api.ts';
import { type OwnStack, startOwnStack } from '../kit/own-stack.ts';
import type { World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

/** Channels of the busy organization; the platform takes as many messages a second. */
const slowChannels = Array.from({ length: 380 }, (_, at) => `C${1_000 + at}`);
/** Milliseconds that the platform takes for each of them. */
const slowMs = 7_000;
const searches = 40;
const idleSockets = 520;
const [attacker, platform] = ['192.0.2.1', '192.0.2.2'];

let channels = 0;
/** A channel that is not slow, and has had no message yet. */
const quickChannel = (): string => `C${1_400 + channels++}`;

describe('an organization that asks for more than its share', () => {
  let own: OwnStack;
  let world: World;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    own = await startOwnStack('neighbours', { seed: false, env: { STANZA_TRUSTED_PROXIES: '127.0.0.1' } });
    ({ world } = own);
  });
  afterAll(async () => {
    await own?.close();
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  const newCustomer = async () => {
    const organization = await world.newOrganization({ tier: 'enterprise' });
    const api: Api = world.api.with((await organization.key()).key);
    const { id: template_id } = await liveTemplate(api);
    const send = (channel_id: string) =>
      api.post('/v1/templates/send', { template_id, data: {}, channel_id });
    const compile = () => api.post('/v1/templates/compile', { template_id, data: {} });
    return { organization, api, send, compile };
  };

  /** Statuses of what a neighbour does in the meantime. */
  const statusesOf = async ({ api, send, compile }: Awaited<ReturnType<typeof newCustomer>>) => {
    const asked = [api.get('/v1/templates'), api.get('/v1/messages'), compile(), send(quickChannel())];
    return (await Promise.all(asked)).map((answer) => answer.status);
  };
  const fine = [200, 200, 200, 200];

  it('with many searches keeps no neighbour from listing, compiling and sending', async () => {
    const [busy, neighbour] = [await newCustomer(), await newCustomer()];
    const viewer = world.api.with((await busy.organization.key({ role: 'viewer' })).key);
    const { id } = await busy.api.ok(createEntity, { body: { name: 'Invoice of a customer' } });
    await world.database.query(
      `insert into template.entities
       select (json_populate_record(entity, json_build_object(
         'id', gen_random_uuid(), 'operation_id', gen_random_uuid(), 'name', 'Invoice of a customer ' || n))).*
       from template.entities as entity, generate_series(1, 3000) as n
       where id = $1`,
      [id],
    );
    const asked = Array.from({ length: searches }, () => viewer.get('/v1/search/entities?q=invoice'));
    for (let rounds = 0; rounds < 3; rounds += 1) expect(await statusesOf(neighbour)).toEqual(fine);
    const statuses = (await Promise.all(asked)).map((answer) => answer.status);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(statuses).toContain(200);
  });

  it('with many sends into a slow workspace keeps no neighbour from sending and reading', async () => {
    const [busy, neighbour] = [await newCustomer(), await newCustomer()];
    await Promise.all(slowChannels.map((channel) => world.sandbox.slowPosts(channel, slowMs)));
    let ended = 0;
    const sent = slowChannels.map((channel) => busy.send(channel).finally(() => (ended += 1)));
    const inFlight = async () => {
      const page = await (await fetch(own.stack.info.metrics.delivery ?? '')).text();
      return Number(/^stanza_share_slots\{kind="posting_calls",of="largest".*\} (\d+)$/m.exec(page)?.[1]);
    };
    // More than a service works on where they are not counted apart.
    await waitFor('the sends to be under way', async () => ended > 0 || (await inFlight()) > 256);
    for (let rounds = 0; rounds < 3; rounds += 1) expect(await statusesOf(neighbour)).toEqual(fine);
    await Promise.all(sent);
    await world.sandbox.clearFaults();
  });

  /** Begins a request whose body never comes, and answers what comes back first. */
  const beginRequest = (headers: Record<string, string>): Promise<string> => {
    const { hostname, port } = new URL(world.api.base);
    const lines = Object.entries({ Host: hostname, 'Content-Length': '100', ...headers });
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.write(
      `POST /v1/chat/interactions HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    );
    return new Promise((resolve) => {
      socket.once('data', (bytes) => resolve(String(bytes).slice(0, 'HTTP/1.1 200'.length)));
      socket.on('error', () => resolve('reset'));
    });
  };

  it('and idle sockets of one address keep no click of the platform waiting', async () => {
    const signed = {
      [signatureHeaders.timestamp]: String(Math.floor(Date.now() / 1_000)),
      [signatureHeaders.signature]: `v0=${'0'.repeat(64)}`,
    };
    const unsigned = await beginRequest({ 'X-Forwarded-For': attacker });
    expect(unsigned).toBe('HTTP/1.1 401');
    const idle = Array.from({ length: idleSockets }, () =>
      beginRequest({ 'X-Forwarded-For': attacker, ...signed }),
    );
    // Those beyond the share of an address are refused, which shows that all others hold their places.
    expect(await Promise.any(idle.slice(-200))).toBe('HTTP/1.1 503');
    const from = { headers: { 'X-Forwarded-For': platform, ...signed } };
    const click = await fetch(`${world.api.base}/v1/chat/interactions`, {
      method: 'POST',
      body: 'payload={}',
      ...from,
    });
    expect(click.status).toBe(401);
    const callback = await fetch(`${world.api.base}/v1/chat/oauth/callback?state=x&code=y`, {
      redirect: 'manual',
      ...from,
    });
    expect(callback.status).not.toBe(503);
    const first = await Promise.all(idle);
    expect(new Set(first)).toEqual(new Set(['HTTP/1.1 408', 'HTTP/1.1 503']));
  });
});
