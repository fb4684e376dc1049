import { randomBytes } from 'node:crypto';
import { ClosedConnectionError, DrainingConnectionError } from '@nats-io/nats-core';
import { createInbox, type Msg } from '@nats-io/transport-node';
import {
  CodedError,
  changesNothing,
  type InputOf,
  inboxPrefixOf,
  mayBeRepeated,
  metricCatalogue,
  type Operation,
  type ReplyOf,
  type ServiceName,
  subjectOf,
} from '@stanza/contracts';
import type { Clock } from '../clock.ts';
import type { Broker } from '../nats/broker.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';
import type { CallContext } from './context.ts';
import { Deadlines, type Expiring } from './deadlines.ts';
import { RpcFailure } from './failure.ts';
import type { OpenCall, Outgoing, Pending } from './open-call.ts';
import { createRed, type Red } from './red.ts';
import { Repeats, repeatAfterMs } from './repeats.ts';
import { burdenOf, decodeError, encodeContext, outcomeOf } from './wire.ts';

/** Delay before the one retry of a call without a receiver, plus as much jitter; milliseconds. */
const retryDelayMs = 20;
/** Bytes kept free for subject and headers when a request is measured against the server's limit. */
const headerAllowance = 4_096;

/** Calls operations of other services. */
export interface RpcClient {
  /**
   * Calls an operation and waits for its answer until the earlier of the context's deadline and `deadlineMs` from now;
   * the operation's own deadline unless given. A call without a receiver is retried once, and one that changes nothing,
   * or nothing the second time, is made again where an answer takes long.
   * @throws CodedError when the service answered with one, or when the request is larger than NATS carries
   * @throws RpcFailure when no answer came
   */
  call<O extends Operation>(
    operation: O,
    input: InputOf<O>,
    context: CallContext,
    options?: { deadlineMs?: number },
  ): Promise<ReplyOf<O>>;
}

/** Calls an operation like {@link RpcClient.call}, and returns the JSON of the reply unparsed, to be passed on. */
export type Forward = <O extends Operation>(
  operation: O,
  input: InputOf<O>,
  context: CallContext,
) => Promise<Uint8Array>;

/** Dependencies of the client. */
export interface RpcClientOptions {
  broker: Broker;
  log: Logger;
  metrics: Metrics;
  tracing: Tracing;
  clock: Clock;
}

/** A token that cannot be guessed. */
const newSlot = (): string => randomBytes(9).toString('base64url');

/** A connection that closes publishes no more, while it may still take answers. */
const isClosing = (error: unknown): boolean =>
  error instanceof DrainingConnectionError || error instanceof ClosedConnectionError;

const ranNowhere = (error: unknown): boolean =>
  error instanceof RpcFailure && (error.kind === 'no_responders' || error.kind === 'overload');

const outcomeLabel = (error: unknown): string => {
  if (error instanceof CodedError) return error.code;
  if (!(error instanceof RpcFailure)) return 'failed';
  // Its deadline had passed before it was sent, as the server says of one whose deadline passes on the way.
  return error.kind === 'timeout' && !error.mayHaveRun ? 'expired' : error.kind;
};

/**
 * One reply inbox for all calls, a map of the pending ones, and one timer for their deadlines: the client's own
 * `request` creates an Error and a timer for every call, and reaches half the rate.
 *
 * Each call in flight has a slot, the last token of its reply subject. A request is answered at most once, so an
 * answered slot is reused, which keeps the server's cache of subjects warm. A slot whose call timed out is never
 * reused, because its answer may still arrive.
 *
 * A service can make another answer at an inbox that it knows. It must not learn the slot of a call to another service,
 * so slots are random and each is used for one service only.
 */
export class NatsRpcClient implements RpcClient {
  readonly #options: RpcClientOptions;
  readonly #pending = new Map<string, Pending>();
  readonly #outgoing: Outgoing[] = [];
  readonly #freeSlots = new Map<ServiceName, string[]>();
  readonly #deadlines: Deadlines;
  readonly #inbox: string;
  readonly #red: Red;
  readonly #late: ReturnType<Metrics['counter']>;
  readonly #repeats = new Repeats();

