import type { ChatChannel, ChatPerson } from '@stanza/contracts';
import type { Destination } from '../test-send/targets.ts';

/** Where a message goes, and who sees it there. */
export interface Recipient {
  readonly destination: Destination;
  /** `#deploys`, `Ada Lovelace`. */
  readonly label: string;
  /** Who will read it, as a sentence. */
  readonly audience: string;
  /** Why it may not arrive. */
  readonly doubt?: string;
}

/** Kinds of recipients. */
export const kinds = ['channel', 'person'] as const;

/** See {@link kinds}. */
export type Kind = (typeof kinds)[number];

/** What is to be known of a channel before it is chosen. */
export const noteOfChannel = ({ is_private, is_member }: ChatChannel): string =>
  [is_private && 'private', !is_member && 'the app is not in it'].filter(Boolean).join(', ');

/** A message to a channel. */
export const recipientOfChannel = ({ id, name, is_private, is_member }: ChatChannel): Recipient => {
  const audience = is_private
    ? `The members of the private channel #${name} see it.`
    : `Everybody in #${name} sees it.`;
  const doubt =
    'The app is not in it: if a message is refused, a member of the channel adds the app there with /invite.';
  return {
    ...(!is_member && { doubt }),
    destination: { channel_id: id },
    label: `#${name}`,
    audience: is_member ? audience : `${audience} ${doubt}`,
  };
};

/** A direct message. */
export const recipientOfPerson = ({ id, name }: ChatPerson): Recipient => ({
  destination: { recipient_chat_id: id },
  label: name,
  audience: `${name} sees it, as a direct message.`,
});

/** A recipient whose name is not known: where the workspace cannot be searched, and of an earlier message. */
export const recipientOf = ({ channel_id, recipient_email, recipient_chat_id }: Destination): Recipient => {
  const label = channel_id ?? recipient_email ?? recipient_chat_id ?? '';
  return {
    // What has a destination may be more than that: a queue, or a schedule.
    destination: {
      ...(channel_id != null && { channel_id }),
      ...(recipient_email != null && { recipient_email }),
      ...(recipient_chat_id != null && { recipient_chat_id }),
    },
    label,
    audience: channel_id
      ? `Everybody in the channel ${label} sees it.`
      : `${label} sees it, as a direct message.`,
  };
};

/** What was typed in place of a name: an address, or an id. */
export const recipientTyped = (kind: Kind, text: string): Recipient | undefined => {
  const typed = text.trim();
  if (typed === '') return undefined;
  if (kind === 'channel') return recipientOf({ channel_id: typed });
  return recipientOf(typed.includes('@') ? { recipient_email: typed } : { recipient_chat_id: typed });
};

/** What a recipient is. */
export const kindOf = ({ destination }: Recipient): Kind =>
  typeof destination.channel_id === 'string' ? 'channel' : 'person';
