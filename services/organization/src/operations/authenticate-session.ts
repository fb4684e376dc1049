import { authenticateSession as operation, scopesOfRole } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { denied } from '../domain/errors.ts';
import { findMemberByIdentity } from '../store/identities.ts';

const noMember =
  'The person of the session is not a member of the organization that the session names; accept an invitation first.';

/**
 * Identifies the principal of a session. The token itself is valid, so a missing membership is a missing right and not
 * a missing credential: an organization that does not exist and one without a membership of the person answer the same
 * 403.
 */
export const authenticateSession = ({
  database,
  clock,
  sessionUse,
}: Pick<Dependencies, 'database' | 'clock' | 'sessionUse'>) =>
  handle(operation, async ({ input: { person, environment, ...named } }) => {
    const member = await findMemberByIdentity(database, named.organization_id, person);
    if (!member || member.status === 'deleted') throw denied(noMember);
    const { organization_id, user_id, role, status } = member;
    const scopes = [...scopesOfRole(role)];
    if (status === 'suspended') {
      throw denied('The organization is suspended; its operator can reinstate it.', { scopes });
    }
    sessionUse.note(user_id, clock.now());
    const actor = { type: 'session' as const, id: person.subject, user_id };
    return { principal: { organization_id, environment, actor, role, scopes } };
  });
