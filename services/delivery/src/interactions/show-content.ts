import { CodedError } from '@stanza/contracts';
import type { CallContext, Tenant } from '@stanza/runtime';
import type { Deadline } from '../deadline.ts';
import { beginChange, noSuchMessage } from '../messages/begin-change.ts';
import { deliverChange } from '../messages/deliver-change.ts';
import { payloadOfActions } from '../messages/message-actions.ts';
import { freeChangeOf } from '../messages/requested-change.ts';
import { resolve } from '../messages/settle.ts';
import { findContent } from '../messages/store/message-contents.ts';
import { findMessage } from '../messages/store/message-log.ts';
import { conclude, isOpen, type Verdict } from '../messages/verdict.ts';
import { accessTo } from './access.ts';
import type { InteractivityDependencies } from './dependencies.ts';
import type { InteractionRow } from './interaction-tables.ts';

/** The content of a message is kept for some days only, and until the next update by its sender. */
export const contentGone = (): CodedError =>
  new CodedError('not_found', {
    message: 'The content that was clicked has expired, or an update has replaced it since.',
  });

/** The message of an interaction. One with a lost answer exists all the same: its element was used. */
const usedMessage = async (
  dependencies: InteractivityDependencies,
  tenant: Tenant,
  { message_id: id, message_ts }: InteractionRow,
) => {
  const { database } = dependencies;
  const row = await findMessage(tenant, database, id);
  if (row?.status === 'unknown') await resolve(dependencies, tenant, id, message_ts);
  const message = row?.status === 'unknown' ? await findMessage(tenant, database, id) : row;
  if (!message) throw noSuchMessage();
  if (isOpen(message)) throw new CodedError('service_unavailable', { retry_after: 1 });
  return message;
};

/** Shows the content that clicks have made of a message, as a revision of it, in its turn among the others. */
export const showContent = async (
  dependencies: InteractivityDependencies,
  {
    tenant,
    interaction,
    context,
    deadline,
  }: { tenant: Tenant; interaction: InteractionRow; context: CallContext; deadline: Deadline },
): Promise<Verdict> => {
  const { database, log } = dependencies;
  const access = await accessTo(dependencies, tenant, interaction.workspace_id);
  const message = await usedMessage(dependencies, tenant, interaction);
  const actorId = `interaction:${interaction.id}`;
  const facts = { tenant, context, actorId, originId: null, deadline, log };
  const begun = await beginChange(dependencies, freeChangeOf(facts, message, 'interaction', access), 0);
  // The operation of a try is begun once.
  if ('repeated' in begun) return { status: 'unknown' };
  const contentNow = async () => {
    const content = await findContent(tenant, database, message.id);
    if (!content) throw contentGone();
    const { blocks, text } = content;
    return { blocks, text, metadata: { event_payload: payloadOfActions(content) } };
  };
  const verdict = await deliverChange(dependencies, { ...begun.change, contentNow });
  const concluded = await conclude(dependencies, begun.change, verdict);
  dependencies.countChange('interaction', concluded);
  return concluded;
};
