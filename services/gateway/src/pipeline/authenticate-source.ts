import { CodedError, type Principal, sourceAuthorizationHeader } from '@stanza/contracts';
import type { Credentials } from '../access/credentials.ts';
import { keyOf, type RequestContext, required, type Step } from '../http/request-context.ts';
import { bearerToken, keyHolder } from './authenticate.ts';

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
 * Authenticates the key with which an operation reads from another environment. Without the header the operation decides
 * whether it needs one.
 */
export const authenticateSource =
  (credentials: Credentials): Step =>
  async (requestContext: RequestContext) => {
    const { operation, request, context } = requestContext;
    const header = operation.takesSource && request.get(sourceAuthorizationHeader);
    if (header === undefined || header === '') return;
    const source = await keyHolder(
      bearerToken(header, sourceAuthorizationHeader),
      credentials,
      requestContext,
    );
    checkOrganization(source, requestContext);
    context.source = source;
  };

/**
 * Refuses a request under an `Idempotency-Key` whose caller may not read the other environment. Without a key the
 * operation itself refuses it; a replay does not reach the operation, and tells nobody what they could not have asked.
 */
export const authorizeReplay = (requestContext: RequestContext): void => {
  const { operation, context } = requestContext;
  if (operation.takesSource === undefined || keyOf(requestContext) === undefined) return;
  const principal = required(requestContext.principal, 'a principal');
  const { source } = context;
  const reader = source ?? (principal.actor.type === 'session' ? principal : undefined);
  const isThere = source === undefined || source.environment !== principal.environment;
  if (reader?.scopes.includes(operation.takesSource) && isThere) return;
  throw new CodedError('access_denied', {
    message: `A key reaches one environment: send a key of the other one with ${operation.takesSource} in ${sourceAuthorizationHeader}, or use a session.`,
    required_scopes: [operation.takesSource],
    user_scopes: [...(reader?.scopes ?? [])],
  });
};
