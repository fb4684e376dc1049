import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { idempotencyKeyDigest, type Principal } from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { forgetMessages } from '../messages/jobs/forget-messages.ts';
import { JumpingClock } from '../testing/jumping-clock.ts';
import {
  ask,
  connected,
  newChannel,
  openWorld,
  refusalOf,
  rowsOf,
  send,
  sendToMany,
  somebody,
  type World,
} from '../testing/world.ts';
import { countMessages } from './count-messages.ts';
import { getMessage } from './get-message.ts';
import { listMessages } from './list-messages.ts';
import { replaceChatConnection } from './replace-chat-connection.ts';
import { reportReservations } from './report-reservations.ts';

const dayMs = 24 * 3_600_000;

describe('the message log', () => {
  let world: World;
  let principal: Principal;
  const template_id = uuidv7();
  const channels = [newChannel(), 'C0SECRET', newChannel()];

  beforeAll(async () => {
    world = await openWorld();
    principal = await connected(world);
    for (const channel_id of channels) {
      await Promise.allSettled([send(world, principal, { channel_id, template_id })]);
    }
    await send(world, principal, { recipient_email: 'ada@example.com', thread_ts: '1712345678.000100' });
  });
  afterAll(() => world.close());

  const read = (id: string, who = principal) => ask(getMessage(world), { params: { id } }, who);
  const list = (query: object, who = principal) =>
    ask(listMessages(world), { query: { limit: 20, offset: 0, ...query } }, who);

  it('shows a sent message with its charge and its calls', async () => {
    const rows = await rowsOf(world, principal);
    const [row] = rows;
    expect(await read(row?.id ?? '')).toEqual({
      id: row?.id,
      template_id,
      version_id: world.others.answers.rendered.version_id,
      version_number: 3,
      status: 'sent',
      origin: 'send',
      test: false,
      destination: { channel_id: channels[0] },
      channel: channels[0],
      message_ts: row?.message_ts,
      credit_log_id: row?.credit_log_id,
      request_id: row?.request_id,
      created_at: row?.created_at.toISOString(),
      updated_at: row?.updated_at.toISOString(),
      attempts: [
        {
          method: 'chat.postMessage',
          outcome: 'ok',
          http_status: 200,
          latency_ms: expect.any(Number),
          started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      ],
      revision: 1,
      permalink: `${world.sandbox.url}/archives/${channels[0]}/p${row?.message_ts?.replace('.', '')}`,
      revisions: [
        {
          revision: 1,
          kind: 'post',
          version_id: world.others.answers.rendered.version_id,
          version_number: 3,
          at: row?.posting_at?.toISOString(),
          status: 'sent',
          credit_log_id: row?.credit_log_id,
          request_id: row?.request_id,
          actor: principal.actor.id,
        },
      ],
    });
  });

  it('leads to the message in the workspace that it was posted to, and nowhere else', async () => {
    const [sent, refused, , reply] = await rowsOf(world, principal);
    const linkTo = async (row: typeof sent) => (await read(row?.id ?? '')).permalink;
    expect(await linkTo(reply)).toMatch(/[?]thread_ts=1712345678[.]000100&cid=D[A-Z0-9]+$/);
    expect(await linkTo(refused)).toBeUndefined();
    await ask(replaceChatConnection(world), { body: { bot_token: 'xoxb-sandbox-elsewhere' } }, principal);
    expect(await linkTo(sent)).toBeUndefined();
    await connected(world, principal);
    expect(await linkTo(sent)).toContain('/archives/');
  });

  it('finds messages by the idempotency key with which they were asked for, of one tenant alone', async () => {
    const { organization_id, environment } = principal;
    const keyDigest = idempotencyKeyDigest({ organization_id, environment }, 'order 17');
    // The key is free again after a day: two operations may have it.
    const sentOnce = async () => {
      const context = { ...newContext({ deadlineMs: 15_000, principal }), keyDigest };
      return (await send(world, principal, { channel_id: newChannel() }, context)).message_id;
    };
    const sent = [await sentOnce(), await sentOnce()];
    const found = await list({ idempotency_key: 'order 17' });
    expect(found.data.map((it) => it.id)).toEqual(sent.toReversed());
    expect(found.pagination.total).toBe(2);
    expect((await list({ idempotency_key: 'order 18' })).data).toEqual([]);
    const elsewhere = { ...principal, environment: 'preview' as const };
    expect((await list({ idempotency_key: 'order 17' }, elsewhere)).data).toEqual([]);
    await world.rows('delete from messages where id = any ($1)', [sent]);
  });

  it('shows a failed message with its error and without a charge', async () => {
    const [, row] = await rowsOf(world, principal);
    const message = await read(row?.id ?? '');
    expect(message).toMatchObject({
      status: 'failed',
      error: 'invalid_destination',
      error_details: '"not_in_channel"',
    });
    expect(message).not.toHaveProperty('credit_log_id');
  });

  it('lists newest first, page by page, with the total', async () => {
    const rows = (await rowsOf(world, principal)).map((row) => row.id).reverse();
    const all = await list({});
    expect(all.data.map((it) => it.id)).toEqual(rows);
    expect(all.pagination).toEqual({ offset: 0, limit: 20, total: 4 });
    const second = await list({ limit: 1, offset: 1 });
    expect(second.data.map((it) => it.id)).toEqual(rows.slice(1, 2));
    expect([second.next_cursor, all.next_cursor]).toEqual([rows[1], null]);
    expect([second.next_before, all.next_before]).toEqual([rows[1], null]);
    expect((await list({ offset: 9 })).pagination.total).toBe(4);
  });

  it('lists by status, by template and by charge', async () => {
    const [sent, failed] = await rowsOf(world, principal);
    const ids = async (query: object) => (await list(query)).data.map((it) => it.id);
    expect(await ids({ status: 'failed' })).toEqual([failed?.id]);
    expect(await ids({ template_id })).toHaveLength(3);
    expect(await ids({ credit_log_id: sent?.credit_log_id })).toEqual([sent?.id]);
    expect(await ids({ credit_log_id: failed?.credit_log_id })).toEqual([]);
  });

  it('knows nothing of another organization, and nothing of the other environment', async () => {
    const [row] = await rowsOf(world, principal);
    for (const other of [somebody(), { ...principal, environment: 'preview' as const }]) {
      expect(await refusalOf(read(row?.id ?? '', other))).toMatchObject({ code: 'not_found' });
      expect((await list({}, other)).pagination.total).toBe(0);
    }
    expect(await refusalOf(read(uuidv7()))).toMatchObject({ code: 'not_found' });
  });

  it('is counted by status', async () => {
    const { organization_id } = principal;
    const count = (environment: string) => ask(countMessages(world), { organization_id, environment });
    expect(await count('production')).toEqual({ counts: { sent: 3, failed: 1 } });
    expect(await count('preview')).toEqual({ counts: {} });
  });

  it('reports to the owner of the credits what was charged, what was not, and what nobody accepted', async () => {
    const { organization_id, environment } = principal;
    const [sent, failed] = await rowsOf(world, principal);
    const unheard = uuidv7();
    const operations = [unheard, sent?.operation_id ?? '', failed?.operation_id ?? ''];
    const { reports } = await ask(reportReservations(world), {
      reservations: operations.map((operation_id) => ({
        organization_id,
        environment,
        operation_id,
        amount: 1,
      })),
    });
    expect(reports).toEqual([
      { operation_id: unheard, open: false, items: [] },
      {
        operation_id: sent?.operation_id,
        open: false,
        items: [{ item: 0, charged: true, credit_log_id: sent?.credit_log_id, message_id: sent?.id }],
      },
      {
        operation_id: failed?.operation_id,
        open: false,
        items: [{ item: 0, charged: false, credit_log_id: null, message_id: failed?.id }],
      },
    ]);
  });
});

describe('the retention of the message log', () => {
  const world = sharedByTests(openWorld);

  /** The world this many days later by the clock of the database. */
  const after = (days: number): World => ({
    ...world(),
    database: world().databaseTime.follow(world().realDatabase, () => ({ aheadMs: days * dayMs })),
  });

  it('deletes ended messages of every tenant after their days, and never one that is open or unknown', async () => {
    const tenants = [
      await connected(world()),
      await connected(world()),
      await connected(world(), { environment: 'preview' }),
    ];
    const statuses = ['sent', 'failed', 'unknown', 'accepted', 'posting'];
    for (const tenant of tenants) {
      for (const status of statuses) {
        await send(world(), tenant);
        const last = (await rowsOf(world(), tenant)).at(-1);
        const isOpen = status === 'accepted' || status === 'posting';
        await world().rows('update messages set status = $2, charged = $3 where id = $1', [
          last?.id,
          status,
          isOpen ? null : status === 'sent',
        ]);
      }
    }
    // The clock of a process decides nothing.
    const ahead = { ...world(), clock: new JumpingClock() };
    ahead.clock.jump(400 * dayMs);
    await forgetMessages(ahead, { STANZA_MESSAGE_DAYS: 90 })();
    await forgetMessages(after(89), { STANZA_MESSAGE_DAYS: 90 })();
    for (const tenant of tenants) expect(await rowsOf(world(), tenant)).toHaveLength(statuses.length);
    await forgetMessages(after(91), { STANZA_MESSAGE_DAYS: 90 })();
    for (const tenant of tenants) {
      const left = await rowsOf(world(), tenant);
      expect(left.map((row) => row.status)).toEqual(['unknown', 'accepted', 'posting']);
    }
  });

  it('finds a message by its key for as long as it has one, though the first of its operation ended before', async () => {
    const who = await connected(world());
    const key = { organization_id: who.organization_id, environment: who.environment };
    const keyDigest = idempotencyKeyDigest(key, 'order 19');
    const context = { ...newContext({ deadlineMs: 15_000, principal: who }), keyDigest };
    const destinations = [1, 2, 3].map(() => ({ channel_id: newChannel() }));
    await sendToMany(world(), who, { destinations }, context);
    const [, , third] = (await rowsOf(world(), who)).sort((one, other) => one.item - other.item);
    await world().rows("update messages set status = 'unknown', charged = false where id = $1", [third?.id]);
    const forget = forgetMessages(after(91), { STANZA_MESSAGE_DAYS: 90 });
    await forget();
    expect((await rowsOf(world(), who)).map((row) => row.item).sort()).toEqual([0, 2]);
    const query = { limit: 20, offset: 0, idempotency_key: 'order 19' };
    const found = await ask(listMessages(world()), { query }, who);
    expect(found.data.map((it) => it.id)).toContain(third?.id);

    await world().rows("update messages set status = 'failed' where id = $1", [third?.id]);
    await forget();
    expect(await rowsOf(world(), who)).toEqual([]);
  });
});