  constructor(options: RpcClientOptions) {
    this.#options = options;
    this.#deadlines = new Deadlines(() => options.clock.monotonic());
    this.#red = createRed(options.metrics, 'client');
    this.#late = options.metrics.counter(metricCatalogue.runtime.rpcLateReplies);
    this.#inbox = `${createInbox(inboxPrefixOf(options.broker.caller))}.`;
    options.broker.subscribe(`${this.#inbox}*`, (message) => this.#received(message));
    options.broker.onDisconnect(() => this.#failAll());
    options.broker.onForbidden((subject) => this.#failForbidden(subject));
  }

  call<O extends Operation>(
    operation: O,
    input: InputOf<O>,
    context: CallContext,
    options: { deadlineMs?: number } = {},
  ): Promise<ReplyOf<O>> {
    return this.#call<ReplyOf<O>>(operation, input, context, options.deadlineMs, (reply) => reply.json());
  }

  /** See {@link Forward}. */
  readonly forward: Forward = (operation, input, context) =>
    this.#call(operation, input, context, undefined, (reply) => reply.data);

  #call<T>(
    operation: Operation,
    input: unknown,
    context: CallContext,
    deadlineMs: number | undefined,
    read: (reply: Msg) => T,
  ): Promise<T> {
    const { clock, tracing } = this.#options;
    const started = clock.monotonic();
    const deadline = Math.min(context.deadline, started + (deadlineMs ?? operation.deadlineMs));
    return tracing.client(
      `${operation.service}.${operation.id}`,
      context,
      (traced) =>
        new Promise((resolve, reject) => {
          const json = JSON.stringify(input) ?? '';
          const burden = burdenOf(operation, input);
          const whole = { ...traced, deadline };
          this.#attempt({
            operation,
            json,
            burden,
            context: whole,
            started,
            isRetry: false,
            sent: [],
            read,
            resolve,
            reject,
          });
        }),
    );
  }

