import { z } from 'zod';
import { limits } from '../limits.ts';
import { id } from './values.ts';

/** What a send with a key does where the key has a message in the conversation. */
export const onExistingChoices = ['update', 'reply', 'skip', 'post'] as const;

/** See {@link onExistingChoices}. */
export type OnExisting = (typeof onExistingChoices)[number];

/** The name of a message, as the sender gives it. */
export const messageKey = z.string().min(1).max(limits.messageKey);

/** The key of the message of a live batch. */
export const batchMessageKey = (batchId: string): string => `batch:${batchId}`;

const isOfBatch = (key: string): boolean => /^batch:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(key);

/** The options of each message of a request. */
export const messageOptions = {
  reply_to: id.optional().describe('a message of yours: this one goes into its thread'),
  visible_to: z
    .string()
    .min(1)
    .max(255)
    .describe(
      'chat id of the one person of `channel_id` who sees the message: it is neither updated nor deleted, and its elements do nothing',
    )
    .meta({ id: 'VisibleTo' })
    .optional(),
  message_key: messageKey
    .refine(
      (key) => !isOfBatch(key),
      '`batch:` with an id names the message of a live digest; take another key',
    )
    .describe(
      'your own name for the message. A key has one message in a conversation, for 90 days after its last change',
    )
    .meta({ id: 'MessageKey' })
    .optional(),
  on_existing: z
    .enum(onExistingChoices)
    .describe(
      'where `message_key` has a message there: `update` it (default), `reply` in its thread, `skip` it, or `post` a new one that takes the key',
    )
    .meta({ id: 'OnExisting' })
    .optional(),
};

/** The options that the messages of a request have in common. */
export const postOptions = {
  reply_broadcast: z.boolean().optional().describe('a reply is shown in the channel too'),
  unfurl_links: z
    .boolean()
    .optional()
    .describe('whether links to texts unfold; without it the platform decides'),
  unfurl_media: z
    .boolean()
    .optional()
    .describe('whether links to media unfold; without it the platform decides'),
};

type Options = { [K in keyof typeof messageOptions]?: unknown } & {
  thread_ts?: unknown;
  reply_broadcast?: unknown;
  channel_id?: unknown;
};

type Reply = Pick<Options, 'thread_ts' | 'reply_to' | 'on_existing'>;

/** Whether a message goes into a thread, or does where its key has a message. */
export const isReply = ({ thread_ts, reply_to, on_existing }: Reply): boolean =>
  thread_ts !== undefined || reply_to !== undefined || on_existing === 'reply';

/** Refuses to show replies in the channel too where none of these messages is one. */
export const areRepliesShown = (
  shown: unknown,
  messages: readonly Reply[],
  context: Pick<z.core.$RefinementCtx, 'addIssue'>,
): void => {
  if (shown !== true || messages.some(isReply)) return;
  const message = 'needs a reply_to or thread_ts';
  context.addIssue({ code: 'custom', path: ['reply_broadcast'], message });
};

/** Refuses options that contradict each other. */
export const areMessageOptions = (given: Options, context: Pick<z.core.$RefinementCtx, 'addIssue'>): void => {
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  const { reply_to, thread_ts, visible_to, message_key, on_existing, reply_broadcast, channel_id } = given;
  if (reply_to !== undefined && thread_ts !== undefined) refuse('reply_to', 'give it or thread_ts, not both');
  if (on_existing !== undefined && message_key === undefined) refuse('on_existing', 'needs a message_key');
  areRepliesShown(reply_broadcast, [given], context);
  if (visible_to === undefined) return;
  if (typeof channel_id !== 'string')
    refuse('visible_to', 'needs the channel_id of a channel of that person');
  if (message_key !== undefined) {
    refuse('message_key', 'names what can be updated; a message that is visible to one person cannot');
  }
  if (reply_broadcast === true) refuse('reply_broadcast', 'shows a reply to all; visible_to to one person');
};
