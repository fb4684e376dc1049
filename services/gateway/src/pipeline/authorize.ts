import { CodedError, roleIncludes } from '@stanza/contracts';
import { type Exchange, required } from '../exchange.ts';

/** Checks the scope that the operation declares, and nothing but that; then the role, where one is asked for. */
export const authorize = (exchange: Exchange): void => {
  const { access, role } = exchange.operation;
  if (access === 'public' || access === 'signed') return;
  const principal = required(exchange.principal, 'principal');
  const scopes = access === 'any_token' || access === 'session' ? [] : [access];
  const facts = { required_scopes: scopes, user_scopes: [...principal.scopes] };
  const missing = scopes.filter((scope) => !principal.scopes.includes(scope));
  if (missing.length > 0) {
    throw new CodedError('insufficient_scope', {
      ...facts,
      message: `The key lacks the scope ${missing.join(', ')}.`,
    });
  }
  if (access === 'session' && principal.actor.type !== 'session') {
    throw new CodedError('access_denied', {
      ...facts,
      message: 'This needs the session of a person, not an API key.',
    });
  }
  if (role !== undefined && !roleIncludes(principal.role, role)) {
    throw new CodedError('access_denied', {
      ...facts,
      message: `This needs the role ${role}; the caller is ${principal.role}.`,
    });
  }
};
