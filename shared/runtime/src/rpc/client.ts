import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createInbox, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import {
  CodedError,
  changesNothing,
  type InputOf,
  inboxPrefixOf,
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
import { type FailureKind, RpcFailure } from './failure.ts';
import { createRed, type Red } from './red.ts';
import { decodeError, encodeContext, outcomeOf } from './wire.ts';

/** Wait before the one retry of a call that nobody took, to which as much jitter is added. */
const retryDelayMs = 20;
/** Bytes kept free for subject and headers when a request is measured against the server's limit. */
const headerAllowance = 4_096;

/** Calls operations of other services. */
export interface RpcClient {
  /**
   * Calls an operation and waits for its answer until the context's deadline, or `deadlineMs` from now if that is
   * earlier; without it the operation's own deadline counts. A call that nobody took is made once more.
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

/** Calls an operation like {@link RpcClient.call}, and answers the JSON of the reply unread, to be handed on. */
export type Forward = <O extends Operation>(
  operation: O,
  input: InputOf<O>,
  context: CallContext,
) => Promise<Uint8Array>;

/** What the client needs. */
export interface RpcClientOptions {
  broker: Broker;
  log: Logger;
  metrics: Metrics;
  tracing: Tracing;
  clock: Clock;
}

interface Pending extends Expiring {
  answered(reply: Msg): void;
  failed(kind: FailureKind): void;
  /** The client refused to publish the request. */
  refused(err: unknown): void;
}

/** A request that leaves at the end of this turn of the loop. */
interface Outgoing {
  slot: string;
  pending: Pending;
  subject: string;
  json: string;
  headers: MsgHdrs;
}

/** A token that cannot be guessed. */
const newSlot = (): string => randomBytes(9).toString('base64url');

const ranNowhere = (error: unknown): boolean =>
  error instanceof RpcFailure && (error.kind === 'no_responders' || error.kind === 'overload');

const outcomeLabel = (error: unknown): string => {
  if (error instanceof CodedError) return error.code;
  return error instanceof RpcFailure ? error.kind : 'failed';
};

/**
 * One reply inbox for all calls, a map of the pending ones, and one timer for their deadlines: the client's own
 * `request` makes an Error and a timer for every call, and reaches half the rate.
 *
 * Each call under way has a slot, the last token of its reply subject. A request is answered at most once, so a slot
 * whose answer came can be used again, which keeps the server's cache of subjects warm; a slot whose call was given up
 * is never used again, because its answer may still come.
 *
 * A service can have another answer at an inbox that it knows. So it never learns the slot of a call to another service:
 * slots are random, and each is used for one service alone.
 */
export class NatsRpcClient implements RpcClient {
  readonly #options: RpcClientOptions;
  readonly #pending = new Map<string, Pending>();
  readonly #outgoing: Outgoing[] = [];
  readonly #freeSlots = new Map<ServiceName, string[]>();
  readonly #deadlines: Deadlines;
  readonly #inbox: string;
  readonly #red: Red;

  constructor(options: RpcClientOptions) {
    this.#options = options;
    this.#deadlines = new Deadlines(() => options.clock.monotonic());
    this.#red = createRed(options.metrics, 'client');
    this.#inbox = `${createInbox(inboxPrefixOf(options.broker.caller))}.`;
    options.broker.subscribe(`${this.#inbox}*`, (message) => this.#received(message));
    options.broker.onDisconnect(() => this.#failAll());
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

  async #call<T>(
    operation: Operation,
    input: unknown,
    context: CallContext,
    deadlineMs: number | undefined,
    read: (reply: Msg) => T,
  ): Promise<T> {
    const target = `${operation.service}.${operation.id}`;
    const started = this.#options.clock.monotonic();
    const deadline = Math.min(context.deadline, started + (deadlineMs ?? operation.deadlineMs));
    try {
      const reply = await this.#options.tracing.client(target, context, (traced) =>
        this.#callTwice(operation, JSON.stringify(input) ?? '', { ...traced, deadline }, read),
      );
      this.#red(operation.id, 'ok', (this.#options.clock.monotonic() - started) / 1_000);
      return reply;
    } catch (err) {
      this.#red(operation.id, outcomeLabel(err), (this.#options.clock.monotonic() - started) / 1_000);
      throw err;
    }
  }

  async #callTwice<T>(
    operation: Operation,
    json: string,
    context: CallContext,
    read: (reply: Msg) => T,
  ): Promise<T> {
    try {
      return await this.#callOnce(operation, json, context, read);
    } catch (err) {
      const delay = retryDelayMs * (1 + Math.random());
      const isWorthIt = context.deadline - this.#options.clock.monotonic() > delay;
      if (!ranNowhere(err) || !isWorthIt) throw err;
      await pause(delay);
      return await this.#callOnce(operation, json, context, read);
    }
  }

  #callOnce<T>(
    operation: Operation,
    json: string,
    context: CallContext,
    read: (reply: Msg) => T,
  ): Promise<T> {
    const { broker, clock } = this.#options;
    const subject = subjectOf(operation);
    const remaining = context.deadline - clock.monotonic();
    if (remaining <= 0) return Promise.reject(new RpcFailure('timeout', subject, false));
    if (!broker.connected) return Promise.reject(new RpcFailure('disconnected', subject, false));
    const tooLarge = this.#tooLarge(json);
    if (tooLarge) return Promise.reject(tooLarge);
    return new Promise((resolve, reject) => {
      const { service } = operation;
      const slot = this.#freeSlots.get(service)?.pop() ?? newSlot();
      const forget = () => {
        this.#pending.delete(slot);
        this.#deadlines.delete(pending);
      };
      const failed = (kind: FailureKind) => {
        forget();
        const mayHaveRun = kind === 'timeout' || kind === 'disconnected';
        reject(new RpcFailure(kind, subject, mayHaveRun, changesNothing(operation)));
      };
      const pending: Pending = {
        deadline: context.deadline,
        expire: () => failed('timeout'),
        failed,
        refused: (err) => {
          forget();
          reject(err);
        },
        answered: (reply) => {
          this.#free(service, slot);
          const outcome = outcomeOf(reply);
          if (outcome === 'no_responders' || outcome === 'overload') return failed(outcome);
          forget();
          if (outcome === 'error') return reject(decodeError(reply));
          resolve(read(reply));
        },
      };
      this.#pending.set(slot, pending);
      this.#deadlines.add(pending);
      this.#send({ slot, pending, subject, json, headers: encodeContext(context, remaining) });
    });
  }

  /**
   * Requests that come from many sockets in one turn of the loop leave in one write at its end: a write costs more
   * than all else that a call does here.
   */
  #send(request: Outgoing): void {
    if (this.#outgoing.push(request) === 1) setImmediate(() => this.#sendAll());
  }

  #sendAll(): void {
    const { nats } = this.#options.broker;
    for (const { slot, pending, subject, json, headers } of this.#outgoing.splice(0)) {
      // Failed meanwhile: its caller has been told, so it must not run.
      if (this.#pending.get(slot) !== pending) continue;
      try {
        nats.publish(subject, json, { reply: this.#inbox + slot, headers });
      } catch (err) {
        pending.refused(err);
      }
    }
  }

  #free(service: ServiceName, slot: string): void {
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
    // A reply after its deadline finds nobody.
    if (!pending) return;
    try {
      pending.answered(message);
    } catch (err) {
      this.#options.log.error({ err }, 'a reply could not be read');
      pending.failed('timeout');
    }
  }

  /** Replies to calls that are under way can be lost from now on, and nobody can say which. */
  #failAll(): void {
    for (const pending of [...this.#pending.values()]) pending.failed('disconnected');
  }
}
