import { JetStreamApiCodes, JetStreamApiError, jetstream } from '@nats-io/jetstream';
import {
  doneSubjectOf,
  messageDeclarations,
  metricCatalogue,
  type ServiceName,
  workSubjectOf,
} from '@stanza/contracts';
import { z } from 'zod';
import { coalesce } from '../coalescer.ts';
import type { Database } from '../database/database.ts';
import { statement } from '../database/statement.ts';
import type { Broker } from '../nats/broker.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { encodeFacts } from './message.ts';

/** Rows published at one time. */
const batchSize = 100;
/** Milliseconds that JetStream may take to acknowledge. */
const publishTimeoutMs = 3_000;
/** What JetStream answers when the stream still holds a message of the subject; it has a code with the number and one without. */
const wrongLastSequence: readonly number[] = [
  JetStreamApiCodes.StreamWrongLastSequence,
  JetStreamApiCodes.StreamWrongLastSequenceUnknown,
];

/** Delays of publishing again, milliseconds. */
export interface RelayDelays {
  /** After this time an event that was not acknowledged is published again. */
  eventMs: number;
  /** After this time work that is not reported done is published again; doubled with each attempt. */
  workMs: number;
  /** The longest delay of work. */
  workMaxMs: number;
}

/**
 * Work must be done within a minute once everything runs again, so the longest delay is half of that; a consumer that
 * is away costs two messages a minute for each piece of outstanding work.
 */
export const relayDelays: RelayDelays = { eventMs: 5_000, workMs: 5_000, workMaxMs: 30_000 };

interface DueRow {
  id: string;
  kind: 'event' | 'work';
  subject: string;
  payload: string;
  traceparent: string | null;
  attempt: number;
}

// Claimed by moving the due time, not by a lock held while NATS is asked: a relay that dies loses only the delay.
const claimDue = statement<DueRow>(
  'outbox-claim',
  `with due as (
     select id
     from outbox
     where due_at <= now()
     order by due_at
     limit $1
     for update skip locked
   )
   update outbox
   set attempt = attempt + 1,
       due_at = now() + interval '1 millisecond' * (0.8 + 0.4 * random()) * case kind
         when 'event' then $2::float8
         else least($4::float8, $3::float8 * 2 ^ least(attempt, 20))
       end
   from due
   where outbox.id = due.id
   returning outbox.id, kind, subject, payload::text as payload, traceparent, attempt`,
);

const outboxPresence = statement<{ present: boolean }>(
  'outbox-presence',
  "select to_regclass('outbox') is not null as present",
);

const forget = statement<{ id: string }>('outbox-forget', 'delete from outbox where id = any($1)');

const doneSchema = z.object({ ids: z.array(z.uuid()).min(1) });

/** The body of a report that work is done. */
export const encodeDone = (ids: readonly string[]): string => JSON.stringify({ ids });

/** What the relay needs. */
export interface RelayOptions {
  service: ServiceName;
  database: Database;
  broker: Broker;
  log: Logger;
  metrics: Metrics;
  delays?: RelayDelays;
}

/**
 * Publishes what the outbox holds. Events are deleted once JetStream has them; work stays until its consumer reports
 * it done, and is published again until then. While NATS is away nothing is claimed and the rows wait.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #delays: RelayDelays;
  readonly #published;
  readonly #forget: (id: string) => Promise<void>;
  #running: Promise<void> | undefined;
  #isWanted = false;
  #isStopped = false;
  #isOutboxThere = false;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#delays = options.delays ?? relayDelays;
    this.#published = options.metrics.counter(metricCatalogue.database.outboxPublished);
    this.#forget = coalesce({
      name: 'outbox-forget',
      key: () => '',
      maxBatch: 500,
      metrics: options.metrics,
      run: async (ids: string[]) => {
        await options.database.query(forget, [ids]);
        return ids.map(() => undefined);
      },
    });
  }

  /** Listens for reports of work done and begins to publish. */
  start(): void {
    const { broker, service } = this.#options;
    const produced = messageDeclarations.filter((it) => it.producers.includes(service));
    if (produced.some((it) => it.kind === 'work')) {
      broker.subscribe(doneSubjectOf(service), (message) => void this.#done(message.string()), {
        queue: service,
      });
    }
    broker.onReconnect(() => this.poke());
    this.poke();
  }

  /** Publishes what is due, soon and at most once at a time. */
  poke(): void {
    if (this.#isStopped) return;
    this.#isWanted = true;
    // Cleared in a later turn than it is set, even when there is nothing to wait for.
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#isWanted) this.poke();
    });
  }

  /** Publishes what is due now and then stops. */
  async stop(): Promise<void> {
    this.poke();
    this.#isStopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#isWanted) {
        this.#isWanted = false;
        while (this.#options.broker.connected && (await this.#publishBatch()) === batchSize);
      }
    } catch (err) {
      this.#options.log.warn({ err }, 'the outbox could not be published');
    }
  }

  async #publishBatch(): Promise<number> {
    if (!(await this.#hasOutbox()) || !this.#options.broker.connected) return 0;
    const { eventMs, workMs, workMaxMs } = this.#delays;
    const rows = await this.#options.database.query(claimDue, [batchSize, eventMs, workMs, workMaxMs]);
    const outcomes = await Promise.allSettled(rows.map((row) => this.#publish(row)));
    const failed = outcomes.find((it) => it.status === 'rejected');
    if (!failed) return rows.length;
    this.#options.log.warn({ err: failed.reason }, 'messages of the outbox were not acknowledged');
    return 0;
  }

  /** The migration that makes the outbox may still be under way, or the service may have none. */
  async #hasOutbox(): Promise<boolean> {
    if (!this.#isOutboxThere) {
      const [row] = await this.#options.database.query(outboxPresence);
      this.#isOutboxThere = row?.present ?? false;
    }
    return this.#isOutboxThere;
  }

  async #publish(row: DueRow): Promise<void> {
    const { broker, service } = this.#options;
    if (!broker.connected) return;
    const facts = { id: row.id, attempt: row.attempt, producer: service };
    const stream = jetstream(broker.nats, { timeout: publishTimeoutMs });
    const isWork = row.kind === 'work';
    try {
      await stream.publish(isWork ? workSubjectOf(row.subject, row.id) : row.subject, row.payload, {
        // The dedupe window of the stream would swallow a second attempt under the same id.
        msgID: `${row.id}.${row.attempt}`,
        headers: encodeFacts(row.traceparent ? { ...facts, traceparent: row.traceparent } : facts),
        // Work that the stream still holds is not stored a second time.
        ...(isWork && { expect: { lastSubjectSequence: 0 } }),
      });
    } catch (err) {
      if (isWork && err instanceof JetStreamApiError && wrongLastSequence.includes(err.code)) return;
      throw err;
    }
    this.#published.inc({ kind: row.kind, again: String(row.attempt > 1) });
    if (row.kind === 'event') await this.#forget(row.id);
  }

  async #done(body: string): Promise<void> {
    try {
      const { ids } = doneSchema.parse(JSON.parse(body));
      await Promise.all(ids.map((id) => this.#forget(id)));
    } catch (err) {
      this.#options.log.warn({ err }, 'work done could not be noted; it will be reported again');
    }
  }
}
