import type { z } from 'zod';
import type { ErrorCode } from './error-codes.ts';
import type { RateName } from './rates.ts';
import type { Role, Scope } from './scopes.ts';
import type { CallerName, ServiceName } from './services.ts';

/** HTTP methods that operations use. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call an operation: holders of a scope, holders of any valid token, sessions of people alone, senders of
 * a signature that the owning service verifies, or everybody.
 */
export type Access = Scope | 'any_token' | 'session' | 'signed' | 'public';

/** The scopes that a caller must hold; none where something else than a scope decides. */
export const requiredScopes = ({ access }: { access: Access }): Scope[] => {
  const isScope =
    access !== 'any_token' && access !== 'session' && access !== 'signed' && access !== 'public';
  return isScope ? [access] : [];
};

/** Milliseconds that a call may take unless its operation says otherwise. */
export const defaultDeadlineMs = 5_000;

/** Bytes that a request body may have unless its operation says otherwise. */
export const defaultBodyLimit = 512 * 1024;

type ObjectSchema = z.ZodObject;
type Maybe<S> = S | undefined;

/** What every operation has, whether it is reached over HTTP or only by other services. */
interface OperationBase<Id extends string, Reply extends z.ZodType> {
  /** Name in kebab-case; its file in the owning service has the same name, and so has its RPC subject. */
  id: Id;
  /** The one service that owns the answer. */
  service: ServiceName;
  /** One line for people. */
  summary: string;
  /** What it does that the summary leaves out. */
  description?: string;
  /** What it answers. */
  reply: Reply;
  /** Error codes it can answer beyond those that every operation of its kind can. */
  errors: readonly ErrorCode[];
  /** Who may call it over NATS. */
  callers: readonly CallerName[];
  /** Milliseconds until the caller gives up. */
  deadlineMs: number;
  /** Changes nothing, as every GET; a caller who gets no answer need not fear that it ran. */
  readOnly?: true;
}

/** An operation with a route. */
export interface HttpOperation<
  Id extends string = string,
  Params extends Maybe<ObjectSchema> = Maybe<ObjectSchema>,
  Query extends Maybe<ObjectSchema> = Maybe<ObjectSchema>,
  Body extends Maybe<z.ZodType> = Maybe<z.ZodType>,
  Reply extends z.ZodType = z.ZodType,
> extends OperationBase<Id, Reply> {
  kind: 'http';
  method: Method;
  /** Without the `/v1` prefix, parameters in braces: `/templates/{id}`. */
  path: string;
  access: Access;
  /** The narrowest role allowed, where the scope alone is not enough. */
  role?: Role;
  /**
   * Changes the organization itself, or shows how it changes: its people, their roles, its end. Keys of the preview
   * environment are refused, since what happens there must not reach production.
   */
  organizationWide: boolean;
  params?: Params;
  query?: Query;
  body?: Body;
  /** Status of success; 204 has no body, whatever the handler replies. */
  status: 200 | 201 | 204;
  /** Takes `Idempotency-Key`. */
  idempotent: boolean;
  /** Counts against the authoring rate. */
  authoring: boolean;
  /** Counts against another rate than that; see `rates`. */
  ownRate?: Exclude<RateName, 'authoring'>;
  /**
   * What stands in the body where that is a form that somebody else has signed. It is handed on as the bytes that came,
   * with the headers of the signature: `body` describes what the owner then receives.
   */
  signedForm?: ObjectSchema;
  /** Bytes. */
  bodyLimit: number;
  /** A list's older collection key, which repeats the pagination at top level. */
  legacyListKey?: string;
  /**
   * The code of an answer that did not come in time: the operation may have run. Default `service_unavailable`,
   * whose text says so.
   */
  lostAnswer: ErrorCode;
  /** What the caller of such an answer is told, where the code's own text does not fit. */
  lostMessage?: string;
  /** Its charge is provisional until the gateway confirms that the answer was given. */
  confirmed: boolean;
  /** Its refusals of a token, 401 and 403, carry `valid: false`. */
  answersValidity: boolean;
  /** An example request body, for the documentation and for the tests that are generated from the registry. */
  example?: unknown;
  /**
   * It is for people in a browser: the gateway makes a page of its reply, which is a `page`, and of its errors where the
   * caller takes pages. Or it is for identity providers: answers and errors have the form of SCIM 2.0, and the path
   * without `/v1` is as good as the other.
   */
  answers?: 'page' | 'scim';
  /**
   * Why the contract matrix cannot make a request that succeeds: what is missing in a test, in one sentence. Everything
   * else is generated all the same.
   */
  noGeneratedSuccess?: string;
}

