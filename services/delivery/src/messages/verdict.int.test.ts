import { describe, expect, it } from '@jest/globals';
import { CodedError, jobSubjectOf, settleReservation } from '@stanza/contracts';
import { type Database, newContext, newId, Tenant } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import type { Dependencies } from '../dependencies.ts';
import { lookUpUnknown } from '../testing/lookups.ts';
import {
  anotherProcess,
  connected,
  newChannel,
  openWorld,
  refusalOf,
  rowsOf,
  send,
  sendToMany,
  settlementsOf,
  shortDeadlineMs,
} from '../testing/world.ts';
import { endAbandonedMessages } from './jobs/abandoned-messages.ts';
import { settledItem } from './settle.ts';
import { createSharedWrites } from './shared-writes.ts';
import { endAndSettleMessages } from './store/postings.ts';

const away = () => new CodedError('service_unavailable', { message: 'The database is unavailable.' });

describe('the outcome of a message that was sent', () => {
  const world = sharedByTests(openWorld);

  type Write = () => Promise<object[]>;

  /** The service on a database whose writes of outcomes pass through `end`. */
  const withEndings = (end: (write: Write) => Promise<object[]>): Dependencies => {
    const { query, transaction, close } = world().database;
    const database: Database = {
      query: async (statement, values) => {
        const write = () => query.call(world().database, statement, values);
        const rows = statement.name === 'messages-end-and-settle' ? await end(write) : await write();
        return JSON.parse(JSON.stringify(rows));
      },
      transaction: transaction.bind(world().database),
      close: close.bind(world().database),
      orm: world().database.orm,
    };
    return { ...world(), database, writes: createSharedWrites({ ...world(), database }) };
  };

  it('is written once the database is back', async () => {
    const principal = await connected(world());
    let tries = 0;
    const dependencies = withEndings((write) => {
      tries += 1;
      return tries < 3 ? Promise.reject(away()) : write();
    });
    const reply = await send(dependencies, principal);
    expect(await world().posts(reply.message_id)).toHaveLength(1);
    expect(await rowsOf(world(), principal)).toMatchObject([{ status: 'sent', charged: true }]);
    expect(await settlementsOf(world(), principal)).toHaveLength(1);
  });

  it('is written once, also when the answer of the commit is lost', async () => {
    const principal = await connected(world());
    let tries = 0;
    const dependencies = withEndings(async (write) => {
      const result = await write();
      tries += 1;
      if (tries === 1) throw away();
      return result;
    });
    expect(await send(dependencies, principal)).toMatchObject({ success: true });
    expect(await rowsOf(world(), principal)).toMatchObject([{ status: 'sent', charged: true }]);
    expect(await settlementsOf(world(), principal)).toHaveLength(1);
  });

  it('is settled as one piece of work with those of other operations that end with it, once', async () => {
    const principal = await connected(world());
    const { organization_id } = principal;
    const dependencies = withEndings(() => Promise.reject(away()));
    const begin = (count: number) => {
      const destinations = Array.from({ length: count }, () => ({ channel_id: newChannel() }));
      const context = newContext({ deadlineMs: shortDeadlineMs, principal });
      return sendToMany(dependencies, principal, { destinations }, context);
    };
    await Promise.all([begin(2), begin(1)]);
    const rows = await rowsOf(world(), principal);
    expect(rows).toMatchObject(Array(3).fill({ status: 'posting' }));

    const endings = rows.map(({ id, fence, operation_id, item, credit_log_id, environment }) => ({
      tenant: new Tenant(organization_id, environment),
      id,
      fence,
      ending: { status: 'sent', channel: 'C1', messageTs: '1.1' } as const,
      attempts: [],
      operationId: operation_id,
      settled: settledItem({ item, messageId: id, creditLogId: credit_log_id, charged: true }),
    }));
    const end = () =>
      endAndSettleMessages(
        world().database,
        organization_id,
        endings,
        { id: newId(), subject: jobSubjectOf(settleReservation), traceparent: null },
        () => undefined,
      );
    expect(await end()).toEqual(new Set(rows.map(({ id }) => id)));
    expect(await end()).toEqual(new Set());
    const work = await world().rows<{ payload: unknown }>(
      "select payload from outbox where payload ->> 'organization_id' = $1 and subject = $2 order by id",
      [organization_id, jobSubjectOf(settleReservation)],
    );
    expect(work).toHaveLength(1);
    settleReservation.input.parse(work[0]?.payload);
    const settlements = await settlementsOf(world(), principal);
    const expected = [...Map.groupBy(rows, (row) => row.operation_id)].map(([operation_id, messages]) => ({
      ...(settlements[0]?.operation_id === operation_id && { organization_id }),
      environment: 'production',
      operation_id,
      items: expect.arrayContaining(
        messages.map(({ id, item, credit_log_id }) => ({
          item,
          charged: true,
          credit_log_id,
          message_id: id,
        })),
      ),
    }));
    expect(settlements).toHaveLength(2);
    expect(settlements).toEqual(expect.arrayContaining(expected));
  });

  it('is unknown to the caller when the database stays away, and found later without a charge', async () => {
    const principal = await connected(world());
    const channel = newChannel();
    const dependencies = withEndings(() => Promise.reject(away()));
    const context = newContext({ deadlineMs: shortDeadlineMs, principal });
    const refused = await refusalOf(send(dependencies, principal, { channel_id: channel }, context));
    const [written] = await rowsOf(world(), principal);
    expect(refused).toMatchObject({ code: 'delivery_outcome_unknown', facts: { details: written?.id } });
    expect(written).toMatchObject({ status: 'posting' });

    const later = anotherProcess(world());
    later.clock.jump(60_000);
    await endAbandonedMessages(later);
    await lookUpUnknown(later);
    await later.chat.close();
    expect(await rowsOf(world(), principal)).toMatchObject([{ status: 'sent', charged: false }]);
    expect(await settlementsOf(world(), principal)).toMatchObject([{ items: [{ charged: false }] }]);
    expect(await world().postsIn(channel)).toHaveLength(1);
  });
});
