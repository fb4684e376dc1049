import type { InputOf, sendTemplate } from '@stanza/contracts';
import type { Call, CallContext, Logger, Tenant } from '@stanza/runtime';
import { Deadline } from '../domain/deadline.ts';
import { type Recipient, recipientOf } from '../domain/recipient.ts';
import type { MessageOrigin } from '../domain/rows.ts';
import type { Parts } from '../parts.ts';

/** How a message is compiled. */
export type Compilation = Pick<
  InputOf<typeof sendTemplate>['body'],
  'template_id' | 'data' | 'strict' | 'locale' | 'timezone'
> & {
  /** The moment whose live version is meant, RFC 3339; now unless given. */
  live_at?: string;
};

/** A message that somebody wants sent. */
export interface MessageOrder {
  tenant: Tenant;
  /** Its operation id is what makes the message happen once. */
  context: CallContext;
  actorId: string;
  origin: MessageOrigin;
  originId: string | null;
  compilation: Compilation;
  recipient: Recipient;
  threadTs: string | null;
  deadline: Deadline;
  log: Logger;
}

/** The order of a request to send one message. */
export const orderOf = (parts: Pick<Parts, 'clock'>, call: Call<typeof sendTemplate>): MessageOrder => {
  const { tenant, context, principal, log } = call;
  const { template_id, data, strict, locale, timezone, thread_ts } = call.input.body;
  return {
    tenant,
    context,
    actorId: principal.actor.id,
    origin: 'send',
    originId: null,
    compilation: { template_id, data, strict, locale, timezone },
    recipient: recipientOf(call.input.body),
    threadTs: thread_ts ?? null,
    deadline: Deadline.forCaller(parts.clock, context.deadline),
    log,
  };
};
