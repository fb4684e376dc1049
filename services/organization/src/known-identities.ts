import { CodedError } from '@stanza/contracts';
import type { Transaction } from '@stanza/runtime';
import { type Identity, identitiesOf } from './store/identities.ts';

/**
 * The identities of a user whom an operator names by the address; their row is locked by the caller, so that none is
 * bound meanwhile. The subject that was bound to the address first may be another person's.
 * @param isConfirmed whether the operator says that the user is the person meant
 * @throws CodedError `already_exists`, with the identities, for a user who has one, unless it is confirmed
 */
export const knownIdentities = async (
  tx: Transaction,
  userId: string,
  isConfirmed: boolean,
): Promise<Identity[]> => {
  const identities = await identitiesOf(tx, userId);
  if (isConfirmed || identities.length === 0) return identities;
  const named = identities.map(({ issuer, subject }) => `${subject} of ${issuer}`).join(', ');
  throw new CodedError('already_exists', {
    message: `The e-mail address belongs to user ${userId}, who signs in as ${named}. If that is the person you mean, confirm it with --existing.`,
  });
};
