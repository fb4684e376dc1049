import { setTimeout as pause } from 'node:timers/promises';
import { type ConsumerMessages, type JsMsg, jetstream } from '@nats-io/jetstream';
import { doneSubjectOf, messageSubjectOf, metricCatalogue, workStreamOf } from '@stanza/contracts';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database.ts';
import type { Broker } from '../nats/broker.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';
import { isOutage } from '../outage.ts';
import { Turns } from '../shares/turns.ts';
import { UnfinishedWork, type WorkConsumer } from './consume.ts';
import { buryMessage, claimMessage } from './dead-letters.ts';
import { apiTimeoutMs, managerOf } from './ensure.ts';
import { decodeFacts, type MessageFacts } from './message.ts';
import { encodeDone } from './relay.ts';
import { reasonOf, verdictOn } from './verdict.ts';

/** Delay before a consumer that could not be opened is retried, milliseconds. */
const reopenMs = 500;

/** Milliseconds that a piece waits for its turn; with its work, less than the time after which it is delivered again. */
const turnMs = 10_000;
/** Where holders take turns, pieces that are fetched at most, as a multiple of the places. */
const fetchedPerPlace = 4;

/** Pieces of work whose failures are counted; a process has far fewer in flight. */
const mostCounted = 1_000;

/** Dependencies of a worker. */
export interface WorkerOptions {
  consumer: WorkConsumer;
  database: Database;
  broker: Broker;
  log: Logger;
  metrics: Metrics;
  tracing: Tracing;
}

type Outcome = 'done' | 'repeated' | 'later' | 'dead';

const instruments = (metrics: Metrics) => ({
  finished: metrics.counter(metricCatalogue.database.work),
  seconds: metrics.histogram(metricCatalogue.database.workSeconds),
  pending: metrics.gauge(metricCatalogue.database.workPending),
});

const turnsOf = ({ turns, concurrency, declaration }: WorkConsumer, metrics: Metrics) =>
  turns &&
  new Turns({
    kind: turns.kind,
    places: concurrency,
    waiting: concurrency,
    waitMs: turnMs,
    leaves: 'as_many',
    metrics,
    subject: `Too many pieces of ${declaration.name}`,
  });

