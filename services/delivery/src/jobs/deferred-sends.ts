import { metricCatalogue } from '@stanza/contracts';
import type { DeferredOrigin, DeferredSendRow } from '../domain/rows.ts';
import type { Parts } from '../parts.ts';
import { type PlaceOrder, sendDeferred, tryMs } from '../sending/deferred.ts';
import { claimDeferred, countWaiting } from '../store/deferred-sends.ts';

/** Messages under way at one time in this process; each waits for the platform most of its time. */
const mostUnderWay = 16;
/** Those of one organization among them; the other places are for the next one that comes. */
const share = 12;
/** Milliseconds after which a message of a process that died over it is taken by another. */
const leaseMs = tryMs + 10_000;

/** Sends messages for which nobody waits. Every replica does it; row locks keep them apart. */
export class DeferredSender {
  readonly #parts: Parts;
  readonly #origins: Readonly<Record<DeferredOrigin, PlaceOrder>>;
  readonly #underWay = new Map<Promise<void>, string>();
  #isClosed = false;

  constructor(parts: Parts, origins: Readonly<Record<DeferredOrigin, PlaceOrder>>) {
    this.#parts = parts;
    this.#origins = origins;
  }

  /** Takes as many due messages as there is room for, and begins to send them. */
  async begin(): Promise<void> {
    const { database, clock } = this.#parts;
    while (!this.#isClosed && this.#underWay.size < mostUnderWay) {
      const now = clock.now();
      const room = mostUnderWay - this.#underWay.size;
      const leaseUntil = new Date(now.getTime() + leaseMs);
      const underWay = this.#countByOrganization();
      const rows = await claimDeferred(database, now, leaseUntil, { places: room, share, underWay });
      for (const row of rows) this.#start(row);
      if (rows.length < room) return;
    }
  }

  /** Waits until everything that has begun is over. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.keys());
  }

  /** Begins nothing more, and waits for what is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.settled();
  }

  #start(row: DeferredSendRow): void {
    const sending = this.#traced(row)
      .catch((err: unknown) => {
        // Its lease ends by itself; until then nobody else is at it.
        this.#parts.log.error({ err, operation_id: row.operation_id }, 'a deferred message was left');
      })
      .finally(() => this.#underWay.delete(sending));
    this.#underWay.set(sending, row.organization_id);
  }

  /** Goes on with the trace of what asked for the message, or begins one. */
  #traced(row: DeferredSendRow): Promise<void> {
    const attributes = { 'stanza.origin': row.origin, 'stanza.operation_id': row.operation_id };
    return this.#parts.tracing.entry('deferred send', row.traceparent ?? undefined, attributes, (current) =>
      sendDeferred(this.#parts, { ...row, traceparent: current ?? null }, this.#origins[row.origin]),
    );
  }

  #countByOrganization(): Map<string, number> {
    const organizations = [...this.#underWay.values()];
    const grouped = Map.groupBy(organizations, (organizationId) => organizationId);
    return new Map([...grouped].map(([organizationId, messages]) => [organizationId, messages.length]));
  }
}

/** Measures how many messages wait, and for how long. */
export const measureWaiting = ({ database, clock, metrics }: Parts) => {
  const waiting = metrics.gauge(metricCatalogue.delivery.deferred);
  const age = metrics.gauge(metricCatalogue.delivery.deferredOldest);
  return async (): Promise<void> => {
    const { waiting: count, oldest } = await countWaiting(database);
    waiting.set(count);
    age.set(oldest ? (clock.now().getTime() - oldest.getTime()) / 1_000 : 0);
  };
};
