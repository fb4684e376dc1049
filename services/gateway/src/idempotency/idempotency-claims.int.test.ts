import { describe, expect, it, jest } from '@jest/globals';
import { CodedError, confirmRememberedCharges } from '@stanza/contracts';
import { waitUntil } from '@stanza/local';
import { type Database, type RpcClient, RpcFailure } from '@stanza/runtime';
import { limits } from '@stanza/test-kit/limits';
import { sharedByTests } from '@stanza/test-kit/shared';
import { confirmRemembered } from '../jobs/confirm-remembered.ts';
import { measureBlocked } from '../jobs/measure-blocked.ts';
import { findRecord } from '../store/idempotency-records.ts';
import { claimOf, newTenant, openWorld } from '../testing/world.ts';
import { type Held, IdempotencyClaims } from './idempotency-claims.ts';

const answer = {
  status: 200,
  contentType: 'application/json',
  body: Buffer.from('{"a":1}'),
};

describe('idempotent requests', () => {
  const world = sharedByTests(openWorld);

  /** A database that fails on command, before or after the statement has run. */
  const failing = (how: { before?: boolean; after?: boolean; times: number }): Database => {
    const { database } = world();
    let left = how.times;
    return {
      ...database,
      orm: database.orm,
      transaction: (work, options) => database.transaction(work, options),
      close: () => database.close(),
      query: async (statement, values) => {
        const isFailing = left > 0;
        left -= 1;
        if (isFailing && how.before) throw new CodedError('service_unavailable');
        const rows = await database.query(statement, values);
        if (isFailing && how.after) throw new CodedError('service_unavailable');
        return rows;
      },
    };
  };
  const over = (database: Database): IdempotencyClaims =>
    new IdempotencyClaims({ ...world(), database, failureDays: 90 });

  const hold = async (by = world().keyed): Promise<Held> => {
    const tenant = newTenant();
    const claimed = await by.claim(tenant, claimOf());
    if (claimed.kind !== 'claimed') throw new Error('the key was taken');
    return { tenant, ...claimed };
  };
  const recordOf = ({ operationId }: Held) => findRecord(world().database, operationId);

  it('run only with a claim, and free a claim whose answer was lost', async () => {
    const tenant = newTenant();
    const keyed = over(failing({ after: true, times: 1 }));
    await expect(keyed.claim(tenant, claimOf())).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await world().keyed.claim(tenant, claimOf())).toMatchObject({ kind: 'taken' });
    await keyed.retry();
    expect(await world().keyed.claim(tenant, claimOf())).toMatchObject({ kind: 'claimed' });
  });

  it('are checked for a taken key without a write', async () => {
    const { keyed } = world();
    const held = await hold();
    const { tenant, operationId } = held;
    const { operation, key } = claimOf();
    expect(await keyed.isTaken(tenant, operation, key)).toBe(true);
    expect(await keyed.isTaken(tenant, operation, 'another')).toBe(false);
    expect(await keyed.isTaken(tenant, 'create-modal', key)).toBe(false);
    const other = newTenant();
    expect(await keyed.isTaken(other, operation, key)).toBe(false);
    expect(await keyed.claim(other, claimOf())).toMatchObject({ kind: 'claimed' });
    await keyed.remember(held, answer, false);
    expect(await keyed.isTaken(tenant, operation, key)).toBe(true);
    await world().rows(
      "update idempotency_records set expires_at = clock_timestamp() - interval '1 second' where operation_id = $1",
      [operationId],
    );
    expect(await keyed.isTaken(tenant, operation, key)).toBe(false);
    const away = over(failing({ before: true, times: 1 }));
    await expect(away.isTaken(tenant, operation, key)).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('are refused when the claim times out, and free it once it is made after all', async () => {
    const tenant = newTenant();
    const { database } = world();
    const held = Promise.withResolvers<void>();
    const slow: Database = {
      ...failing({ times: 0 }),
      query: async (statement, values) => {
        await held.promise;
        return database.query(statement, values);
      },
    };
    const keyed = over(slow);
    await expect(keyed.claim(tenant, claimOf())).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining('nothing was done'),
    });
    held.resolve();
    const records = async () => {
      const text = 'select from idempotency_records where organization_id = $1';
      return (await world().rows(text, [tenant.organizationId])).length;
    };
    expect(await waitUntil(async () => (await records()) === 1, { timeoutMs: limits.conditionMs })).toBe(
      true,
    );
    const isFree = async () => {
      await keyed.retry();
      return (await records()) === 0;
    };
    expect(await waitUntil(isFree, { timeoutMs: limits.conditionMs })).toBe(true);
  });

  it('keep their answer although the database was unavailable for a moment', async () => {
    const held = await hold();
    await over(failing({ before: true, times: 2 })).remember(held, answer, false);
    expect(await recordOf(held)).toMatchObject({ status: 200, body: answer.body });
  });

  it('keep an answer that was written although its acknowledgement was lost', async () => {
    const held = await hold();
    await over(failing({ after: true, times: 1 })).remember(held, answer, true);
    expect(await recordOf(held)).toMatchObject({ status: 200, body: answer.body });
  });

  it('whose answer cannot be stored stay blocked, and their caller is told', async () => {
    const held = await hold();
    const lost = over(failing({ before: true, times: Number.POSITIVE_INFINITY })).remember(
      held,
      answer,
      false,
    );
    await expect(lost).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining('same idempotency key'),
    });
    expect(await recordOf(held)).toMatchObject({ completed_at: null });
  });

  it('that changed nothing free their key, as soon as the database is available again', async () => {
    const held = await hold();
    const keyed = over(failing({ before: true, times: 1 }));
    await keyed.giveUp(held);
    expect(await recordOf(held)).toBeDefined();
    await keyed.retry();
    expect(await recordOf(held)).toBeUndefined();
  });

  it('are freed one by one while the database is unavailable, and all once it is not', async () => {
    const held = await Promise.all([hold(), hold(), hold()]);
    const database = failing({ before: true, times: 5 });
    const asked = jest.spyOn(database, 'query');
    const keyed = over(database);
    for (const one of held) await keyed.giveUp(one);
    for (const pass of [1, 2]) {
      await keyed.retry();
      expect(asked).toHaveBeenCalledTimes(held.length + pass);
    }
    await keyed.retry();
    expect(await Promise.all(held.map(recordOf))).toEqual([undefined, undefined, undefined]);
  });

  it('that changed nothing after a release keep their operation id', async () => {
    const held = await hold();
    await world().keyed.giveUp({ ...held, isRerun: true });
    expect(await recordOf(held)).toMatchObject({ released_at: expect.any(Date), completed_at: null });
  });

  it('are measured once they have been without an answer for a minute', async () => {
    await hold();
    const measure = measureBlocked(world());
    await measure();
    const before = (await world().metrics.keyedBlocked.get()).values[0]?.value ?? 0;
    world().clock.pass(60_000);
    await measure();
    expect((await world().metrics.keyedBlocked.get()).values[0]?.value).toBeGreaterThan(before);
    expect((await world().metrics.keyedBlockedAge.get()).values[0]?.value).toBeGreaterThanOrEqual(60);
  });

  describe('whose charge is provisional', () => {
    /** An organization service that records confirmations, and fails on the test's command. */
    const ledger = () => {
      const told: string[] = [];
      const state = { isAway: false };
      const call: RpcClient['call'] = async (operation, input) => {
        if (state.isAway) throw new RpcFailure('no_responders', operation.id, false);
        const { answers } = confirmRememberedCharges.input.parse(input);
        told.push(...answers.map((it) => it.operation_id));
        return JSON.parse(JSON.stringify({ confirmed: answers.length, charged_again: 0, lost: 0 }));
      };
      return { told, state, rpc: { call } };
    };

    it('are confirmed by the first gateway to run, until the confirmation is accepted', async () => {
      const { told, state, rpc } = ledger();
      const confirm = confirmRemembered({ database: world().database, rpc });
      await confirm();
      told.length = 0;
      const held = await hold();
      await world().keyed.remember(held, answer, true);
      state.isAway = true;
      await expect(confirm()).rejects.toBeInstanceOf(RpcFailure);
      state.isAway = false;
      await confirm();
      await confirm();
      expect(told).toEqual([held.operationId]);
    });

    it('have nothing to confirm when they were refused', async () => {
      const { told, rpc } = ledger();
      await world().keyed.remember(await hold(), { ...answer, status: 404 }, false);
      await confirmRemembered({ database: world().database, rpc })();
      expect(told).toEqual([]);
    });
  });
});
