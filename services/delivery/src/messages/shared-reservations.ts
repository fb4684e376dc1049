import { CodedError, type InputOf, type ReplyOf, reserveTogether } from '@stanza/contracts';
import { type CallContext, coalesce, jointContext, type Metrics, type RpcClient } from '@stanza/runtime';
import { gatherMs } from './gather.ts';

/** Operations of one call. */
const maxBatch = 64;

type Input = InputOf<typeof reserveTogether>;
type Outcome = ReplyOf<typeof reserveTogether>['outcomes'][number];

/** An operation that wants credits for its messages. */
export interface ReservationWish {
  organizationId: string;
  wish: Input['wishes'][number];
  context: CallContext;
}

/**
 * Reserves credits for an operation's messages, all or none.
 * @returns the remaining credits once all the messages are charged
 * @throws CodedError without enough credits
 */
export type Reserve = (wish: ReservationWish) => Promise<number>;

/** Makes the function that reserves credits. Requests of one organization that arrive together go together. */
export const createReserve = (rpc: RpcClient, metrics: Metrics): Reserve => {
  const reserve = coalesce<ReservationWish, Outcome>({
    name: 'reservations',
    key: ({ organizationId }) => organizationId,
    maxBatch,
    gatherMs,
    metrics,
    run: async (wishes, organization_id) => {
      const input = { organization_id, wishes: wishes.map(({ wish }) => wish) };
      const { outcomes } = await rpc.call(reserveTogether, input, jointContext(wishes));
      return outcomes;
    },
  });
  return async (wish) => {
    const outcome = await reserve(wish);
    if (!outcome.reserved) throw new CodedError(outcome.code);
    return outcome.remaining_credits;
  };
};
