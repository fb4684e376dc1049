import { createHash, randomBytes } from 'node:crypto';
import { CodedError, type Invitation } from '@stanza/contracts';

/** 256 random bits cannot be guessed, so a plain hash of the token suffices. */
const tokenBytes = 32;

/** Makes the token of an invitation, which only the e-mail contains. */
export const newInvitationToken = (): string => randomBytes(tokenBytes).toString('base64url');

/** The stored form of a token. */
export const invitationTokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

const dayMs = 86_400_000;

/** When an invitation expires: after the days of the setting `STANZA_INVITATION_DAYS`. */
export const expiryOf = (invitedAt: Date, days: number): Date => new Date(invitedAt.getTime() + days * dayMs);

/** The fields that decide the state of an invitation. */
export interface Decidable {
  status: Invitation['status'];
  expires_at: Date;
}

/** The status of an invitation at a moment: a pending invitation expires without a write. */
export const statusAt = ({ status, expires_at }: Decidable, now: Date): Invitation['status'] =>
  status === 'pending' && expires_at <= now ? 'expired' : status;

/** @throws CodedError `invalid_state` unless the invitation is pending */
export const checkPending = (invitation: Decidable, now: Date): void => {
  const status = statusAt(invitation, now);
  if (status === 'pending') return;
  const did = { accepted: 'has been accepted', revoked: 'has been revoked', expired: 'has expired' }[status];
  throw new CodedError('invalid_state', { message: `The invitation ${did}.` });
};
