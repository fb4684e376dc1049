import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  logPlaceText,
  metricCatalogue,
  streamMessages as operation,
  type Principal,
} from '@stanza/contracts';
import { createMetrics, type Database } from '@stanza/runtime';
import { placeOfTransaction } from '@stanza/runtime/table';
import { SteppedClock } from '@stanza/test-kit/service-world';
import { waitFor } from '@stanza/test-kit/wait';
import { v7 } from 'uuid';
import { SettledLog, sharedMs } from '../messages/settled-log.ts';
import { ask, connected, newChannel, openWorld, rowsOf, send, type World } from '../testing/world.ts';
import { streamMessages } from './stream-messages.ts';

describe('a read of the stream of messages', () => {
  let world: World;
  let principal: Principal;

  beforeAll(async () => {
    world = await openWorld();
    principal = await connected(world);
  });
  afterAll(() => world.close());

  const read = async (query: object, who = principal) =>
    operation.reply.parse(await ask(streamMessages(world), { query }, who));
  /** Reads until something has come, or until the log is settled up to a moment. */
  const readTo = (
    after: string,
    until: (it: Awaited<ReturnType<typeof read>>) => boolean,
    filters: object = {},
    who = principal,
  ) =>
    waitFor('changes to be settled', async () => {
      const found = await read({ after, ...filters }, who);
      return until(found) && found;
    });
  const some = ({ events }: { events: unknown[] }) => events.length > 0;
  const settledTo = (place: string) => (it: { position: string }) => it.position >= place;
  /** Where a stream begins that shows nothing of what was done until now. */
  const here = async () => {
    const [row] = await world.rows<{ at: Date }>(`select ${placeOfTransaction} as at`);
    const now = logPlaceText({ at: row?.at ?? new Date(), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' });
    return waitFor('what was done to be settled', async () => {
      const { position } = await read({});
      return position > now && position;
    });
  };

  it('begins with what changes from now on, and shows each change once', async () => {
    await send(world, principal, { channel_id: newChannel() });
    const start = await here();
    await send(world, principal, { channel_id: newChannel() });
    const [, row] = await rowsOf(world, principal);
    const changes = await readTo(start, some);
    expect(changes.events.map(({ data }) => [data.id, data.status])).toEqual([[row?.id, 'sent']]);
    expect(changes.has_more).toBe(false);
    const again = await read({ after: changes.position });
    expect([again.events, again.position >= changes.position]).toEqual([[], true]);
    // A client that has this event and not the position continues with nothing either.
    expect((await read({ after: changes.events[0]?.id })).events).toEqual([]);
  });

  it('shows a message again whose status has changed', async () => {
    const start = await here();
    await send(world, principal, { channel_id: newChannel() });
    const first = await readTo(start, some);
    const id = first.events[0]?.data.id;
    await world.rows(
      "update messages set status = 'unknown', charged = false, updated_at = clock_timestamp() where id = $1",
      [id],
    );
    const second = await readTo(first.position, some);
    expect(second.events.map(({ data }) => [data.id, data.status])).toEqual([[id, 'unknown']]);
    expect(second.events[0]?.id).not.toBe(first.events[0]?.id);
  });

  it('misses no change of a transaction that began earlier and ends later', async () => {
    const start = await here();
    await send(world, principal, { channel_id: newChannel() });
    const { events, position } = await readTo(start, some);
    const id = events[0]?.data.id;
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const early = world.realDatabase.transaction(async ({ orm }) => {
      await orm.query('update messages set updated_at = clock_timestamp() where id = $1', [id]);
      begun.resolve();
      await go.promise;
    });
    await begun.promise;
    const late = await send(world, principal, { channel_id: newChannel() });
    expect((await read({ after: position })).events).toEqual([]);
    go.resolve();
    await early;
    const found = await readTo(position, ({ events: seen }) => seen.length > 1);
    expect(found.events.map(({ data }) => data.id)).toEqual([id, late.message_id]);
  });

  /** Lets statements wait in the middle, at `pg_advisory_xact_lock`, until they are let go. */
  const gate = async (key: number) => {
    const closed = Promise.withResolvers<void>();
    const open = Promise.withResolvers<void>();
    const holding = world.realDatabase.transaction(async ({ orm }) => {
      await orm.query('select pg_advisory_xact_lock($1)', [key]);
      closed.resolve();
      await open.promise;
    });
    await closed.promise;
    const reached = () =>
      waitFor('a statement to stand at the gate', async () => {
        const asked = "select from pg_locks where locktype = 'advisory' and objid = $1 and not granted";
        return (await world.rows(asked, [key])).length > 0;
      });
    const letGo = async () => {
      open.resolve();
      await holding;
    };
    return { reached, letGo };
  };

  it('misses no change that a clock which was set back places before one that was read', async () => {
    await send(world, principal, { channel_id: newChannel() });
    const [row] = await rowsOf(world, principal);
    const start = await here();
    await world.rows(
      "update messages set status = 'unknown', charged = false, updated_at = updated_at - interval '1 minute' where id = $1",
      [row?.id],
    );
    const found = await readTo(start, some);
    expect(found.events.map(({ data }) => [data.id, data.status])).toEqual([[row?.id, 'unknown']]);
  });

  it('follows changes of a version before by their moment, and begins after them', async () => {
    const other = await connected(world);
    await send(world, other, { channel_id: newChannel() });
    const [row] = await rowsOf(world, other);
    await world.rows('update message_states set followed_at = null where organization_id = $1', [
      other.organization_id,
    ]);
    const beginning = logPlaceText({ at: new Date(0), id: v7() });
    const older = await read({ after: beginning }, other);
    expect(older.events.map(({ data }) => data.id)).toEqual([row?.id]);
    const newer = await send(world, other, { channel_id: newChannel() });
    // A client that has the event of the previous version continues after it.
    const found = await readTo(String(older.events[0]?.id), some, {}, other);
    expect(found.events.map(({ data }) => data.id)).toEqual([newer.message_id]);
  });

  it('waits for nobody who reads', async () => {
    const { reached, letGo } = await gate(2);
    const reader = world.realDatabase.transaction(async ({ orm }) => {
      await orm.query('select count(*), pg_advisory_xact_lock(2) from messages');
    });
    await reached();
    const position = await here();
    const { message_id } = await send(world, principal, { channel_id: newChannel() });
    await readTo(position, ({ events }) => events.some(({ data }) => data.id === message_id));
    await letGo();
    await reader;
  });

  it('shares the look at what is settled among reads of a quarter of a second, and measures what is held back', async () => {
    const clock = new SteppedClock();
    const metrics = createMetrics({ service: 'delivery', processMetrics: false });
    let looks = 0;
    const query: Database['query'] = (asked, values) => {
      looks += 1;
      return world.database.query(asked, values);
    };
    const log = new SettledLog({ database: { query }, clock, metrics });
    const [one, other] = await Promise.all([log.place(), log.place()]);
    expect(other).toEqual(one);
    clock.pass(sharedMs - 1);
    expect(await log.place()).toEqual(one);
    expect(looks).toBe(1);
    clock.pass(1);
    await log.place();
    expect(looks).toBe(2);
  });

  it('measures for how long a transaction holds changes back', async () => {
    const clock = new SteppedClock();
    const metrics = createMetrics({ service: 'delivery', processMetrics: false });
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const writer = world.realDatabase.transaction(async ({ orm }) => {
      await orm.query('select pg_current_xact_id()');
      begun.resolve();
      await go.promise;
    });
    await begun.promise;
    await world.rows('select pg_current_xact_id()');
    const log = new SettledLog({ database: world.database, clock, metrics });
    const heldBack = async () => {
      await log.place();
      const { values } = await metrics.gauge(metricCatalogue.delivery.messageChangesHeldBack).get();
      return values[0]?.value;
    };
    const until = (seconds: (value: number) => boolean) =>
      waitFor('the log to stand or to go on', async () => {
        clock.pass(2_000);
        return seconds((await heldBack()) ?? Number.NaN);
      });
    await until((seconds) => seconds >= 4);
    go.resolve();
    await writer;
    await until((seconds) => seconds < 4);
  });

  it('shares no look that failed', async () => {
    const metrics = createMetrics({ service: 'delivery', processMetrics: false });
    let isLost = true;
    const query: Database['query'] = (asked, values) =>
      isLost ? Promise.reject(new Error('the connection is lost')) : world.database.query(asked, values);
    const log = new SettledLog({ database: { query }, clock: new SteppedClock(), metrics });
    await expect(log.place()).rejects.toThrow('lost');
    isLost = false;
    expect((await log.place()).at).toBeInstanceOf(Date);
  });

  it('reads on where there is more than one answer holds, in order and without a gap', async () => {
    const other = await connected(world);
    const start = await here();
    await send(world, other, { channel_id: newChannel() });
    const [row] = await rowsOf(world, other);
    await world.rows(
      `insert into messages
       select (jsonb_populate_record(messages, jsonb_build_object(
         'id', gen_random_uuid(), 'operation_id', gen_random_uuid(), 'updated_at', clock_timestamp()))).*
       from messages, generate_series(1, 230)
       where id = $1`,
      [row?.id],
    );
    await readTo(await here(), settledTo(await here()), {}, other);
    const seen: string[] = [];
    let place = start;
    for (let more = true; more; ) {
      const part = await read({ after: place }, other);
      seen.push(...part.events.map(({ id }) => id));
      [place, more] = [part.position, part.has_more];
    }
    expect(seen).toHaveLength(231);
    expect(seen).toEqual([...new Set(seen)].toSorted());
  });

  it('shows what the filters name, and continues after what they leave out', async () => {
    const template_id = v7();
    const start = await here();
    await send(world, principal, { channel_id: newChannel() });
    await send(world, principal, { channel_id: newChannel(), template_id });
    const end = await here();
    const found = await readTo(start, settledTo(end), { template_id });
    expect(found.events.map(({ data }) => data.template_id)).toEqual([template_id]);
    const none = await readTo(start, settledTo(end), { status: 'failed' });
    expect(none.events).toEqual([]);
  });

  it('shows nothing of another organization or environment', async () => {
    const start = await here();
    await send(world, principal, { channel_id: newChannel() });
    const end = await here();
    await readTo(start, settledTo(end));
    const stranger = await connected(world);
    const preview: Principal = { ...principal, environment: 'preview' };
    for (const who of [stranger, preview]) expect((await read({ after: start }, who)).events).toEqual([]);
    expect((await read({ after: start })).events).toHaveLength(1);
  });
});