  #attempt<T>(call: OpenCall<T>): void {
    try {
      const refusal = this.#refusalOf(call);
      if (refusal) this.#failed(call, refusal);
      else this.#request(call);
    } catch (err) {
      this.#failed(call, err);
    }
  }

  /** Why a call is not even sent. */
  #refusalOf({
    operation,
    json,
    context,
  }: Pick<OpenCall<unknown>, 'operation' | 'json' | 'context'>): Error | undefined {
    const { broker, clock } = this.#options;
    const subject = subjectOf(operation);
    if (context.deadline <= clock.monotonic()) return new RpcFailure('timeout', subject, false);
    if (!broker.connected) return new RpcFailure('disconnected', subject, false);
    return this.#tooLarge(json);
  }

  #request<T>(call: OpenCall<T>): void {
    const { operation, json, burden, context } = call;
    const { service } = operation;
    const subject = subjectOf(operation);
    const remainingMs = context.deadline - this.#options.clock.monotonic();
    const slot = this.#freeSlots.get(service)?.pop() ?? newSlot();
    const isFirst = call.sent.length === 0;
    if (isFirst) call.first = this.#inbox + slot;
    const headers = encodeContext(context, remainingMs, burden, isFirst ? undefined : call.first);
    const end = () => {
      for (const sent of call.sent.splice(0)) sent.forget();
    };
    const repeat = this.#repeatOf(call);
    const pending: Pending = {
      deadline: context.deadline,
      subject,
      forget: () => {
        this.#pending.delete(slot);
        this.#deadlines.delete(pending);
        if (repeat) this.#deadlines.delete(repeat);
      },
      forbidden: (mayHaveRun) => {
        end();
        this.#failed(call, new RpcFailure('forbidden', subject, mayHaveRun, changesNothing(operation)));
      },
      expire: () => pending.failed('timeout'),
      failed: (kind, wasSent = true) => {
        pending.forget();
        call.sent.splice(call.sent.indexOf(pending), 1);
        // Another request of the call may still be answered.
        if (call.sent.length > 0) return;
        const mayHaveRun = wasSent && (kind === 'timeout' || kind === 'disconnected');
        this.#failed(call, new RpcFailure(kind, subject, mayHaveRun, changesNothing(operation)));
      },
      refused: (err) => {
        end();
        this.#failed(call, err);
      },
      answered: (reply) => {
        this.#free(service, slot);
        const outcome = outcomeOf(reply);
        if (outcome === 'no_responders' || outcome === 'overload') return pending.failed(outcome);
        end();
        if (!isFirst) this.#repeats.helped();
        if (outcome === 'error') this.#failed(call, decodeError(reply));
        else this.#answered(call, reply);
      },
    };
    this.#pending.set(slot, pending);
    this.#deadlines.add(pending);
    if (repeat) this.#deadlines.add(repeat);
    call.sent.push(pending);
    this.#send({ slot, pending, subject, json, headers });
  }

  /**
   * Makes a call again that changes nothing the second time and has no answer for a while: its receiver may be frozen.
   */
  #repeatOf<T>(call: OpenCall<T>): Expiring | undefined {
    const { operation, context, sent } = call;
    if (!mayBeRepeated(operation)) return undefined;
    const now = this.#options.clock.monotonic();
    const deadline = now + repeatAfterMs;
    if (deadline >= context.deadline) return undefined;
    const expire = () => {
      if (sent.length === 0 || !this.#options.broker.connected) return;
      if (this.#repeats.take(this.#options.clock.monotonic())) this.#request(call);
    };
    return { deadline, expire };
  }

  #answered<T>(call: OpenCall<T>, reply: Msg): void {
    const value = call.read(reply);
    this.#count(call, 'ok');
    call.resolve(value);
  }

  /** Ends a call with an error, or makes it once more where no service has seen it. */
  #failed<T>(call: OpenCall<T>, err: unknown): void {
    const delay = retryDelayMs * (1 + Math.random());
    const isWorthIt = call.context.deadline - this.#options.clock.monotonic() > delay;
    if (!call.isRetry && ranNowhere(err) && isWorthIt) {
      setTimeout(() => this.#attempt({ ...call, isRetry: true }), delay);
      return;
    }
    this.#count(call, outcomeLabel(err));
    call.reject(err);
  }

  #count({ operation, started }: Pick<OpenCall<unknown>, 'operation' | 'started'>, outcome: string): void {
    this.#red(operation.id, outcome, (this.#options.clock.monotonic() - started) / 1_000);
  }

  /**
   * Requests of one turn of the event loop are sent in one write at its end: a write is the most expensive part of a
   * call.
   */
  #send(request: Outgoing): void {
    if (this.#outgoing.push(request) === 1) setImmediate(() => this.#sendAll());
  }

  #sendAll(): void {
    const { nats } = this.#options.broker;
    for (const { slot, pending, subject, json, headers } of this.#outgoing.splice(0)) {
      // Failed in the meantime: its caller has the error, so it must not run.
      if (this.#pending.get(slot) !== pending) continue;
      try {
        // The library makes bytes of a text with an encoder that takes five times as long.
        nats.publish(subject, Buffer.from(json), { reply: this.#inbox + slot, headers });
      } catch (err) {
        // The process ends, or its start has failed, while a request that it took is under way.
        if (isClosing(err)) pending.failed('disconnected', false);
        else pending.refused(err);
      }
    }
  }

  #free(service: ServiceName, slot: string): void {
    // The answer may arrive once more, over the other connection.
    if (this.#options.broker.isDoubled) return;
    const free = this.#freeSlots.get(service);
    if (free) free.push(slot);
    else this.#freeSlots.set(service, [slot]);
  }

  #tooLarge(json: string): CodedError | undefined {
    const limit = this.#options.broker.maxPayload - headerAllowance;
    // A UTF-16 unit takes three bytes at most, so that small requests need not be measured.
    if (json.length * 3 <= limit) return undefined;
    const size = Buffer.byteLength(json);
    if (size <= limit) return undefined;
    return new CodedError('invalid_request', {
      message: `The request takes ${size} bytes inside the service, which is more than the ${limit} that it can carry.`,
    });
  }

  #received(message: Msg): void {
    const pending = this.#pending.get(message.subject.slice(this.#inbox.length));
    if (!pending) return void this.#late.inc();
    try {
      pending.answered(message);
    } catch (err) {
      this.#options.log.error({ err }, 'invalid RPC reply');
      pending.failed('timeout');
    }
  }

  /**
   * Ends the calls to a subject that NATS has refused. It does not name the call: of several, one may have been
   * published before the permission was withdrawn.
   */
  #failForbidden(subject: string): void {
    const forbidden = [...this.#pending.values()].filter((pending) => pending.subject === subject);
    for (const pending of forbidden) pending.forbidden(forbidden.length > 1);
  }

  /** From now on replies to calls in flight can be lost; which ones is unknown. */
  #failAll(): void {
    for (const pending of [...this.#pending.values()]) pending.failed('disconnected');
  }
}
