import { LRUCache } from 'lru-cache';
import { upTo } from '../cache-bound.ts';
import type { Clock } from '../clock.ts';
import { isUnavailable } from '../outage.ts';
import type { CallContext } from '../rpc/context.ts';
import { newContext } from '../rpc/context.ts';

/** Milliseconds for which a grant is used without another question; an event announces its change before. */
const freshMs = 30_000;
/** Milliseconds for which a grant that was fresh is used while nobody answers. */
const staleMs = 3_600_000;
/** Milliseconds that a read may take: its caller has a deadline of its own, and must not spend all of it here. */
const deadlineMs = 1_500;
const maxOrganizations = 20_000;

/** Reads what an organization is granted. */
export type ReadGrant<T> = (organizationId: string, context: CallContext) => Promise<T>;

interface Known<T> {
  grant: T;
  readAt: number;
  isFresh: boolean;
}

/**
 * What organizations are granted, as another service says it. Work must not depend on that service, so what was
 * recently known is used while it is unavailable. Concurrent callers share a read.
 */
export class Granted<T> {
  readonly #read: ReadGrant<T>;
  readonly #clock: Clock;
  readonly #known = new LRUCache<string, Known<T>>(upTo(maxOrganizations));
  readonly #reads = new Map<string, Promise<T>>();

  constructor(read: ReadGrant<T>, clock: Clock) {
    this.#read = read;
    this.#clock = clock;
  }

  /**
   * What an organization is granted.
   * @throws RpcFailure, or CodedError `service_unavailable`, when the read fails and nothing is known
   */
  async of(organizationId: string): Promise<T> {
    const known = this.#known.get(organizationId);
    if (known?.isFresh && this.#ageOf(known) < freshMs) return known.grant;
    try {
      return await (this.#reads.get(organizationId) ?? this.#readNow(organizationId));
    } catch (error) {
      if (isUnavailable(error) && known && this.#ageOf(known) < staleMs) return known.grant;
      throw error;
    }
  }

  /** The next caller reads again, since the grant may have changed. */
  forget(organizationId: string): void {
    this.#reads.delete(organizationId);
    const known = this.#known.get(organizationId);
    if (known) known.isFresh = false;
  }

  /** Everything is read again, since changes may have been missed. */
  forgetAll(): void {
    this.#reads.clear();
    for (const known of this.#known.values()) known.isFresh = false;
  }

  #ageOf({ readAt }: Known<T>): number {
    return this.#clock.monotonic() - readAt;
  }

  /** The result of a read that was forgotten in the meantime serves its callers and is not kept. */
  #readNow(organizationId: string): Promise<T> {
    const readAt = this.#clock.monotonic();
    const isCurrent = () => this.#reads.get(organizationId) === read;
    const read = this.#read(organizationId, newContext({ deadlineMs }))
      .then((grant) => {
        if (isCurrent()) this.#known.set(organizationId, { grant, readAt, isFresh: true });
        return grant;
      })
      .finally(() => {
        if (isCurrent()) this.#reads.delete(organizationId);
      });
    this.#reads.set(organizationId, read);
    return read;
  }
}
