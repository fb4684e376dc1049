import { setTimeout as pause } from 'node:timers/promises';
import { metricCatalogue } from '@stanza/contracts';
import type { Kit } from '@stanza/runtime';
import { deliverDue } from '../destinations/deliver-due.ts';
import type { DeliveryRow } from '../domain/destination-rows.ts';
import type { Parts } from '../parts.ts';
import { forgetDeliveries } from '../store/deliveries.ts';
import { claimDeliveries, countWaitingDeliveries } from '../store/delivery-attempts.ts';

/** Deliveries under way at one time in this process; each waits for its destination most of its time. */
const mostUnderWay = 64;
/** Of these, to one destination: a slow one leaves room for the others. */
const mostOfOne = 4;
/** Deliveries taken at one time. */
const takenAtOnce = 8;
/** Milliseconds after which a delivery of a process that died over it is taken by another; no attempt lasts so long. */
export const leaseMs = 75_000;
/** Milliseconds that the end of the process waits for what is under way; the rest is found by its lease. */
const patienceMs = 15_000;
/** Rows that one statement deletes. */
const chunk = 500;
const dayMs = 24 * 3_600_000;

/** Delivers to destinations what is due. Every replica does it; row locks keep them apart. */
export class DestinationDeliverer {
  readonly #parts: Parts;
  readonly #underWay = new Map<Promise<void>, string>();
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Takes as many due deliveries as there is room for, and begins with them. */
  async begin(): Promise<void> {
    const { database, clock } = this.#parts;
    while (!this.#isClosed && this.#underWay.size < mostUnderWay) {
      const now = clock.now();
      const room = Math.min(takenAtOnce, mostUnderWay - this.#underWay.size);
      const lease = new Date(now.getTime() + leaseMs);
      const rows = await claimDeliveries(database, now, lease, room, this.#busy());
      for (const row of rows) this.#start(row);
      if (rows.length < room) return;
    }
  }

  /** Waits until everything that has begun is over. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.keys());
  }

  /** Begins nothing more, and waits a while for what is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.race([this.settled(), pause(patienceMs, undefined, { ref: false })]);
  }

  #busy(): string[] {
    const counts = new Map<string, number>();
    for (const id of this.#underWay.values()) counts.set(id, (counts.get(id) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= mostOfOne).map(([id]) => id);
  }

  /** Goes on with the trace of what ordered the delivery. */
  #traced(row: DeliveryRow): Promise<void> {
    const attributes = { 'stanza.delivery_id': row.id };
    return this.#parts.tracing.entry('delivery', row.traceparent ?? undefined, attributes, () =>
      deliverDue(this.#parts, row),
    );
  }

  #start(row: DeliveryRow): void {
    const delivering = this.#traced(row)
      .catch((err: unknown) => {
        // Its lease ends by itself; until then nobody else is at it.
        this.#parts.log.error({ err, delivery_id: row.id }, 'a delivery was left');
      })
      .finally(() => this.#underWay.delete(delivering));
    this.#underWay.set(delivering, row.destination_id);
  }
}

/** Measures how many deliveries wait, and for how long. */
export const measureDeliveries = ({ database, clock, metrics }: Parts) => {
  const waiting = metrics.gauge(metricCatalogue.delivery.deliveriesWaiting);
  const age = metrics.gauge(metricCatalogue.delivery.deliveriesOldest);
  return async (): Promise<void> => {
    const { waiting: count, oldest } = await countWaitingDeliveries(database);
    waiting.set(count);
    age.set(oldest ? (clock.now().getTime() - oldest.getTime()) / 1_000 : 0);
  };
};

/** Deletes deliveries, with their payloads, that came to their end so many days ago. */
export const forgetOldDeliveries = async ({ database, clock }: Parts, days: number): Promise<void> => {
  const before = new Date(clock.now().getTime() - days * dayMs);
  while ((await forgetDeliveries(database, before, chunk)) === chunk);
};

/** Milliseconds between two looks for deliveries that are due. */
const lookMs = 200;
const measureMs = 5_000;
const forgetMs = 10 * 60_000;

/**
 * Starts to deliver what is due.
 * @param days how long ended deliveries are kept
 * @returns to be closed when the process ends
 */
export const startDeliveries = (
  parts: Parts,
  every: Kit<unknown>['every'],
  days: number,
): DestinationDeliverer => {
  const deliverer = new DestinationDeliverer(parts);
  every('deliver-to-destinations', lookMs, () => deliverer.begin());
  every('measure-deliveries', measureMs, measureDeliveries(parts));
  every('forget-deliveries', forgetMs, () => forgetOldDeliveries(parts, days));
  return deliverer;
};
