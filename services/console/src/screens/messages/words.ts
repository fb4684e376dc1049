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

/** What a call was for, in words; a method without any is named. */
export const callOf = (method: string): string => calls[method] ?? method;

/** Who asked for a message: a key or a person by id, or something of the service that people have made. */
export type Requester = { kind: 'schedule' | 'queue' | 'interaction' | 'caller'; id: string };

/** The asker that an actor of the log stands for. */
export const requesterOf = (actor: string): Requester => {
  const [, kind, id] = /^(schedule|queue|interaction):(.+)$/.exec(actor) ?? [];
  if (id !== undefined && (kind === 'schedule' || kind === 'queue' || kind === 'interaction')) {
    return { kind, id };
  }
  return { kind: 'caller', id: actor };
};

/** One that is not named: few may read the keys, and members leave. The end of an id tells others apart. */
export const unknownCaller = (id: string): string => `a key or a former member (${id.slice(-8)})`;

/** Whether the platform can change a message, and the service knows how. */
export const canChange = ({
  status,
  version_id,
  visible_to,
}: Pick<Message, 'status' | 'version_id' | 'visible_to'>): { update: boolean; delete: boolean } => {
  const isThere = status === 'sent' && visible_to === undefined;
  return { update: isThere && version_id !== null, delete: isThere };
};

/** Whether a click has changed what a request had shown last. */
export const wasClicked = (revisions: readonly Pick<MessageRevision, 'kind' | 'status'>[]): boolean =>
  revisions.findLast(({ status }) => status === 'sent')?.kind === 'interaction';
