import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createScheduledMessage as declaration, type Principal } from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { inAnHour } from '../testing/schedules.ts';
import { ask, connected, openWorld, refusalOf } from '../testing/world.ts';
import { createScheduledMessage } from './create-scheduled-message.ts';
import { reportOperation } from './report-operation.ts';

describe('the creation of a scheduled message and the withdrawal of its operation', () => {
  const world = sharedByTests(openWorld);
  let principal: Principal;
  beforeAll(async () => {
    principal = await connected(world());
  });

  const create = (context = newContext({ deadlineMs: 15_000, principal })) => {
    const body = {
      template_id: uuidv7(),
      channel_id: 'C1001',
      data: {},
      catch_up: false,
      ...inAnHour(world()),
    };
    return ask(createScheduledMessage(world()), { body }, principal, context);
  };
  const report = (operation_id: string) => {
    const { organization_id, environment } = principal;
    const operation = declaration.id;
    return ask(reportOperation(world()), { organization_id, environment, operation_id, operation });
  };
  const made = (operationId: string) =>
    world().rows<{ id: string }>('select id from scheduled_messages where operation_id = $1', [operationId]);

  /** How many statements wait for a lock. */
  const waiters = async (): Promise<number> => {
    const [row] = await world().rows<{ count: number }>(
      `select count(*)::integer as count
       from pg_stat_activity
       where wait_event_type = 'Lock' and datname = current_database()`,
    );
    return row?.count ?? 0;
  };

  it('agree when the creating process is frozen after its insert', async () => {
    const context = newContext({ deadlineMs: 15_000, principal });
    const inserted = Promise.withResolvers<void>();
    const resumed = Promise.withResolvers<void>();
    const transaction = world().database.transaction.bind(world().database);
    const frozen: typeof transaction = (work, options) =>
      transaction(async (tx) => {
        const result = await work(tx);
        inserted.resolve();
        await resumed.promise;
        return result;
      }, options);
    const spy = jest.spyOn(world().database, 'transaction').mockImplementationOnce(frozen);
    const creating = create(context);
    await inserted.promise;
    const reporting = report(context.operationId);
    // The report answers while the other transaction is open, or waits for it.
    let answer: 'told' | number = 0;
    while (answer === 0) answer = await Promise.race([reporting.then(() => 'told' as const), waiters()]);
    resumed.resolve();
    await creating;
    spy.mockRestore();
    expect(await made(context.operationId)).toHaveLength(1);
    expect(await reporting).toMatchObject({ outcome: 'done' });
  });

  it('agree when the report comes first: nothing is created afterwards, however often that is tried', async () => {
    const context = newContext({ deadlineMs: 15_000, principal });
    expect(await report(context.operationId)).toMatchObject({ outcome: 'nothing' });
    for (let time = 0; time < 2; time += 1) {
      expect(await refusalOf(create(context))).toMatchObject({ code: 'service_unavailable' });
    }
    expect(await made(context.operationId)).toEqual([]);
  });

  it('leave one scheduled message when the same operation is delivered twice at once', async () => {
    const context = newContext({ deadlineMs: 15_000, principal });
    const [one, two] = await Promise.all([create(context), create(context)]);
    expect(two.id).toBe(one.id);
    expect(await made(context.operationId)).toHaveLength(1);
  });
});
