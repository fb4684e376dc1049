import type { BatchStatus, CloseReason, Environment, ErrorCode } from '@stanza/contracts';
import {
  append,
  endOf,
  isTooSmallFor,
  type OpenBatch,
  openBatch,
  statusAfter,
  type Volume,
} from './batching.ts';
import { eventIdAt, firstEventId, packedAt } from './packed-events.ts';
import type { Policy } from './tables.ts';

/** What decides about a pushed event. */
export interface PushedEvent {
  /** The event's own `id`, by which repeats are recognized. */
  key: string | undefined;
  /** Of its JSON text. */
  bytes: number;
}

/** A push to be decided. */
export interface Push {
  environment: Environment;
  operationId: string;
  queueId: string;
  events: readonly PushedEvent[];
  /** The contents of all of them; see `packTexts`. */
  packed: Buffer;
}

/** The batch in a push's answer. */
export interface BatchFacts {
  batch_id: string;
  batch_status: BatchStatus;
  window_end: Date;
  event_count: number;
}

/** The answer of a push. */
export interface Pushed extends BatchFacts {
  event_ids: string[];
}

/** The outcome of a push: its answer, or an error as of a moment by the clock of the database. */
export type PushOutcome =
  | { pushed: Pushed }
  | { refused: Extract<ErrorCode, PushRefusal> | typeof withdrawn; at: Date };

/** In place of its answer: a push without one was reported as such, and must not happen any more. */
export const withdrawn = 'withdrawn';

/** Why a push is refused as a whole. */
export type PushRefusal = 'not_found' | 'invalid_state' | 'tier_limit';

/** An event pushed before, whose key is still remembered. */
export interface KnownEvent {
  event_id: string;
  batch: BatchFacts;
}

/** The queue of a push, with its row locked. */
export interface LockedQueue {
  environment: Environment;
  id: string;
  is_active: boolean;
  policy: Policy;
  open: OpenBatch | undefined;
}

/** The database's state for deciding a group of pushes. */
export interface PushState {
  queues: ReadonlyMap<string, LockedQueue>;
  /** By queue and key; see {@link keyOf}. */
  known: ReadonlyMap<string, KnownEvent>;
  /** Answers of earlier operations, by operation id. */
  answered: ReadonlyMap<string, Pushed | typeof withdrawn>;
  /** Events that the organization may still push today; negative where its tier allowed more when it pushed them. */
  remaining: number;
}

/** The events of one push to be written, in one batch. */
export interface NewEvents {
  environment: Environment;
  queueId: string;
  batchId: string;
  /** Of the first of them. */
  position: number;
  /** See {@link eventIdAt}. */
  firstId: string;
  events: readonly PushedEvent[];
  packed: Buffer;
}

/** A batch to be written, in its state after all pushes of the group. */
export interface ChangedBatch {
  batch: OpenBatch;
  environment: Environment;
  queueId: string;
  isNew: boolean;
  closes: CloseReason | undefined;
}

/** All changes of a group of pushes. */
export interface PushPlan {
  outcomes: PushOutcome[];
  batches: ChangedBatch[];
  added: NewEvents[];
  /** Accepted pushes, with their answers. */
  taken: {
    push: Push;
    pushed: Pushed;
    /** All ids derive from the first, since no event is a repeat. */
    derives: boolean;
  }[];
}

/** Identifies a key within its queue. */
export const keyOf = (queueId: string, key: string): string => `${queueId} ${key}`;

interface Place {
  event_id: string;
  changed: ChangedBatch;
}

/** The events of a push that are no repeats. */
interface FreshEvents {
  firstId: string;
  events: PushedEvent[];
  /** Where they are in the push. */
  places: number[];
}

/**
 * Decides a group of pushes of one organization in order, as if each had come alone, so that shared state (a batch, the
 * daily limit) is counted once.
 */
export class PushPlanner {
  readonly #state: PushState;
  readonly #at: Date;
  readonly #newId: () => string;
  readonly #open = new Map<string, ChangedBatch | undefined>();
  readonly #fresh = new Map<string, Place>();
  readonly #byOperation = new Map<string, PushOutcome>();
  readonly #plan: PushPlan = { outcomes: [], batches: [], added: [], taken: [] };
  #remaining: number;

  constructor(state: PushState, at: Date, newId: () => string) {
    this.#state = state;
    this.#at = at;
    this.#newId = newId;
    this.#remaining = state.remaining;
  }

  /** Decides all pushes, in their order. */
  plan(pushes: readonly Push[]): PushPlan {
    for (const push of pushes) {
      const outcome = this.#byOperation.get(push.operationId) ?? this.#decide(push);
      this.#byOperation.set(push.operationId, outcome);
      this.#plan.outcomes.push(outcome);
    }
    return this.#plan;
  }

