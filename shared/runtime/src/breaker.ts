import { EventEmitter } from 'node:events';
import { CodedError, metricCatalogue } from '@stanza/contracts';
import { LRUCache } from 'lru-cache';
import CircuitBreaker from 'opossum';
import { type Clock, systemClock } from './clock.ts';
import type { Metrics } from './observability/metrics.ts';

/** Calls within the window before a breaker may open. */
const volumeThreshold = 10;
/** Share of faults that opens a breaker, percent. */
const errorThresholdPercentage = 50;
/** An unused breaker is not probed. After this time its state is out of date and it is forgotten. */
const forgottenMs = 5 * 60_000;
const windowMs = 10_000;
const buckets = 10;

/** How a family of breakers behaves. */
export interface BreakersOptions {
  /** Label of the metrics: the kind of target, such as `chat` or `destination`. */
  name: string;
  /** Breakers kept; the least recently used is dropped. */
  maxBreakers: number;
  /** Milliseconds that a breaker stays open before it lets one call through to probe. */
  resetTimeoutMs: number;
  /**
   * False for errors that do not count against the target, as one of the caller itself. What the target answers, a
   * refusal too, is a result and no error: a probe that ends in any error leaves the breaker open.
   */
  isFault: (error: unknown) => boolean;
  metrics: Metrics;
  clock?: Clock;
}

/** State of a breaker; `half_open` while the probe is in flight. */
export type BreakerState = 'closed' | 'open' | 'half_open';

/** One breaker for each key. */
export interface Breakers {
  /**
   * Calls `run` unless the breaker of the key is open. The call brings its own timeout.
   * @throws CodedError `service_unavailable` with the seconds until the next probe, when it is open
   */
  run<T>(key: string, run: () => Promise<T>): Promise<T>;
  state(key: string): BreakerState;
  /** Stops the timers of all breakers. */
  close(): void;
}

interface Guarded {
  circuit: CircuitBreaker<[() => Promise<void>], void>;
  openedAt: number;
  /** When it was closed last; it may have been probed and opened again since. */
  closedUntil: number;
  askedAt: number;
  state: BreakerState;
}

const shared: { rotation?: EventEmitter } = {};

/** One timer for the windows of all breakers of the process instead of one each (opossum#809). */
const sharedRotation = (): EventEmitter => {
  if (shared.rotation) return shared.rotation;
  const rotation = new EventEmitter().setMaxListeners(0);
  setInterval(() => rotation.emit('rotate'), windowMs / buckets).unref();
  shared.rotation = rotation;
  return rotation;
};

const isOpenError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EOPENBREAKER' || error.code === 'ESHUTDOWN');

/** Milliseconds since the longest-open breaker in use was last closed. */
const longestOpen = (all: Iterable<Guarded>, now: number): number => {
  let longest = 0;
  for (const { state, askedAt, closedUntil } of all) {
    if (state !== 'closed' && now - askedAt < forgottenMs) longest = Math.max(longest, now - closedUntil);
  }
  return longest;
};

/** Metrics of breakers by kind and state. Keys are no labels: their number is unbounded. */
const instruments = (metrics: Metrics, breaker: string) => {
  const states = metrics.gauge(metricCatalogue.runtime.breakers);
  const events = metrics.counter(metricCatalogue.runtime.breakerEvents);
  return {
    made: () => states.inc({ breaker, state: 'closed' }),
    dropped: (guarded: Guarded) => states.dec({ breaker, state: guarded.state }),
    moved: (guarded: Guarded, state: BreakerState) => {
      states.dec({ breaker, state: guarded.state });
      states.inc({ breaker, state });
      events.inc({ breaker, event: state });
      guarded.state = state;
    },
    refused: () => events.inc({ breaker, event: 'refused' }),
  };
};

/** Creates a family of breakers. */
export const breakers = (options: BreakersOptions): Breakers => {
  const clock = options.clock ?? systemClock;
  const observed = instruments(options.metrics, options.name);
  const kept = new LRUCache<string, Guarded>({
    max: options.maxBreakers,
    dispose: (guarded) => {
      observed.dropped(guarded);
      guarded.circuit.shutdown();
    },
  });

  options.metrics.gauge(metricCatalogue.runtime.breakerOpenSeconds, (gauge) =>
    gauge.set({ breaker: options.name }, longestOpen(kept.values(), clock.monotonic()) / 1_000),
  );

  const make = (): Guarded => {
    const circuit: CircuitBreaker<[() => Promise<void>], void> = new CircuitBreaker((run) => run(), {
      timeout: false,
      resetTimeout: options.resetTimeoutMs,
      volumeThreshold,
      errorThresholdPercentage,
      rollingCountTimeout: windowMs,
      rollingCountBuckets: buckets,
      rollingPercentilesEnabled: false,
      enableSnapshots: false,
      rotateBucketController: sharedRotation(),
      errorFilter: (error: unknown) => !circuit.halfOpen && !options.isFault(error),
    });
    const guarded: Guarded = { circuit, openedAt: 0, closedUntil: 0, askedAt: 0, state: 'closed' };
    circuit.on('open', () => {
      guarded.openedAt = clock.monotonic();
      if (guarded.state === 'closed') guarded.closedUntil = guarded.openedAt;
      observed.moved(guarded, 'open');
    });
    circuit.on('halfOpen', () => observed.moved(guarded, 'half_open'));
    circuit.on('close', () => observed.moved(guarded, 'closed'));
    observed.made();
    return guarded;
  };

  const guardedOf = (key: string): Guarded => {
    const known = kept.get(key);
    if (known) return known;
    const guarded = make();
    kept.set(key, guarded);
    return guarded;
  };

  const refusal = (guarded: Guarded, cause: unknown): CodedError => {
    observed.refused();
    const left = guarded.openedAt + options.resetTimeoutMs - clock.monotonic();
    return new CodedError(
      'service_unavailable',
      {
        message: 'The called system has failed too often, so calls to it are paused. Nothing was changed.',
        retry_after: Math.max(1, Math.ceil(left / 1_000)),
        nothing_done: true,
      },
      { cause },
    );
  };

  return {
    run: (key, run) =>
      new Promise((resolve, reject) => {
        const guarded = guardedOf(key);
        guarded.askedAt = clock.monotonic();
        // The result is returned after the breaker has recorded it, so the next call sees the new state.
        let answer = () => {};
        const call = async () => {
          const result = await run();
          answer = () => resolve(result);
        };
        guarded.circuit.fire(call).then(
          () => answer(),
          (err: unknown) => reject(isOpenError(err) ? refusal(guarded, err) : err),
        );
      }),
    state: (key) => kept.peek(key)?.state ?? 'closed',
    close: () => kept.clear(),
  };
};
