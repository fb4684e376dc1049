import type { CodedError, MentionedPeople } from '@stanza/contracts';
import { toCodedError, upTo } from '@stanza/runtime';
import { LRUCache } from 'lru-cache';
import type { ChatAccess } from './platform.ts';
import type { Asker, Recipients } from './recipients.ts';

/** Answers of each kind kept by a process. */
const kept = 50_000;
/** Milliseconds for which an address without a person is not looked up again; a send to that person always is. */
const unknownTtlMs = 5 * 60_000;
/** Milliseconds without look-ups after the platform has refused one to the app or its token. */
const refusedTtlMs = 60_000;

/** The people of addresses. */
export interface FoundPeople {
  /** Without those whose look-up failed. */
  people: MentionedPeople;
  /** The first failure. */
  failure: CodedError | undefined;
}

/**
 * Finds the people whom messages mention by e-mail, in the workspace of a connection alone. A mention is no reason to lose
 * a message: a failed look-up is a part of the answer. Found people are those of {@link Recipients}, with their cache.
 */
export class PeopleByEmail {
  readonly #recipients: Pick<Recipients, 'userOf'>;
  readonly #unknown = new LRUCache<string, true>({ ...upTo(kept), ttl: unknownTtlMs });
  readonly #refused = new LRUCache<string, CodedError>({ ...upTo(kept), ttl: refusedTtlMs });

  constructor(recipients: Pick<Recipients, 'userOf'>) {
    this.#recipients = recipients;
  }

  /** Looks addresses up, all at once. Never rejects. */
  async find(access: ChatAccess, emails: readonly string[], asker: Asker): Promise<FoundPeople> {
    const found = await Promise.all(
      emails.map(async (email) => ({ email, person: await this.#personOf(access, email, asker) })),
    );
    const people: MentionedPeople = {};
    let failure: CodedError | undefined;
    for (const { email, person } of found) {
      if (person === null || typeof person === 'string') people[email] = person;
      else failure ??= person;
    }
    return { people, failure };
  }

  async #personOf(access: ChatAccess, email: string, asker: Asker): Promise<string | null | CodedError> {
    const { connectionId } = access;
    const refused = this.#refused.get(connectionId);
    if (refused) return refused;
    const key = `${connectionId} ${email}`;
    if (this.#unknown.has(key)) return null;
    try {
      return await this.#recipients.userOf(access, email, asker);
    } catch (err) {
      const error = toCodedError(err);
      if (error.code === 'internal_error') asker.log.error({ err }, 'a mention lookup failed unexpectedly');
      if (error.code === 'chat_not_connected') this.#refused.set(connectionId, error);
      if (error.code !== 'chat_user_not_found') return error;
      this.#unknown.set(key, true);
      return null;
    }
  }
}
