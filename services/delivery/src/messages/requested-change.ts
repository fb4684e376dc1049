import { CodedError, type updateMessage } from '@stanza/contracts';
import { type Call, newId, type ServiceContext } from '@stanza/runtime';
import type { ChatAccess } from '../chat/platform.ts';
import { recipientOf } from '../chat/recipients.ts';
import { needsSent, needsWorkspace, noSuchMessage } from './begin-change.ts';
import {
  compilationOf,
  factsOf,
  type MessageOrder,
  noId,
  type PreparedChange,
  type Revised,
} from './message.ts';
import type { MessageChange, MessageRow } from './message-tables.ts';
import { changeIdFrom } from './store/revisions.ts';

/** The message that a change is made of, where it is in its channel. */
export const revisedOf = (row: MessageRow, change: MessageChange): Revised => {
  needsSent(row);
  const { id, workspace_id: workspaceId, thread_ts: threadTs } = row;
  return { id, change, workspaceId, threadTs };
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
    ...orderFacts(factsOf(dependencies, call), row),
    compilation: compilationOf(options, row.template_id),
    ...(version === 'same' && { test: { version_id: row.version_id } }),
    revises,
  };
};

type Facts = Pick<MessageOrder, 'tenant' | 'context' | 'actorId' | 'originId' | 'deadline' | 'log'>;

const orderFacts = (facts: Facts, row: MessageRow) => ({
  ...facts,
  origin: 'send' as const,
  recipient: recipientOf(row),
  threadTs: row.thread_ts,
});

/** A change that compiles nothing and costs nothing: a deletion, or what a click makes of a message. */
export const freeChangeOf = (
  facts: Facts,
  row: MessageRow,
  change: Exclude<MessageChange, 'update'>,
  access: ChatAccess,
): PreparedChange => {
  const revises = revisedOf(row, change);
  needsWorkspace(revises, access);
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
    ...orderFacts(facts, row),
    compilation: { template_id },
    rendered: { ...nothing, version_id, version_number },
    revises,
    access,
    id: changeIdFrom(newId()),
    creditLogId: newId(),
    contentDigest: null,
    revision: 1,
    item: 0,
    fence: 0,
    journal: [],
  };
};
