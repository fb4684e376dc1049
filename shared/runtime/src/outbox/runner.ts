import {
  CodedError,
  eventDeclarations,
  eventSubjectOf,
  jobOperations,
  jobSubjectOf,
  metricCatalogue,
  type ServiceName,
} from '@stanza/contracts';
import type { Database } from '../database/database.ts';
import { nextDue } from '../database/next-due.ts';
import { newId } from '../id.ts';
import { countBy, LeasedWorker } from '../leased-worker.ts';
import type { Broker } from '../nats/broker.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';
import { isOutage } from '../outage.ts';
import type { RpcClient } from '../rpc/client.ts';
import { newContext } from '../rpc/context.ts';
import { RpcFailure } from '../rpc/failure.ts';
import {
  type ClaimedRow,
  claimRows,
  countFailure,
  deleteRows,
  failRow,
  type OutboxMessage,
  reasonOf,
  rescheduleRow,
} from './rows.ts';

/** Rows of one kind that run at a time: claimed ones, and those from memory. */
const places = { claimed: 32, fromMemory: 256 } as const;
/** Of the claimed ones, for one organization; the others stay free for the next one. */
const share = 24;
/** Milliseconds by which a lease is longer than the call. */
const afterDeadlineMs = 1_000;
/** Unexpected errors after which a row fails, whichever processes met them; outages do not count. */
const maxFailures = 12;
/** Milliseconds for which rows to be deleted are collected; nothing waits for the deletion. */
const deleteGatherMs = 20;
/** Rows deleted by one statement. */
const maxDeleted = 1_000;
/** Milliseconds that a stop waits for calls in flight; the others are left to their leases. */
const stopMs = 6_000;

/** Dependencies of the runner. */
export interface OutboxRunnerOptions {
  service: ServiceName;
  database: Database;
  broker: Broker;
  rpc: RpcClient;
  log: Logger;
  metrics: Metrics;
  tracing: Tracing;
}

/** What the rows of one subject mean. */
interface Kind {
  name: string;
  subject: string;
  /** Milliseconds that a run takes at most. */
  deadlineMs: number;
  run: (row: OutboxMessage) => Promise<unknown>;
}

/** A kind with its rows in flight. */
interface Lane extends Kind {
  fromMemory: Set<Promise<void>>;
  worker: LeasedWorker<ClaimedRow>;
}

/** The names of the kinds of rows that a service writes. */
export const kindsOf = (service: ServiceName): { name: string; subject: string }[] => [
  ...jobOperations
    .filter((it) => it.callers.includes(service))
    .map((it) => ({ name: it.id, subject: jobSubjectOf(it) })),
  ...eventDeclarations
    .filter((it) => it.producers.includes(service))
    .map((it) => ({ name: it.name, subject: eventSubjectOf(it) })),
];

const callsOf = ({ service, rpc }: OutboxRunnerOptions): Kind[] =>
  jobOperations
    .filter((it) => it.callers.includes(service))
    .map((operation) => ({
      name: operation.id,
      subject: jobSubjectOf(operation),
      deadlineMs: operation.deadlineMs,
      run: ({ id, input, traceparent }) => {
        const trace = traceparent === null ? {} : { traceparent };
        const context = newContext({ requestId: id, deadlineMs: operation.deadlineMs, ...trace });
        return rpc.call(operation, input, { ...context, operationId: id });
      },
    }));

const eventsOf = ({ service, broker }: OutboxRunnerOptions): Kind[] =>
  eventDeclarations
    .filter((it) => it.producers.includes(service))
    .map((event) => ({
      name: event.name,
      subject: eventSubjectOf(event),
      deadlineMs: 0,
      // A process that is disconnected when NATS has the event drops what it may affect.
      run: ({ subject, input }) => {
        broker.nats.publish(subject, JSON.stringify(input));
        return broker.nats.flush();
      },
    }));

/** True when another attempt cannot succeed: the receiver has refused the call. */
const isPermanent = (error: unknown): boolean =>
  error instanceof CodedError && error.status < 500 && !isOutage(error);

/**
 * Runs the rows of the outbox: calls other services, and publishes events. The process that committed a row runs it from
 * memory; a row that is not done after five seconds is claimed by any process of the service. An answer means done, and
 * the row is deleted. A row that a receiver refuses becomes a failed job.
 */
export class OutboxRunner {
  readonly #options: OutboxRunnerOptions;
  readonly #lanes: ReadonlyMap<string, Lane>;
  readonly #next: (db: Database) => Promise<number | undefined>;
  readonly #ended;
  readonly #deletable = new Set<string>();
  #deleting: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: OutboxRunnerOptions) {
    this.#options = options;
    const kinds = [...callsOf(options), ...eventsOf(options)];
    const laneOf = (kind: Kind): Lane => ({ ...kind, fromMemory: new Set(), worker: this.#workerOf(kind) });
    this.#lanes = new Map(kinds.map((kind) => [kind.subject, laneOf(kind)]));
    // Rows of a kind that only a newer version knows are left to it.
    const where = `subject in (${kinds.map(({ subject }) => `'${subject}'`).join() || 'null'})`;
    this.#next = nextDue('outbox-next', { from: 'outbox', moment: 'due_at', where });
    this.#ended = options.metrics.counter(metricCatalogue.database.jobs);
    options.metrics.gauge(metricCatalogue.database.jobsRunning, (gauge) => {
      for (const { name, fromMemory, worker } of this.#lanes.values()) {
        gauge.set({ job: name }, fromMemory.size + worker.underWay.length);
      }
    });
  }

  /** Milliseconds until the next row is due; undefined without any, and while NATS is away: a reconnect wakes the job. */
  async nextDue(): Promise<number | undefined> {
    return this.#options.broker.connected ? this.#next(this.#options.database) : undefined;
  }

  /** Claims and starts due rows. */
  async runDue(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map(({ worker }) => worker.begin()));
  }

