import {
  CodedError,
  cutScopes,
  type Environment,
  isReserved,
  type Principal,
  type Role,
  reachesBoth,
  type Scope,
  scopesOfRole,
} from '@stanza/contracts';
import { denied } from './errors.ts';

/**
 * The environment whose keys a caller manages: the named one, else the caller's own.
 * @throws CodedError `access_denied` for a key, or a token for preview, that names another environment than its own
 */
export const managedEnvironment = (principal: Principal, named: Environment | undefined): Environment => {
  if (named === undefined || named === principal.environment) return principal.environment;
  if (reachesBoth(principal)) return named;
  throw denied(
    `A key, or a session token for preview, manages keys of its own environment only; this one is of ${principal.environment}.`,
    principal,
  );
};

/**
 * The requested scopes that a role allows, possibly fewer. A key without any usable scope would fail only at its first
 * use, so it is refused here.
 * @throws CodedError `insufficient_scope` when the role allows none of the requested scopes
 */
export const scopesWithin = (role: Role, asked: readonly Scope[]): Scope[] => {
  const wanted = [...new Set(asked)];
  const allowed = cutScopes(wanted, role);
  if (allowed.length > 0 || wanted.length === 0) return allowed;
  throw new CodedError('insufficient_scope', {
    message: `The role ${role} allows none of ${wanted.join(', ')}; the key would be useless.`,
    required_scopes: wanted,
    user_scopes: [...scopesOfRole(role)],
  });
};

/**
 * The scopes that a new key is granted.
 * @param role current role of the user behind the caller; scopes beyond it are left out
 * @throws CodedError `insufficient_scope` for scopes that the caller lacks, and where no scope remains
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
