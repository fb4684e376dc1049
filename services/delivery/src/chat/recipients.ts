import { type ChatMethod, CodedError, locale } from '@stanza/contracts';
import { type Clock, type Logger, upTo } from '@stanza/runtime';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { Deadline } from '../deadline.ts';
import { callFailure, isFinal } from './errors.ts';
import type { GuardedCall, GuardedChat } from './guarded.ts';
import { lookUp } from './lookup.ts';
import type { Attempt, ChatAccess, ChatOutcome } from './platform.ts';
import { SharedLookups } from './shared-lookups.ts';

/** Answers of each kind kept by a process. */
const kept = 50_000;
/** Milliseconds: an address may pass to another person, a direct conversation stays the same. */
const userTtlMs = 10 * 60_000;
const channelTtlMs = 60 * 60_000;
/** Milliseconds for which a locale that could not be looked up is not asked for again: a message does without. */
const failedLocaleTtlMs = 30_000;
/** Timeout of a lookup, milliseconds; less than a send, so that its callers can still post. */
const questionMs = 12_000;

const foundUser = z.object({ user: z.object({ id: z.string().min(1) }) });
const userWithLocale = z.object({ user: z.object({ locale: z.string().default('') }) });
const openedChannel = z.object({ channel: z.object({ id: z.string().min(1) }) });

/** The caller's access, deadline and log of calls. */
export interface Asker {
  deadline: Deadline;
  log: Logger;
  messageId?: string;
  journal: Attempt[];
  /** See {@link GuardedCall}. */
  yields?: boolean;
}

const late = (): CodedError =>
  new CodedError('service_unavailable', {
    message: 'The chat platform did not resolve the recipient in time. Nothing was posted.',
    retry_after: 1,
  });

/** What the platform has not refused it may answer later, so that the message is sent as if it had not been asked. */
const failureOf = (method: ChatMethod, outcome: Exclude<ChatOutcome, { kind: 'ok' }>): CodedError => {
  const error = callFailure(method, outcome);
  return isFinal(outcome) ? error : new CodedError(error.code, { ...error.facts, nothing_done: true });
};

const read = <T>(schema: z.ZodType<T>, method: ChatMethod, outcome: ChatOutcome): T => {
  if (outcome.kind !== 'ok') throw failureOf(method, outcome);
  const parsed = schema.safeParse(outcome.data);
  if (parsed.success) return parsed.data;
  throw callFailure(method, { kind: 'ambiguous', reason: 'malformed_answer' });
};

/**
 * Finds the conversation of a recipient. Answers are cached by connection: another connection of the same workspace may
 * belong to another app, which has other direct conversations, and to another organization.
 */
