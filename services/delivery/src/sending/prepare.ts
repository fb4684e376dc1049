import { CodedError, type InputOf, type ReplyOf, renderTemplate, type sendTemplate } from '@stanza/contracts';
import type { Call, CallContext, Logger, Tenant } from '@stanza/runtime';
import { v7 as uuidv7 } from 'uuid';
import { type ChatAccess, openAccess } from '../chat/access.ts';
import type { Attempt } from '../domain/chat-outcome.ts';
import { Deadline } from '../domain/deadline.ts';
import { type Recipient, recipientOf } from '../domain/recipient.ts';
import type { Parts } from '../parts.ts';
import { findConnection } from '../store/connections.ts';

/** A message on its way, before anything is reserved or written for it. */
export interface PreparedMessage {
  id: string;
  /** Number of the message within its operation. */
  item: number;
  tenant: Tenant;
  context: CallContext;
  actorId: string;
  templateId: string;
  recipient: Recipient;
  threadTs: string | null;
  rendered: ReplyOf<typeof renderTemplate>;
  access: ChatAccess;
  /** Chosen now, so that the charge and the outcome can be written in one transaction after the post. */
  creditLogId: string;
  deadline: Deadline;
  /** The calls made for it so far. */
  journal: Attempt[];
  log: Logger;
}

/** Compiles the template. Nothing is charged or written. */
const render = async (
  parts: Parts,
  tenant: Tenant,
  context: CallContext,
  { template_id, data, strict, locale, timezone }: InputOf<typeof sendTemplate>['body'],
): Promise<ReplyOf<typeof renderTemplate>> => {
  const whose = { organization_id: tenant.organizationId, environment: tenant.environment };
  const input = { ...whose, template_id, data, strict, locale, timezone };
  const rendered = await parts.rpc.call(renderTemplate, input, context);
  if (rendered.blocks.length === 0) throw new CodedError('no_blocks_to_send');
  return rendered;
};

/**
 * Makes a message ready: compiled, and with the access to its workspace.
 * @throws CodedError when the template or the connection is no good; there is nothing to undo
 */
export const prepare = async (parts: Parts, call: Call<typeof sendTemplate>): Promise<PreparedMessage> => {
  const { tenant, context } = call;
  const { body } = call.input;
  const [rendered, connection] = await Promise.all([
    render(parts, tenant, context, body),
    findConnection(tenant, parts.database),
  ]);
  return {
    id: uuidv7(),
    item: 0,
    tenant,
    context,
    actorId: call.principal.actor.id,
    templateId: body.template_id,
    recipient: recipientOf(body),
    threadTs: body.thread_ts ?? null,
    rendered,
    access: openAccess(tenant, connection, parts.keyring),
    creditLogId: uuidv7(),
    deadline: Deadline.forCaller(parts.clock, context.deadline),
    journal: [],
    log: call.log,
  };
};