/** An operation that only services and the operator's command line reach. */
export interface InternalOperation<
  Id extends string = string,
  Input extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> extends OperationBase<Id, Reply> {
  kind: 'internal';
  input: Input;
}

/** Any operation of the registry. */
export type Operation = HttpOperation | InternalOperation;

type PartOf<S> = [NonNullable<S>] extends [never] ? undefined : z.output<NonNullable<S> & z.ZodType>;

/** What a handler of the operation receives: validated parts of the request, or the internal input. */
export type InputOf<O extends Operation> =
  O extends InternalOperation<string, infer I, z.ZodType>
    ? z.output<I>
    : O extends HttpOperation
      ? { params: PartOf<O['params']>; query: PartOf<O['query']>; body: PartOf<O['body']> }
      : never;

/** What a handler of the operation answers. */
export type ReplyOf<O extends Operation> = z.input<O['reply']>;

type Defaulted<D, K extends keyof D> = Omit<D, K | 'kind'> & Partial<Pick<D, K>>;

/** What is written down of an operation with a route; everything else has a default. */
export type HttpDeclaration<
  Id extends string,
  P extends Maybe<ObjectSchema>,
  Q extends Maybe<ObjectSchema>,
  B extends Maybe<z.ZodType>,
  R extends z.ZodType,
> = Defaulted<
  HttpOperation<Id, P, Q, B, R>,
  | 'organizationWide'
  | 'params'
  | 'query'
  | 'body'
  | 'status'
  | 'idempotent'
  | 'authoring'
  | 'bodyLimit'
  | 'lostAnswer'
  | 'confirmed'
  | 'answersValidity'
  | 'callers'
  | 'deadlineMs'
  | 'errors'
>;

/** Declares an operation with a route. `access` has no default: an operation without it does not type-check. */
export function httpOperation<
  const Id extends string,
  R extends z.ZodType,
  P extends Maybe<ObjectSchema> = undefined,
  Q extends Maybe<ObjectSchema> = undefined,
  B extends Maybe<z.ZodType> = undefined,
>(declared: HttpDeclaration<Id, P, Q, B, R>): HttpOperation<Id, P, Q, B, R> {
  return {
    status: 200,
    organizationWide: false,
    idempotent: false,
    authoring: false,
    bodyLimit: defaultBodyLimit,
    lostAnswer: 'service_unavailable',
    confirmed: false,
    answersValidity: false,
    callers: ['gateway'],
    deadlineMs: defaultDeadlineMs,
    errors: [],
    ...declared,
    kind: 'http',
  };
}

/** Declares an operation without a route. */
export function internalOperation<const Id extends string, I extends z.ZodType, R extends z.ZodType>(
  declared: Defaulted<InternalOperation<Id, I, R>, 'deadlineMs' | 'errors'>,
): InternalOperation<Id, I, R> {
  return { deadlineMs: defaultDeadlineMs, errors: [], ...declared, kind: 'internal' };
}

/** Whether a value is an operation. */
export const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  (value.kind === 'http' || value.kind === 'internal') &&
  'callers' in value;

/** True when nothing is different after the operation has run. */
export const changesNothing = (operation: Operation): boolean =>
  operation.readOnly === true || (operation.kind === 'http' && operation.method === 'GET');

/** The NATS subject on which the owner of an operation listens. */
export const subjectOf = (operation: Pick<Operation, 'service' | 'id'>): string =>
  `rpc.${operation.service}.${operation.id}`;
