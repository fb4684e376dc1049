import { describe, expect, it } from '@jest/globals';
import { Tenant } from '@stanza/runtime';
import { rowsReadBy } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { sweepIdempotency } from '../jobs/sweep-idempotency.ts';
import { claimOf, newTenant, openWorld } from '../testing/world.ts';
import { completeRecord, completeRecords } from './idempotency-answers.ts';
import {
  type ClaimOrRead,
  claimKey,
  claimOrReadAll,
  findRecord,
  freeRecord,
  type NewClaim,
  releaseRecord,
} from './idempotency-records.ts';
import { findBlocked, listRecords } from './idempotency-upkeep.ts';

const hourMs = 60 * 60_000;

/** The end of a request. */
const ending = {
  keptMs: 24 * hourMs,
  status: 200,
  contentType: 'application/json',
  body: Buffer.from('{}'),
  toConfirm: false,
  settled: false,
};

describe('idempotency records', () => {
  const world = sharedByTests(openWorld);

  /** Makes each claim by its own statement, like different gateways. */
  const alone: ClaimOrRead = async (it) => (await claimOrReadAll(world().database, [it]))[0];

  const claim = (tenant: Tenant, wanted: NewClaim = claimOf()) =>
    claimKey(tenant, world().database, wanted, alone);

  const complete = (
    tenant: Tenant,
    operationId: string,
    { expiresInMs = ending.keptMs, text = '{}' }: { expiresInMs?: number; text?: string } = {},
  ) =>
    completeRecord(tenant, world().database, {
      ...ending,
      operationId,
      keptMs: expiresInMs,
      body: Buffer.from(text),
    });

  it('give a key to one of fifty racing requests', async () => {
    const tenant = newTenant();
    const wanted = Array.from({ length: 50 }, () => claimOf());
    const claims = await Promise.all(wanted.map((it) => claim(tenant, it)));
    const winners = claims.filter((it) => it.kind === 'claimed');
    expect(winners).toHaveLength(1);
    const holders = claims.map((it) => (it.kind === 'taken' ? it.record.operation_id : it.operationId));
    expect(new Set(holders).size).toBe(1);
  });

  it('give a key to one of the claims of a statement', async () => {
    const tenant = newTenant();
    const claims = [claimOf(), claimOf({ key: 'other' }), claimOf()].map((it) => ({ tenant, claim: it }));
    const [one, other, twin] = await claimOrReadAll(world().database, claims);
    expect([one, other, twin].map((it) => it?.is_new)).toEqual([true, true, undefined]);
    const [, again] = await claimOrReadAll(world().database, claims.toReversed());
    expect(again).toMatchObject({ is_new: false, operation_id: claims[1]?.claim.operationId });
  });

  it('keep keys apart by organization, environment and operation', async () => {
    const tenant = newTenant();
    const elsewhere = new Tenant(tenant.organizationId, 'preview');
    const claims = [
      await claim(tenant),
      await claim(newTenant()),
      await claim(elsewhere),
      await claim(tenant, claimOf({ operation: 'compile-template' })),
    ];
    expect(claims.map((it) => it.kind)).toEqual(['claimed', 'claimed', 'claimed', 'claimed']);
    expect(await claim(tenant)).toMatchObject({ kind: 'taken' });
  });

  it('keep the exact bytes of the answer', async () => {
    const tenant = newTenant();
    const wanted = claimOf();
    await claim(tenant, wanted);
    const text = '{"a": "ü\\u0001", "b":1.0}';
    expect(await complete(tenant, wanted.operationId, { text })).toBe(true);
    expect(await complete(tenant, wanted.operationId, { text: 'other' })).toBe(false);
    const again = await claim(tenant);
    expect(again.kind === 'taken' && again.record.body?.toString()).toBe(text);
  });

  it('that are completed together keep their own answers', async () => {
    const [one, other] = [newTenant(), newTenant()];
    const claims = [claimOf(), claimOf({ key: 'other' }), claimOf()];
    const tenants = [one, one, other];
    for (const [at, it] of claims.entries()) await claim(tenants[at] ?? one, it);
    const bodies = ['{"a": "ü"}', '', '{"b":2}'];
    const completions = claims.map(({ operationId }, at) => ({
      tenant: tenants[at] ?? one,
      end: {
        operationId,
        keptMs: (at + 1) * hourMs,
        status: 200 + at,
        contentType: `text/${at}`,
        body: Buffer.from(bodies[at] ?? ''),
        toConfirm: at === 1,
        settled: at === 2,
      },
    }));
    expect(await completeRecords(world().database, completions.slice(1))).toEqual([true, true]);
    expect(await completeRecords(world().database, completions)).toEqual([true, false, false]);
    const records = await Promise.all(claims.map((it) => findRecord(world().database, it.operationId)));
    expect(records.map((it) => it?.body?.toString())).toEqual(bodies);
    expect(records.map((it) => it?.status)).toEqual([200, 201, 202]);
    expect(records.map((it) => it?.content_type)).toEqual(['text/0', 'text/1', 'text/2']);
    expect(records.map((it) => it?.settled)).toEqual([false, false, true]);
    const keptMs = records.map((it) => Number(it?.expires_at) - Number(it?.completed_at));
    expect(keptMs).toEqual([1, 2, 3].map((hours) => expect.closeTo(hours * hourMs, -3)));
    const unconfirmed = await world().rows(
      'select operation_id from unconfirmed_answers where operation_id = any ($1)',
      [claims.map((it) => it.operationId)],
    );
    expect(unconfirmed).toEqual([{ operation_id: claims[1]?.operationId }]);
  });

  it('are completed by their ids, without a look at the other open records of the organization', async () => {
    const tenant = newTenant();
    const claims = Array.from({ length: 600 }, (_, at) => ({ tenant, claim: claimOf({ key: `key ${at}` }) }));
    await claimOrReadAll(world().database, claims);
    const completions = claims.slice(0, 8).map(({ claim: { operationId } }) => ({
      tenant,
      end: { ...ending, operationId },
    }));
    const read = await rowsReadBy(world().database, 'idempotency_records', async (tx) => {
      expect(await completeRecords(tx, completions)).toEqual(completions.map(() => true));
    });
    // Each is read once, and once more where it is changed.
    expect(read).toBeLessThanOrEqual(2 * completions.length);
  });

  it('are reached by their own tenant only', async () => {
    const tenant = newTenant();
    const wanted = claimOf();
    await claim(tenant, wanted);
    const elsewhere = new Tenant(tenant.organizationId, 'preview');
    expect(await complete(elsewhere, wanted.operationId)).toBe(false);
    expect(await freeRecord(elsewhere, world().database, wanted.operationId)).toBe(false);
    expect(await releaseRecord(newTenant(), world().database, wanted.operationId)).toBe(false);
  });

  it('free the key of an expired answer, for one of the racing requests', async () => {
    const tenant = newTenant();
    const wanted = claimOf();
    await claim(tenant, wanted);
    await complete(tenant, wanted.operationId);
    world().clock.pass(24 * hourMs - 1);
    expect(await claim(tenant)).toMatchObject({ kind: 'taken' });
    world().clock.pass(1);
    const claims = await Promise.all(Array.from({ length: 20 }, () => claim(tenant)));
    expect(claims.filter((it) => it.kind === 'claimed')).toHaveLength(1);
  });

  it('without an answer stay blocked forever', async () => {
    const tenant = newTenant();
    await claim(tenant);
    world().clock.pass(1_000 * 24 * hourMs);
    await sweepIdempotency(world())();
    expect(await claim(tenant)).toMatchObject({ kind: 'taken' });
  });

  it('that were released go to one request, under the operation id of the first', async () => {
    const tenant = newTenant();
    const wanted = claimOf();
    await claim(tenant, wanted);
    await releaseRecord(tenant, world().database, wanted.operationId);
    expect(await claim(tenant, claimOf({ fingerprint: Buffer.alloc(32, 2) }))).toMatchObject({
      kind: 'taken',
    });
    const claims = await Promise.all(Array.from({ length: 10 }, () => claim(tenant)));
    expect(claims.filter((it) => it.kind === 'claimed')).toEqual([
      { kind: 'claimed', operationId: wanted.operationId, isRerun: true },
    ]);
  });

  it('can be freed only while they have no answer', async () => {
    const tenant = newTenant();
    const wanted = claimOf();
    await claim(tenant, wanted);
    await complete(tenant, wanted.operationId);
    expect(await freeRecord(tenant, world().database, wanted.operationId)).toBe(false);
    expect(await findRecord(world().database, wanted.operationId)).toMatchObject({ status: 200 });
  });

  it('are swept in batches once expired, each once by concurrent gateways', async () => {
    const tenant = newTenant();
    const wanted = Array.from({ length: 1_200 }, (_, index) => claimOf({ key: `k${index}` }));
    // A pool refuses a request that waits too long for a connection.
    for (let from = 0; from < wanted.length; from += 100) {
      const some = wanted.slice(from, from + 100);
      await Promise.all(some.map((it) => claim(tenant, it)));
      await Promise.all(some.map((it) => complete(tenant, it.operationId, { expiresInMs: hourMs })));
    }
    const sweep = sweepIdempotency(world());
    await sweep();
    world().clock.pass(hourMs);
    const swept = await Promise.all([sweep(), sweep(), sweep()]);
    expect(swept.reduce((sum, it) => sum + it, 0)).toBe(1_200);
    const left = await listRecords(world().database, {
      state: 'completed',
      organization_id: tenant.organizationId,
      limit: 10,
      offset: 0,
    });
    expect(left).toEqual([]);
  });

  it('are listed for operators by state, organization and key', async () => {
    const tenant = newTenant();
    const [one, two, three] = ['a', 'b', 'c'].map((key) => claimOf({ key }));
    if (!one || !two || !three) throw new Error('three claims were made');
    for (const it of [one, two, three]) await claim(tenant, it);
    await complete(tenant, two.operationId, { text: '12345' });
    await releaseRecord(tenant, world().database, three.operationId);
    const list = async (more: object) => {
      const query = { organization_id: tenant.organizationId, limit: 10, offset: 0, ...more };
      return (await listRecords(world().database, { state: 'incomplete', ...query })).map((it) => it.key);
    };
    expect(await list({})).toEqual(['a']);
    expect(await list({ state: 'completed' })).toEqual(['b']);
    expect(await list({ state: 'released' })).toEqual(['c']);
    expect(await list({ key: 'b' })).toEqual([]);
  });

  it('that are blocked are counted up to the limit, with the age of the oldest', async () => {
    world().clock.pass(1);
    const before = await findBlocked(world().database, 1, 10_000);
    await claim(newTenant());
    expect(await findBlocked(world().database, 1, 10_000)).toEqual(before);
    world().clock.pass(1);
    const after = await findBlocked(world().database, 1, 10_000);
    expect(after.count).toBe(before.count + 1);
    expect(after.oldest_seconds).toBeGreaterThan(before.oldest_seconds);
    expect((await findBlocked(world().database, 1, 1)).count).toBe(1);
  });
});
