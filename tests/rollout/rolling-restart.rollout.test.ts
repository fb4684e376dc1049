import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createQueue, flushQueue, sendBulk, sendTemplate, serviceNames } from '@stanza/contracts';
import type { Stack } from '@stanza/local';
import type { Api } from '../kit/api.ts';
import { type Front, startFront } from '../kit/front.ts';
import { eventsOfPush, messagesOfBulk, mixedLoad } from '../kit/mixed-load.ts';
import type { TestOrganization } from '../kit/organization.ts';
import { type OwnStack, startOwnStack } from '../kit/own-stack.ts';
import { CountedServices } from '../kit/slow-calls.ts';
import type { World } from '../kit/stack.ts';
import { isAnswered, KeptConnection, type Met, SteadyLoad } from '../kit/steady-load.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

/** Requests that pass between two restarts, so that each replica that comes back is used before the next one goes. */
const requestsBetween = 30;
/** Events of a batch; a batch is posted every few pushes, in the middle of restarts too. */
const eventsOfBatch = 10;
/** A slow machine takes longer to restart all processes, and makes thousands of keyed requests in the meantime. */
const askersAtOnce = 8;

describe('restarting every process under load, one after the other', () => {
  let own: OwnStack;
  let stack: Stack;
  let world: World;
  let front: Front;
  let organization: TestOrganization;
  let key: string;
  let api: Api;
  let queueId: string;
  let load: SteadyLoad;
  let services: CountedServices;

  beforeAll(async () => {
    const replicas = Object.fromEntries(serviceNames.map((name) => [name, 2]));
    own = await startOwnStack('rolling', { seed: false, replicas });
    ({ stack, world } = own);
    organization = await world.newOrganization({ tier: 'enterprise', credits: 1_000_000 });
    key = (await organization.key()).key;
    api = world.api.with(key);
    front = await startFront(stack.baseUrls.map((url) => ({ url, readyUrl: `${url}/readyz` })));
    const { id: template_id } = await liveTemplate(api);
    const policy = { mode: 'fixed_volume', threshold: eventsOfBatch, template_id, channel_id: 'C1999' };
    queueId = (await api.ok(createQueue, { body: { name: 'Digest', ...policy } })).id;
    services = new CountedServices(stack);
    load = new SteadyLoad(mixedLoad(template_id, queueId), () => new KeptConnection(front.url, key));
    await restartAll();
    await load.stop();
  });

  afterAll(async () => {
    await front?.close();
    await own?.close();
  });

  const letPass = async (requests: number): Promise<void> => {
    const before = load.count;
    await waitFor('requests to pass', () => load.count >= before + requests);
  };

  /** As a rollout does: the next one goes once the one before it is back and takes requests. */
  const restartAll = async (): Promise<void> => {
    const names = stack.processes.filter((name) => serviceNames.some((it) => name.startsWith(it)));
    expect(names).toHaveLength(2 * serviceNames.length);
    for (const name of names) {
      await letPass(requestsBetween);
      await services.stop(name);
      await services.start(name);
      await front.whenReady(2);
    }
    await letPass(requestsBetween);
  };

  const metBy = (...names: string[]): Met[] => names.flatMap((name) => load.met.get(name) ?? []);

  const answeredTo = (...names: string[]): Met[] => metBy(...names).filter(isAnswered);

  /** Requests whose answer a busy machine has lost: what they ask for may have been done. */
  const unansweredOf = (...names: string[]): number => metBy(...names).length - answeredTo(...names).length;

  /** The ids of all messages that answers told of as sent. */
  const sentIds = (): string[] =>
    answeredTo('send', 'keyed send').map(({ text }) => sendTemplate.reply.parse(JSON.parse(text)).message_id);

  const posted = async (): Promise<{ key: string; channel: string }[]> => {
    const answer = await fetch(`${stack.info.sandbox_url}/control/messages`);
    return Array.from(Object(await answer.json()), (it) => ({
      key: String(Object(it).key),
      channel: String(Object(it).channel),
    }));
  };

  it('fails no request', async () => {
    const counts = [...load.met].map(([name, met]) => `${name} ${met.length}`);
    process.stdout.write(`    ${load.count} requests: ${counts.join(', ')}\n`);
    expect(await services.failuresOf(load)).toEqual([]);
    for (const name of load.met.keys()) expect(answeredTo(name).length).toBeGreaterThan(0);
  });

  it('ends each process in order, within its time', () => {
    const ends = stack.processes
      .filter((name) => serviceNames.some((it) => name.startsWith(it)))
      .map((name) => {
        const log = readFileSync(stack.process(name).logFile, 'utf8');
        return { name, clean: log.split('"clean":true').length - 1, unclean: log.includes('"clean":false') };
      });
    expect(ends.filter(({ clean, unclean }) => clean !== 1 || unclean)).toEqual([]);
  });

  it('posts every message that was answered once, and nothing else', async () => {
    const bulk = answeredTo('keyed bulk').map(({ text }) => sendBulk.reply.parse(JSON.parse(text)));
    const wanted = sentIds();
    const messages = (await posted()).filter(({ channel }) => channel !== 'C1999');
    const keys = messages.map((message) => message.key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(wanted.filter((id) => !keys.includes(id))).toEqual([]);
    const wantedOfBulk = bulk.flatMap((it) => it.results.map(({ message_id }) => message_id));
    expect(wantedOfBulk.filter((id) => !keys.includes(String(id)))).toEqual([]);
    const others = keys.length - wanted.length - wantedOfBulk.length;
    const unanswered = unansweredOf('send', 'keyed send') + messagesOfBulk * unansweredOf('keyed bulk');
    expect(others).toBeGreaterThanOrEqual(0);
    expect(others).toBeLessThanOrEqual(unanswered);
    expect(bulk.filter((it) => !it.success)).toEqual([]);
  });

  it('remembers the answer of every keyed request', async () => {
    const keyed = answeredTo('keyed compile', 'keyed send', 'keyed bulk');
    const lost: string[] = [];
    const askAgain = async (): Promise<void> => {
      const connection = new KeptConnection(stack.info.base_url, key);
      for (let met = keyed.pop(); met !== undefined; met = keyed.pop()) {
        const { asked, text } = met;
        const again = await connection.ask(asked);
        if (!again.isReplayed || again.text !== text) {
          lost.push(`${asked.path}: ${again.error ?? again.status} ${again.text}`);
        }
      }
      connection.close();
    };
    await Promise.all(Array.from({ length: askersAtOnce }, askAgain));
    expect(lost).toEqual([]);
  });

  it('stores every event that was accepted, and delivers each once', async () => {
    await api.ok(flushQueue, { params: { id: queueId } });
    const { rows } = await waitFor('every batch to be delivered', async () => {
      const found = await world.database.query<{ open: string; events: string; batches: string }>(
        `select count(*) filter (where status <> 'delivered') as open,
                coalesce(sum(event_count), 0) as events,
                count(*) as batches
           from queue_ingest.batches where organization_id = $1`,
        [organization.id],
      );
      return found.rows[0]?.open === '0' && found;
    });
    const stored = Number(rows[0]?.events);
    expect(stored).toBeGreaterThanOrEqual(eventsOfPush * answeredTo('push').length);
    expect(stored).toBeLessThanOrEqual(eventsOfPush * metBy('push').length);
    const digests = (await posted()).filter(({ channel }) => channel === 'C1999');
    expect(digests).toHaveLength(Number(rows[0]?.batches));
    expect(new Set(digests.map((it) => it.key)).size).toBe(digests.length);
  });

  it('charges what was answered, and nothing stays reserved', async () => {
    const compiles = answeredTo('compile', 'keyed compile').length;
    const { rows } = await waitFor('every charge to be settled', async () => {
      const found = await world.database.query<{ compiles: string; reversals: string; open: string }>(
        `select count(*) filter (where kind = 'charge') as compiles,
                count(*) filter (where kind = 'reversal') as reversals,
                (select count(*) from organization.provisional_charges where organization_id = $1) as open
           from organization.credit_log where organization_id = $1`,
        [organization.id],
      );
      return found.rows[0]?.open === '0' && found;
    });
    expect(Number(rows[0]?.reversals)).toBeLessThanOrEqual(unansweredOf('compile', 'keyed compile'));
    expect(Number(rows[0]?.compiles)).toBeGreaterThanOrEqual(compiles);
  });
});
