import type { InputOf, Operation, Person, Principal, ReplyOf } from '@stanza/contracts';
import { type Reach, withReach } from '../database/reach.ts';
import { Tenant } from '../database/tenant.ts';
import { InvariantError } from '../invariant.ts';
import type { Logger } from '../observability/log.ts';
import type { CallContext } from './context.ts';

/** A request as passed to the handler of an operation. */
export interface Call<O extends Operation> {
  readonly input: InputOf<O>;
  /** Passed on to the calls that the handler makes. */
  readonly context: CallContext;
  /**
   * The principal of the call.
   * @throws InvariantError when the call carries no principal; its operation must then not read it
   */
  readonly principal: Principal;
  /**
   * The person of the session token of the call; set for every session, also of a person who is not yet a member.
   * @throws InvariantError when the call carries none: the access of the operation is not `session`
   */
  readonly person: Person;
  /** The tenant of the principal; throws like `principal`. */
  readonly tenant: Tenant;
  /** Aborted when the caller has given up. */
  readonly signal: AbortSignal;
  /** Adds request id, operation and organization to each line. */
  readonly log: Logger;
}

/** A request as the server passes it to a handler: its JSON, not yet parsed. */
export interface Incoming {
  json: string;
  context: CallContext;
  /** Creates the signal on demand, because few handlers use it. */
  signal(): AbortSignal;
  log(): Logger;
}

/** A handler of any operation, for lists. */
export interface AnyHandler {
  readonly operation: Operation;
  /** Answers a request with the JSON of its reply; rejects with a coded error, or with any error of a bug. */
  serve(incoming: Incoming): Promise<string>;
}

/** The implementation of one operation. */
export interface Handler<O extends Operation> extends AnyHandler {
  readonly operation: O;
  /** The use case itself, for tests that need no wire. */
  run(call: Call<O>): Promise<ReplyOf<O>>;
}

/** One request in a handler; expensive parts are created on demand. */
class IncomingCall<O extends Operation> implements Call<O> {
  readonly input: InputOf<O>;
  readonly context: CallContext;
  readonly #incoming: Incoming;
  #tenant: Tenant | undefined;
  #log: Logger | undefined;

  constructor(input: InputOf<O>, incoming: Incoming) {
    this.input = input;
    this.context = incoming.context;
    this.#incoming = incoming;
  }

  get principal(): Principal {
    const { principal } = this.context;
    if (!principal) throw new InvariantError('the call carries no principal');
    return principal;
  }

  get person(): Person {
    const { person } = this.context;
    if (!person) throw new InvariantError('the call carries no person');
    return person;
  }

  get tenant(): Tenant {
    this.#tenant ??= Tenant.of(this.principal);
    return this.#tenant;
  }

  get signal(): AbortSignal {
    return this.#incoming.signal();
  }

  get log(): Logger {
    this.#log ??= this.#incoming.log();
    return this.#log;
  }
}

/**
 * The input of an HTTP operation was validated by the gateway. Its schemas may transform, so it is not parsed twice.
 * The input of an internal operation comes from code, maybe of another version, and is checked here.
 */
const readInput = <O extends Operation>(operation: O, json: string): InputOf<O> => {
  const declared: Operation = operation;
  let value = JSON.parse(json === '' ? 'null' : json);
  if (declared.kind === 'internal') {
    const parsed = declared.input.safeParse(value);
    if (!parsed.success) throw new InvariantError(`bad input for ${declared.id}`, { cause: parsed.error });
    value = parsed.data;
  }
  return value;
};

/**
 * The reach of a call: the organization that an internal call names, otherwise that of its principal. An operation for
 * a person's own data reaches all organizations.
 */
const reachOf = (operation: Operation, { principal }: CallContext, input: unknown): Reach => {
  if (operation.kind === 'internal') {
    const { organization_id } = Object(input);
    if (typeof organization_id === 'string') return [organization_id];
  } else if (operation.access === 'session') return 'all';
  return principal ? [principal.organization_id] : 'all';
};

const bound = <O extends Operation, Reply>(
  operation: O,
  answer: (call: Call<O>) => Promise<Reply>,
  { read, write }: { read: (reply: Reply) => ReplyOf<O>; write: (reply: Reply) => string },
): Handler<O> => {
  const within = (call: Call<O>): Promise<Reply> =>
    withReach(reachOf(operation, call.context, call.input), () => answer(call));
  return {
    operation,
    run: async (call) => read(await within(call)),
    serve: async (incoming) =>
      write(await within(new IncomingCall(readInput(operation, incoming.json), incoming))),
  };
};

/** Binds the implementation of an operation to its declaration. */
export const handle = <O extends Operation>(
  operation: O,
  run: (call: Call<O>) => Promise<ReplyOf<O>>,
): Handler<O> =>
  bound(operation, run, { read: (reply) => reply, write: (reply) => JSON.stringify(reply ?? null) });

/** As {@link handle}, of an implementation that writes the JSON of its reply: most of it is stored as text. */
export const handleWritten = <O extends Operation>(
  operation: O,
  run: (call: Call<O>) => Promise<string>,
): Handler<O> => bound(operation, run, { read: (json) => JSON.parse(json), write: (json) => json });
