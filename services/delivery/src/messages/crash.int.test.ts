import { describe, expect, it } from '@jest/globals';
import { type Principal, reportReservations as reportDeclaration } from '@stanza/contracts';
import { type Call, type CallContext, newContext, silentLogger, Tenant } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { reportReservations } from '../operations/report-reservations.ts';
import type { sendTemplate } from '../operations/send-template.ts';
import { lookUpUnknown } from '../testing/lookups.ts';
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
} from '../testing/world.ts';
import { begin } from './begin.ts';
import { announce, awaitTurn, locate, post } from './deliver.ts';
import { endAbandonedMessages } from './jobs/abandoned-messages.ts';
import { orderOf } from './message.ts';
import { prepare } from './prepare.ts';
import { reserve } from './reserve.ts';
import { conclude } from './verdict.ts';

type SendCall = Parameters<ReturnType<typeof sendTemplate>['run']>[0];

/** The steps of a send to a person, after each of which the process may die. */
const steps = ['prepared', 'reserved', 'accepted', 'located', 'announced', 'posted'] as const;
type Step = (typeof steps)[number];

describe('a process that dies during a send', () => {
  const world = sharedByTests(openWorld);

  type Named = { channel_id: string } | { recipient_email: string };

  let people = 1_000;

  /** A person whose direct conversation is not in the cache yet, with that conversation. */
  const newPerson = (): { named: Named; channel: string } => {
    people += 1;
    return { named: { recipient_email: `user${people}@example.com` }, channel: `D${people}` };
  };

  const callOf = (principal: Principal, named: Named, context: CallContext): SendCall =>
    ({
      input: { params: undefined, query: undefined, body: { template_id: uuidv7(), data: {}, ...named } },
      context,
      principal,
      get person(): never {
        throw new Error('a send asks for no person');
      },
      tenant: Tenant.of(principal),
      signal: new AbortController().signal,
      log: silentLogger(),
    }) satisfies Call<SendCall extends Call<infer O> ? O : never>;

  /** Sends as the operation does, and stops after a step as if the process had died there. */
  const dieAfter = async (last: Step, { named, channel } = newPerson()) => {
    const principal = await connected(world());
    const context = newContext({ deadlineMs: 15_000, principal });
    let message = await prepare(world(), await orderOf(world(), callOf(principal, named, context)));
    const run: Record<Step, () => Promise<unknown>> = {
      prepared: async () => undefined,
      reserved: () => reserve(world(), message),
      accepted: async () => {
        const begun = await begin(world(), message, [message], 41);
        if ('messages' in begun) [message] = begun.messages;
      },
      located: async () => {
        await locate(world(), message);
        const place = { workspace_id: message.access.workspaceId, channel };
        await awaitTurn(world().writes, place, message.deadline);
      },
      announced: () => announce(world(), message, channel),
      posted: () => post(world(), message, channel),
    };
    for (const step of steps.slice(0, steps.indexOf(last) + 1)) await run[step]();
    return { principal, named, channel, context, message };
  };

  const report = async ({ principal, context }: Awaited<ReturnType<typeof dieAfter>>) => {
    const { organization_id, environment } = principal;
    const asked = { organization_id, environment, operation_id: context.operationId, amount: 1 };
    const { reports } = await ask(reportReservations(world()), { reservations: [asked] });
    reportDeclaration.reply.parse({ reports });
    return reports[0];
  };

  /** Another replica sweeps, some time later. */
  const sweepLater = async (milliseconds: number): Promise<void> => {
    const other = anotherProcess(world());
    other.clock.jump(milliseconds);
    await endAbandonedMessages(other);
    await lookUpUnknown(other);
    await other.chat.close();
  };

  it.each(['prepared', 'reserved'] as const)(
    'after it has %s: no row, and the reservation is reported as unused',
    async (step) => {
      const died = await dieAfter(step);
      await sweepLater(60_000);
      expect(await rowsOf(world(), died.principal)).toEqual([]);
      expect(await report(died)).toMatchObject({ open: false, items: [] });
      expect(await world().postsIn(died.channel)).toEqual([]);
    },
  );

  it.each(['accepted', 'located'] as const)(
    'after it has %s the message: failed, released, never posted late',
    async (step) => {
      const died = await dieAfter(step);
      expect(await report(died)).toMatchObject({ open: true, items: [] });
      await sweepLater(60_000);
      const [row] = await rowsOf(world(), died.principal);
      expect(row).toMatchObject({ status: 'failed', charged: false, error: 'service_unavailable' });
      expect(await settlementsOf(world(), died.principal)).toMatchObject([
        { items: [{ item: 0, charged: false, message_id: row?.id }] },
      ]);
      expect(await report(died)).toMatchObject({
        open: false,
        items: [{ item: 0, charged: false, credit_log_id: null, message_id: row?.id }],
      });
      expect(await world().postsIn(died.channel)).toEqual([]);
    },
  );

  it('after it has announced the post, which did not happen: unknown, released', async () => {
    const died = await dieAfter('announced');
    await sweepLater(60_000);
    const [row] = await rowsOf(world(), died.principal);
    expect(row).toMatchObject({ status: 'unknown', charged: false, error: 'delivery_outcome_unknown' });
    expect(row?.error_facts?.details).toBe(row?.id);
    expect(await settlementsOf(world(), died.principal)).toMatchObject([{ items: [{ charged: false }] }]);
    expect(row?.attempts.map((it) => it.method)).toEqual(['conversations.history']);
  });

  it('after it has posted: found in the channel, sent, and never charged for', async () => {
    const died = await dieAfter('posted');
    await sweepLater(60_000);
    const [row] = await rowsOf(world(), died.principal);
    const posts = await world().postsIn(died.channel);
    expect(posts).toHaveLength(1);
    expect(row).toMatchObject({
      status: 'sent',
      charged: false,
      error: null,
      message_ts: posts[0]?.ts,
      lookup_due_at: null,
    });
    expect(await settlementsOf(world(), died.principal)).toMatchObject([{ items: [{ charged: false }] }]);
    expect(await report(died)).toMatchObject({
      open: false,
      items: [{ charged: false, credit_log_id: null }],
    });
  });

  it.each(steps)('after it has %s: the same operation never posts a second time', async (step) => {
    const died = await dieAfter(step);
    const again = () => send(world(), died.principal, died.named, died.context);
    const before = (await world().postsIn(died.channel)).length;
    const isBegun = steps.indexOf(step) >= steps.indexOf('accepted');
    if (isBegun) {
      expect(await refusalOf(again())).toMatchObject({ code: 'service_unavailable' });
      await sweepLater(60_000);
      await refusalOf(again());
      expect(await world().postsIn(died.channel)).toHaveLength(before);
    } else {
      await again();
      await again();
      expect(await world().postsIn(died.channel)).toHaveLength(1);
    }
  });

  it('leaves messages alone whose sender is still at work', async () => {
    const working = await dieAfter('accepted');
    await sweepLater(15_000);
    expect(await rowsOf(world(), working.principal)).toMatchObject([{ status: 'accepted', charged: null }]);
  });

  it('is not swept by a replica whose clock is a minute ahead, while it is at work', async () => {
    const working = await dieAfter('announced');
    const other = anotherProcess(world());
    other.clock.skew(60_000);
    await endAbandonedMessages(other);
    await lookUpUnknown(other);
    await other.chat.close();
    const verdict = await post(world(), working.message, working.channel);
    expect(await conclude(world(), working.message, verdict)).toMatchObject({ status: 'sent' });
    expect(await rowsOf(world(), working.principal)).toMatchObject([{ status: 'sent', charged: true }]);
    expect(await settlementsOf(world(), working.principal)).toMatchObject([{ items: [{ charged: true }] }]);
  });

  it('has its whole time, though its own clock is a minute behind', async () => {
    const slow = anotherProcess(world());
    slow.clock.skew(-60_000);
    const principal = await connected(world());
    const channel = newChannel();
    await send(slow, principal, { channel_id: channel });
    expect(await rowsOf(world(), principal)).toMatchObject([{ status: 'sent', charged: true }]);
    await slow.chat.close();
  });

  it('that only seemed dead does not post after its message was ended', async () => {
    const died = await dieAfter('accepted');
    await sweepLater(60_000);
    expect(await refusalOf(announce(world(), died.message, died.channel))).toMatchObject({
      code: 'service_unavailable',
    });
  });

  it('that only seemed dead does not charge for a message that was released', async () => {
    const died = await dieAfter('announced');
    await sweepLater(60_000);
    const verdict = await post(world(), died.message, died.channel);
    expect(verdict.status).toBe('sent');
    expect(await conclude(world(), died.message, verdict)).toEqual({ status: 'unknown' });
    expect(await settlementsOf(world(), died.principal)).toHaveLength(1);
    expect(await rowsOf(world(), died.principal)).toMatchObject([{ status: 'sent', charged: false }]);
  });

  it('that only seemed dead does not begin after its operation was reported as unused', async () => {
    const died = await dieAfter('reserved');
    expect(await report(died)).toMatchObject({ open: false, items: [] });
    expect(await refusalOf(begin(world(), died.message, [died.message], 41))).toMatchObject({
      code: 'service_unavailable',
      facts: { nothing_done: true },
    });
    expect(await rowsOf(world(), died.principal)).toEqual([]);
    expect(await settlementsOf(world(), died.principal)).toMatchObject([{ items: [{ charged: false }] }]);
  });

  it('whose time was up before its row was written releases the credit and posts nothing', async () => {
    const died = await dieAfter('reserved');
    const late = { ...died.message, deadline: died.message.deadline.before(60_000) };
    expect(await refusalOf(begin(world(), late, [late], 41))).toMatchObject({ code: 'service_unavailable' });
    expect(await rowsOf(world(), died.principal)).toEqual([]);
    expect(await settlementsOf(world(), died.principal)).toMatchObject([{ items: [{ charged: false }] }]);
  });

  it('after it has begun a message to a free channel: unknown, released, and found by a report', async () => {
    const channel = newChannel();
    const died = await dieAfter('accepted', { named: { channel_id: channel }, channel });
    expect(died.message.posting).toMatchObject({ channel });
    expect(await rowsOf(world(), died.principal)).toMatchObject([{ status: 'posting', channel }]);
    expect(await report(died)).toMatchObject({ open: true, items: [] });
    await sweepLater(60_000);
    expect(await rowsOf(world(), died.principal)).toMatchObject([{ status: 'unknown', charged: false }]);
    expect(await settlementsOf(world(), died.principal)).toMatchObject([{ items: [{ charged: false }] }]);
    expect(await world().postsIn(channel)).toEqual([]);
  });

  it('is swept by two replicas at once, and settled once', async () => {
    const died = await Promise.all([1, 2, 3, 4].map(() => dieAfter('accepted')));
    await Promise.all([sweepLater(60_000), sweepLater(60_000), sweepLater(60_000)]);
    for (const { principal } of died) expect(await settlementsOf(world(), principal)).toHaveLength(1);
  });

  it('looks an unknown message up a few times with a growing backoff, and then no more', async () => {
    const died = await dieAfter('announced');
    const lookups = async () => (await rowsOf(world(), died.principal)).map((row) => row.attempts.length);
    const seen: number[][] = [];
    for (const minutes of [1, 1, 2, 10, 60, 600, 600]) {
      await sweepLater(minutes * 60_000);
      seen.push(await lookups());
    }
    // From ten minutes on a lookup reads the time around the post, and then the time since.
    expect(seen).toEqual([[1], [1], [2], [4], [6], [8], [8]]);
  });
});
