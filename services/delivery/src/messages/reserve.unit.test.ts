import { describe, expect, it } from '@jest/globals';
import { CodedError, reserveCredits, reserveTogether } from '@stanza/contracts';
import { createMetrics, handle, newContext, newId, type RpcClient, RpcFailure } from '@stanza/runtime';
import { inProcessRpc } from '@stanza/test-kit/database';
import { createReserve, type ReservationWish } from './reserve.ts';

/** Refuses what is asked for ten credits or more. */
const open = () => {
  const rpc = inProcessRpc([
    handle(reserveTogether, async ({ input: { wishes } }) => ({
      outcomes: wishes.map(({ amount }) =>
        amount < 10
          ? ({ reserved: true, reservation_id: newId(), remaining_credits: 100 - amount } as const)
          : ({ reserved: false, code: 'insufficient_credits' } as const),
      ),
    })),
    handle(reserveCredits, async ({ input: { amount } }) => {
      if (amount >= 10) throw new CodedError('insufficient_credits');
      return { reservation_id: newId(), remaining_credits: 100 - amount };
    }),
  ]);
  return { rpc, reserve: createReserve(rpc, createMetrics({ service: 'delivery', processMetrics: false })) };
};

const wishOf = (organizationId: string, amount = 1): ReservationWish => {
  const context = newContext({ deadlineMs: 10_000 });
  const facts = {
    environment: 'production',
    operation: 'send',
    template_id: newId(),
    actor_id: 'key',
  } as const;
  return { organizationId, wish: { ...facts, operation_id: context.operationId, amount }, context };
};

describe('reservations of sends', () => {
  it('go together where they are of one organization, and each gets its own answer', async () => {
    const { rpc, reserve } = open();
    const [ada, bob] = [newId(), newId()];
    const amounts = [1, 2, 12, 3];
    const answers = await Promise.allSettled(amounts.map((amount) => reserve(wishOf(ada, amount))));
    expect(answers).toMatchObject([
      { value: 99 },
      { value: 98 },
      { reason: { code: 'insufficient_credits' } },
      { value: 97 },
    ]);
    expect(rpc.calls).toHaveLength(1);
    await Promise.all([ada, bob, ada].map((organizationId) => reserve(wishOf(organizationId))));
    expect(rpc.calls).toHaveLength(3);
  });

  it('go one by one to an organization service of the previous version', async () => {
    const { rpc: before } = open();
    const asked: string[] = [];
    const rpc: RpcClient = {
      call: async (operation, input, context, options) => {
        asked.push(operation.id);
        if (operation.id === reserveTogether.id) {
          throw new RpcFailure('no_responders', 'organization.reserve-together', false);
        }
        return before.call(operation, input, context, options);
      },
    };
    const reserve = createReserve(rpc, createMetrics({ service: 'delivery', processMetrics: false }));
    const ada = newId();
    const answers = await Promise.allSettled([1, 12].map((amount) => reserve(wishOf(ada, amount))));
    expect(answers).toMatchObject([{ value: 99 }, { reason: { code: 'insufficient_credits' } }]);
    expect(asked).toEqual([reserveTogether.id, reserveCredits.id, reserveCredits.id]);
  });

  it('keep the latest deadline of those that go together', async () => {
    const { rpc, reserve } = open();
    const organizationId = newId();
    const [early, late] = [wishOf(organizationId), wishOf(organizationId)];
    const patient = { ...late, context: { ...late.context, deadline: late.context.deadline + 5_000 } };
    await Promise.all([reserve(early), reserve(patient)]);
    expect(rpc.calls.map(({ context }) => context.deadline)).toEqual([patient.context.deadline]);
  });
});
