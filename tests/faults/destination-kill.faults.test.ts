import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createDestination, listDeliveries, type ServiceName } from '@stanza/contracts';
import type { Stack } from '@stanza/local';
import type { Api } from '../kit/api.ts';
import { batchOutcome, sendBatch } from '../kit/destination-batches.ts';
import { type OwnStack, startOwnStack } from '../kit/own-stack.ts';
import { type Receiver, startReceiver } from '../kit/receiver.ts';
import { waitFor } from '../kit/wait.ts';

const services: ServiceName[] = ['gateway', 'organization', 'queue-ingest', 'delivery'];

describe('a destination while services are killed', () => {
  let own: OwnStack;
  let stack: Stack;
  let api: Api;
  let receiver: Receiver;

  beforeAll(async () => {
    own = await startOwnStack('destinations', { seed: false });
    ({ stack } = own);
    const organization = await own.world.newOrganization({ tier: 'pro', credits: 10 });
    api = own.world.api.with((await organization.key()).key);
  });
  afterAll(async () => {
    await own?.close();
  });
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());

  const newDestination = async (body: object): Promise<string> => {
    const all = { name: 'Tickets', url: receiver.url, auth_type: 'none', ...body };
    return (await api.ok(createDestination, { body: all })).id;
  };
  /** Kills every service a delivery passes, and waits until others have taken their places. */
  const killAll = async () => {
    const before = { ...stack.info.pids };
    for (const service of services) stack.kill(service, 'SIGKILL');
    await waitFor('other processes', () =>
      services.every((it) => stack.info.pids[it] !== before[it] && stack.process(it).ready),
    );
  };
  const deliveries = async (id: string) => (await api.ok(listDeliveries, { params: { id } })).data;

  it('that fails three times gets its delivery after the delays of its strategy, over kills of all services', async () => {
    receiver.answers.push(500, 503, 429);
    const retry = {
      retry_enabled: true,
      max_retries: 3,
      retry_strategy: 'linear',
      retry_initial_delay_ms: 1_500,
    };
    const id = await newDestination(retry);
    const batch = await sendBatch(api, id);
    for (const attempts of [1, 2]) {
      await waitFor(`the end of attempt ${attempts}`, async () => {
        const [delivery] = await deliveries(id);
        return delivery?.attempts[attempts - 1]?.outcome === 'refused';
      });
      await killAll();
    }
    expect(await batchOutcome(api, batch, 60_000)).toMatchObject({ status: 'delivered' });
    const [delivery] = await deliveries(id);
    // As they are stored: a machine that is busy makes a wait longer, and never shorter.
    const moments = delivery?.attempts.map((it) => Date.parse(it.started_at)) ?? [];
    const waits = moments.slice(1).map((at, before) => at - (moments[before] ?? 0));
    expect(waits).toHaveLength(3);
    for (const [before, wait] of waits.entries()) expect(wait).toBeGreaterThan(1_500 * (before + 1) * 0.85);
    expect(new Set(receiver.received.map((it) => it.headers['webhook-id']))).toEqual(new Set([delivery?.id]));
    expect(delivery?.attempts.at(-1)).toMatchObject({ outcome: 'delivered' });
  });
});
