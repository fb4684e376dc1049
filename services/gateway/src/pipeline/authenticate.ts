import {
  apiKeyDigest,
  CodedError,
  type HttpOperation,
  isApiKey,
  isInRanges,
  type Principal,
} from '@stanza/contracts';
import { RpcFailure } from '@stanza/runtime';
import type { Credentials } from '../access/credentials.ts';
import type { KnownPrincipal } from '../access/principal-cache.ts';
import type { RequestContext, Step } from '../http/request-context.ts';

const bearerToken = (header: string | undefined): string => {
  if (header === undefined || header.trim() === '') throw new CodedError('unauthenticated');
  const match = /^Bearer +(\S+) *$/i.exec(header);
  if (!match?.[1]) {
    throw new CodedError('unauthenticated', {
      message: 'The Authorization header must have the form `Bearer <API key or session token>`.',
    });
  }
  return match[1];
};

/** Three parts in base64url, the last of which is empty in a token that nobody signed. */
const isSessionToken = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token);

/** Without the service that knows keys and members, nobody is let in and nothing is done. */
const looked = async <T>(lookup: Promise<T>): Promise<T> => {
  try {
    return await lookup;
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    const message = 'Keys and sessions cannot be checked at the moment; nothing was done.';
    throw new CodedError('service_unavailable', { message, retry_after: 1 }, { cause: error });
  }
};

/** The answer contains neither the allowed addresses nor the scopes: the key may be stolen. */
const notFromHere = (): CodedError =>
  new CodedError('access_denied', {
    message: 'The API key cannot be used from this address.',
    required_scopes: [],
    user_scopes: [],
  });

/** Looked at for each request, for what the cache knows of a key is the same wherever it is used. */
const checkAddress = ({ principal, allowed }: KnownPrincipal, { context }: RequestContext): void => {
  const address = context.client?.address;
  if (allowed.length === 0 || (address && isInRanges(address, allowed))) return;
  // The log line of the refusal says whose key it was.
  context.principal = principal;
  throw notFromHere();
};

/** A mistyped key is recognised by its checksum and costs no lookup; no more than its digest leaves this process. */
const holderOf = async (
  token: string,
  credentials: Credentials,
  requestContext: RequestContext,
): Promise<Principal> => {
  if (isApiKey(token)) {
    const known = await looked(credentials.findKey(apiKeyDigest(token), requestContext.context));
    checkAddress(known, requestContext);
    return known.principal;
  }
  throw new CodedError('invalid_token', {
    message: token.startsWith('stz_')
      ? 'The API key is mistyped or cut: its checksum does not fit.'
      : 'The token is neither an API key nor a session token.',
  });
};

/** Without a provider an operation for persons is one that nobody can call, which is no fault of the token. */
const noProvider = ({ access }: HttpOperation): CodedError =>
  access === 'session'
    ? new CodedError('misconfigured', {
        message: 'This needs the session of a person, and no identity provider is configured.',
      })
    : new CodedError('invalid_token', {
        message: 'Session tokens are not accepted: no identity provider is configured. Use an API key.',
      });

/** The person is known from here on; whether they are a member matters to all operations but those for any person. */
const memberOf = async (
  token: string,
  credentials: Credentials,
  { context, operation }: RequestContext,
): Promise<Principal | undefined> => {
  if (!credentials.verifySession) throw noProvider(operation);
  const session = await credentials.verifySession(token);
  context.person = session.person;
  try {
    return await looked(credentials.findMember(session, context));
  } catch (error) {
    const isNoMember = error instanceof CodedError && error.code === 'access_denied';
    if (operation.access === 'session' && isNoMember) return undefined;
    throw error;
  }
};

/** Finds out who is calling: the holder of an API key, or the person of a session. */
export const authenticate =
  (credentials: Credentials): Step =>
  async (requestContext: RequestContext) => {
    const { operation, request, context } = requestContext;
    if (operation.access === 'public' || operation.access === 'signed') return;
    const token = bearerToken(request.get('authorization'));
    const find = isSessionToken(token) ? memberOf : holderOf;
    const principal = await find(token, credentials, requestContext);
    if (principal === undefined) return;
    requestContext.principal = principal;
    context.principal = principal;
  };
