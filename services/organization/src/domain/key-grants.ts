import {
  CodedError,
  cutScopes,
  type Environment,
  isReserved,
  type Principal,
  type Role,
  type Scope,
  scopesOfRole,
} from '@stanza/contracts';
import { denied } from './errors.ts';

/**
 * The environment whose keys a caller manages: the one they name, their own when they name none.
 * @throws CodedError `access_denied` for a key that names another environment than its own
 */
export const managedEnvironment = (principal: Principal, named: Environment | undefined): Environment => {
  if (named === undefined || named === principal.environment) return principal.environment;
  if (principal.actor.type === 'session') return named;
  throw denied(
    `A key manages keys of its own environment alone; this one is of ${principal.environment}.`,
    principal,
  );
};

/**
 * The scopes that a role leaves of those asked for: a part of them, but not none where some were asked for. A key that
 * can do nothing is a mistake that shows itself only when it is used.
 * @throws CodedError `insufficient_scope` when the role allows none of them
 */
export const scopesWithin = (role: Role, asked: readonly Scope[]): Scope[] => {
  const wanted = [...new Set(asked)];
  const allowed = cutScopes(wanted, role);
  if (allowed.length > 0 || wanted.length === 0) return allowed;
  throw new CodedError('insufficient_scope', {
    message: `The role ${role} allows none of ${wanted.join(', ')}; the key could do nothing.`,
    required_scopes: wanted,
    user_scopes: [...scopesOfRole(role)],
  });
};

/**
 * The scopes that a new key gets of those asked for.
 * @param role of the user behind the caller, now; what it does not allow is left out
 * @throws CodedError `insufficient_scope` for scopes that the caller does not hold itself, and where none would be left
 */
export const grantedScopes = (principal: Principal, role: Role, asked: readonly Scope[]): Scope[] => {
  const allowed = scopesWithin(role, asked);
  const missing = allowed.filter((scope) => !principal.scopes.includes(scope) && !isReserved(scope));
  if (missing.length === 0) return allowed;
  throw new CodedError('insufficient_scope', {
    message: `A key grants only scopes that it holds itself; this one lacks ${missing.join(', ')}.`,
    required_scopes: missing,
    user_scopes: [...principal.scopes],
  });
};
