import { describe, expect, it } from '@jest/globals';
import { CodedError, type InputOf, type Operation, pushEvents } from '@stanza/contracts';
import { type FailureKind, newContext, RpcFailure, unpackEvents } from '@stanza/runtime';
import { z } from 'zod';
import { packing } from './pack-push.ts';

const queueId = '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f';
const events = [{ id: 'deploy-1', text: '½' }, { number: 1 }];
const push: InputOf<typeof pushEvents> = { params: { id: queueId }, query: undefined, body: { events } };
const context = newContext({ deadlineMs: 1_000 });
const answer = new TextEncoder().encode('{"event_count":2}');

/** Answers the calls, of which the packed ones fail with an error if there is one. */
const asking = (failure?: Error) => {
  const asked: { id: string; input: unknown; operationId: string }[] = [];
  const give = packing(async (operation: Operation, input, { operationId }) => {
    asked.push({ id: operation.id, input, operationId });
    if (failure && operation.id === 'push-packed-events') throw failure;
    return answer;
  });
  return { give, asked };
};

const packedInput = z.object({ queue_id: z.string(), packed: z.base64() });

describe('a push that is handed over', () => {
  it('a push is handed over packed', async () => {
    const { give, asked } = asking();
    await expect(give(pushEvents, push, context)).resolves.toBe(answer);
    expect(asked).toMatchObject([
      {
        id: 'push-packed-events',
        input: { queue_id: queueId, bytes: [29, 12], keys: ['deploy-1', null] },
        operationId: context.operationId,
      },
    ]);
    const { packed } = packedInput.parse(asked[0]?.input);
    expect(unpackEvents(Buffer.from(packed, 'base64'))).toEqual(events);
  });

  it('names no keys where no event has one', async () => {
    const { give, asked } = asking();
    await give(pushEvents, { ...push, body: { events: [{ id: 7 }] } }, context);
    expect(asked[0]?.input).not.toHaveProperty('keys');
  });

  it.each<FailureKind>(['no_responders', 'forbidden'])(
    'goes as it came, by the same operation, where its service knows no packed ones: %s',
    async (kind) => {
      const { give, asked } = asking(new RpcFailure(kind, 'x', kind === 'forbidden'));
      await expect(give(pushEvents, push, context)).resolves.toBe(answer);
      expect(asked[1]).toEqual({ id: 'push-events', input: push, operationId: context.operationId });
    },
  );

  it.each([
    new RpcFailure('timeout', 'x', true),
    new RpcFailure('overload', 'x', false),
    new CodedError('not_found'),
  ])('is not made again after another failure: %s', async (failure) => {
    const { give, asked } = asking(failure);
    await expect(give(pushEvents, push, context)).rejects.toBe(failure);
    expect(asked).toHaveLength(1);
  });
});