  /** Runs a committed row; while NATS is away, or too many are in flight, it is left to its due time. */
  run(message: OutboxMessage): void {
    const lane = this.#lanes.get(message.subject);
    if (!lane || this.#isStopped || !this.#options.broker.connected) return;
    const { fromMemory } = lane;
    if (fromMemory.size >= places.fromMemory) return;
    // The row's own trace, whatever the transaction that wrote it belongs to.
    const running = this.#options.tracing
      .entry(
        `outbox ${lane.name}`,
        message.traceparent ?? undefined,
        { 'stanza.message_id': message.id },
        () => this.#run(lane, { ...message, attempt: 1 }),
      )
      .finally(() => fromMemory.delete(running));
    fromMemory.add(running);
  }

  /** Waits for the calls in flight, and deletes what is done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, stopMs);
    const lanes = [...this.#lanes.values()];
    const ended = lanes.flatMap(({ fromMemory, worker }) => [...fromMemory, worker.close()]);
    await Promise.race([Promise.all(ended), late.promise]);
    clearTimeout(timer);
    clearTimeout(this.#deleting);
    await this.#deleteAll();
  }

  #workerOf(kind: Kind): LeasedWorker<ClaimedRow> {
    const { database } = this.#options;
    return new LeasedWorker(this.#options, {
      name: `outbox ${kind.name}`,
      places: places.claimed,
      claim: async (room, underWay) => {
        if (!this.#options.broker.connected) return [];
        const busy = countBy(underWay, ({ organization }) => organization);
        const leaseMs = kind.deadlineMs + afterDeadlineMs;
        const limits = [[...busy.keys()], [...busy.values()], share, leaseMs];
        const rows = await database.query(claimRows, [kind.subject, room, ...limits]);
        return rows.filter(({ is_mine }) => is_mine);
      },
      run: (row) => this.#run(kind, row),
      attributes: ({ id }) => ({ 'stanza.message_id': id }),
      facts: ({ id }) => ({ message_id: id }),
    });
  }

  /** Never rejects. */
  async #run(kind: Kind, row: OutboxMessage & { attempt: number }): Promise<void> {
    try {
      await kind.run(row);
      this.#ended.inc({ job: kind.name, outcome: 'done' });
      this.#delete(row.id);
    } catch (err) {
      await this.#retryOrFail(kind, row, err);
    }
  }

  async #retryOrFail(kind: Kind, { id, attempt }: OutboxMessage & { attempt: number }, err: unknown) {
    const { database, log } = this.#options;
    const job = kind.name;
    try {
      if (isPermanent(err) || (await this.#isSpent(id, attempt, err))) {
        const [failed] = await database.query(failRow, [id, attempt, newId(), reasonOf(err)]);
        if (!failed) return;
        this.#ended.inc({ job, outcome: 'failed' });
        log.error({ err, job, message_id: id }, 'a job failed for good: it is a dead letter');
        return;
      }
      this.#ended.inc({ job, outcome: 'retried' });
      log.warn({ err, job, message_id: id }, 'a job failed and is retried');
      const seconds = err instanceof CodedError ? err.facts.retry_after : undefined;
      if (seconds !== undefined) await database.query(rescheduleRow, [id, attempt, seconds * 1_000]);
    } catch (cause) {
      // The row is due again after its lease.
      log.error({ err: cause, job, message_id: id }, 'the failure of a job could not be written');
    }
  }

  /** Counts an unexpected error in the row, so that neither replicas nor a restart give it more tries. */
  async #isSpent(id: string, attempt: number, err: unknown): Promise<boolean> {
    if (isOutage(err) || err instanceof RpcFailure) return false;
    const [counted] = await this.#options.database.query(countFailure, [id, attempt]);
    return counted !== undefined && counted.failures >= maxFailures;
  }

  /** Deletes a row soon, in one statement with others. */
  #delete(id: string): void {
    this.#deletable.add(id);
    this.#deleting ??= setTimeout(() => void this.#deleteAll(), this.#isStopped ? 0 : deleteGatherMs);
  }

  /** Rows that cannot be deleted now are run again. */
  async #deleteAll(): Promise<void> {
    this.#deleting = undefined;
    const ids = [...this.#deletable];
    this.#deletable.clear();
    try {
      for (let at = 0; at < ids.length; at += maxDeleted) {
        await this.#options.database.query(deleteRows, [ids.slice(at, at + maxDeleted)]);
      }
    } catch (err) {
      this.#options.log.warn({ err }, 'rows of the outbox could not be deleted; they are run again');
    }
  }
}
