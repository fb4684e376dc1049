import type { z } from 'zod';
import type { EntityTagged } from './entity-tag.ts';
import type { ErrorCode } from './error-codes.ts';
import type { Principal } from './principal.ts';
import type { RateName } from './rates.ts';
import type { Role, Scope } from './scopes.ts';
import type { CallerName, ServiceName } from './services.ts';

/** HTTP methods that operations use. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call an operation: holders of a scope, holders of any valid token, sessions of people only, senders of a
 * signature that the owning service verifies, or the public.
 */
export type Access = Scope | 'any_token' | 'session' | 'signed' | 'public';

/** The scopes that a caller must hold; empty where access does not depend on a scope. */
export const requiredScopes = ({ access }: { access: Access }): Scope[] => {
  const isScope =
    access !== 'any_token' && access !== 'session' && access !== 'signed' && access !== 'public';
  return isScope ? [access] : [];
};

/** Whether a caller holds every scope that an operation requires; what its answers say may then be said elsewhere too. */
export const mayCall = ({ scopes }: Pick<Principal, 'scopes'>, operation: { access: Access }): boolean =>
  requiredScopes(operation).every((scope) => scopes.includes(scope));

/** Default timeout of a call, milliseconds. */
export const defaultDeadlineMs = 5_000;

/** Default limit of a request body, bytes. */
export const defaultBodyLimit = 512 * 1024;

/** Seconds without an event after which a stream sends a heartbeat. */
export const streamHeartbeatSeconds = 15;

/** Why a stream ends. */
export const streamEnds = ['client', 'lifetime', 'shutdown', 'refused', 'failed', 'slow'] as const;

/** Header in which a client of a stream names the last event that it has. */
export const lastEventIdHeader = 'Last-Event-ID';

type ObjectSchema = z.ZodObject;
type Maybe<S> = S | undefined;

/** The properties of every operation, reached over HTTP or by other services only. */
interface OperationBase<Id extends string, Reply extends z.ZodType> {
  /** Name in kebab-case; its file in the owning service has the same name, and so has its RPC subject. */
  id: Id;
  /** The service that owns the operation. */
  service: ServiceName;
  /** A one-line summary. */
  summary: string;
  /** Details beyond the summary. */
  description?: string;
  /** Schema of the answer. */
  reply: Reply;
  /** Error codes beyond those of every operation of its kind. */
  errors: readonly ErrorCode[];
  /** Who may call it over NATS. */
  callers: readonly CallerName[];
  /** Timeout of the caller, milliseconds. */
  deadlineMs: number;
  /**
   * Waits for an external system, as a post to the chat platform does. Such calls have a concurrency limit of their
   * own, so that they do not delay the other calls of the service.
   */
  posts?: true;
  /**
   * Ordered by rows of its callers' outboxes, which have the name. Such calls have places of their own, which
   * organizations share; 4 unless given.
   */
  job?: { name: string; places?: number };
  /** The list in the body whose length is the weight of a call under the concurrency limit; 1 unless given. */
  weighedBy?: string;
  /** Read-only, like every GET; a call without an answer has changed nothing. */
  readOnly?: true;
  /**
   * Short, and done once by the id of its caller's operation: a second call changes nothing and gets the first answer, or
   * one as good. So a call without an answer is made again at another replica.
   */
  once?: true;
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
  /** The narrowest role allowed, where the scope does not suffice. */
  role?: Role;
  /**
   * Changes the organization itself, or shows its changes: its people, their roles, its deletion. Keys of the preview
   * environment are refused, since preview must not affect production.
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
  /** Reads from the other environment, with this scope at least: takes `X-Source-Authorization`. */
  takesSource?: Scope;
  /** Counts against another rate; see `rates`. */
  ownRate?: Exclude<RateName, 'authoring'>;
  /** Counts against no rate, and its changes of one resource do not take turns: credits or an amount per day bound it. */
  unrated?: true;
  /**
   * Content of the body for a form signed by another party. Its bytes are passed on unchanged, with the headers of the
   * signature: `body` describes the owner's input.
   */
  signedForm?: ObjectSchema;
  /** Bytes. */
  bodyLimit: number;
  /** A list's older collection key, which repeats the pagination at top level. */
  legacyListKey?: string;
  /** The code of a timed-out answer: the operation may have run. Default `service_unavailable`, whose text says so. */
  lostAnswer: ErrorCode;
  /** The message for the caller of such an answer, where the code's own does not fit. */
  lostMessage?: string;
  /** Its charge is provisional until the gateway confirms the sent answer. */
  confirmed: boolean;
  /** Its refusals of a token, 401 and 403, carry `valid: false`. */
  answersValidity: boolean;
  /**
   * Its answers have an `ETag`. A GET then takes `If-None-Match`, and a PATCH takes `If-Match`, which its owner checks
   * under the lock of the row.
   */
  entityTag?: EntityTagged;
  /** An example request body, for the documentation and for the tests generated from the registry. */
  example?: unknown;
  /**
   * `page`: for browsers. The gateway renders the reply, which is a `page`, and renders errors for callers that
   * accept pages. `scim`: for identity providers. Answers and errors have the form of SCIM 2.0, and the path without
   * `/v1` is equivalent. `stream`: the answer has no end. The gateway reads repeatedly, each time after the `position`
   * of the previous reply, and writes the changes as server-sent events. It takes `Last-Event-ID`.
   */
  answers?: 'page' | 'scim' | 'stream';
  /**
   * Why the contract matrix cannot make a successful request: the missing precondition, in one sentence. All other
   * cases are generated all the same.
   */
  noGeneratedSuccess?: string;
}

