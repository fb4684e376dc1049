import type { ServiceName } from '@stanza/contracts';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import type { Reports } from '../database/reports.ts';
import type { Events } from '../nats/events.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';
import type { Discard } from '../outbox/discards.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Forward, RpcClient } from '../rpc/client.ts';
import type { AnyHandler } from '../rpc/handler.ts';
import type { BackgroundJobs } from './background.ts';

/** Health of a process; each is undefined while it is good. */
export interface Condition {
  /** Why the process should be restarted, which `/livez` returns; see `illnessOf` in `stage.ts`. */
  illness(): string | undefined;
  /** Why the process takes no requests, which `/readyz` returns; see `unreadinessOf` in `stage.ts`. */
  unreadiness(): string | undefined;
}

/** The runtime's parts, handed to a service when it starts. */
export interface ServiceContext<T> {
  readonly name: ServiceName;
  readonly settings: T;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly rpc: RpcClient;
  /** For a service that passes replies on unread. */
  readonly forward: Forward;
  /** Throws an InvariantError in a service without a database; so does `outbox`. */
  readonly database: Database;
  /** For searches and reports; see {@link Reports}. The database itself, for a service that says it has none. */
  readonly reports: Reports;
  readonly outbox: Outbox;
  readonly events: Events;
  readonly clock: Clock;
  /** The answers of `/livez` and `/readyz`, for a service with a server of its own. */
  readonly condition: Condition;
  /** False while NATS is disconnected: this process receives neither calls nor messages. */
  connected(): boolean;
  /**
   * Called at shutdown, the last one first: after the operations have been drained, while rpc and database still work.
   * A server of the service stops accepting here and waits for requests in flight.
   */
  onClose(close: () => Promise<void>): void;
  /** See {@link BackgroundJobs.every}. */
  every: BackgroundJobs['every'];
  /** See {@link BackgroundJobs.whenDue}. */
  whenDue: BackgroundJobs['whenDue'];
}

/** The time before a stop in which load balancers notice that a service is not ready. */
export interface Leave {
  /** Milliseconds for which the process still takes requests while it reports that it is not ready. */
  readonly milliseconds: number;
  /** Called at the start of that time. */
  announce(): void;
}

/** A started service. */
export interface Running {
  operations: readonly AnyHandler[];
  /** What follows when an operator discards a failed job of the service. */
  discards?: readonly Discard[];
  /** False while the service itself cannot take requests. */
  ready?: () => boolean;
  leave?: Leave;
}
