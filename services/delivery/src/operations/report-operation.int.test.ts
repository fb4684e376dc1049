import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Principal, sendTemplate } from '@stanza/contracts';
import { type CallContext, newContext, RpcFailure } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import {
  anotherProcess,
  ask,
  connected,
  newChannel,
  openWorld,
  refusalOf,
  rowsOf,
  send,
} from '../testing/world.ts';
import { reportOperation } from './report-operation.ts';

describe('report-operation', () => {
  const world = sharedByTests(openWorld);
  let principal: Principal;
  beforeAll(async () => {
    principal = await connected(world());
  });

  const begin = (): CallContext => newContext({ deadlineMs: 15_000, principal });
  const report = ({ operationId }: CallContext, operation: string = sendTemplate.id) => {
    const { organization_id, environment } = principal;
    return ask(reportOperation(world()), {
      organization_id,
      environment,
      operation_id: operationId,
      operation,
    });
  };

  it('reports a sent message with the answer that its sender got', async () => {
    const context = begin();
    const reply = await send(world(), principal, { channel_id: newChannel() }, context);
    expect(await report(context)).toEqual({ outcome: 'done', reply });
  });

  it('reports a failed message with its error', async () => {
    const context = begin();
    await refusalOf(send(world(), principal, { channel_id: 'C0SECRET' }, context));
    expect(await report(context)).toMatchObject({
      outcome: 'refused',
      error: { code: 'invalid_destination', error_details: '"not_in_channel"' },
    });
  });

  it('reports a message without an outcome as running', async () => {
    const context = begin();
    await send(world(), principal, { channel_id: newChannel() }, context);
    await world().rows(
      "update messages set status = 'posting', charged = null, message_ts = null where operation_id = $1",
      [context.operationId],
    );
    expect(await report(context)).toEqual({ outcome: 'running' });
  });

  it('reports that nothing happened only when nothing can happen any more', async () => {
    const context = begin();
    const channel_id = newChannel();
    expect(await report(context)).toEqual({ outcome: 'nothing', kept_days: 90 });
    const late = refusalOf(send(anotherProcess(world()), principal, { channel_id }, context));
    expect(await late).toMatchObject({ code: 'service_unavailable', facts: { nothing_done: true } });
    expect(await world().postsIn(channel_id)).toEqual([]);
  });

  it('has no report of other operations', async () => {
    expect(await report(begin(), 'another-operation')).toEqual({ outcome: 'untold' });
  });

  it('may be asked again as if it had never been, when a send broke before its message was accepted', async () => {
    const context = begin();
    const other = anotherProcess(world());
    const lost = { call: () => Promise.reject(new RpcFailure('timeout', 'compile.render-template', true)) };
    const refusal = await refusalOf(send({ ...other, rpc: lost }, principal, undefined, context));
    expect(refusal).toMatchObject({ code: 'service_unavailable', facts: { nothing_done: true } });
    expect((await rowsOf(world(), principal)).some((row) => row.operation_id === context.operationId)).toBe(
      false,
    );
  });
});
