import { type Principal, type Role, roleIncludes } from '@stanza/contracts';
import { denied } from './refusals.ts';

/** @throws CodedError `access_denied` for a role that the caller cannot give: the owner's, or one above their own */
export const checkGrant = (principal: Principal, role: Role): void => {
  if (role === 'owner') {
    throw denied('An owner is made by transferring the ownership.', principal);
  }
  if (!roleIncludes(principal.role, role)) {
    throw denied(`You are ${principal.role} and cannot give the role ${role}.`, principal);
  }
};

/** @throws CodedError `access_denied` for the owner, whom nobody changes or removes */
export const checkNotOwner = (principal: Principal, role: Role): void => {
  if (role === 'owner') {
    throw denied('The owner keeps the organization until the ownership is transferred.', principal);
  }
};

/** Whether a member of this role may invite others. */
export const mayInvite = (role: Role): boolean => roleIncludes(role, 'admin');
