import type { Message, MessageRevision } from '@stanza/contracts';

/** What a call to the chat platform was for. */
const calls: Readonly<Record<string, string>> = {
  'chat.postMessage': 'Post the message',
  'chat.postEphemeral': 'Show the message to one person',
  'chat.update': 'Replace the message',
  'chat.delete': 'Delete the message',
  'conversations.open': 'Open the direct conversation',
  'conversations.history': 'Look for the message in its channel',
  'conversations.replies': 'Look for the message in its thread',
  'users.lookupByEmail': 'Find the person by address',
};

/** What came of a call, and of a message, by the platform's word for it. */
const reasons: Readonly<Record<string, string>> = {
  ok: 'done',
  channel_not_found: 'there is no such channel, or the app is not in it',
  not_in_channel: 'the app is not in the channel; invite it there',
  is_archived: 'the channel is archived',
  users_not_found: 'nobody in the workspace has this address',
  user_not_found: 'nobody in the workspace has this id',
  message_not_found: 'the message is no longer in its channel',
  cant_update_message: 'the platform does not let the app change this message',
  cant_delete_message: 'the platform does not let the app delete this message',
  edit_window_closed: 'the workspace no longer allows the message to be changed',
  ratelimited: 'the platform asked to wait',
  invalid_auth: 'the platform refuses the token; connect the workspace again',
  token_revoked: 'the token was revoked; connect the workspace again',
  account_inactive: 'the workspace or the app is no longer active',
  missing_scope: 'the token does not allow it; connect the workspace again',
  invalid_blocks: 'the platform does not take the blocks',
  msg_too_long: 'the message is too long for the platform',
};

/** What a call was for, in words; a method without any is named. */
export const callOf = (method: string): string => calls[method] ?? method;

/** A word of the platform as a sentence; one that is not known is shown as it is. */
export const reasonOf = (word: string): string => {
  const bare = word.replace(/^"(.*)"$/, '$1');
  return reasons[bare] ?? bare.replaceAll('_', ' ');
};

/** Who asked for a message: a key or a person by id, or something of the service that people have made. */
export type Asker = { kind: 'schedule' | 'queue' | 'interaction' | 'caller'; id: string };

/** The asker that an actor of the log stands for. */
export const askerOf = (actor: string): Asker => {
  const [, kind, id] = /^(schedule|queue|interaction):(.+)$/.exec(actor) ?? [];
  if (id !== undefined && (kind === 'schedule' || kind === 'queue' || kind === 'interaction')) {
    return { kind, id };
  }
  return { kind: 'caller', id: actor };
};

/** Whether the platform can change a message, and the service knows how. */
export const canChange = ({
  status,
  template_id,
  visible_to,
}: Pick<Message, 'status' | 'template_id' | 'visible_to'>): { update: boolean; delete: boolean } => {
  const isThere = status === 'sent' && visible_to === undefined;
  return { update: isThere && template_id !== null, delete: isThere };
};

/** Whether a click has changed what a request had shown last. */
export const wasClicked = (revisions: readonly Pick<MessageRevision, 'kind' | 'status'>[]): boolean =>
  revisions.findLast(({ status }) => status === 'sent')?.kind === 'interaction';