export class Recipients {
  readonly #chat: GuardedChat;
  readonly #clock: Clock;
  readonly #users = new SharedLookups({ max: kept, ttlMs: userTtlMs, late });
  readonly #channels = new SharedLookups({ max: kept, ttlMs: channelTtlMs, late });
  readonly #locales = new SharedLookups({
    max: kept,
    ttlMs: userTtlMs,
    failedTtlMs: failedLocaleTtlMs,
    late,
  });
  /** By connection: that of an app without the scope is asked once, and not for each recipient. */
  readonly #refusedLocales = new LRUCache<string, CodedError>({ ...upTo(5_000), ttl: failedLocaleTtlMs });

  constructor(chat: GuardedChat, clock: Clock) {
    this.#chat = chat;
    this.#clock = clock;
  }

  /** @throws CodedError when the recipient is unknown or the lookup failed; nothing was posted */
  async channelOf(access: ChatAccess, recipient: Recipient, asker: Asker): Promise<string> {
    if ('channel_id' in recipient) return recipient.channel_id;
    const user =
      'recipient_chat_id' in recipient
        ? recipient.recipient_chat_id
        : await this.userOf(access, recipient.recipient_email, asker);
    return this.#directChannel(access, user, asker);
  }

  /** The conversation of a recipient, where it is known without a call to the platform. */
  known(access: ChatAccess, recipient: Recipient): string | undefined {
    if ('channel_id' in recipient) return recipient.channel_id;
    const user =
      'recipient_chat_id' in recipient
        ? recipient.recipient_chat_id
        : this.#users.peek(emailKey(access, recipient.recipient_email));
    return user === undefined ? undefined : this.#channels.peek(`${access.connectionId} ${user}`);
  }

  /** Drops the cached answers about a recipient whose conversation no longer exists. */
  forget(access: ChatAccess, recipient: Recipient): void {
    if ('channel_id' in recipient) return;
    if ('recipient_chat_id' in recipient) {
      this.#channels.forget(`${access.connectionId} ${recipient.recipient_chat_id}`);
      return;
    }
    const key = emailKey(access, recipient.recipient_email);
    const user = this.#users.peek(key);
    this.#users.forget(key);
    if (user !== undefined) this.#channels.forget(`${access.connectionId} ${user}`);
  }

  /**
   * The chat user of an address.
   * @throws CodedError `chat_user_not_found` without one, or that of a failed lookup; nothing was posted
   */
  userOf(access: ChatAccess, email: string, asker: Asker): Promise<string> {
    return this.#users.get(emailKey(access, email), asker.deadline, async () => {
      const outcome = await this.#ask('users.lookupByEmail', { email }, access, asker);
      return read(foundUser, 'users.lookupByEmail', outcome).user.id;
    });
  }

  /**
   * The locale of a recipient's account; undefined for a channel, or where the platform says none that is known here.
   * @throws CodedError of a failed lookup; nothing was posted
   */
  async localeOf(access: ChatAccess, recipient: Recipient, asker: Asker): Promise<string | undefined> {
    if ('channel_id' in recipient) return undefined;
    const refusal = this.#refusedLocales.get(access.connectionId);
    if (refusal) throw refusal;
    const user =
      'recipient_chat_id' in recipient
        ? recipient.recipient_chat_id
        : await this.userOf(access, recipient.recipient_email, asker);
    const said = await this.#locales.get(`${access.connectionId} ${user}`, asker.deadline, async () => {
      const outcome = await this.#ask('users.info', { user, include_locale: 'true' }, access, asker);
      if (outcome.kind === 'refused') this.#keepRefusal(access, callFailure('users.info', outcome));
      return read(userWithLocale, 'users.info', outcome).user.locale;
    });
    return locale.safeParse(said).data;
  }

  #keepRefusal({ connectionId }: ChatAccess, error: CodedError): void {
    if (error.code === 'chat_not_connected') this.#refusedLocales.set(connectionId, error);
  }

  #directChannel(access: ChatAccess, user: string, asker: Asker): Promise<string> {
    return this.#channels.get(`${access.connectionId} ${user}`, asker.deadline, async () => {
      const outcome = await this.#ask('conversations.open', { users: user }, access, asker);
      return read(openedChannel, 'conversations.open', outcome).channel.id;
    });
  }

  #ask(
    method: ChatMethod,
    args: Record<string, string>,
    { token, workspaceId }: ChatAccess,
    { log, messageId, journal, yields }: Asker,
  ): Promise<ChatOutcome> {
    const call: Omit<GuardedCall, 'timeoutMs'> = {
      method,
      args,
      token,
      workspaceId,
      log,
      ...(messageId !== undefined && { messageId }),
      ...(yields !== undefined && { yields }),
    };
    return lookUp(this.#chat, call, Deadline.in(this.#clock, questionMs), journal);
  }
}

const emailKey = (access: ChatAccess, email: string): string =>
  `${access.connectionId} ${email.trim().toLowerCase()}`;

/** The recipient of a message, as given. */
export type Recipient = { channel_id: string } | { recipient_email: string } | { recipient_chat_id: string };

/** The three forms of a recipient, of which a request gives exactly one. */
export interface RecipientForms {
  channel_id?: string | null | undefined;
  recipient_email?: string | null | undefined;
  recipient_chat_id?: string | null | undefined;
}

/** The recipient with its given form only. */
export type RecipientNames = { [K in keyof RecipientForms]?: string };

/** The given form. */
export const recipientOf = (forms: RecipientForms): Recipient => {
  if (typeof forms.channel_id === 'string') return { channel_id: forms.channel_id };
  if (typeof forms.recipient_email === 'string') return { recipient_email: forms.recipient_email };
  return { recipient_chat_id: forms.recipient_chat_id ?? '' };
};

/** The given form of a stored message. */
export const namedDestinationOf = (forms: RecipientForms): RecipientNames => ({
  ...(typeof forms.channel_id === 'string' && { channel_id: forms.channel_id }),
  ...(typeof forms.recipient_email === 'string' && { recipient_email: forms.recipient_email }),
  ...(typeof forms.recipient_chat_id === 'string' && { recipient_chat_id: forms.recipient_chat_id }),
});
