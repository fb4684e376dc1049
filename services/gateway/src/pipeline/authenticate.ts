import {
  apiKeyDigest,
  CodedError,
  type HttpOperation,
  isApiKey,
  type Principal,
  sourceAuthorizationHeader,
} from '@stanza/contracts';
import { RpcFailure } from '@stanza/runtime';
import { type Credentials, requireAddress } from '../access/credentials.ts';
import type { Session } from '../access/sessions/claims.ts';
import type { SessionHolder } from '../console/sessions.ts';
import { type RequestContext, required, type Step } from '../http/request-context.ts';
import { inTenant, requireOwnPlace, tenantOf } from './authorize.ts';

/** The token of a header of the form `Bearer <token>`. */
export const bearerToken = (
  header: string | undefined,
  name = 'Authorization',
  token = 'API key or session token',
): string => {
  if (header === undefined || header.trim() === '') throw new CodedError('unauthenticated');
  const match = /^Bearer +(\S+) *$/i.exec(header);
  if (!match?.[1]) {
    throw new CodedError('unauthenticated', {
      message: `The ${name} header must have the form \`Bearer <${token}>\`.`,
    });
  }
  return match[1];
};

/** Three parts in base64url, the last of which is empty in an unsigned token. */
const isSessionToken = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token);

/** Without the organization service no request is authenticated and nothing is done. */
const looked = async <T>(lookup: Promise<T>): Promise<T> => {
  try {
    return await lookup;
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    const message = 'Keys and sessions cannot be checked at the moment; nothing was done.';
    throw new CodedError('service_unavailable', { message, retry_after: 1 }, { cause: error });
  }
};

/** The principal of a key that may be used from here. */
const keyPrincipal = async (
  digest: string,
  credentials: Credentials,
  requestContext: RequestContext,
): Promise<Principal> => {
  const { context } = requestContext;
  const known = await looked(credentials.findKey(digest, context));
  try {
    requireAddress(known, context.client?.address);
  } catch (error) {
    // The log line of the refusal names the key's owner.
    context.principal = known.principal;
    throw error;
  }
  return known.principal;
};

/**
 * The holder of an API key. A mistyped one fails its checksum and needs no lookup; only its digest leaves this process.
 */
export const keyHolder = async (
  token: string,
  credentials: Credentials,
  requestContext: RequestContext,
): Promise<Principal> => {
  if (isApiKey(token)) return keyPrincipal(apiKeyDigest(token), credentials, requestContext);
  throw new CodedError('invalid_token', {
    message: token.startsWith('stz_')
      ? 'The API key is mistyped or truncated: its checksum does not match.'
      : 'The token is neither an API key nor a session token.',
  });
};

/** Without an identity provider an operation for persons is unavailable, which is not the token's fault. */
const noProvider = ({ access }: HttpOperation): CodedError =>
  access === 'session'
    ? new CodedError('misconfigured', {
        message: 'This operation requires a session, and no identity provider is configured.',
      })
    : new CodedError('invalid_token', {
        message: 'Session tokens are not accepted: no identity provider is configured. Use an API key.',
      });

/** The person is authenticated here; their membership matters to all operations except those for any person. */
const memberOf = async (
  session: Omit<Session, 'expiresAt' | 'isForAgents'>,
  credentials: Credentials,
  { context, operation }: RequestContext,
): Promise<Principal | undefined> => {
  context.person = session.person;
  try {
    return await looked(credentials.findMember(session, context));
  } catch (error) {
    const isNoMember = error instanceof CodedError && error.code === 'access_denied';
    if (operation.access === 'session' && isNoMember) return undefined;
    throw error;
  }
};

/** Who decides as a person, and which requests are those of agents. */
export interface AuthenticationRules {
  /** Who acts behind the cookie of a request of the console; undefined where it has none. */
  consoleHolder?: ConsoleHolder | undefined;
  /** Whether a tool of an agent has made the request. */
  isOfTool?: (request: RequestContext['request']) => boolean;
  /** Applications in whose sessions people decide, next to the console. */
  decidingClients?: readonly string[];
}

const forAgents = (): CodedError =>
  new CodedError('invalid_token', {
    message: 'The session token is for agents: use it at /mcp only.',
  });

/** A principal of a token, with the application that it was made for, and whether its person decides there. */
const throughClient = (
  principal: Principal | undefined,
  { person: { client_id } }: Pick<Session, 'person'>,
  decides: boolean,
): Principal | undefined =>
  principal && {
    ...principal,
    actor: { ...principal.actor, ...(client_id !== undefined && { client_id }) },
    ...(!decides && { decides: false as const }),
  };

