import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@stanza/contracts';
import { newContext, Tenant } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import {
  anotherProcess,
  connected,
  newChannel,
  openWorld,
  refusalOf,
  rowsOf,
  send,
  sendToMany,
} from '../testing/world.ts';
import type { PlaceOrder } from './deferred.ts';
import { createDeferredSender } from './jobs/deferred-sends.ts';
import { deferSend } from './store/deferred-sends.ts';

/** Lets others work before the next look. */
const tick = () => new Promise((resolve) => setTimeout(resolve, 10));

describe('an organization with thousands of messages waiting', () => {
  const world = sharedByTests(openWorld);

  const workspaceOf = async ({ organization_id }: Principal): Promise<string> => {
    const [row] = await world().rows<{ workspace_id: string }>(
      'select workspace_id from chat_connections where organization_id = $1',
      [organization_id],
    );
    return row?.workspace_id ?? '';
  };

  /** Makes a channel so busy that its next turn is some seconds away. */
  const keepBusy = async (principal: Principal, channel: string, seconds: number): Promise<void> => {
    await world().rows(
      "insert into channel_slots (workspace_id, channel, next_free_at) values ($1, $2, now() + $3 * interval '1 second')",
      [await workspaceOf(principal), channel, seconds],
    );
  };

  const order =
    (channels: ReadonlyMap<string, string>): PlaceOrder =>
    async (row, facts) => ({
      ...facts,
      actorId: 'test',
      origin: 'batch',
      originId: row.origin_id,
      compilation: { template_id: uuidv7(), data: {} },
      recipient: { channel_id: channels.get(row.organization_id) ?? '' },
      threadTs: null,
    });

  it('does not delay the digest of another: they take turns', async () => {
    const [busy, other] = [await connected(world()), await connected(world())];
    const channels = new Map([
      [busy.organization_id, newChannel()],
      [other.organization_id, newChannel()],
    ]);
    await keepBusy(busy, channels.get(busy.organization_id) ?? '', 3);
    await world().rows(
      `insert into deferred_sends (organization_id, environment, operation_id, origin, origin_id, status, due_at,
         give_up_at, created_at)
       select $1, 'production', gen_random_uuid(), 'batch', gen_random_uuid(), 'waiting', now() - interval '1 hour',
         now() + interval '1 hour', now()
       from generate_series(1, 10000)`,
      [busy.organization_id],
    );
    const operationId = uuidv7();
    const late = {
      operationId,
      origin: 'batch',
      originId: uuidv7(),
      patienceMs: 60_000,
    } as const;
    const place = order(channels);
    const sender = createDeferredSender(world(), { batch: place, schedule: place });
    await sender.begin();
    await world().database.transaction((tx) => deferSend(Tenant.of(other), tx, late));
    // It begins as many as there is room for, and no more: the message of the other is among them, or is never sent.
    await sender.begin();
    while ((await rowsOf(world(), other))[0]?.status !== 'sent') await tick();
    const [left] = await world().rows<{ count: number }>(
      `select count(*)::int as count from deferred_sends
       where organization_id = $1 and due_at < now() - interval '30 minutes'`,
      [busy.organization_id],
    );
    expect(left?.count).toBeGreaterThan(9_900);
    await world().rows(
      "update deferred_sends set status = 'ended', ended_at = now() where organization_id = $1",
      [busy.organization_id],
    );
    await sender.close();
  });

  it('does not delay the request of another', async () => {
    const [busy, other] = [await connected(world()), await connected(world())];
    const requests = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const channel_id = newChannel();
        await keepBusy(busy, channel_id, 8);
        return { destinations: Array.from({ length: 100 }, () => ({ channel_id })) };
      }),
    );
    const ended: string[] = [];
    // Each has a message that waits for its turn, six seconds from now.
    const waiting = requests.map(async (request) => {
      const context = newContext({ deadlineMs: 10_000, principal: busy });
      await sendToMany(world(), busy, request, context);
      ended.push('busy');
    });
    expect(await send(world(), other)).toMatchObject({ success: true });
    ended.push('other');
    await Promise.all(waiting);
    expect(ended[0]).toBe('other');
  });

  it('shares the pace of the platform for looking people up with every replica, and not with other workspaces', async () => {
    const [asking, other] = [await connected(world()), await connected(world())];
    await world().misbehave({ method: 'users.lookupByEmail', mode: 'rate_limited', value: 60, times: 1 });
    const recipient = (number: number) => ({ recipient_email: `user${1_000 + number}@example.com` });
    expect(await refusalOf(send(world(), asking, recipient(1)))).toMatchObject({ code: 'rate_limited' });
    const replica = anotherProcess(world());
    const refused = await refusalOf(send(replica, asking, recipient(2)));
    expect(refused).toMatchObject({ code: 'rate_limited', facts: { retry_after: expect.any(Number) } });
    const [, row] = await rowsOf(world(), asking);
    expect(row?.attempts.map((it) => it.outcome)).toEqual(['held_back']);
    expect(await send(replica, other, recipient(3))).toMatchObject({ success: true });
    await replica.chat.close();
  });
});
