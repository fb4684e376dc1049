import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Database, newContext, type Statement } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { holdChannel } from '../chat/store/channel-slots.ts';
import { KnownConnections } from '../connections/chat-access.ts';
import {
  anotherProcess,
  newSender,
  openWorld,
  refusalOf,
  rowsOf,
  type Sender,
  send,
  settlementsOf,
} from '../testing/world.ts';
import { createSharedWrites } from './shared-writes.ts';

type Run = <Row extends object>(name: string, write: () => Promise<Row[]>) => Promise<Row[]>;

describe('a request that is near its deadline', () => {
  const world = sharedByTests(openWorld);
  let me: Sender;
  beforeEach(async () => {
    me = await newSender(world());
  });

  /** Another process, whose clock the test moves, on a database whose statements pass through `run`. */
  const processWith = (run: Run) => {
    const own = anotherProcess(world());
    const database: Database = {
      query: <Row extends object>(statement: Statement<Row>, values?: readonly unknown[]) =>
        run(statement.name, () => own.database.query(statement, values)),
      transaction: own.database.transaction.bind(own.database),
      close: own.database.close.bind(own.database),
      orm: own.database.orm,
    };
    const writes = createSharedWrites({ ...own, database });
    return { ...own, database, writes, connections: new KnownConnections(database) };
  };
  const context = (deadlineMs = 15_000) => newContext({ deadlineMs, principal: me.principal });
  const refused = { code: 'service_unavailable', facts: { nothing_done: true } };

  it('does not begin when its time went by while its statement waited for another', async () => {
    let reached = (): void => undefined;
    let release = (): void => undefined;
    const isReached = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = processWith(async (name, write) => {
      if (name === 'messages-begin') {
        reached();
        await isReleased;
      }
      return write();
    });
    const first = send(slow, me.principal, undefined, context(120_000));
    await isReached;
    let queued = (): void => undefined;
    const isQueued = new Promise<void>((resolve) => {
      queued = resolve;
    });
    const queueing: typeof slow = {
      ...slow,
      writes: {
        ...slow.writes,
        begin: (beginning) => {
          const begun = slow.writes.begin(beginning);
          queued();
          return begun;
        },
      },
    };
    const late = refusalOf(send(queueing, me.principal, { channel_id: me.channel }, context()));
    await isQueued;
    slow.clock.jump(30_000);
    release();
    expect(await late).toMatchObject(refused);
    expect(await first).toMatchObject({ success: true });
    await slow.chat.close();
    expect(await world().postsIn(me.channel)).toEqual([]);
    expect(await rowsOf(world(), me.principal)).toMatchObject([{ status: 'sent' }]);
    expect(await settlementsOf(world(), me.principal)).toHaveLength(2);
  });

  it.each([
    ['all of it', 20_000],
    ['so much of it that the outcome could not be written', 13_500],
  ])('does not post when its first statement took %s', async (_, milliseconds) => {
    const slow = processWith(async (name, write) => {
      const rows = await write();
      if (name === 'messages-begin') slow.clock.jump(milliseconds);
      return rows;
    });
    expect(await refusalOf(send(slow, me.principal, { channel_id: me.channel }, context()))).toMatchObject(
      refused,
    );
    await slow.chat.close();
    expect(await world().postsIn(me.channel)).toEqual([]);
    expect(await rowsOf(world(), me.principal)).toMatchObject([{ status: 'failed', charged: false }]);
    expect(await settlementsOf(world(), me.principal)).toMatchObject([{ items: [{ charged: false }] }]);
  });

  it('does not post when too little is left after the wait for its turn', async () => {
    const slow = processWith(async (name, write) => {
      const rows = await write();
      if (name === 'slots-claim') slow.clock.jump(12_000);
      return rows;
    });
    await send(world(), me.principal);
    const [workspace] = await world().rows<{ workspace_id: string }>(
      'select workspace_id from chat_connections where organization_id = $1',
      [me.principal.organization_id],
    );
    const place = { workspace_id: workspace?.workspace_id ?? '', channel: me.channel };
    await holdChannel(world().database, place, 2);
    expect(await refusalOf(send(slow, me.principal, { channel_id: me.channel }, context()))).toMatchObject(
      refused,
    );
    await slow.chat.close();
    expect(await world().postsIn(me.channel)).toEqual([]);
    expect(await rowsOf(world(), me.principal)).toMatchObject([{ status: 'sent' }, { status: 'failed' }]);
  });
});
