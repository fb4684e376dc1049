import type { sendBulk, sendTemplate } from '@stanza/contracts';
import type { Call } from '@stanza/runtime';
import { Deadline } from '../deadline.ts';
import type { Dependencies } from '../dependencies.ts';
import type { BulkOrder, Compilation, MessageOrder } from './message.ts';
import { recipientOf } from './recipient.ts';

type SendCall = Call<typeof sendTemplate>;
type BulkCall = Call<typeof sendBulk>;

const compilationOf = ({ template_id, data, strict, locale, timezone }: Compilation): Compilation => ({
  template_id,
  data,
  strict,
  locale,
  timezone,
});

const factsOf = (
  { clock }: Pick<Dependencies, 'clock'>,
  call: Pick<SendCall, 'tenant' | 'context' | 'principal' | 'log'>,
) => ({
  tenant: call.tenant,
  context: call.context,
  actorId: call.principal.actor.id,
  originId: null,
  deadline: Deadline.forCaller(clock, call.context.deadline),
  log: call.log,
});

/** The order of a request to send one message. */
export const orderOf = (dependencies: Pick<Dependencies, 'clock'>, call: SendCall): MessageOrder => {
  const { body } = call.input;
  return {
    ...factsOf(dependencies, call),
    origin: 'send',
    compilation: compilationOf(body),
    recipient: recipientOf(body),
    threadTs: body.thread_ts ?? null,
  };
};

/** The order of a request to send to many. */
export const bulkOrderOf = (dependencies: Pick<Dependencies, 'clock'>, call: BulkCall): BulkOrder => {
  const { body } = call.input;
  return {
    ...factsOf(dependencies, call),
    origin: 'bulk',
    compilation: compilationOf(body),
    recipients: body.destinations.map(recipientOf),
    threadTs: null,
  };
};
