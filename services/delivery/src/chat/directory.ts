import { type ChatChannel, type ChatMethod, type ChatPerson, CodedError } from '@stanza/contracts';
import type { Clock, Logger } from '@stanza/runtime';
import { z } from 'zod';
import { Deadline } from '../deadline.ts';
import { callFailure } from './errors.ts';
import type { GuardedChat } from './guarded.ts';
import { lookUp } from './lookup.ts';
import type { ChatAccess } from './platform.ts';
import { SharedLookups } from './shared-lookups.ts';

/** Channels or people of a workspace, by name. */
export interface Listed<Item> {
  readonly items: readonly Item[];
  /** False where the workspace has more than are read. */
  readonly isComplete: boolean;
}

/** Items of a page of the platform, at most. */
const pageItems = 1_000;
/** More pages would take the platform's calls of half a minute. */
const maxPages = 10;
/** Items of all lists that a process keeps, some 100 bytes each. */
const keptItems = 200_000;
const ttlMs = 5 * 60_000;
/** Timeout of reading a whole list, milliseconds. */
const readingMs = 14_000;

const metadata = z.object({ next_cursor: z.string().default('') }).default({ next_cursor: '' });

const channelPage = z
  .object({
    channels: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        is_private: z.boolean().default(false),
        is_member: z.boolean().default(false),
      }),
    ),
    response_metadata: metadata,
  })
  .transform(({ channels, response_metadata }) => ({
    items: channels,
    next: response_metadata.next_cursor,
  }));

const peoplePage = z
  .object({
    members: z.array(
      z.object({
        id: z.string(),
        deleted: z.boolean().default(false),
        is_bot: z.boolean().default(false),
        name: z.string().default(''),
        real_name: z.string().default(''),
        profile: z.object({ email: z.string().optional() }).default({}),
      }),
    ),
    response_metadata: metadata,
  })
  .transform(({ members, response_metadata }) => ({
    items: members
      .filter(({ deleted, is_bot }) => !deleted && !is_bot)
      .map(({ id, name, real_name, profile }) => ({
        id,
        name: real_name || name || id,
        email: profile.email ?? null,
      })),
    next: response_metadata.next_cursor,
  }));

const late = (): CodedError =>
  new CodedError('service_unavailable', {
    message: 'The chat platform did not list the workspace in time.',
    retry_after: 1,
  });

interface Kind<Item> {
  method: ChatMethod;
  args: Record<string, string>;
  page: z.ZodType<{ items: Item[]; next: string }>;
}

const channelKind: Kind<ChatChannel> = {
  method: 'conversations.list',
  args: { types: 'public_channel,private_channel', exclude_archived: 'true' },
  page: channelPage,
};

const peopleKind: Kind<ChatPerson> = { method: 'users.list', args: {}, page: peoplePage };

const options = { max: keptItems, ttlMs, late, sizeOf: ({ items }: Listed<unknown>) => items.length + 1 };

/**
 * The channels and people of workspaces by name. A list is read as a whole, since the platform searches neither, and kept
 * for a while by connection: another connection of the workspace may see other private channels.
 */
export class ChatDirectory {
  readonly #chat: GuardedChat;
  readonly #clock: Clock;
  readonly #channels = new SharedLookups<Listed<ChatChannel>>(options);
  readonly #people = new SharedLookups<Listed<ChatPerson>>(options);

  constructor(chat: GuardedChat, clock: Clock) {
    this.#chat = chat;
    this.#clock = clock;
  }

  /** @throws CodedError where the platform refuses, fails or is late */
  channels(access: ChatAccess, deadline: Deadline, log: Logger): Promise<Listed<ChatChannel>> {
    return this.#channels.get(access.connectionId, deadline, () => this.#read(channelKind, access, log));
  }

  /** @throws CodedError where the platform refuses, fails or is late */
  people(access: ChatAccess, deadline: Deadline, log: Logger): Promise<Listed<ChatPerson>> {
    return this.#people.get(access.connectionId, deadline, () => this.#read(peopleKind, access, log));
  }

  async #read<Item extends { name: string }>(
    { method, args, page }: Kind<Item>,
    { token, workspaceId }: ChatAccess,
    log: Logger,
  ): Promise<Listed<Item>> {
    const deadline = Deadline.in(this.#clock, readingMs);
    const items: Item[] = [];
    let cursor = '';
    for (let pages = 0; pages < maxPages; pages += 1) {
      const asked = { ...args, limit: String(pageItems), ...(cursor !== '' && { cursor }) };
      const call = { method, args: asked, token, workspaceId, log };
      const outcome = await lookUp(this.#chat, call, deadline, []);
      if (outcome.kind !== 'ok') throw callFailure(method, outcome);
      const read = page.safeParse(outcome.data);
      if (!read.success) throw callFailure(method, { kind: 'ambiguous', reason: 'malformed_answer' });
      items.push(...read.data.items);
      cursor = read.data.next;
      if (cursor === '') break;
    }
    return {
      items: items.sort((one, other) => one.name.localeCompare(other.name)),
      isComplete: cursor === '',
    };
  }
}

/** A page of what a search finds in a list, by text or by a whole id: those that begin with the text come first. */
export const searchListed = <Item extends { id: string; name: string }>(
  { items, isComplete }: Listed<Item>,
  { q = '', limit, cursor }: { q?: string | undefined; limit: number; cursor: number },
  textOf: (item: Item) => string = ({ name }) => name,
): { data: Item[]; next_cursor: string | null; is_complete: boolean } => {
  const word = q.trim().replace(/^[#@]/, '').toLowerCase();
  const found = items.filter(
    (item) => textOf(item).toLowerCase().includes(word) || item.id.toLowerCase() === word,
  );
  const begins = (item: Item): boolean => item.name.toLowerCase().startsWith(word);
  const sorted = [...found.filter(begins), ...found.filter((item) => !begins(item))];
  const next = cursor + limit;
  return {
    data: sorted.slice(cursor, next),
    next_cursor: next < sorted.length ? String(next) : null,
    is_complete: isComplete,
  };
};
