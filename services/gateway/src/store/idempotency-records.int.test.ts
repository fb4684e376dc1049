import { describe, expect, it } from '@jest/globals';
import { Tenant } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { sweepIdempotency } from '../jobs/sweep-idempotency.ts';
import { claimOf, newTenant, openWorld } from '../testing/world.ts';
import {
  type ClaimOrRead,
  claimKey,
  claimOrReadAll,
  completeRecord,
  findRecord,
  freeRecord,
  type NewClaim,
  releaseRecord,
} from './idempotency-records.ts';
import { findBlocked, listRecords } from './idempotency-upkeep.ts';

const hourMs = 60 * 60_000;

describe('idempotency records', () => {
  const world = sharedByTests(openWorld);

  /** Makes each claim by its own statement, like different gateways. */
  const alone: ClaimOrRead = async (it) => (await claimOrReadAll(world().database, [it]))[0];

  const claim = (tenant: Tenant, wanted: NewClaim = claimOf()) =>
    claimKey(tenant, world().database, wanted, alone);

  const complete = (
    tenant: Tenant,
    operationId: string,
    more: { expiresInMs?: number; text?: string } = {},
  ) =>
    completeRecord(tenant, world().database, {
      operationId,
      keptMs: more.expiresInMs ?? 24 * hourMs,
      status: 200,
      contentType: 'application/json',
      body: Buffer.from(more.text ?? '{}'),
      toConfirm: false,
      settled: false,
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