/**
 * Does one kind of work. Each delivery is one transaction that also writes the id to the inbox, so work delivered twice
 * is done once; work with unique keys of its own goes without. After the commit the message is acknowledged and reported
 * done to the producer. While stream or consumer are missing, the worker waits for the process that creates them.
 */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #instruments;
  readonly #name: string;
  readonly #turns: Turns | undefined;
  readonly #underWay = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  /** Failures in a row, of work that takes several deliveries. */
  readonly #failures = new LRUCache<string, number>({ max: mostCounted });
  #messages: ConsumerMessages | undefined;
  #loop: Promise<void> | undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#name = options.consumer.declaration.name;
    this.#instruments = instruments(options.metrics);
    this.#turns = turnsOf(options.consumer, options.metrics);
  }

  /** Consumes until `stop`. */
  start(): void {
    // After a reconnect the consumer may be a new one of the same name.
    this.#options.broker.onReconnect(() => this.#messages?.stop());
    this.#loop = this.#run();
  }

  /** Stops taking work and waits for work in flight; fetched messages are returned. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#messages?.stop();
    await this.#loop;
    await Promise.all(this.#underWay);
  }

  /** Records how much work is waiting. */
  async measure(): Promise<void> {
    const { broker, consumer } = this.#options;
    if (!broker.connected) return;
    const manager = await managerOf(broker);
    const info = await manager.consumers.info(workStreamOf(consumer.declaration.consumer), this.#name);
    this.#instruments.pending.set({ work: this.#name }, info.num_pending + info.num_ack_pending);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#consume();
      } catch (err) {
        this.#options.log.warn({ err, work: this.#name }, 'work cannot be fetched');
      }
      if (!signal.aborted) await pause(reopenMs * (0.5 + Math.random()));
    }
  }

  async #consume(): Promise<void> {
    const { broker, consumer } = this.#options;
    if (!broker.connected) return;
    const stream = workStreamOf(consumer.declaration.consumer);
    const durable = await jetstream(broker.nats, { timeout: apiTimeoutMs }).consumers.get(stream, this.#name);
    this.#messages = await durable.consume({
      max_messages: consumer.concurrency * 2,
      abort_on_missing_resource: true,
    });
    if (this.#stop.signal.aborted) this.#messages.stop();
    for await (const message of this.#messages) {
      await this.#take(message);
    }
  }

  /** Starts a delivery as soon as there is room, unless the process is stopping by then. */
  async #take(message: JsMsg): Promise<void> {
    const { concurrency } = this.#options.consumer;
    const room = this.#turns ? concurrency * fetchedPerPlace : concurrency;
    while (this.#underWay.size >= room) await Promise.race(this.#underWay);
    const work = this.#inTurn(message).finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }

  /** Never rejects. */
  async #inTurn(message: JsMsg): Promise<void> {
    const holder = this.#turns && this.#holderOf(message);
    if (!this.#turns || holder === undefined) return this.#handle(message);
    try {
      await this.#turns.run(holder, () => this.#handle(message));
    } catch (err) {
      // Too much of the holder waits. The producer publishes the piece again; here it would take the room of others.
      if (!isOutage(err)) this.#options.log.error({ err, work: this.#name }, 'work could not take its turn');
      this.#instruments.finished.inc({ work: this.#name, outcome: 'later' });
      this.#reply(() => message.term('its holder has its share'));
    }
  }

  #holderOf(message: JsMsg): string | undefined {
    const payload = this.#read(message);
    return payload instanceof Error ? undefined : this.#options.consumer.turns?.holder(message.json());
  }

  /** Never rejects. */
  async #handle(message: JsMsg): Promise<void> {
    if (this.#stop.signal.aborted) return this.#reply(() => message.nak());
    const started = performance.now();
    const outcome = await this.#outcomeOf(message);
    this.#instruments.finished.inc({ work: this.#name, outcome });
    this.#instruments.seconds.observe({ work: this.#name }, (performance.now() - started) / 1_000);
  }

  async #outcomeOf(message: JsMsg): Promise<Outcome> {
    const facts = decodeFacts(message.headers);
    try {
      if (!facts) return await this.#bury(message, undefined, 'the message lacks its headers');
      const work = this.#read(message);
      if (work instanceof Error) return await this.#bury(message, facts, 'the payload cannot be read', work);
      await this.#options.consumer.prepare?.(message.json());
      const isFirst = await this.#work(work, facts, message);
      this.#reply(() => message.ack());
      this.#reportDone(facts);
      return isFirst ? 'done' : 'repeated';
    } catch (err) {
      return this.#failed(message, facts, err);
    }
  }

  #read(message: JsMsg): ReturnType<WorkConsumer['read']> | Error {
    try {
      return this.#options.consumer.read(message.json());
    } catch (err) {
      return err instanceof Error ? err : new Error('unreadable', { cause: err });
    }
  }

  #work(work: ReturnType<WorkConsumer['read']>, facts: MessageFacts, message: JsMsg): Promise<boolean> {
    const { database, tracing, consumer } = this.#options;
    const attributes = { 'stanza.message_id': facts.id };
    return tracing.entry(`work ${this.#name}`, facts.traceparent, attributes, async () => {
      const known = { id: facts.id, attempt: facts.attempt };
      if (consumer.alone) {
        await consumer.alone(message.json(), known);
        return true;
      }
      return database.transaction(async (tx) => {
        const [first] = await tx.query(claimMessage, [facts.id]);
        if (first) await work(tx, known);
        return first !== undefined;
      });
    });
  }

  /** Long work is delivered often without a failure, so its number of deliveries does not count failures. */
  #countFailure(message: JsMsg, facts: MessageFacts | undefined, err: unknown): number {
    // An outage is not a failure of the work: only the delay depends on the number of deliveries.
    if (!facts || !this.#options.consumer.prepare || isOutage(err)) return message.info.deliveryCount;
    const failures = err instanceof UnfinishedWork ? 0 : (this.#failures.get(facts.id) ?? 0) + 1;
    this.#failures.set(facts.id, failures);
    return failures;
  }

  async #failed(message: JsMsg, facts: MessageFacts | undefined, err: unknown): Promise<Outcome> {
    const verdict = verdictOn(err, this.#countFailure(message, facts, err), Math.random());
    try {
      if (verdict.kind === 'dead') return await this.#bury(message, facts, reasonOf(err), err);
    } catch (cause) {
      this.#options.log.error({ err: cause, work: this.#name }, 'a dead letter could not be written');
    }
    if (err instanceof UnfinishedWork) {
      this.#options.log.info({ reason: err.message, work: this.#name }, 'work continues at another delivery');
    } else {
      this.#options.log.warn(
        { err, work: this.#name, message_id: facts?.id },
        'work failed and is delivered again',
      );
    }
    this.#reply(() => message.nak(verdict.kind === 'later' ? verdict.delayMs : reopenMs));
    return 'later';
  }

  async #bury(
    message: JsMsg,
    facts: MessageFacts | undefined,
    reason: string,
    err?: unknown,
  ): Promise<Outcome> {
    await buryMessage(this.#options.database, {
      ...(facts && { messageId: facts.id }),
      subject: messageSubjectOf(this.#options.consumer.declaration),
      payload: message.string(),
      reason,
      deliveries: message.info.deliveryCount,
    });
    this.#options.log.error(
      { err, work: this.#name, message_id: facts?.id, reason },
      'work became a dead letter',
    );
    this.#reply(() => message.term(reason.slice(0, 100).replaceAll(/[\r\n]/g, ' ')));
    if (facts) this.#reportDone(facts);
    return 'dead';
  }

  /** A lost report is harmless: the producer republishes, and the work is found done. */
  #reportDone({ producer, id }: MessageFacts): void {
    const { nats } = this.#options.broker;
    this.#reply(() => nats.publish(doneSubjectOf(producer), encodeDone([id])));
  }

  /** Nothing is sent while NATS is disconnected: it would be sent later, about a delivery that has ended. */
  #reply(say: () => void): void {
    if (this.#options.broker.connected) say();
  }
}