  #decide(push: Push): PushOutcome {
    const answered = this.#state.answered.get(push.operationId);
    if (answered === withdrawn) return { refused: withdrawn, at: this.#at };
    if (answered) return { pushed: answered };
    const queue = this.#state.queues.get(push.queueId);
    if (!queue || queue.environment !== push.environment) return { refused: 'not_found', at: this.#at };
    if (!queue.is_active) return { refused: 'invalid_state', at: this.#at };
    const { ids, fresh } = this.#resolve(push);
    const count = fresh.events.length;
    if (count > 0 && count > this.#remaining) return { refused: 'tier_limit', at: this.#at };
    this.#remaining -= count;
    const packed = count === ids.length ? push.packed : packedAt(push.packed, fresh.places);
    const batch = count === 0 ? this.#batchOfRepeat(push) : this.#append(queue, fresh, packed);
    const pushed = { ...batch, event_ids: ids };
    this.#plan.taken.push({ push, pushed, derives: count === ids.length });
    return { pushed };
  }

  /** The id of each event, in order: that of the first event with its key, else a new one. */
  #resolve(push: Push): { ids: string[]; fresh: FreshEvents } {
    const fresh: FreshEvents = { firstId: firstEventId(this.#newId()), events: [], places: [] };
    const own = new Map<string, string>();
    const ids = push.events.map((event, at) => {
      const name = event.key === undefined ? undefined : keyOf(push.queueId, event.key);
      const first = name === undefined ? undefined : (own.get(name) ?? this.#firstWith(name));
      if (first !== undefined) return first;
      const id = eventIdAt(fresh.firstId, fresh.events.length);
      if (name !== undefined) own.set(name, id);
      fresh.events.push(event);
      fresh.places.push(at);
      return id;
    });
    return { ids, fresh };
  }

  #firstWith(name: string): string | undefined {
    return this.#fresh.get(name)?.event_id ?? this.#state.known.get(name)?.event_id;
  }

  #append(queue: LockedQueue, { firstId, events }: FreshEvents, packed: Buffer): BatchFacts {
    const volume = { events: events.length, bytes: events.reduce((sum, it) => sum + it.bytes, 0) };
    const changed = this.#roomFor(queue, volume);
    const { environment, id: queueId } = queue;
    const batchId = changed.batch.id;
    const position = changed.batch.event_count;
    this.#plan.added.push({ environment, queueId, batchId, position, firstId, events, packed });
    for (const [at, { key }] of events.entries())
      if (key !== undefined)
        this.#fresh.set(keyOf(queueId, key), { event_id: eventIdAt(firstId, at), changed });
    Object.assign(changed, append(changed.batch, volume, this.#at));
    if (changed.closes !== undefined) this.#open.set(queueId, undefined);
    return factsOf(changed);
  }

  /** The batch for the events: the open one, unless it is due or has no room. */
  #roomFor(queue: LockedQueue, volume: Volume): ChangedBatch {
    const open = this.#openOf(queue);
    if (open) {
      const closes = endOf(open.batch, this.#at) ?? (isTooSmallFor(open.batch, volume) ? 'size' : undefined);
      if (closes === undefined) return open;
      open.closes = closes;
    }
    return this.#change(queue, openBatch(this.#newId(), queue.policy, this.#at), true);
  }

  #openOf(queue: LockedQueue): ChangedBatch | undefined {
    if (this.#open.has(queue.id)) return this.#open.get(queue.id);
    return queue.open && this.#change(queue, queue.open, false);
  }

  #change({ environment, id: queueId }: LockedQueue, batch: OpenBatch, isNew: boolean): ChangedBatch {
    const changed: ChangedBatch = { batch, environment, queueId, isNew, closes: undefined };
    this.#open.set(queueId, changed);
    this.#plan.batches.push(changed);
    return changed;
  }

  /** A push of repeats only answers the batch of its first event. */
  #batchOfRepeat({ queueId, events: [first] }: Push): BatchFacts {
    const name = keyOf(queueId, first?.key ?? '');
    const known = this.#state.known.get(name);
    if (known) return known.batch;
    const place = this.#fresh.get(name);
    if (!place) throw new TypeError('a push of repeats has no repeated event');
    return factsOf(place.changed);
  }
}

const factsOf = ({ batch, closes }: ChangedBatch): BatchFacts => ({
  batch_id: batch.id,
  batch_status: statusAfter(closes),
  window_end: batch.window_end,
  event_count: batch.event_count,
});
