import { notFound, revokeInvitation as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { checkOwn } from '../domain/errors.ts';
import { checkPending } from '../domain/invitation.ts';
import { record } from '../store/audit-log.ts';
import { endInvitation, lockInvitation } from '../store/invitations.ts';

/** Revokes an invitation; a revoked one stays unchanged. */
export const revokeInvitation = ({ database, clock }: Pick<Dependencies, 'database' | 'clock'>) =>
  handle(operation, async ({ tenant, context, input: { params } }) => {
    checkOwn(tenant, params.id);
    const { organizationId: organization_id } = tenant;
    const id = params.invitation_id;
    await database.transaction(async (tx) => {
      const invitation = await lockInvitation(tx, organization_id, id);
      if (!invitation) {
        throw notFound('invitation');
      }
      if (invitation.status === 'revoked') return;
      const at = clock.now();
      checkPending(invitation, at);
      await endInvitation(tx, invitation, { status: 'revoked', revoked_at: at });
      await record(tx, context, {
        action: 'invitation.revoked',
        subject: { kind: 'invitation', id: invitation.id },
        changes: { email: invitation.email },
        owner: { organization_id, environment: null },
        at,
      });
    });
    return { success: true as const, id };
  });
