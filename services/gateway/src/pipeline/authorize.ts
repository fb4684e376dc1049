import {
  CodedError,
  type ErrorFacts,
  isPreviewKey,
  type Principal,
  requiredScopes,
  roleIncludes,
  type Scope,
} from '@stanza/contracts';
import type { RequestContext } from '../http/request-context.ts';

type Facts = Required<Pick<ErrorFacts, 'required_scopes' | 'user_scopes'>>;

const denied = (message: string, facts: Facts): CodedError =>
  new CodedError('access_denied', { ...facts, message });

const checkScopes = ({ actor, role, scopes }: Principal, required: readonly Scope[], facts: Facts): void => {
  const missing = required.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return;
  const who = actor.type === 'session' ? `The role ${role} of the session` : 'The key';
  throw new CodedError('insufficient_scope', {
    ...facts,
    message: `${who} lacks the scope ${missing.join(', ')}.`,
  });
};

/**
 * Checks the scope that the operation declares, then the required role, then that a key of preview stays away from
 * operations on the whole organization.
 */
export const authorize = ({ operation, principal, context }: RequestContext): void => {
  const { access, role, organizationWide } = operation;
  if (access === 'public' || access === 'signed') return;
  const required = requiredScopes(operation);
  const facts = { required_scopes: required, user_scopes: [...(principal?.scopes ?? [])] };
  if (access === 'session') {
    if (context.person) return;
    throw denied('This needs the session of a person, not an API key.', facts);
  }
  if (!principal) throw denied('The session names no organization; sign in to one.', facts);
  checkScopes(principal, required, facts);
  if (role !== undefined && !roleIncludes(principal.role, role)) {
    throw denied(`This needs the role ${role}; the caller is ${principal.role}.`, facts);
  }
  if (organizationWide && isPreviewKey(principal)) {
    throw denied(
      'This concerns both environments: use a session, or a key of the production environment.',
      facts,
    );
  }
};