/** An operation for services and the operator's command line only. */
export interface InternalOperation<
  Id extends string = string,
  Input extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> extends OperationBase<Id, Reply> {
  kind: 'internal';
  input: Input;
}

/** An operation whose callers order it by rows of their outboxes. */
export type JobOperation<
  Id extends string = string,
  Input extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> = InternalOperation<Id, Input, Reply> & { job: NonNullable<InternalOperation['job']> };

/** Any operation of the registry. */
export type Operation = HttpOperation | InternalOperation;

type PartOf<S> = [NonNullable<S>] extends [never] ? undefined : z.output<NonNullable<S> & z.ZodType>;

/** The input of an operation's handler: validated parts of the request, or the internal input. */
export type InputOf<O extends Operation> =
  O extends InternalOperation<string, infer I, z.ZodType>
    ? z.output<I>
    : O extends HttpOperation
      ? { params: PartOf<O['params']>; query: PartOf<O['query']>; body: PartOf<O['body']> }
      : never;

/** The reply of an operation's handler. */
export type ReplyOf<O extends Operation> = z.input<O['reply']>;

type Defaulted<D, K extends keyof D> = Omit<D, K | 'kind'> & Partial<Pick<D, K>>;

/** The declared properties of an operation with a route; the others have defaults. */
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

/** True for a GET that answers 304 to a caller who has the answer. */
export const takesIfNoneMatch = ({ method, entityTag }: HttpOperation): boolean =>
  method === 'GET' && entityTag !== undefined && entityTag.onlyForChanges !== true;

/** True for a PATCH that is refused where the resource has changed since the caller read it. */
export const takesIfMatch = ({ method, entityTag }: HttpOperation): boolean =>
  method === 'PATCH' && entityTag !== undefined;

/** Whether a value is an operation. */
export const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  (value.kind === 'http' || value.kind === 'internal') &&
  'callers' in value;

/** True for an operation without side effects. */
export const changesNothing = (operation: Operation): boolean =>
  operation.readOnly === true || (operation.kind === 'http' && operation.method === 'GET');

/** True for an operation that may be asked of a second replica while the first does not answer. */
export const mayBeRepeated = (operation: Operation): boolean =>
  changesNothing(operation) || operation.once === true;

/** The NATS subject on which the owner of an operation listens. */
export const subjectOf = (operation: Pick<Operation, 'service' | 'id'>): string =>
  `rpc.${operation.service}.${operation.id}`;

/** See {@link JobOperation}. */
export const isJob = (operation: Operation): operation is JobOperation =>
  operation.kind === 'internal' && operation.job !== undefined;

/** The subject of the rows of a job. */
export const jobSubjectOf = ({ service, job }: Pick<JobOperation, 'service' | 'job'>): string =>
  `work.${service}.${job.name}`;
