import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolClient } from 'pg';
import type { Metrics } from '../observability/metrics.ts';
import { Turns } from '../shares/turns.ts';
import { currentHolder } from './reach.ts';

/** Statements and transactions of one organization that wait for a connection; its calls have a limit below that. */
const waiting = 1_000;

/** How the connections of a pool are shared. */
export interface FairPoolOptions {
  /** Connections of the pool. */
  size: number;
  /** Milliseconds that an organization waits for its turn. */
  waitMs: number;
  metrics: Metrics;
}

type Callback = (
  err: Error | undefined,
  client: PoolClient | undefined,
  release: (err?: Error | boolean) => void,
) => void;

/**
 * Whether the current work has a connection: what it asks for besides that waits for no turn, or it could wait for
 * itself.
 */
const holding = new AsyncLocalStorage<true>();

/** Runs work that has a connection. */
export const whileHolding = <T>(work: () => T): T => holding.run(true, work);

const none = (): void => undefined;

/**
 * Has organizations take turns for the connections of a pool, whatever asks for one: the organization that has gone
 * longest without comes next, and one connection is always left to others. Work of no organization, such as jobs, does
 * not wait.
 * @returns how many wait for their turn
 */
export const shareByOrganization = (
  pool: Pool,
  { size, waitMs, metrics }: FairPoolOptions,
): (() => number) => {
  const turns = new Turns({
    kind: 'connections',
    places: size,
    waiting,
    waitMs,
    metrics,
    subject: 'Too many reads and changes',
  });
  const checkOut = pool.connect.bind(pool);
  const connect = (callback: Callback): void => {
    const holder = currentHolder();
    if (holder === 'all' || holding.getStore()) {
      checkOut(callback);
      return;
    }
    const held = (): Promise<void> =>
      new Promise((freed) => {
        checkOut((err, client, release) => {
          if (err || !client) {
            freed();
            return callback(err, undefined, none);
          }
          const done = (failure?: Error | boolean): void => {
            freed();
            release(failure);
          };
          client.release = done;
          return callback(undefined, client, done);
        });
      });
    turns.run(holder, held).catch((refused: Error) => callback(refused, undefined, none));
  };
  Object.defineProperty(pool, 'connect', {
    value: (callback?: Callback): unknown => {
      if (callback) return connect(callback);
      return new Promise((resolve, reject) => {
        connect((err, client) => (err ? reject(err) : resolve(client)));
      });
    },
  });
  return () => turns.waiting;
};
