import { z } from 'zod';
import { limits } from '../limits.ts';
import { httpOperation } from '../operation.ts';
import { integerQuery, optionalIntegerQuery } from '../resources/values.ts';

const errors = ['chat_not_connected', 'chat_token_decrypt_failed', 'chat_api_error', 'rate_limited'] as const;

/** Items of a page where the caller does not say. */
const usualPage = 20;
/** Larger than any list that is kept. */
const furthest = 1_000_000;

const query = z.strictObject({
  q: z
    .string()
    .max(limits.name)
    .optional()
    .describe('part of a name, in any case, or a whole id; default: all'),
  limit: integerQuery(1, limits.page, usualPage).describe('items of the page'),
  offset: optionalIntegerQuery(0, furthest).describe('items to skip, in place of a cursor'),
  cursor: integerQuery(0, furthest, 0).describe('`next_cursor` of the previous answer'),
});

const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item),
    next_cursor: z.string().nullable().describe('null: this is the last page'),
    is_complete: z
      .boolean()
      .describe('false: the workspace has more than 10,000; those beyond are not searched'),
  });

const description =
  'The platform is asked at most once in five minutes by each process that answers; what was made since may be missing. Those whose name begins with `q` come first, then by name. The app needs the scopes of the platform that the page on connections names; without them the answer is `chat_not_connected`.';

/** A channel of the connected workspace. */
export const chatChannel = z
  .object({
    id: z.string().describe('the `channel_id` of a send'),
    name: z.string().describe('without #'),
    is_private: z.boolean(),
    is_member: z.boolean().describe('the app is in it; it can post to public channels without'),
  })
  .meta({ id: 'ChatChannel' });

/** See {@link chatChannel}. */
export type ChatChannel = z.output<typeof chatChannel>;

/** A person of the connected workspace. */
export const chatPerson = z
  .object({
    id: z.string().describe('the `recipient_chat_id` of a send'),
    name: z.string(),
    email: z.string().nullable().describe('null where the app may not see it'),
  })
  .meta({ id: 'ChatPerson' });

/** See {@link chatPerson}. */
export type ChatPerson = z.output<typeof chatPerson>;

/** Lists channels of the connected workspace. */
export const listChatChannels = httpOperation({
  id: 'list-chat-channels',
  service: 'delivery',
  summary: 'Find channels of the connected workspace by name',
  description: `${description} Archived channels are left out.`,
  method: 'GET',
  path: '/chat-connection/channels',
  access: 'messages:create',
  query,
  reply: pageOf(chatChannel),
  errors,
  deadlineMs: 15_000,
});

/** Lists people of the connected workspace. */
export const listChatPeople = httpOperation({
  id: 'list-chat-people',
  service: 'delivery',
  summary: 'Find people of the connected workspace by name or address',
  description: `${description} Bots and people who have left are left out.`,
  method: 'GET',
  path: '/chat-connection/people',
  access: 'messages:create',
  query,
  reply: pageOf(chatPerson),
  errors,
  deadlineMs: 15_000,
});
