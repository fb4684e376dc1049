import { z } from 'zod';
import { internalOperation } from '../operation.ts';
import { id, timestamp } from '../resources/values.ts';

/** A conversation, or one thread of it, to which messages were posted. */
const postingPlace = z.object({
  workspace_id: z.string().min(1),
  channel: z.string().min(1),
  thread_ts: z.string().nullable().describe('null for the conversation itself, whose history has no replies'),
});

/** See {@link postingPlace}. */
export type PostingChannel = z.output<typeof postingPlace>;

/** Conversations and threads to which the log knows a post of the week before a moment, or later. */
export const listPostingChannels = internalOperation({
  id: 'list-posting-channels',
  service: 'delivery',
  readOnly: true,
  summary: 'List the conversations and threads that messages were posted to',
  callers: ['admin'],
  input: z.object({
    since: timestamp,
    after: postingPlace.optional().describe('the last one of the page before'),
    limit: z.int().min(1).max(1000).default(500),
  }),
  reply: z.object({ places: z.array(postingPlace) }),
  deadlineMs: 15_000,
});

/** Reads a page of the platform's history and compares it with the log. */
export const listUnloggedPosts = internalOperation({
  id: 'list-unlogged-posts',
  service: 'delivery',
  readOnly: true,
  summary: 'List the posts of a conversation that the log of messages lacks',
  callers: ['admin'],
  input: postingPlace.extend({
    since: timestamp,
    cursor: z.string().optional().describe('`next_cursor` of the page before'),
  }),
  reply: z.object({
    posts: z.int().describe('posts of Stanza on this page'),
    unlogged: z.array(
      z.object({
        message_id: id.describe('the key in the metadata of the post'),
        message_ts: z.string(),
        posted_at: timestamp,
      }),
    ),
    next_cursor: z.string().nullable(),
    unreadable: z.string().nullable().describe('why the page could not be read'),
    retry_after: z.int().nullable().describe('seconds after which the same page can be read'),
  }),
  deadlineMs: 15_000,
});
