import { createHash, randomBytes } from 'node:crypto';
import { CodedError, type Invitation } from '@stanza/contracts';

/** 256 bits: nobody guesses it, so a plain hash of it is enough. */
const tokenBytes = 32;

/** Makes the token of an invitation, which is for the e-mail alone. */
export const newInvitationToken = (): string => randomBytes(tokenBytes).toString('base64url');

/** What is stored of a token. */
export const invitationTokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

/** What decides about an invitation. */
export interface Decidable {
  status: Invitation['status'];
  expires_at: Date;
}

/** The state of an invitation at a moment: a pending one expires by itself. */
export const statusAt = ({ status, expires_at }: Decidable, now: Date): Invitation['status'] =>
  status === 'pending' && expires_at <= now ? 'expired' : status;

/** @throws CodedError `invalid_state` unless the invitation waits to be accepted or revoked */
export const checkPending = (invitation: Decidable, now: Date): void => {
  const status = statusAt(invitation, now);
  if (status === 'pending') return;
  const did = { accepted: 'was accepted', revoked: 'was revoked', expired: 'has expired' }[status];
  throw new CodedError('invalid_state', { message: `The invitation ${did} already.` });
};
