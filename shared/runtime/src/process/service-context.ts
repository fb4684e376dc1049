import type { ServiceName } from '@stanza/contracts';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';
import type { Forward, RpcClient } from '../rpc/client.ts';
import type { AnyHandler } from '../rpc/handler.ts';
import type { WorkConsumer } from '../streams/consume.ts';
import type { Events } from '../streams/events.ts';
import type { Outbox } from '../streams/outbox.ts';
import type { BackgroundJobs } from './background.ts';

/** What a process says of itself; each is undefined while there is nothing to say. */
export interface Condition {
  /** Why the process should be restarted. */
  illness(): string | undefined;
  /** Why the process takes no requests at the moment. */
  unreadiness(): string | undefined;
}

/** What the runtime gives to a service when it starts. */
export interface ServiceContext<T> {
  readonly name: ServiceName;
  readonly settings: T;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly rpc: RpcClient;
  /** For a service that hands replies on without reading them. */
  readonly forward: Forward;
  /** Throws an InvariantError when the service runs without a database; so does `outbox`. */
  readonly database: Database;
  readonly outbox: Outbox;
  readonly events: Events;
  readonly clock: Clock;
  /** What `/livez` and `/readyz` answer, for a service that has a server of its own. */
  readonly condition: Condition;
  /** False while NATS is away: nothing can be asked of this process, and nothing be told to it. */
  connected(): boolean;
  /**
   * Called at shutdown, the last one first: after the operations have been drained, while rpc and database still work.
   * A server of the service's own stops accepting here and waits for what is in flight.
   */
  onClose(close: () => Promise<void>): void;
  /** See {@link BackgroundJobs.every}. */
  every: BackgroundJobs['every'];
}

/** How a service that others reach by an address takes its leave before it stops. */
export interface Leave {
  /** For so long the process still takes everything, while those in front notice that it is not ready. */
  readonly milliseconds: number;
  /** Called at the beginning of that time. */
  announce(): void;
}

/** What a service has started. */
export interface Running {
  operations: readonly AnyHandler[];
  consumers?: readonly WorkConsumer[];
  /** False while the service cannot take requests for a reason of its own. */
  ready?: () => boolean;
  leave?: Leave;
}
