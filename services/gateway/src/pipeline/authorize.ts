import {
  CodedError,
  type ErrorFacts,
  isForPreview,
  type Principal,
  reachesBoth,
  requiredScopes,
  roleIncludes,
  type Scope,
  sourceAuthorizationHeader,
} from '@stanza/contracts';
import { keyOf, type RequestContext, required } from '../http/request-context.ts';

type Facts = Required<Pick<ErrorFacts, 'required_scopes' | 'user_scopes'>>;

const denied = (message: string, facts: Facts): CodedError =>
  new CodedError('access_denied', { ...facts, message });

const checkScopes = ({ actor, role, scopes }: Principal, needed: readonly Scope[], facts: Facts): void => {
  const missing = needed.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return;
  const who = actor.type === 'session' ? `The role ${role} of the session` : 'The key';
  throw new CodedError('insufficient_scope', {
    ...facts,
    message: `${who} lacks the scope ${missing.join(', ')}.`,
  });
};

/**
 * Checks the scope that the operation declares, then the required role, then that a key or token of preview stays
 * away from operations on the whole organization.
 */
export const authorize = ({ operation, principal, context }: RequestContext): void => {
  const { access, role, organizationWide } = operation;
  if (access === 'public' || access === 'signed') return;
  const needed = requiredScopes(operation);
  const facts = { required_scopes: needed, user_scopes: [...(principal?.scopes ?? [])] };
  if (access === 'session') {
    if (context.person) return;
    throw denied('This needs the session of a person, not an API key.', facts);
  }
  if (!principal) throw denied('The session names no organization; sign in to one.', facts);
  checkScopes(principal, needed, facts);
  if (role !== undefined && !roleIncludes(principal.role, role)) {
    throw denied(`This needs the role ${role}; the caller is ${principal.role}.`, facts);
  }
  if (organizationWide && isForPreview(principal)) {
    throw denied(
      'This concerns both environments: use a key of the production environment, or a session that is not for preview alone.',
      facts,
    );
  }
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
  const reader = source ?? (reachesBoth(principal) ? principal : undefined);
  const isThere = source === undefined || source.environment !== principal.environment;
  if (reader?.scopes.includes(operation.takesSource) && isThere) return;
  throw new CodedError('access_denied', {
    message: `A key reaches one environment: send a key of the other one with ${operation.takesSource} in ${sourceAuthorizationHeader}, or use a session.`,
    required_scopes: [operation.takesSource],
    user_scopes: [...(reader?.scopes ?? [])],
  });
};
