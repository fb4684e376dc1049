import type { PublicEventType } from '@stanza/contracts';

/** Every event that a system of yours can be told of, and when it happens. */
export const eventTypes = {
  'message.sent': 'The chat platform has accepted a message.',
  'message.failed': 'A message has failed: nothing was posted, and nothing is charged.',
  'message.unknown': 'The answer to a post was lost: it may have been posted, and is looked up.',
  'message.updated': 'The content of a sent message was replaced.',
  'message.deleted': 'A sent message was taken out of its channel.',
  'batch.failed': 'The delivery of a batch of a queue has failed.',
  'template.activated': 'A version of a template has become the live one.',
  'partial.activated': 'A version of a partial has become the live one.',
  'credits.low': 'Less than a tenth of the credits of a month is left.',
  'connection.revoked': 'The chat platform refuses the token of the connection.',
} as const satisfies Record<PublicEventType, string>;

/** The names, in the order of the documentation. */
export const eventTypeNames: readonly PublicEventType[] = [
  'message.sent',
  'message.failed',
  'message.unknown',
  'message.updated',
  'message.deleted',
  'batch.failed',
  'template.activated',
  'partial.activated',
  'credits.low',
  'connection.revoked',
];

/** The type of an event that a text names. */
export const eventTypeIn = (text: string | undefined): PublicEventType | undefined =>
  eventTypeNames.find((type) => type === text);
