import { listInvitations as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { checkOwn } from '../domain/errors.ts';
import { presentInvitation } from '../present-people.ts';
import { pageOfInvitations } from '../store/invitations.ts';

/** Lists the invitations of the caller's own organization. */
export const listInvitations = ({ database, clock }: Pick<Dependencies, 'database' | 'clock'>) =>
  handle(operation, async ({ tenant, input: { params, query } }) => {
    checkOwn(tenant, params.id);
    const { limit, offset, status } = query;
    const now = clock.now();
    const { items, total } = await pageOfInvitations(
      database,
      tenant.organizationId,
      { status, now },
      { limit, offset },
    );
    return { data: items.map((row) => presentInvitation(row, now)), pagination: { offset, limit, total } };
  });
