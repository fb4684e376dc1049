import { describe, expect, it } from '@jest/globals';
import { CodedError, createTemplate, type ReplyOf, reportOperation, sendTemplate } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { inProcessRpc } from '@stanza/test-kit/database';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 } from 'uuid';
import { findRecord, type NewClaim } from '../store/idempotency-records.ts';
import { claimOf, newTenant, openWorld, sent } from '../testing/world.ts';
import { LostAnswers } from './lost-answers.ts';

type Report = ReplyOf<typeof reportOperation>;

describe('A lost answer', () => {
  const world = sharedByTests(openWorld);

  /** Lost answers whose owner reports these outcomes, in their order, and the last one from then on. */
  const reported = (...reports: (Report | CodedError)[]) => {
    const asked: string[] = [];
    const report = handle(reportOperation, async ({ input }) => {
      asked.push(input.operation_id);
      const next = reports.length > 1 ? reports.shift() : reports[0];
      if (next === undefined || next instanceof CodedError) throw next ?? new CodedError('internal_error');
      return next;
    });
    return { asked, lost: new LostAnswers({ ...world(), failureDays: 90, rpc: inProcessRpc([report]) }) };
  };
  const claim = async (more: Partial<NewClaim> = {}): Promise<string> => {
    const claimed = await world().keyed.claim(newTenant(), claimOf(more));
    if (claimed.kind !== 'claimed') throw new Error('the key was taken');
    return claimed.operationId;
  };
  const recordOf = (operationId: string) => findRecord(world().database, operationId);

  it('a lost answer is replaced by the reply that the owner of the operation reports', async () => {
    const operationId = await claim();
    const { lost } = reported({ outcome: 'done', reply: sent });
    expect(await lost.settle(operationId)).toBe('ended');
    const record = await recordOf(operationId);
    expect(JSON.parse(record?.body?.toString() ?? '')).toEqual(sent);
    expect(record).toMatchObject({ status: 200, settled: true });
  });

  it('a lost answer frees its key where nothing happened', async () => {
    const operationId = await claim();
    expect(await reported({ outcome: 'nothing' }).lost.settle(operationId)).toBe('ended');
    expect(await recordOf(operationId)).toBeUndefined();
  });

  it('a lost answer of a compilation frees its key, since its charge is reversed', async () => {
    const operationId = await claim({ operation: 'compile-template' });
    const { asked, lost } = reported({ outcome: 'untold' });
    expect(await lost.settle(operationId)).toBe('ended');
    expect([asked, await recordOf(operationId)]).toEqual([[], undefined]);
  });

  it('a lost answer of an operation that happens once lets the next request run it, under its first id', async () => {
    const [tenant, wanted] = [newTenant(), claimOf({ operation: createTemplate.id })];
    const first = await world().keyed.claim(tenant, wanted);
    if (first.kind !== 'claimed') throw new Error('the key was taken');
    const { asked, lost } = reported({ outcome: 'untold' });
    expect(await lost.settle(first.operationId)).toBe('ended');
    const repeat = { ...wanted, operationId: v7(), requestId: v7() };
    expect(await world().keyed.claim(tenant, repeat)).toMatchObject({
      kind: 'claimed',
      operationId: first.operationId,
      isRerun: true,
    });
    expect(asked).toEqual([]);
  });

  it('a lost answer leaves its key open while the owner is working or away, and is settled later', async () => {
    const operationId = await claim();
    const away = new CodedError('service_unavailable');
    const { lost } = reported(away, { outcome: 'running' }, { outcome: 'done', reply: sent });
    expect(await lost.settle(operationId)).toBe('open');
    expect(await lost.settle(operationId)).toBe('open');
    expect(await recordOf(operationId)).toMatchObject({ completed_at: null });
    expect(await lost.settle(operationId)).toBe('ended');
    expect(await lost.settle(operationId)).toBe('ended');
  });

  it('a repeat settles a lost answer only once the request cannot be running', async () => {
    const operationId = await claim();
    const { asked, lost } = reported({ outcome: 'done', reply: sent });
    const record = await recordOf(operationId);
    if (record === undefined) throw new Error('the claim has no record');
    expect(await lost.settleTaken({ ...record, claimed_ms_ago: 0 }, sendTemplate)).toBe('open');
    expect(asked).toEqual([]);
    const old = { ...record, claimed_ms_ago: sendTemplate.deadlineMs + 5_000 };
    expect(await lost.settleTaken(old, sendTemplate)).toBe('ended');
    expect(asked).toEqual([operationId]);
  });

  it('a repeat settles a lost answer at once where the call has ended in the same process', async () => {
    const operationId = await claim();
    const { lost } = reported(new CodedError('service_unavailable'), { outcome: 'done', reply: sent });
    expect(await lost.settle(operationId)).toBe('open');
    const record = await recordOf(operationId);
    if (record === undefined) throw new Error('the claim has no record');
    expect(await lost.settleTaken({ ...record, claimed_ms_ago: 0 }, sendTemplate)).toBe('ended');
  });

  it('a report that is no reply of the operation leaves the request to an operator', async () => {
    const operationId = await claim();
    const { lost } = reported({ outcome: 'done', reply: { success: 'perhaps' } });
    expect(await lost.settle(operationId)).toBe('untold');
    expect(await recordOf(operationId)).toMatchObject({ completed_at: null });
  });

  it('the job settles the request of a process that died, and asks once where no service can report it', async () => {
    const operationId = await claim();
    const young = await claim();
    await world().rows(
      "update idempotency_records set claimed_at = claimed_at - interval '1 minute' where operation_id = $1",
      [operationId],
    );
    const untold = reported({ outcome: 'untold' });
    await untold.lost.settleAll();
    await untold.lost.settleAll();
    expect(untold.asked).toEqual([operationId]);
    await reported({ outcome: 'done', reply: sent }).lost.settleAll();
    expect(await recordOf(operationId)).toMatchObject({ status: 200 });
    expect(await recordOf(young)).toMatchObject({ completed_at: null });
  });
});
