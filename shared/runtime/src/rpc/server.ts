import type { Msg, MsgHdrs } from '@nats-io/transport-node';
import {
  CodedError,
  changesNothing,
  inboxPrefixOf,
  metricCatalogue,
  type ServiceName,
  subjectOf,
} from '@stanza/contracts';
import type { Clock } from '../clock.ts';
import type { Broker } from '../nats/broker.ts';
import type { BrokerSubscription } from '../nats/subscription.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { type Tracing, traceIdOf } from '../observability/tracing.ts';
import { ConcurrencyLimit, type ConcurrencySlot } from '../shares/concurrency-limit.ts';
import { Turns } from '../shares/turns.ts';
import type { CallContext } from './context.ts';
import { Deadlines, type Expiring } from './deadlines.ts';
import { toCodedError } from './failure.ts';
import type { AnyHandler } from './handler.ts';
import { Pulse } from './pulse.ts';
import { createRed, type Red } from './red.ts';
import {
  decodeContext,
  encodeError,
  errorHeaders,
  holderIn,
  linesOf,
  overloadHeaders,
  repeatedIn,
  weightIn,
} from './wire.ts';

/** Milliseconds for which handlers are started in a row before other events are handled. */
const turnMs = 8;

/**
 * Places of calls that post, for each place of others: they wait for a system outside most of their time, and cost
 * little in the meantime.
 */
const postingPlaces = 8;

/** Calls of one kind of job at a time, unless its operation says otherwise: each may hold a connection of the pool. */
const jobPlaces = 4;
/** Milliseconds that a job waits for its turn; with its work, less than the deadline of its caller. */
const jobWaitMs = 3_000;

/** Dependencies of the server. */
export interface RpcServerOptions {
  broker: Broker;
  service: ServiceName;
  handlers: readonly AnyHandler[];
  /**
   * Maximum requests in flight, queued ones included. Those that post are counted apart, and may be eight times as
   * many. Each kind of job is counted apart as well, of which few run at a time.
   */
  concurrency: number;
  log: Logger;
  metrics: Metrics;
  tracing: Tracing;
  clock: Clock;
}

interface Arrived {
  handler: AnyHandler;
  message: Msg;
  receivedAt: number;
  slot: ConcurrencySlot;
}

/** The places of one kind of job: organizations take turns, and what waits is bounded. */
interface JobPlaces {
  admitted: ConcurrencyLimit;
  turns: Turns;
}

interface Watched extends Expiring {
  signal: AbortSignal;
}

interface Answer {
  body: string;
  headers?: MsgHdrs;
  outcome: string;
}

/** Refused before it was looked at: the caller may ask another process. */
const overload: Answer = { body: '', headers: overloadHeaders, outcome: 'overload' };

/**
 * Answers the operations of a service. Each is a queue-group subscription, so that replicas share the work. Requests
 * are queued as they arrive and started in turns, so that a burst does not block the process. Requests that expired in
 * the queue, or while the process was frozen, are dropped. Organizations share the places.
 */
export class RpcServer {
  readonly #options: RpcServerOptions;
  readonly #subscriptions: BrokerSubscription[] = [];
  readonly #deadlines: Deadlines;
  readonly #pulse: Pulse;
  readonly #red: Red;
  readonly #calls: ConcurrencyLimit;
  readonly #postingCalls: ConcurrencyLimit;
  readonly #jobs: ReadonlyMap<string, JobPlaces>;
  readonly #idle: (() => void)[] = [];
  /** The calls that are being handled, by the reply subjects of their first requests. */
  readonly #running = new Set<string>();
  #queue: Arrived[] = [];
  #isWorking = false;
  #admitted = 0;

