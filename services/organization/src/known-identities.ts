import { CodedError } from '@stanza/contracts';
import type { Transaction } from '@stanza/runtime';
import { type Identity, identitiesOf } from './store/identities.ts';

/**
 * The identities of a user whom an operator names by address; the caller holds the lock on the user's row, so none is
 * bound in the meantime. The first subject bound to the address may be another person's.
 * @param isConfirmed whether the operator confirms that the user is the intended person
 * @throws CodedError `already_exists`, listing the identities, for a user who has one, without confirmation
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
    message: `The e-mail address belongs to user ${userId}, who signs in as ${named}. If that is the intended person, confirm with --existing.`,
  });
};
