import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import type { Dependencies } from '../dependencies.ts';
import { getChatConnection } from '../operations/get-chat-connection.ts';
import {
  anotherProcess,
  ask,
  connected,
  newChannel,
  openWorld,
  refusalOf,
  rowsOf,
  send,
  settlementsOf,
  shortDeadlineMs,
} from '../testing/world.ts';

const method = 'chat.postMessage';

/** Looks again and again until something is so. */
const waitUntil = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe('the breaker of a workspace', () => {
  const world = sharedByTests(openWorld);

  /** Sends so often that a breaker may open, each to a channel that misbehaves. */
  const sendMany = async (
    principal: Principal,
    mode: string,
    value?: number | string,
    dependencies: Dependencies = world(),
  ): Promise<void> => {
    const sends = Array.from({ length: 12 }, async () => {
      const channel = newChannel();
      await world().misbehave({ method, channel, mode, ...(value !== undefined && { value }) });
      const context = newContext({ deadlineMs: shortDeadlineMs, principal });
      await refusalOf(send(dependencies, principal, { channel_id: channel }, context));
    });
    await Promise.all(sends);
  };

  it('opens when posts keep breaking: callers are refused without a call, and not charged', async () => {
    const [troubled, other] = [await connected(world()), await connected(world())];
    await sendMany(troubled, 'status', 500);
    const channel = newChannel();
    // A post would now get no answer: its outcome would be unknown, instead of a refusal.
    await world().misbehave({ method, channel, mode: 'silence_before' });
    const refused = await refusalOf(send(world(), troubled, { channel_id: channel }));
    expect(refused).toMatchObject({
      code: 'service_unavailable',
      facts: { retry_after: expect.any(Number) },
    });
    expect(await world().postsIn(channel)).toEqual([]);
    const row = (await rowsOf(world(), troubled)).at(-1);
    expect(row).toMatchObject({ status: 'failed', charged: false, attempts: [] });
    const settlements = await settlementsOf(world(), troubled);
    expect(settlements.filter((it) => it.items[0]?.message_id === row?.id)).toHaveLength(1);
    expect(await send(world(), other)).toMatchObject({ success: true });
  });

  it('lets one call through after a while, and closes when that one is answered', async () => {
    const troubled = await connected(world());
    const { organization_id: whose } = troubled;
    const dependencies = anotherProcess(world(), { breakerMs: 300 });
    const workspace = `T${`${whose}`.toUpperCase()}`;
    await sendMany(troubled, 'status', 500, dependencies);
    expect(dependencies.chat.breakers(workspace)).toEqual([{ calls: 'post', state: expect.any(String) }]);
    const connection = () => ask(getChatConnection(dependencies), {}, troubled);
    expect((await connection()).breakers).toEqual(dependencies.chat.breakers(workspace));
    expect(await dependencies.metrics.registry.metrics()).toMatch(
      /stanza_breaker_events_total\{[^}]*event="open"[^}]*\} [1-9]/,
    );

    const probed = newChannel();
    await world().misbehave({ method, channel: probed, mode: 'status', value: 500 });
    await waitUntil(() => dependencies.chat.breakers(workspace)[0]?.state === 'half_open');
    const context = newContext({ deadlineMs: shortDeadlineMs, principal: troubled });
    expect(await refusalOf(send(dependencies, troubled, { channel_id: probed }, context))).toMatchObject({
      code: 'delivery_outcome_unknown',
    });
    await waitUntil(() => dependencies.chat.breakers(workspace)[0]?.state === 'half_open');
    expect(await send(dependencies, troubled)).toMatchObject({ success: true });
    expect(dependencies.chat.breakers(workspace)).toEqual([]);
    expect((await connection()).breakers).toEqual([]);
    await dependencies.chat.close();
  });

  it.each([
    ['error', 'not_in_channel'],
    ['error', 'internal_error'],
    ['rate_limited', 60],
  ])('stays closed when the platform answers with %s %s', async (mode, value) => {
    const principal = await connected(world());
    await sendMany(principal, mode, value);
    expect(await send(world(), principal)).toMatchObject({ success: true });
  });
});
