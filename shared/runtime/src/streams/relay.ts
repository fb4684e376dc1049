import { JetStreamApiCodes, JetStreamApiError, jetstream } from '@nats-io/jetstream';
import {
  doneSubjectOf,
  messageDeclarations,
  metricCatalogue,
  type ServiceName,
  workSubjectOf,
} from '@stanza/contracts';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { nextDue } from '../database/next-due.ts';
import { statement } from '../database/statement.ts';
import type { Broker } from '../nats/broker.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { encodeFacts } from './message.ts';
import type { OutboxMessage } from './outbox.ts';

/** Rows published at one time. */
const batchSize = 100;
/** Timeout of the acknowledgement of JetStream, milliseconds. */
const publishTimeoutMs = 3_000;
/**
 * Codes of JetStream's answer when the stream still holds a message of the subject; one comes with the number, one
 * without.
 */
const wrongLastSequence: readonly number[] = [
  JetStreamApiCodes.StreamWrongLastSequence,
  JetStreamApiCodes.StreamWrongLastSequenceUnknown,
];

/** Delays before a message is republished, milliseconds. */
export interface RelayDelays {
  /** For an event that was not acknowledged. */
  eventMs: number;
  /** For work that is not yet reported done; doubled with each attempt. */
  workMs: number;
  /** The longest delay of work. */
  workMaxMs: number;
}

/**
 * Work must be done within a minute after an outage, so the longest delay is half of that. A consumer that is down
 * costs two messages a minute for each piece of outstanding work.
 */
export const relayDelays: RelayDelays = { eventMs: 5_000, workMs: 5_000, workMaxMs: 30_000 };

interface DueRow extends OutboxMessage {
  attempt: number;
}

/** Messages published from memory at one time; further messages wait for the relay. */
const mostFromMemory = 1_000;
/** Milliseconds for which rows to be deleted are collected; nothing waits for the deletion. */
const forgetGatherMs = 20;
/** Rows deleted by one statement. */
const mostForgotten = 1_000;

// Claimed by moving the due time instead of by a lock held during the publication: a relay that dies loses only the
// delay.
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

const nextOfOutbox = nextDue('outbox-next', { from: 'outbox', moment: 'due_at' });

const outboxPresence = statement<{ present: boolean }>(
  'outbox-presence',
  "select to_regclass('outbox') is not null as present",
);

// Without a flush of the log: a row that reappears after a crash of the database is published again, and its work is
// already done.
const forget = statement<{ id: string }>(
  'outbox-forget',
  `delete from outbox
   where id = any ($1) and (select set_config('synchronous_commit', 'off', true)) is not null`,
);

const doneSchema = z.object({ ids: z.array(z.uuid()).min(1) });

/** The body of a report that work is done. */
export const encodeDone = (ids: readonly string[]): string => JSON.stringify({ ids });

/** Dependencies of the relay. */
export interface RelayOptions {
  service: ServiceName;
  database: Database;
  broker: Broker;
  log: Logger;
  metrics: Metrics;
  delays?: RelayDelays;
}

/**
 * Publishes the messages of the outbox. Events are deleted once JetStream has them. Work is republished until its
 * consumer reports it done. While NATS is disconnected nothing is claimed and the rows wait.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #delays: RelayDelays;
  readonly #published;
  /** Published from memory and not yet acknowledged. */
  readonly #fromMemory = new Set<Promise<void>>();
  readonly #forgettable = new Set<string>();
  #forgetting: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isWanted = false;
  #isStopped = false;
  #isOutboxThere = false;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#delays = options.delays ?? relayDelays;
    this.#published = options.metrics.counter(metricCatalogue.database.outboxPublished);
  }

  /** Subscribes to reports of work done and starts publishing. */
  start(): void {
    const { broker, service } = this.#options;
    const produced = messageDeclarations.filter((it) => it.producers.includes(service));
    if (produced.some((it) => it.kind === 'work')) {
      broker.subscribe(doneSubjectOf(service), (message) => this.#done(message.string()), {
        queue: service,
      });
    }
    broker.onReconnect(() => this.poke());
    this.poke();
  }

  /** Publishes due messages soon; one run at a time. */
  poke(): void {
    if (this.#isStopped) return;
    this.#isWanted = true;
    // Cleared in a later turn than it is set, even without anything to wait for.
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#isWanted) this.poke();
    });
  }

  /** Milliseconds until the next message is due; undefined without any, and while NATS is away: a reconnect publishes. */
  async nextDue(): Promise<number | undefined> {
    if (!this.#options.broker.connected || !(await this.#hasOutbox())) return undefined;
    return nextOfOutbox(this.#options.database);
  }

  /** Publishes due messages, and resolves after the run. */
  async publishDue(): Promise<void> {
    this.poke();
    await this.#running;
  }

  /**
   * Publishes a message whose row is committed, as attempt 1. While NATS is away, or too many are in flight, the row is
   * left to the relay.
   */
  publishNow(message: OutboxMessage): void {
    if (this.#isStopped || !this.#options.broker.connected || this.#fromMemory.size >= mostFromMemory) return;
    const published = this.#publish({ ...message, attempt: 1 })
      .catch((err) => this.#options.log.warn({ err }, 'messages of the outbox were not acknowledged'))
      .finally(() => this.#fromMemory.delete(published));
    this.#fromMemory.add(published);
  }

  /** Publishes the due messages and then stops. */
  async stop(): Promise<void> {
    this.poke();
    this.#isStopped = true;
    await this.#running;
    await Promise.all(this.#fromMemory);
    clearTimeout(this.#forgetting);
    await this.#forgetAll();
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

  /** The migration that creates the outbox may still be running, or the service may have none. */
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
        // The dedupe window of the stream would drop a second attempt under the same id.
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
    if (row.kind === 'event') this.#forget([row.id]);
  }

  #done(body: string): void {
    try {
      this.#forget(doneSchema.parse(JSON.parse(body)).ids);
    } catch (err) {
      this.#options.log.warn({ err }, 'work done could not be recorded; it will be reported again');
    }
  }

  /** Deletes rows soon, in one statement with others. */
  #forget(ids: readonly string[]): void {
    for (const id of ids) this.#forgettable.add(id);
    const delayMs = this.#isStopped ? 0 : forgetGatherMs;
    this.#forgetting ??= setTimeout(() => void this.#forgetAll(), delayMs);
  }

  /** Rows that cannot be deleted now are published again, and reported done again. */
  async #forgetAll(): Promise<void> {
    this.#forgetting = undefined;
    const ids = [...this.#forgettable];
    this.#forgettable.clear();
    try {
      for (let at = 0; at < ids.length; at += mostForgotten) {
        await this.#options.database.query(forget, [ids.slice(at, at + mostForgotten)]);
      }
    } catch (err) {
      this.#options.log.warn(
        { err },
        'messages of the outbox could not be deleted; they are published again',
      );
    }
  }
}
