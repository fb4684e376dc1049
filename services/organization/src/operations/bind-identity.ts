import { CodedError, bindIdentity as operation } from '@stanza/contracts';
import { type CallContext, handle, type Transaction } from '@stanza/runtime';
import type { Parts } from '../parts.ts';
import { record } from '../store/audit-log.ts';
import { bindOnce, type Identity } from '../store/identities.ts';
import { findUserByEmail, normalizeEmail } from '../store/members.ts';
import { organizationsOf } from '../store/profiles.ts';

/** Every organization that the user belongs to can see that somebody else's sign-in acts as theirs from now on. */
const recordBinding = async (
  tx: Transaction,
  context: CallContext,
  bound: { identity: Identity; userId: string; at: Date },
): Promise<void> => {
  const { identity, userId, at } = bound;
  for (const { id } of await organizationsOf(tx, userId)) {
    await record(tx, context, {
      action: 'user.identity_bound',
      subject: { kind: 'user', id: userId },
      changes: { issuer: identity.issuer, subject: identity.subject },
      owner: { organization_id: id, environment: null },
      at,
    });
  }
};

/** Lets the sessions of a subject act as a user; a subject that acts as another one stays with them. */
export const bindIdentity = ({ database, clock }: Pick<Parts, 'database' | 'clock'>) =>
  handle(operation, async ({ input: { email, ...identity }, context }) =>
    database.transaction(async (tx) => {
      const user_id = await findUserByEmail(tx, normalizeEmail(email));
      if (user_id === undefined) throw new CodedError('user_not_found');
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
