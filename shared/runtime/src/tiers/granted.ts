import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { isUnavailable } from '../outage.ts';
import type { CallContext } from '../rpc/context.ts';
import { newContext } from '../rpc/context.ts';

/** Milliseconds for which a grant is used without another question; an event announces its change before. */
const freshMs = 30_000;
/** Milliseconds for which a grant that was fresh is used while nobody answers. */
const staleMs = 3_600_000;
/**
 * Milliseconds that a question may take: whoever waits for it has a deadline of its own, and must not lose all of it
 * here.
 */
const askMs = 1_500;
const mostOrganizations = 20_000;

/** Asks what an organization is granted. */
export type AskGrant<T> = (organizationId: string, context: CallContext) => Promise<T>;

interface Known<T> {
  grant: T;
  askedAt: number;
  isFresh: boolean;
}

/**
 * What organizations are granted, as another service says it. Work must not depend on that service, so what was
 * recently known is used while it is unavailable. Callers who ask at one time share a question.
 */
export class Granted<T> {
  readonly #ask: AskGrant<T>;
  readonly #clock: Clock;
  readonly #known = new LRUCache<string, Known<T>>({ max: mostOrganizations });
  readonly #questions = new Map<string, Promise<T>>();

  constructor(ask: AskGrant<T>, clock: Clock) {
    this.#ask = ask;
    this.#clock = clock;
  }

  /**
   * What an organization is granted.
   * @throws RpcFailure, or CodedError `service_unavailable`, where nobody answers and nothing is known
   */
  async of(organizationId: string): Promise<T> {
    const known = this.#known.get(organizationId);
    if (known?.isFresh && this.#ageOf(known) < freshMs) return known.grant;
    try {
      return await (this.#questions.get(organizationId) ?? this.#question(organizationId));
    } catch (error) {
      if (isUnavailable(error) && known && this.#ageOf(known) < staleMs) return known.grant;
      throw error;
    }
  }

  /** Has the next caller ask again, since the grant may have changed. */
  forget(organizationId: string): void {
    this.#questions.delete(organizationId);
    const known = this.#known.get(organizationId);
    if (known) known.isFresh = false;
  }

  /** Has all be asked again, since changes may have been missed. */
  forgetAll(): void {
    this.#questions.clear();
    for (const known of this.#known.values()) known.isFresh = false;
  }

  #ageOf({ askedAt }: Known<T>): number {
    return this.#clock.monotonic() - askedAt;
  }

  /** The answer to a question that was forgotten in the meantime serves its callers and is not kept. */
  #question(organizationId: string): Promise<T> {
    const askedAt = this.#clock.monotonic();
    const isCurrent = () => this.#questions.get(organizationId) === question;
    const question = this.#ask(organizationId, newContext({ deadlineMs: askMs }))
      .then((grant) => {
        if (isCurrent()) this.#known.set(organizationId, { grant, askedAt, isFresh: true });
        return grant;
      })
      .finally(() => {
        if (isCurrent()) this.#questions.delete(organizationId);
      });
    this.#questions.set(organizationId, question);
    return question;
  }
}
