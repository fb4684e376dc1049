import { describe, expect, it } from '@jest/globals';
import { getCredits } from '@stanza/contracts';
import { v7 } from 'uuid';
import type { ApiAnswer } from '../kit/api.ts';
import { startOwnStackWith } from '../kit/own-stack.ts';
import { sharedByTests } from '../kit/shared.ts';
import { withLiveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

const method = 'chat.postMessage';
/** Milliseconds that the platform takes for the post whose row is held. */
const postMs = 1_500;

let lastChannel = 1_300;
const newChannel = (): string => {
  lastChannel += 1;
  return `C${lastChannel}`;
};

/** Where a message is when delivery dies. */
interface Stations {
  /** Waits for its turn in a channel that is busy. */
  beforeThePost: string;
  /** Posted, and the platform has not taken it. */
  lost: string;
  /** Posted, taken, and not answered. */
  afterThePost: string;
  /** Posted and answered; its row is not written yet. */
  beforeItIsSettled: string;
  /** Over. */
  over: string;
}

describe.each(['send', 'bulk'] as const)('kill -9 of delivery in the middle of messages, by %s', (way) => {
  const own = sharedByTests(() => withLiveTemplate(startOwnStackWith('kill', { credits: 100 })));

  const rowIn = async (channel: string) => {
    const { rows } = await own().world.database.query<{
      id: string;
      status: string;
      charged: boolean | null;
    }>('select id, status, charged from delivery.messages where channel_id = $1 order by id desc limit 1', [
      channel,
    ]);
    return rows[0];
  };

  const statusIn = async (channel: string) => (await rowIn(channel))?.status;

  const balance = async () => {
    const { balance: left, reserved } = await own().api.ok(getCredits, {
      params: { organization_id: own().organization.id },
    });
    return { left, reserved };
  };

  /** As much as a channel takes at once, and as much again as it takes within the deadline of a request. */
  const keepBusy = async (channel: string): Promise<void> => {
    await own().world.database.query(
      `insert into delivery.channel_slots (workspace_id, channel, next_free_at)
       select workspace_id, $2, now() + interval '10 seconds' from delivery.chat_connections
       where organization_id = $1 and environment = 'production'`,
      [own().organization.id, channel],
    );
  };

  const prepare = async (): Promise<Stations> => {
    const stations = {
      beforeThePost: newChannel(),
      lost: newChannel(),
      afterThePost: newChannel(),
      beforeItIsSettled: newChannel(),
      over: newChannel(),
    };
    await keepBusy(stations.beforeThePost);
    await own().world.sandbox.setFault({ method, channel: stations.lost, mode: 'silence_before', times: 1 });
    await own().world.sandbox.setFault({
      method,
      channel: stations.afterThePost,
      mode: 'silence_after',
      times: 1,
    });
    const latency = { method, channel: stations.beforeItIsSettled, mode: 'latency', value: postMs, times: 1 };
    await own().world.sandbox.setFault(latency);
    return stations;
  };

  /** Asks for a message in each channel, under keys. */
  const ask = (channels: string[], key: string): Promise<PromiseSettledResult<ApiAnswer>[]> => {
    const body = { template_id: own().template.id, data: {} };
    if (way === 'send') {
      return Promise.allSettled(
        channels.map((channel_id) =>
          own().api.post(
            '/v1/templates/send',
            { ...body, channel_id },
            { headers: { 'idempotency-key': `${key}-${channel_id}` } },
          ),
        ),
      );
    }
    const destinations = channels.map((channel_id) => ({ channel_id }));
    const headers = { 'idempotency-key': key };
    return Promise.allSettled([
      own().api.post('/v1/templates/send-bulk', { ...body, destinations }, { headers }),
    ]);
  };

  const posts = async (channel: string): Promise<number> =>
    (await own().world.sandbox.messages(channel)).length;

  /** Holds the row of a message whose post is under way, so that its outcome cannot be written. */
  const holdRow = async (channel: string): Promise<() => Promise<void>> => {
    await waitFor('the post to begin', async () => (await statusIn(channel)) === 'posting');
    const client = await own().world.database.connect();
    await client.query('begin');
    await client.query('select from delivery.messages where channel_id = $1 for update', [channel]);
    return async () => {
      await client.query('rollback');
      client.release();
    };
  };

  it('posts none of them twice, ends each, and charges what is known to be sent', async () => {
    const stations = await prepare();
    const channels = Object.values(stations);
    const key = v7();
    const before = (await balance()).left;
    const asked = ask(channels, key);
    const letGo = await holdRow(stations.beforeItIsSettled);
    await waitFor('the platform to have taken what it takes', async () => {
      const taken = await Promise.all(
        [stations.afterThePost, stations.beforeItIsSettled, stations.over].map(posts),
      );
      return taken.every((count) => count === 1);
    });
    if (way === 'send')
      await waitFor('one to be over', async () => (await statusIn(stations.over)) === 'sent');
    const killed = own().stack.info.pids.delivery;
    own().stack.kill('delivery', 'SIGKILL');
    await waitFor('the row to be free', async () => own().stack.info.pids.delivery !== killed);
    await letGo();
    for (const answer of await asked) {
      if (answer.status === 'fulfilled') expect([200, 502, 503]).toContain(answer.value.status);
    }
    const ended = async (channel: string) => {
      const status = await statusIn(channel);
      return status !== 'accepted' && status !== 'posting' && status;
    };
    const outcomes: Record<string, unknown> = {};
    for (const [station, channel] of Object.entries(stations)) {
      await waitFor(`the message ${station} to end`, () => ended(channel));
    }
    await waitFor(
      'what was taken to be found',
      async () => (await statusIn(stations.beforeItIsSettled)) === 'sent',
    );
    await waitFor(
      'what was taken to be found',
      async () => (await statusIn(stations.afterThePost)) === 'sent',
    );
    for (const [station, channel] of Object.entries(stations)) {
      outcomes[station] = { status: await statusIn(channel), posts: await posts(channel) };
    }
    expect(outcomes).toEqual({
      beforeThePost: { status: 'failed', posts: 0 },
      lost: { status: 'unknown', posts: 0 },
      afterThePost: { status: 'sent', posts: 1 },
      beforeItIsSettled: { status: 'sent', posts: 1 },
      over: { status: 'sent', posts: 1 },
    });

    await ask(channels, key);
    for (const channel of channels) expect(await posts(channel)).toBeLessThanOrEqual(1);
    const after = await waitFor('the reservations to be settled', async () => {
      const now = await balance();
      return now.reserved === 0 && now;
    });
    // A statement that waits for the row when its process dies still ends the message, and charges it, once the row is free.
    const rows = await Promise.all(channels.map(rowIn));
    expect(after.left).toBe(before - rows.filter((row) => row?.charged === true).length);
  });
});
