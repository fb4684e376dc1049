import {
  CodedError,
  type ErrorFacts,
  environments,
  isForPreview,
  type Principal,
  reachesBoth,
  requiredScopes,
  roleIncludes,
  type Scope,
  sourceAuthorizationHeader,
} from '@stanza/contracts';
import type { Session } from '../access/sessions/claims.ts';
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

/** Headers in which a page of the console, or the caller of a session, says where it acts. */
const organizationHeader = 'x-stanza-organization';
const environmentHeader = 'x-stanza-environment';

/** All headers that say where a request acts. */
export const tenantHeaders = [organizationHeader, environmentHeader] as const;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What the headers say of where a request acts. */
const askedPlace = ({
  request,
}: RequestContext): Partial<Pick<Principal, 'organization_id' | 'environment'>> => {
  const organization = request.get(organizationHeader);
  if (organization !== undefined && !uuid.test(organization)) {
    throw new CodedError('invalid_request', { message: 'X-Stanza-Organization is not a UUID.' });
  }
  const given = request.get(environmentHeader);
  const environment = environments.find((name) => name === given);
  if (given !== undefined && environment === undefined) {
    throw new CodedError('invalid_request', {
      message: `X-Stanza-Environment is one of ${environments.join(', ')}.`,
    });
  }
  return {
    ...(organization !== undefined && { organization_id: organization.toLowerCase() }),
    ...(environment !== undefined && { environment }),
  };
};

/** Where the headers say that a session acts; in production unless they say preview. */
export const tenantOf = (requestContext: RequestContext): Pick<Session, 'organizationId' | 'environment'> => {
  const { organization_id, environment = 'production' } = askedPlace(requestContext);
  return { organizationId: organization_id, environment };
};

/**
 * A key acts in its own organization and environment. Headers that name others are refused, as with a session: what is
 * meant for preview must not reach the people of production.
 */
export const requireOwnPlace = (principal: Principal, requestContext: RequestContext): Principal => {
  const { organization_id = principal.organization_id, environment = principal.environment } =
    askedPlace(requestContext);
  if (organization_id === principal.organization_id && environment === principal.environment)
    return principal;
  throw new CodedError('access_denied', {
    message: `The key acts in ${principal.environment} of its organization alone, and the headers X-Stanza-Organization and X-Stanza-Environment name another place.`,
    required_scopes: [],
    user_scopes: [...principal.scopes],
  });
};

const otherOrganization = (): CodedError =>
  new CodedError('access_denied', {
    message: 'The session token is for another organization than X-Stanza-Organization names.',
    required_scopes: [],
    user_scopes: [],
  });

/**
 * A session where its caller acts, as the headers say; the membership decides. A token that names an organization is
 * for that one alone, and a token for preview stays in preview. Headers that name another organization are refused: a
 * request for one organization must never change another.
 */
export const inTenant = (session: Session, requestContext: RequestContext): Session => {
  const asked = tenantOf(requestContext);
  const { organizationId = asked.organizationId } = session;
  if (asked.organizationId !== undefined && asked.organizationId !== organizationId)
    throw otherOrganization();
  const environment = session.environment === 'preview' ? 'preview' : asked.environment;
  return { ...session, organizationId, environment };
};
