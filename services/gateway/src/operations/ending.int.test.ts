import { describe, expect, it } from '@jest/globals';
import {
  CodedError,
  type ErrorBody,
  type getIdempotencyRecord as getDeclaration,
  type InputOf,
  type ReplyOf,
  reportOperation,
  type settleIdempotencyRecord as settleDeclaration,
} from '@stanza/contracts';
import { type CallContext, handle, newContext, type Tenant } from '@stanza/runtime';
import { inProcessRpc, runInProcess } from '@stanza/test-kit/database';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 } from 'uuid';
import { findRecord, type NewClaim } from '../store/idempotency-records.ts';
import { claimOf, newTenant, openWorld, sent } from '../testing/world.ts';
import { getIdempotencyRecord } from './get-idempotency-record.ts';
import { releaseIdempotencyRecord } from './release-idempotency-record.ts';
import { settleIdempotencyRecord } from './settle-idempotency-record.ts';

type Report = ReplyOf<typeof reportOperation>;

describe('a blocked idempotent request', () => {
  const world = sharedByTests(openWorld);

  const dependencies = (report: Report = { outcome: 'untold' }) => ({
    ...world(),
    failureDays: 90,
    rpc: inProcessRpc([handle(reportOperation, async () => report)]),
  });
  const context = (): CallContext => newContext({ deadlineMs: 5_000 });
  const settle = (report: Report | undefined, input: InputOf<typeof settleDeclaration>) =>
    runInProcess(settleIdempotencyRecord(dependencies(report)), input, context());
  const release = (report: Report | undefined, operation_id: string) =>
    runInProcess(releaseIdempotencyRecord(dependencies(report)), { operation_id }, context());

  const block = async (more: Partial<NewClaim> = {}, tenant: Tenant = newTenant()): Promise<string> => {
    const claim = claimOf(more);
    await world().keyed.claim(tenant, claim);
    world().clock.pass(60_000);
    return claim.operationId;
  };
  const recordOf = (operationId: string) => findRecord(world().database, operationId);
  const textOf = async (operationId: string) => (await recordOf(operationId))?.body?.toString() ?? '';

  /** The audit entries of an operator's ending. */
  const recordedOf = async (operationId: string) => {
    const rows = await world().rows<{ payload: object }>(
      `select payload
       from outbox
       where subject = 'work.organization.record-audit'
         and payload #>> '{subject,id}' = $1
       order by id`,
      [operationId],
    );
    return rows.map((row) => row.payload);
  };

  it('is settled with the reply that its owner would repeat, and audited', async () => {
    const operation_id = await block();
    const settled = await settle({ outcome: 'done', reply: sent }, { operation_id });
    expect(settled).toEqual({ result: 'completed', status: 200 });
    expect(await recordedOf(operation_id)).toMatchObject([
      {
        action: 'idempotent_request.settled',
        environment: 'production',
        actor: { type: 'system', id: 'operator' },
        changes: { operation: 'send-template', status: 200 },
      },
    ]);
    expect(JSON.parse(await textOf(operation_id))).toEqual(sent);
    expect(await recordOf(operation_id)).toMatchObject({ settled: true, status: 200 });
  });

  it('is settled with the error that its owner would repeat, under the first request id', async () => {
    const operation_id = await block({ requestId: 'first.1' });
    const error: ErrorBody = new CodedError('delivery_outcome_unknown', { details: 'message' }).toBody();
    expect(await settle({ outcome: 'refused', error }, { operation_id })).toMatchObject({ status: 502 });
    expect(JSON.parse(await textOf(operation_id))).toMatchObject({
      code: 'delivery_outcome_unknown',
      request_id: 'first.1',
      details: 'message',
    });
  });

  it.each<[string, Report]>([
    ['nothing happened', { outcome: 'nothing' }],
    ['nothing was done', { outcome: 'refused', error: { code: 'rate_limited' } }],
  ])('for which %s frees its key when it is settled', async (_, report) => {
    const operation_id = await block();
    expect(await settle(report, { operation_id })).toEqual({ result: 'freed' });
    expect(await recordOf(operation_id)).toBeUndefined();
  });

  it('needs a manual outcome, or a release, where its owner cannot tell', async () => {
    const operation_id = await block({ operation: 'compile-template' });
    await expect(settle(undefined, { operation_id })).rejects.toMatchObject({ code: 'invalid_state' });
    const outcome = { code: 'internal_error', message: 'It was lost.' } as const;
    expect(await settle(undefined, { operation_id, outcome })).toMatchObject({ status: 500 });
    expect(JSON.parse(await textOf(operation_id))).toMatchObject({ error: 'It was lost.' });
  });

  it('accepts only a manual reply that fits its operation', async () => {
    const operation_id = await block();
    const wrong = { reply: { ...sent, message_ts: 1 } };
    await expect(settle(undefined, { operation_id, outcome: wrong })).rejects.toMatchObject({
      code: 'validation_failed',
    });
    expect(await settle(undefined, { operation_id, outcome: { reply: sent } })).toMatchObject({
      status: 200,
    });
  });

  it('is released under its operation id, or its key is freed when nothing happened', async () => {
    const [one, other] = [await block(), await block()];
    expect(await release(undefined, one)).toEqual({ result: 'released' });
    expect(await recordOf(one)).toMatchObject({ released_at: expect.any(Date) });
    expect(await release({ outcome: 'nothing' }, other)).toEqual({ result: 'freed' });
    expect(await recordOf(other)).toBeUndefined();
  });

  it('that is older than what its owner keeps is neither freed nor released, for it may have happened', async () => {
    const operation_id = await block();
    const report: Report = { outcome: 'nothing', kept_days: 1 };
    world().clock.pass(86_400_000);
    const refusal = { code: 'invalid_state', message: expect.stringContaining('by hand') };
    await expect(settle(report, { operation_id })).rejects.toMatchObject(refusal);
    await expect(release(report, operation_id)).rejects.toMatchObject(refusal);
    expect(await recordOf(operation_id)).toMatchObject({ released_at: null, completed_at: null });
    expect(await settle({ ...report, kept_days: 2 }, { operation_id })).toEqual({ result: 'freed' });
  });

  it('cannot be ended while its request or its owner may be working on it', async () => {
    const claim = claimOf();
    await world().keyed.claim(newTenant(), claim);
    const refusal = { code: 'invalid_state', message: expect.stringContaining('half a minute') };
    await expect(release(undefined, claim.operationId)).rejects.toMatchObject(refusal);
    world().clock.pass(60_000);
    const running: Report = { outcome: 'running' };
    await expect(release(running, claim.operationId)).rejects.toMatchObject(refusal);
    await expect(settle(running, { operation_id: claim.operationId })).rejects.toMatchObject(refusal);
    expect(await recordOf(claim.operationId)).toMatchObject({ released_at: null, completed_at: null });
  });

  it('that has an answer, or does not exist, cannot be ended', async () => {
    const operation_id = await block();
    await settle({ outcome: 'done', reply: sent }, { operation_id });
    const again = settle({ outcome: 'done', reply: sent }, { operation_id });
    await expect(again).rejects.toMatchObject({ code: 'invalid_state' });
    await expect(release(undefined, operation_id)).rejects.toMatchObject({ code: 'invalid_state' });
    await expect(release(undefined, v7())).rejects.toMatchObject({ code: 'not_found' });
  });

  it("is shown to operators without the customer's answer", async () => {
    const operation_id = await block({ key: 'order 18' });
    await settle({ outcome: 'done', reply: sent }, { operation_id });
    const show = (id: string) => runInProcess(getIdempotencyRecord(world()), { operation_id: id }, context());
    const { record }: ReplyOf<typeof getDeclaration> = await show(operation_id);
    expect(record).toMatchObject({ key: 'order 18', state: 'completed', settled: true, status: 200 });
    expect(record.body_bytes).toBeGreaterThan(100);
    expect(JSON.stringify(record)).not.toContain(sent.message_id);
    await expect(show(v7())).rejects.toMatchObject({ code: 'not_found' });
  });
});
