import { CodedError, bindIdentity as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Parts } from '../parts.ts';
import { bindIdentity as bind } from '../store/identities.ts';
import { findUserByEmail, normalizeEmail } from '../store/members.ts';

/** Lets the sessions of a subject act as a user; a subject that acts as another one stays with them. */
export const bindIdentity = ({ database, clock }: Pick<Parts, 'database' | 'clock'>) =>
  handle(operation, async ({ input: { email, issuer, subject } }) =>
    database.transaction(async (tx) => {
      const user_id = await findUserByEmail(tx, normalizeEmail(email));
      if (user_id === undefined) throw new CodedError('user_not_found');
      const owner = await bind(tx, { issuer, subject }, user_id, clock.now());
      if (owner !== user_id) {
        throw new CodedError('already_exists', {
          message: `The subject belongs to another user, ${owner}.`,
        });
      }
      return { user_id };
    }),
  );
