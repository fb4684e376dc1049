import { describe, expect, it } from '@jest/globals';
import { createQueue, type Principal, pushEvents } from '@stanza/contracts';
import { newId } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { crashingAfter } from '../testing/crashing-database.ts';
import { storedEvents } from '../testing/stored-events.ts';
import { ask, newQueue, openWorld, pusher, rolling, somebody } from '../testing/world.ts';
import { reportQueueOperation } from './report-queue-operation.ts';

const given = [{ number: 1 }, { number: 2 }];

describe('the report of a push whose answer was lost', () => {
  const world = sharedByTests(openWorld);

  const report = (principal: Principal, operation_id: string, operation: string = pushEvents.id) => {
    const { organization_id, environment } = principal;
    const input = { organization_id, environment, operation_id, operation };
    return ask(reportQueueOperation(world()), input, principal);
  };
  const stored = async ({ organization_id }: Principal) =>
    (await storedEvents(world(), organization_id)).length;

  it('is its answer, however often it is asked for', async () => {
    const principal = somebody();
    const queue = await newQueue(world(), principal, rolling);
    const operationId = newId();
    const database = crashingAfter(world().database, 20);
    await expect(pusher({ ...world(), database })(principal, queue.id, given, operationId)).rejects.toThrow(
      'after the commit',
    );
    const told = await report(principal, operationId);
    expect(told).toMatchObject({ outcome: 'done', reply: { batch_status: 'collecting', event_count: 2 } });
    expect(await report(principal, operationId)).toEqual(told);
    const again = await pusher(world())(principal, queue.id, given, operationId);
    expect(told).toMatchObject({ reply: { batch_id: again.batch_id, event_ids: again.event_ids } });
    expect(await stored(principal)).toBe(2);
  });

  it('is nothing for a push that never came, which then cannot happen later', async () => {
    const principal = somebody();
    const queue = await newQueue(world(), principal, rolling);
    const operationId = newId();
    expect(await report(principal, operationId)).toMatchObject({ outcome: 'nothing' });
    const late = pusher(world())(principal, queue.id, given, operationId);
    await expect(late).rejects.toMatchObject({ code: 'service_unavailable', facts: { nothing_done: true } });
    expect(await report(principal, operationId)).toMatchObject({ outcome: 'nothing' });
    expect(await stored(principal)).toBe(0);
  });

  it('is true for a push that is about to be written, and for others that commit with it', async () => {
    const principal = somebody();
    const queue = await newQueue(world(), principal, rolling);
    const held = newId();
    // Withdraws the one between the look for its answer and its write.
    const push = pusher({
      ...world(),
      database: {
        orm: world().database.orm,
        close: () => world().database.close(),
        query: (statement, values) => world().database.query(statement, values),
        transaction: (work, options) =>
          world().database.transaction(
            (tx) =>
              work({
                orm: tx.orm,
                afterCommit: (then) => tx.afterCommit(then),
                query: async (statement, values) => {
                  if (JSON.stringify(values).includes(held) && Object(statement).name === 'push-write')
                    await report(principal, held);
                  return tx.query(statement, values);
                },
              }),
            options,
          ),
      },
    });
    // The first commits alone, and the two that come in the meantime together.
    const pushes = [newId(), held, newId()].map((id) => push(principal, queue.id, given, id));
    const [, late, kept] = await Promise.allSettled(pushes);
    expect(late).toMatchObject({ status: 'rejected', reason: expect.anything() });
    expect(kept).toMatchObject({
      status: 'fulfilled',
      value: { event_ids: [expect.any(String), expect.any(String)] },
    });
    expect(await report(principal, held)).toMatchObject({ outcome: 'nothing' });
    expect(await stored(principal)).toBe(4);
  });

  it('cannot be given for another operation', async () => {
    expect(await report(somebody(), newId(), createQueue.id)).toEqual({ outcome: 'untold' });
  });
});
