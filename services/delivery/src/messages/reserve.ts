import {
  CodedError,
  type InputOf,
  type ReplyOf,
  reserveCredits,
  reserveErrors,
  reserveTogether,
} from '@stanza/contracts';
import {
  type CallContext,
  coalesce,
  jointContext,
  type Metrics,
  type RpcClient,
  RpcFailure,
} from '@stanza/runtime';
import type { MessageOrder } from './message.ts';
import type { MessageOrigin } from './message-tables.ts';
import { gatherMs } from './shared-writes.ts';

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

const isRefusal = (code: string): code is (typeof reserveErrors)[number] =>
  reserveErrors.some((one) => one === code);

/** Asks an organization service of the previous version, which reserves for one operation at a time. */
const reserveAlone = async (
  rpc: RpcClient,
  { organizationId, wish, context }: ReservationWish,
): Promise<Outcome> => {
  try {
    const reserved = await rpc.call(reserveCredits, { organization_id: organizationId, ...wish }, context);
    return { reserved: true, ...reserved };
  } catch (err) {
    if (err instanceof CodedError && isRefusal(err.code)) return { reserved: false, code: err.code };
    throw err;
  }
};

const isUnknown = (err: unknown): boolean => err instanceof RpcFailure && err.kind === 'no_responders';

/** Makes the function that reserves credits. Requests of one organization that arrive together go together. */
export const createReserve = (rpc: RpcClient, metrics: Metrics): Reserve => {
  const reserveJointly = coalesce<ReservationWish, Outcome>({
    name: 'reservations',
    key: ({ organizationId }) => organizationId,
    maxBatch,
    gatherMs,
    metrics,
    run: async (wishes, organization_id) => {
      const input = { organization_id, wishes: wishes.map(({ wish }) => wish) };
      try {
        const { outcomes } = await rpc.call(reserveTogether, input, jointContext(wishes));
        return outcomes;
      } catch (err) {
        if (!isUnknown(err)) throw err;
        return Promise.all(wishes.map((one) => reserveAlone(rpc, one)));
      }
    },
  });
  return async (wish) => {
    const outcome = await reserveJointly(wish);
    if (!outcome.reserved) throw new CodedError(outcome.code);
    return outcome.remaining_credits;
  };
};

/** The ledger's operation for an origin of messages. */
const operationOf: Record<MessageOrigin, ReservationWish['wish']['operation']> = {
  send: 'send',
  bulk: 'send-bulk',
  batch: 'batch',
  schedule: 'schedule',
};

/**
 * Reserves the credits of an operation's messages. When the outcome is unknown, the owner of the credits asks for this
 * operation, learns that it accepted nothing, and releases them.
 * @returns the remaining credits once all the messages are charged
 * @throws CodedError without enough credits
 */
export const reserve = (
  { reserve: reserveOne }: { reserve: Reserve },
  operation: Pick<MessageOrder, 'tenant' | 'context' | 'compilation' | 'actorId' | 'origin'>,
  messages = 1,
): Promise<number> => {
  const { tenant, context, compilation, actorId, origin } = operation;
  const wish = {
    environment: tenant.environment,
    operation_id: context.operationId,
    operation: operationOf[origin],
    template_id: compilation.template_id,
    actor_id: actorId,
    amount: messages,
  };
  return reserveOne({ organizationId: tenant.organizationId, wish, context });
};
