import { CodedError, type deleteMessage, type updateMessage } from '@stanza/contracts';
import { type Call, InvariantError, newId, type ServiceContext } from '@stanza/runtime';
import type { ChatAccess } from '../chat/platform.ts';
import { recipientOf } from '../chat/recipients.ts';
import { needsSent, noSuchMessage, type PreparedChange } from './begin-change.ts';
import { compilationOf, factsOf, type MessageOrder, noId, type Revised } from './message.ts';
import type { MessageChange, MessageRow } from './message-tables.ts';
import { changeIdFrom } from './store/revisions.ts';

/** The message that a change is made of, where it is in its channel. */
export const revisedOf = (row: MessageRow, change: MessageChange): Revised => {
  needsSent(row);
  const { id, workspace_id: workspaceId, channel, message_ts: messageTs, thread_ts: threadTs } = row;
  if (channel === null || messageTs === null) throw new InvariantError('a sent message has no place');
  return { id, change, workspaceId, channel, messageTs, threadTs };
};

/** Refuses a change of a message in a workspace that the environment has no longer. */
export const needsWorkspace = ({ workspaceId }: Revised, access: ChatAccess): void => {
  if (access.workspaceId === workspaceId) return;
  throw new CodedError('chat_not_connected', {
    message: 'The environment is connected to another workspace than that of the message.',
  });
};

/**
 * The update of a message that a request asks for.
 * @throws CodedError for a message that is not there, was not sent, or has no template
 */
export const updateOrderOf = (
  dependencies: Pick<ServiceContext<unknown>, 'clock'>,
  call: Call<typeof updateMessage>,
  row: MessageRow | null,
): MessageOrder & { revises: Revised } => {
  if (!row) throw noSuchMessage();
  const revises = revisedOf(row, 'update');
  if (row.template_id === noId || row.version_id === noId) {
    throw new CodedError('invalid_state', {
      message:
        'The message was a test of blocks that are no version of a template, so that nothing can compile it anew. Send another test.',
      details: row.id,
    });
  }
  const { version, expected_revision: _, ...options } = call.input.body;
  return {
    ...orderFacts(dependencies, call, row),
    compilation: compilationOf(options, row.template_id),
    ...(version === 'same' && { test: { version_id: row.version_id } }),
    revises,
  };
};

const orderFacts = (
  dependencies: Pick<ServiceContext<unknown>, 'clock'>,
  call: Parameters<typeof factsOf>[1],
  row: MessageRow,
) => ({
  ...factsOf(dependencies, call),
  origin: 'send' as const,
  recipient: recipientOf(row),
  threadTs: row.thread_ts,
});

/** The deletion of a message that a request asks for: it compiles nothing and costs nothing. */
export const deletionOf = (
  dependencies: Pick<ServiceContext<unknown>, 'clock'>,
  call: Call<typeof deleteMessage>,
  row: MessageRow,
  access: ChatAccess,
): PreparedChange => {
  const { version_id, version_number, template_id } = row;
  const nothing = {
    blocks: [],
    text: '',
    user_name: null,
    icon_emoji: null,
    warnings: [],
    fields_truncated: 0,
  };
  return {
    ...orderFacts(dependencies, call, row),
    compilation: { template_id },
    rendered: { ...nothing, version_id, version_number },
    revises: revisedOf(row, 'delete'),
    access,
    id: changeIdFrom(newId()),
    creditLogId: newId(),
    digest: null,
    revision: 1,
    item: 0,
    fence: 0,
    journal: [],
  };
};
