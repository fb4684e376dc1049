import { CodedError, notFound, bindIdentity as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { recordBinding } from '../record-binding.ts';
import { bindOnce } from '../store/identities.ts';
import { findUserByEmail, normalizeEmail } from '../store/members.ts';

/** Lets the sessions of a subject act as a user; a subject bound to another user stays with them. */
export const bindIdentity = ({ database, clock }: Pick<Dependencies, 'database' | 'clock'>) =>
  handle(operation, async ({ input: { email, ...identity }, context }) =>
    database.transaction(async (tx) => {
      const user_id = await findUserByEmail(tx, normalizeEmail(email));
      if (user_id === undefined) throw notFound('user');
      const at = clock.now();
      const bound = await bindOnce(tx, identity, user_id, at);
      if (bound.userId !== user_id) {
        const message = `The subject belongs to another user, ${bound.userId}.`;
        throw new CodedError('already_exists', { message });
      }
      if (bound.isNew) await recordBinding(tx, context, { identity, userId: user_id, at });
      return { user_id };
    }),
  );