  constructor(options: RpcServerOptions) {
    this.#options = options;
    this.#deadlines = new Deadlines(() => options.clock.monotonic());
    this.#pulse = new Pulse(options.clock);
    this.#red = createRed(options.metrics, 'server');
    const { concurrency: limit, metrics } = options;
    this.#calls = new ConcurrencyLimit({ kind: 'calls', limit, metrics });
    this.#postingCalls = new ConcurrencyLimit({
      kind: 'posting_calls',
      limit: limit * postingPlaces,
      ...(options.handlers.some(({ operation }) => operation.posts) && { metrics }),
    });
    this.#jobs = new Map(
      options.handlers.flatMap(({ operation: { id, job } }) => {
        if (!job) return [];
        const turns = new Turns({
          kind: `job_${id.replaceAll('-', '_')}`,
          places: job.places ?? jobPlaces,
          waiting: limit,
          waitMs: jobWaitMs,
          leaves: 'as_many',
          metrics,
          subject: `Too many jobs ${id}`,
        });
        return [[id, { admitted: new ConcurrencyLimit({ kind: 'calls', limit }), turns }]];
      }),
    );
    options.metrics.gauge(metricCatalogue.runtime.rpcInFlight, (gauge) => gauge.set(this.#admitted));
    for (const handler of options.handlers) this.#subscribe(handler);
  }

  /** Requests admitted and not yet answered. */
  get inFlight(): number {
    return this.#admitted;
  }

  /** Stops taking requests and waits until the admitted ones are answered. */
  async drain(): Promise<void> {
    const open = this.#subscriptions.filter((it) => !it.isClosed());
    if (this.#options.broker.connected) await Promise.allSettled(open.map((it) => it.drain()));
    while (this.#admitted > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
    this.#deadlines.clear();
    this.#pulse.stop();
  }

  #subscribe(handler: AnyHandler): void {
    const subject = subjectOf(handler.operation);
    if (handler.operation.service !== this.#options.service) {
      throw new TypeError(`${subject} is not an operation of ${this.#options.service}`);
    }
    const inboxes = handler.operation.callers.map((caller) => `${inboxPrefixOf(caller)}.`);
    const admit = (message: Msg): void => {
      // NATS checks the publisher of a request, but not what a stream or an answer delivers to its subject.
      if (inboxes.some((it) => message.reply?.startsWith(it))) this.#admit(handler, message);
      else
        this.#options.log.error(
          { operation: handler.operation.id },
          'an RPC request was dropped: its reply subject belongs to no caller',
        );
    };
    this.#subscriptions.push(
      this.#options.broker.subscribe(subject, admit, { queue: this.#options.service }),
    );
  }

  #admit(handler: AnyHandler, message: Msg): void {
    const { posts, weighedBy, id } = handler.operation;
    const limit = this.#jobs.get(id)?.admitted ?? (posts ? this.#postingCalls : this.#calls);
    const slot = limit.take(weighedBy === undefined ? 1 : weightIn(linesOf(message)));
    if (!slot) {
      this.#reply(message, overload);
      this.#red(id, overload.outcome, 0);
      return;
    }
    this.#admitted++;
    this.#queue.push({ handler, message, receivedAt: this.#pulse.arrivedAt(), slot });
    if (this.#isWorking) return;
    this.#isWorking = true;
    queueMicrotask(() => this.#work());
  }

  #work(): void {
    const { clock } = this.#options;
    const turnEnds = clock.monotonic() + turnMs;
    const arrived = this.#queue;
    this.#queue = [];
    let next = 0;
    for (; next < arrived.length && clock.monotonic() < turnEnds; next++) {
      const one = arrived[next];
      if (one) void this.#serve(one);
    }
    if (next < arrived.length) this.#queue = arrived.slice(next).concat(this.#queue);
    this.#isWorking = this.#queue.length > 0;
    if (this.#isWorking) setImmediate(() => this.#work());
  }

  /** Never rejects: every outcome of a handler becomes an answer and a log line. */
  async #serve({ handler, message, receivedAt, slot }: Arrived): Promise<void> {
    const { clock, log } = this.#options;
    let outcome = 'failed';
    let call: string | undefined;
    try {
      const lines = linesOf(message);
      const context = decodeContext(lines, receivedAt);
      if (context.deadline <= clock.monotonic()) {
        outcome = 'expired';
        return;
      }
      const repeated = repeatedIn(lines);
      // Its caller may think that this process is frozen. It is slow instead, and would be slower with the work done twice.
      if (repeated !== undefined && this.#running.has(repeated)) {
        outcome = 'repeated';
        return;
      }
      call = repeated ?? message.reply;
      if (call !== undefined) this.#running.add(call);
      const job = this.#jobs.get(handler.operation.id);
      const holder = job ? holderIn(lines) : context.principal?.organization_id;
      const hasShare = holder === undefined || slot.share(holder);
      const turn = job && { turns: job.turns, holder: holder ?? '' };
      const answer = hasShare ? await this.#run(handler, context, message, turn) : overload;
      outcome = answer.outcome;
      this.#reply(message, answer);
    } catch (err) {
      log.error({ err, operation: handler.operation.id }, 'an RPC request could not be answered');
    } finally {
      this.#red(handler.operation.id, outcome, (clock.monotonic() - receivedAt) / 1_000);
      if (call !== undefined) this.#running.delete(call);
      slot.leave();
      this.#admitted--;
      if (this.#admitted === 0) for (const wake of this.#idle.splice(0)) wake();
    }
  }

  async #run(
    handler: AnyHandler,
    context: CallContext,
    message: Msg,
    turn?: { turns: Turns; holder: string },
  ): Promise<Answer> {
    const { id } = handler.operation;
    const attributes = { 'stanza.operation': id, 'stanza.request_id': context.requestId };
    try {
      const reply = await this.#options.tracing.entry(
        `${this.#options.service}.${id}`,
        context.traceparent,
        attributes,
        (traceparent) => {
          const work = () =>
            this.#handle(handler, traceparent ? { ...context, traceparent } : context, message);
          return turn ? turn.turns.run(turn.holder, work) : work();
        },
      );
      const answer = this.#success(reply);
      if (context.operator && !changesNothing(handler.operation)) {
        const log = this.#logOf(context, id);
        log.info({ actor: context.operator }, 'an operator ran a command');
      }
      return answer;
    } catch (err) {
      return this.#failure(err, context, id);
    }
  }

  async #handle(handler: AnyHandler, context: CallContext, message: Msg): Promise<string> {
    let watched: Watched | undefined;
    try {
      return await handler.serve({
        json: message.string(),
        context,
        signal: () => {
          watched ??= this.#watch(context.deadline);
          return watched.signal;
        },
        log: () => this.#logOf(context, handler.operation.id),
      });
    } finally {
      if (watched) this.#deadlines.delete(watched);
    }
  }

  #success(body: string): Answer {
    const limit = this.#options.broker.maxPayload;
    // A UTF-16 unit takes three bytes at most, so that small replies need not be measured.
    if (body.length * 3 <= limit || Buffer.byteLength(body) <= limit) return { body, outcome: 'ok' };
    throw new CodedError('internal_error', {
      message: `The answer takes ${Buffer.byteLength(body)} bytes, more than the ${limit} that the service can carry; ask for less at once.`,
    });
  }

  #failure(err: unknown, context: CallContext, operation: string): Answer {
    const coded = toCodedError(err);
    if (coded.status >= 500) {
      const log = this.#logOf(context, operation);
      if (coded.code === 'internal_error') log.error({ err, code: coded.code }, 'operation failed');
      else log.warn({ err, code: coded.code }, 'operation failed');
    }
    const body = encodeError(coded);
    const fits = Buffer.byteLength(body) + 256 <= this.#options.broker.maxPayload;
    return {
      body: fits ? body : encodeError(new CodedError(coded.code, { message: coded.message.slice(0, 500) })),
      headers: errorHeaders,
      outcome: coded.code,
    };
  }

  #reply(message: Msg, { body, headers }: Answer): void {
    const { broker, log } = this.#options;
    if (!broker.connected) return;
    try {
      // The library makes bytes of a text with an encoder that takes five times as long.
      message.respond(Buffer.from(body), headers && { headers });
    } catch (err) {
      log.warn({ err }, 'an RPC reply could not be sent');
    }
  }

  #watch(deadline: number): Watched {
    const controller = new AbortController();
    const expire = () => controller.abort(new Error('the caller has given up'));
    const watched = { deadline, expire, signal: controller.signal };
    this.#deadlines.add(watched);
    return watched;
  }

  #logOf(context: CallContext, operation: string): Logger {
    return this.#options.log.child({
      request_id: context.requestId,
      operation,
      ...(context.principal && { organization_id: context.principal.organization_id }),
      trace_id: traceIdOf(context.traceparent),
    });
  }
}