/** What a person changes about themselves, a membership or their names, holds in both environments. */
const refuseShared = ({ environment }: Session, { access, method }: HttpOperation): void => {
  if (access !== 'session' || method === 'GET' || environment !== 'preview') return;
  throw new CodedError('access_denied', {
    message: 'This concerns both environments, and the session token is for preview alone.',
    required_scopes: [],
    user_scopes: [],
  });
};

const verifiedMemberOf = async (
  token: string,
  credentials: Credentials,
  requestContext: RequestContext,
  { isOfTool, decidingClients = [] }: AuthenticationRules,
): Promise<Principal | undefined> => {
  if (!credentials.verifySession) throw noProvider(requestContext.operation);
  const session = await credentials.verifySession(token);
  const isTool = isOfTool?.(requestContext.request) === true;
  if (session.isForAgents && !isTool) throw forAgents();
  refuseShared(session, requestContext.operation);
  const member = await memberOf(inTenant(session, requestContext), credentials, requestContext);
  const { client_id = '' } = session.person;
  const acting = throughClient(member, session, !isTool && decidingClients.includes(client_id));
  return acting && session.environment === 'preview' ? { ...acting, confined: true } : acting;
};

const consolePrincipal = async (
  holder: SessionHolder,
  credentials: Credentials,
  requestContext: RequestContext,
): Promise<Principal | undefined> => {
  if (holder.kind === 'key') return keyPrincipal(holder.keyDigest, credentials, requestContext);
  const session = { person: holder.person, ...tenantOf(requestContext) };
  return throughClient(await memberOf(session, credentials, requestContext), session, true);
};

/** Who acts behind the cookie of a request of the console; undefined where it has none. */
export type ConsoleHolder = (request: RequestContext['request']) => Promise<SessionHolder | undefined>;

/** Authenticates the caller: the holder of an API key, the person of a session, or of a session of the console. */
export const authenticate =
  (credentials: Credentials, rules: AuthenticationRules = {}): Step =>
  async (requestContext: RequestContext) => {
    const { operation, request, context } = requestContext;
    if (operation.access === 'public' || operation.access === 'signed') return;
    const header = request.get('authorization');
    const hasCookie = request.headers.cookie !== undefined;
    const holder = hasCookie ? await rules.consoleHolder?.(request) : undefined;
    if (holder !== undefined && header !== undefined) {
      throw new CodedError('unauthenticated', {
        message:
          'The request has both a cookie of the console and an Authorization header; send one of them.',
      });
    }
    const principal = holder
      ? await consolePrincipal(holder, credentials, requestContext)
      : await tokenPrincipal(bearerToken(header), credentials, requestContext, rules);
    if (principal === undefined) return;
    requestContext.principal = principal;
    context.principal = principal;
  };

const tokenPrincipal = async (
  token: string,
  credentials: Credentials,
  requestContext: RequestContext,
  rules: AuthenticationRules,
): Promise<Principal | undefined> =>
  isSessionToken(token)
    ? verifiedMemberOf(token, credentials, requestContext, rules)
    : requireOwnPlace(await keyHolder(token, credentials, requestContext), requestContext);

/** A key of another organization opens nothing here, whatever it may do there. */
const checkOrganization = (source: Principal, { principal }: RequestContext): void => {
  if (source.organization_id === required(principal, 'a principal').organization_id) return;
  throw new CodedError('access_denied', {
    message: `The key in ${sourceAuthorizationHeader} belongs to another organization.`,
    required_scopes: [],
    user_scopes: [],
  });
};

/**
 * Authenticates the key with which an operation reads from another environment. Without the header the operation
 * decides whether it needs one.
 */
export const authenticateSource =
  (credentials: Credentials): Step =>
  async (requestContext: RequestContext) => {
    const { operation, request, context } = requestContext;
    const header = operation.takesSource && request.get(sourceAuthorizationHeader);
    if (header === undefined || header === '') return;
    const token = bearerToken(header, sourceAuthorizationHeader, 'API key');
    if (isSessionToken(token)) {
      throw new CodedError('invalid_token', {
        message: `The ${sourceAuthorizationHeader} header takes an API key; a request with a session needs none.`,
      });
    }
    const source = await keyHolder(token, credentials, requestContext);
    checkOrganization(source, requestContext);
    context.source = source;
  };
