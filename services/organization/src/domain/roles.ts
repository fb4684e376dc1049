import {
  CodedError,
  isReserved,
  type Principal,
  type Role,
  roleIncludes,
  scopesOfRole,
} from '@stanza/contracts';
import { denied } from './errors.ts';

/** @throws CodedError `access_denied` for a role that the caller cannot give: owner, or one above their own */
export const checkGrant = (principal: Principal, role: Role): void => {
  if (role === 'owner') {
    throw denied('The role of owner is given by transferring the ownership only.', principal);
  }
  if (!roleIncludes(principal.role, role)) {
    throw denied(`You are ${principal.role} and cannot give the role ${role}.`, principal);
  }
};

/**
 * Checks that a key gives no role that adds scopes which the key lacks.
 * @param before the person's current role, whose scopes are not counted
 * @throws CodedError `insufficient_scope` for a key that lacks a scope of the role
 */
export const checkGivenScopes = (principal: Principal, role: Role, before?: Role): void => {
  if (principal.actor.type !== 'api_key') return;
  const had = before === undefined ? [] : scopesOfRole(before);
  const known = new Set([...had, ...principal.scopes]);
  const missing = scopesOfRole(role).filter((scope) => !known.has(scope) && !isReserved(scope));
  if (missing.length === 0) return;
  throw new CodedError('insufficient_scope', {
    message: `A key gives only a role whose scopes it holds itself; for ${role} this one lacks ${missing.join(', ')}.`,
    required_scopes: missing,
    user_scopes: [...principal.scopes],
  });
};

/** @throws CodedError `access_denied` for the owner, whom no person changes or removes; SCIM does not pass here */
export const checkNotOwner = (principal: Principal, role: Role): void => {
  if (role === 'owner') {
    throw denied('The owner cannot be changed or removed before the ownership is transferred.', principal);
  }
};

/** Whether a member of this role may invite others. */
export const mayInvite = (role: Role): boolean => roleIncludes(role, 'admin');
