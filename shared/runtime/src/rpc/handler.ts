import type { InputOf, Operation, Person, Principal, ReplyOf } from '@stanza/contracts';
import { type Reach, withReach } from '../database/reach.ts';
import { Tenant } from '../database/tenant.ts';
import { InvariantError } from '../invariant.ts';
import type { Logger } from '../observability/log.ts';
import type { CallContext } from './context.ts';

/** A request as the handler of an operation sees it. */
export interface Call<O extends Operation> {
  readonly input: InputOf<O>;
  /** To be passed on to the calls that the handler makes. */
  readonly context: CallContext;
  /**
   * Who stands behind the call.
   * @throws InvariantError when the call carries no principal; the operation then has no business to ask for it
   */
  readonly principal: Principal;
  /**
   * The person whose session token the call carries; set for every session, also of somebody who is no member yet.
   * @throws InvariantError when the call carries none: the operation is none of access `session`
   */
  readonly person: Person;
  /** The tenant of the principal; throws like `principal`. */
  readonly tenant: Tenant;
  /** Aborted when the caller has given up. */
  readonly signal: AbortSignal;
  /** Adds request id, operation and organization to each line. */
  readonly log: Logger;
}

/** What the server hands to a handler: the JSON of the request, not looked at yet. */
export interface Incoming {
  json: string;
  context: CallContext;
  /** Makes the signal when it is asked for, because few handlers do. */
  signal(): AbortSignal;
  log(): Logger;
}

/** A handler whose operation is not known to the type system, as lists of them hold it. */
export interface AnyHandler {
  readonly operation: Operation;
  /** Answers a request; rejects with a coded error, or with anything when there is a bug. */
  serve(incoming: Incoming): Promise<unknown>;
}

/** The implementation of one operation. */
export interface Handler<O extends Operation> extends AnyHandler {
  readonly operation: O;
  /** The use case itself, for tests that need no wire. */
  run(call: Call<O>): Promise<ReplyOf<O>>;
}

/** One request on its way through a handler; what costs something is made when it is asked for. */
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
 * The parts of an HTTP operation were validated by the gateway, and its schemas may transform, so they are not parsed
 * twice. The input of an internal one comes from code, maybe of another version, and is checked here.
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
 * Whose rows a call may touch: an internal call that names an organization, those of that one; every other call, those
 * of its principal. What a person asks for themselves goes across their organizations.
 */
const reachOf = (operation: Operation, { principal }: CallContext, input: unknown): Reach => {
  if (operation.kind === 'internal') {
    const { organization_id } = Object(input);
    if (typeof organization_id === 'string') return [organization_id];
  } else if (operation.access === 'session') return 'all';
  return principal ? [principal.organization_id] : 'all';
};

/** Binds the implementation of an operation to its declaration. */
export const handle = <O extends Operation>(
  operation: O,
  run: (call: Call<O>) => Promise<ReplyOf<O>>,
): Handler<O> => {
  const runWithin = (call: Call<O>): Promise<ReplyOf<O>> =>
    withReach(reachOf(operation, call.context, call.input), () => run(call));
  return {
    operation,
    run: runWithin,
    serve: async (incoming) => runWithin(new IncomingCall(readInput(operation, incoming.json), incoming)),
  };
};
