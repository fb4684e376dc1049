import { beforeEach, describe, expect, it } from '@jest/globals';
import { CodedError, type Principal, sendTemplate } from '@stanza/contracts';
import { type CallContext, type Database, newContext, Tenant } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { deleteConnection } from '../connections/store/connections.ts';
import type { Dependencies } from '../dependencies.ts';
import { reportOperation } from '../operations/report-operation.ts';
import {
  ask,
  connected,
  newChannel,
  openWorld,
  refusalOf,
  rowsOf,
  send,
  settlementsOf,
} from '../testing/world.ts';
import { RetriedWithdrawals } from './retried-withdrawals.ts';
import { createSharedWrites } from './shared-writes.ts';

const away = () => new CodedError('service_unavailable', { message: 'The database is unavailable.' });

describe('a request that is given up', () => {
  const world = sharedByTests(openWorld);
  let principal: Principal;
  let context: CallContext;
  beforeEach(async () => {
    principal = await connected(world());
    // Much longer than the test may take.
    context = newContext({ deadlineMs: 300_000, principal });
  });

  /** The service on a database that does not begin messages, and whose transactions pass through `withdraw`. */
  const without = (
    beginning: 'unanswered' | 'answered',
    withdraw: <T>(write: () => Promise<T>) => Promise<T>,
  ): Dependencies => {
    const { query, close, orm } = world().database;
    const database: Database = {
      query: async (statement, values) => {
        const rows = await query.call(world().database, statement, values);
        if (statement.name === 'messages-begin' && beginning === 'unanswered') throw away();
        return JSON.parse(JSON.stringify(rows));
      },
      transaction: (work, options) => withdraw(() => world().database.transaction(work, options)),
      close: close.bind(world().database),
      orm,
    };
    const retriedWithdrawals = new RetriedWithdrawals();
    return { ...world(), database, retriedWithdrawals, writes: createSharedWrites({ ...world(), database }) };
  };

  const report = () => {
    const { organization_id, environment } = principal;
    const operation = { organization_id, environment, operation_id: context.operationId };
    return ask(reportOperation(world()), { ...operation, operation: sendTemplate.id });
  };
  const refused = { code: 'service_unavailable', facts: { nothing_done: true } };

  it('is answered although the database stays away, and withdrawn in the background', async () => {
    let tries = 0;
    let isAway = true;
    const lossy = without('unanswered', (write) => {
      tries += 1;
      return isAway ? Promise.reject(away()) : write();
    });
    const channel_id = newChannel();
    expect(await refusalOf(send(lossy, principal, { channel_id }, context))).toMatchObject(refused);
    expect(tries).toBeGreaterThan(1);
    expect(await settlementsOf(world(), principal)).toEqual([]);
    isAway = false;
    const before = tries;
    await lossy.retriedWithdrawals.finish();
    expect(tries).toBe(before + 1);
    expect(await settlementsOf(world(), principal)).toMatchObject([{ items: [{ charged: false }] }]);
    expect(await rowsOf(world(), principal)).toMatchObject([{ status: 'failed' }]);
    expect(await report()).toMatchObject({ outcome: 'refused' });
    expect(await world().postsIn(channel_id)).toEqual([]);
  });

  it('is answered although the database does not answer at all', async () => {
    let giveWay = (): void => undefined;
    const silence = new Promise<void>((resolve) => {
      giveWay = resolve;
    });
    const silent = without('unanswered', async (write) => {
      await silence;
      return write();
    });
    expect(await refusalOf(send(silent, principal, undefined, context))).toMatchObject(refused);
    giveWay();
    await silent.retriedWithdrawals.finish();
    expect(await settlementsOf(world(), principal)).toMatchObject([{ items: [{ charged: false }] }]);
  });

  it('is withdrawn once when the answer of its withdrawal is lost', async () => {
    let isLost = true;
    const lossy = without('unanswered', async (write) => {
      const written = await write();
      if (!isLost) return written;
      isLost = false;
      throw away();
    });
    expect(await refusalOf(send(lossy, principal, undefined, context))).toMatchObject(refused);
    await lossy.retriedWithdrawals.finish();
    expect(await rowsOf(world(), principal)).toMatchObject([{ status: 'failed', charged: false }]);
    expect(await settlementsOf(world(), principal)).toMatchObject([{ items: [{ charged: false }] }]);
  });

  it('is withdrawn where its key has made a change of it, and the answer of the beginning is lost', async () => {
    const body = { channel_id: newChannel(), message_key: 'deploy-4711' };
    await send(world(), principal, body);
    const { database } = world();
    let isFirst = true;
    const transaction: Database['transaction'] = async (work, options) => {
      const written = await database.transaction(work, options);
      const isLost = isFirst;
      isFirst = false;
      if (isLost) throw away();
      return written;
    };
    const { close, orm } = database;
    const query: Database['query'] = (...asked) => database.query(...asked);
    const lossy = { ...world(), database: { query, transaction, orm, close: close.bind(database) } };
    expect(await refusalOf(send(lossy, principal, body, context))).toMatchObject(refused);
    expect(await rowsOf(world(), principal)).toMatchObject([
      { status: 'sent' },
      { change: 'update', status: 'failed', charged: false },
    ]);
    expect((await settlementsOf(world(), principal)).map(({ items }) => items[0]?.charged)).toEqual([
      true,
      false,
    ]);
  });

  it('leaves the message of an earlier request of the operation to its post, which is under way', async () => {
    const channel_id = newChannel();
    const [posting, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const call = async (...asked: Parameters<Dependencies['chat']['call']>) => {
      posting.resolve();
      await go.promise;
      return world().chat.call(...asked);
    };
    const first = send({ ...world(), chat: { ...world().chat, call } }, principal, { channel_id }, context);
    await posting.promise;
    const lossy = without('unanswered', (write) => write());
    expect(await refusalOf(send(lossy, principal, { channel_id }, context))).toMatchObject({
      code: 'service_unavailable',
    });
    expect(await rowsOf(world(), principal)).toMatchObject([{ status: 'posting', charged: null }]);
    expect(await report()).toEqual({ outcome: 'running' });
    go.resolve();
    const reply = await first;
    expect(await report()).toMatchObject({ outcome: 'done', reply });
    expect(await settlementsOf(world(), principal)).toMatchObject([{ items: [{ charged: true }] }]);
  });

  it('is tried once where nothing was inserted, and once more in the background', async () => {
    await send(world(), principal);
    await deleteConnection(Tenant.of(principal), world().database);
    let tries = 0;
    const lossy = without('answered', () => {
      tries += 1;
      return Promise.reject(away());
    });
    expect(await refusalOf(send(lossy, principal, undefined, context))).toMatchObject({
      code: 'chat_not_connected',
    });
    expect(tries).toBe(1);
    await lossy.retriedWithdrawals.finish();
    expect(tries).toBe(2);
  });
});
