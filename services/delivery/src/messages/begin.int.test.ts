import { beforeEach, describe, expect, it } from '@jest/globals';
import { CodedError, type Principal, sendTemplate } from '@stanza/contracts';
import { type CallContext, type Database, newContext, newId, Tenant } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { KnownConnections } from '../connections/chat-access.ts';
import { deleteConnection } from '../connections/store/connections.ts';
import { Deadline, minPostMs } from '../deadline.ts';
import type { Dependencies } from '../dependencies.ts';
import { putChatConnection } from '../operations/put-chat-connection.ts';
import { reportOperation } from '../operations/report-operation.ts';
import {
  ask,
  connected,
  newChannel,
  openWorld,
  refusalOf,
  rowsOf,
  send,
  sendToMany,
  settlementsOf,
  untilOneWaits,
} from '../testing/world.ts';
import { createSharedWrites } from './shared-writes.ts';
import { type Beginning, beginMessages } from './store/beginnings.ts';
import { withdrawOperations } from './store/reservations.ts';

const away = () => new CodedError('service_unavailable', { message: 'The database is unavailable.' });

/** The settlement of an operation of one message that was not posted. */
const released = [{ items: [{ item: 0, charged: false }] }];

describe('the beginning of a request', () => {
  const world = sharedByTests(openWorld);
  let principal: Principal;
  let context: CallContext;
  let channel_id: string;
  beforeEach(async () => {
    principal = await connected(world());
    context = newContext({ deadlineMs: 15_000, principal });
    channel_id = newChannel();
  });

  const operation = () => {
    const { organization_id, environment } = principal;
    return { organization_id, environment, operation_id: context.operationId };
  };
  const report = () => ask(reportOperation(world()), { ...operation(), operation: sendTemplate.id });

  /** The service on a database whose statements pass through `run`. */
  const withStatements = (
    run: (name: string, write: () => Promise<object[]>) => Promise<object[]>,
  ): Dependencies => {
    const { query, transaction, close, orm } = world().realDatabase;
    const database: Database = {
      query: async (statement, values) => {
        const rows = await run(statement.name, () => query.call(world().realDatabase, statement, values));
        return rows.map((row) => Object.assign(Object.create(null), row));
      },
      transaction: transaction.bind(world().realDatabase),
      close: close.bind(world().realDatabase),
      orm,
    };
    return {
      ...world(),
      database,
      connections: new KnownConnections(database),
      writes: createSharedWrites({ ...world(), database }),
    };
  };

  const nothingHappens = async (): Promise<void> => {
    expect(await rowsOf(world(), principal)).toEqual([]);
    expect(await world().postsIn(channel_id)).toEqual([]);
    expect(await settlementsOf(world(), principal)).toMatchObject(released);
    expect(await report()).toMatchObject({ outcome: 'nothing' });
    expect(await refusalOf(send(world(), principal, { channel_id }, context))).toMatchObject({
      code: 'service_unavailable',
    });
    expect(await world().postsIn(channel_id)).toEqual([]);
  };

  it('waits for a concurrent withdrawal, and never happens once that is committed', async () => {
    let refused: Promise<unknown> | undefined;
    await world().realDatabase.transaction(async (tx) => {
      await withdrawOperations(tx, [operation()]);
      refused = refusalOf(send(world(), principal, { channel_id }, context));
      await untilOneWaits(world());
    });
    expect(await refused).toMatchObject({ code: 'service_unavailable', facts: { nothing_done: true } });
    await nothingHappens();
  });

  it('happens when the withdrawal that it waited for is rolled back', async () => {
    let sent: Promise<{ success: boolean }> | undefined;
    const givenUp = world().realDatabase.transaction(async (tx) => {
      await withdrawOperations(tx, [operation()]);
      sent = send(world(), principal, { channel_id }, context);
      await untilOneWaits(world());
      throw new Error('given up');
    });
    await expect(givenUp).rejects.toThrow('given up');
    expect(await sent).toMatchObject({ success: true });
    expect(await world().postsIn(channel_id)).toHaveLength(1);
  });

  it('keeps a concurrent withdrawal waiting, which then finds the message', async () => {
    const told: Promise<unknown>[] = [];
    const database: Database = {
      query: (statement, values) =>
        world().realDatabase.transaction(async (tx) => {
          const rows = await tx.query(statement, values);
          if (statement.name === 'messages-begin') {
            told.push(report());
            await untilOneWaits(world());
          }
          return rows;
        }),
      transaction: world().realDatabase.transaction.bind(world().realDatabase),
      close: world().realDatabase.close.bind(world().realDatabase),
      orm: world().realDatabase.orm,
    };
    const slow = { ...world(), database, writes: createSharedWrites({ ...world(), database }) };
    await world().misbehave({ method: 'chat.postMessage', channel: channel_id, mode: 'latency', value: 500 });
    const reply = await send(slow, principal, { channel_id }, context);
    const [outcome] = await Promise.all(told);
    expect([{ outcome: 'running' }, { outcome: 'done', reply }]).toContainEqual(outcome);
    expect(await world().postsIn(channel_id)).toHaveLength(1);
  });

  it('fails, releases the credit and posts nothing when the answer of its commit is lost', async () => {
    let isLost = true;
    const lossy = withStatements(async (name, write) => {
      const rows = await write();
      if (name !== 'messages-begin' || !isLost) return rows;
      isLost = false;
      throw away();
    });
    expect(await refusalOf(send(lossy, principal, { channel_id }, context))).toMatchObject({
      code: 'service_unavailable',
      facts: { nothing_done: true },
    });
    expect(await rowsOf(world(), principal)).toMatchObject([{ status: 'failed', charged: false }]);
    expect(await settlementsOf(world(), principal)).toMatchObject(released);
    expect(await report()).toMatchObject({ outcome: 'refused', error: { code: 'service_unavailable' } });
    expect(await world().postsIn(channel_id)).toEqual([]);
  });

  it('never happens after the request was refused because the database was away', async () => {
    const lossy = withStatements((name, write) =>
      name === 'messages-begin' ? Promise.reject(away()) : write(),
    );
    expect(await refusalOf(send(lossy, principal, { channel_id }, context))).toMatchObject({
      code: 'service_unavailable',
    });
    await nothingHappens();
  });

  it('is not reported as undone where it happened before and its message cannot be read', async () => {
    const reply = await send(world(), principal, { channel_id }, context);
    const lossy = withStatements((name, write) =>
      name === 'messages-by-operation' ? Promise.reject(away()) : write(),
    );
    const refusal = await refusalOf(send(lossy, principal, { channel_id }, context));
    expect(refusal).toMatchObject({ code: 'service_unavailable' });
    expect(refusal).not.toMatchObject({ facts: { nothing_done: true } });
    expect(await settlementsOf(world(), principal)).toMatchObject([{ items: [{ charged: true }] }]);
    expect(await send(world(), principal, { channel_id }, context)).toEqual(reply);
    expect(await world().postsIn(channel_id)).toHaveLength(1);
  });

  it('posts through a connection that replaced the cached one', async () => {
    await send(world(), principal);
    const { organization_id, environment } = principal;
    const bot_token = `xoxb-sandbox-${organization_id}-2`;
    await ask(putChatConnection(world()), { organization_id, environment, bot_token });
    const connections = await world().rows<{ workspace_id: string }>(
      'select workspace_id from chat_connections where organization_id = $1',
      [organization_id],
    );
    await send(world(), principal, { channel_id }, context);
    const rows = await rowsOf(world(), principal);
    expect(rows.find((row) => row.operation_id === context.operationId)).toMatchObject({
      ...connections[0],
      status: 'sent',
    });
    expect(await world().postsIn(channel_id)).toHaveLength(1);
  });

  it('is refused without a connection, and releases the credit', async () => {
    await send(world(), principal);
    await deleteConnection(Tenant.of(principal), world().database);
    expect(await refusalOf(send(world(), principal, { channel_id }, context))).toMatchObject({
      code: 'chat_not_connected',
    });
    expect(await world().postsIn(channel_id)).toEqual([]);
    const settlements = await settlementsOf(world(), principal);
    expect(settlements.filter((it) => it.operation_id === context.operationId)).toMatchObject(released);
    expect(await report()).toMatchObject({ outcome: 'nothing' });
  });

  it('is refused with a revoked connection', async () => {
    await send(world(), principal);
    await world().rows("update chat_connections set revoked_at = now(), refusal = 'token_revoked'");
    expect(await refusalOf(send(world(), principal, { channel_id }, context))).toMatchObject({
      code: 'chat_not_connected',
    });
    expect(await world().postsIn(channel_id)).toEqual([]);
  });

  /** Connects another workspace, and returns the one before. */
  const connect = async (workspaceId: string): Promise<string> => {
    const { organization_id } = principal;
    const where = 'from chat_connections where organization_id = $1';
    const [row] = await world().rows<{ id: string }>(`select workspace_id as id ${where}`, [organization_id]);
    await world().rows('update chat_connections set workspace_id = $2 where organization_id = $1', [
      organization_id,
      workspaceId,
    ]);
    return row?.id ?? '';
  };

  const posts = [
    ['post with a key', 'messages-begin-posting', 0],
    ['change by a key', 'revisions-take-turn', 1],
  ] as const;
  it.each(posts)('is followed by no %s in a workspace that is gone', async (_, name, before) => {
    const keyed = { channel_id, message_key: 'deploy-4711' };
    if (before === 1) await send(world(), principal, keyed);
    const losing = (lose: () => Promise<unknown>) =>
      withStatements(async (statement, write) => {
        if (statement === name) await lose();
        return write();
      });
    world().others.answers.rendered = { ...world().others.answers.rendered, text: name };
    let own: string | undefined;
    const replaced = losing(async () => {
      own ??= await connect('T0ELSEWHERE');
    });
    expect(await refusalOf(send(replaced, principal, keyed))).toMatchObject({
      code: 'service_unavailable',
      facts: { nothing_done: true },
    });
    await connect(own ?? '');
    const gone = losing(() => deleteConnection(Tenant.of(principal), world().database));
    expect(await refusalOf(send(gone, principal, keyed))).toMatchObject({ code: 'chat_not_connected' });
    const posted = await world().postsIn(channel_id);
    expect(posted.map(({ edits }) => edits)).toEqual(before === 0 ? [] : [0]);
  });

  it('shares a statement with other sends of its organization', async () => {
    await send(world(), principal);
    const names: string[] = [];
    const counting = withStatements((name, write) => {
      names.push(name);
      return write();
    });
    const sends = Array.from({ length: 10 }, () => send(counting, principal));
    expect(await Promise.all(sends)).toMatchObject(sends.map(() => ({ success: true })));
    const count = (name: string) => names.filter((it) => it === name).length;
    expect(count('messages-begin')).toBeLessThan(10);
    expect(names.filter((name) => name !== 'messages-begin' && name !== 'messages-end-and-settle')).toEqual(
      Array(count('connection-find')).fill('connection-find'),
    );
    expect(await rowsOf(world(), principal)).toMatchObject(Array(11).fill({ status: 'sent', charged: true }));
    expect(await settlementsOf(world(), principal)).toHaveLength(11);
  });

  it('leaves messages without a free slot accepted until their turn', async () => {
    const destinations = Array.from({ length: 4 }, () => ({ channel_id }));
    const statuses: string[][] = [];
    const watching = withStatements(async (name, write) => {
      const rows = await write();
      if (name === 'messages-begin')
        statuses.push((await rowsOf(world(), principal)).map((row) => row.status));
      return rows;
    });
    expect(await sendToMany(watching, principal, { destinations })).toMatchObject({ total_sent: 4 });
    expect(statuses.map((it) => it.toSorted())).toEqual([['accepted', 'accepted', 'accepted', 'posting']]);
    expect(await world().postsIn(channel_id)).toHaveLength(4);
  });

  it('happens once for an operation, also after its key was forgotten', async () => {
    const reply = await send(world(), principal, { channel_id }, context);
    const [row] = await rowsOf(world(), principal);
    if (!row) throw new Error('there is a row');
    const again = {
      ...row,
      id: context.operationId,
      deadline: Deadline.in(world().clock, 10_000),
      channel: channel_id,
    };
    const { id: connectionId } = (
      await world().rows<{ id: string }>('select id from chat_connections where organization_id = $1', [
        principal.organization_id,
      ])
    )[0] ?? { id: '' };
    const beginning: Beginning = {
      tenant: Tenant.of(principal),
      operationId: context.operationId,
      connectionId,
      messages: [again],
    };
    // Keys are forgotten; the row stays and does as well.
    for (const forgotten of [false, true]) {
      if (forgotten) await world().rows('delete from withdrawn_operations');
      expect(
        await beginMessages(world().database, principal.organization_id, [beginning], minPostMs),
      ).toEqual([{ kind: 'refused' }]);
    }
    expect(await rowsOf(world(), principal)).toEqual([row]);
    expect(await send(world(), principal, { channel_id }, context)).toEqual(reply);
    expect(await world().postsIn(channel_id)).toHaveLength(1);

    // A repeat may reach the statement of the operation that it repeats.
    const operationId = newId();
    const [one, repeat] = [newId(), newId()].map(
      (id): Beginning => ({
        ...beginning,
        operationId,
        messages: [{ ...again, id, operation_id: operationId }],
      }),
    );
    if (!one || !repeat) throw new Error('there are two');
    const kinds = await beginMessages(world().database, principal.organization_id, [one, repeat], minPostMs);
    expect(kinds.map(({ kind }) => kind)).toEqual(['begun', 'refused']);
  });
});
