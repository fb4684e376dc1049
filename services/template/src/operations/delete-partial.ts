import { getPartialUse, mayCall, notFound, deletePartial as operation } from '@stanza/contracts';
import { auditDeletion, handle } from '@stanza/runtime';
import type { WriteDependencies } from '../dependencies.ts';
import { needsDeletable } from '../domain/deletion.ts';
import { pageOfUsers } from '../store/partials.ts';
import { lockTemplate, removeTemplate } from '../store/templates.ts';

/** References that an error names. */
const named = { limit: 10, offset: 0 };

/**
 * Deletes an archived partial. A version that is saved in the meantime waits for the lock of its row, and then finds it
 * gone.
 */
export const deletePartial = ({ database, outbox, clock }: WriteDependencies) =>
  handle(operation, ({ input: { params }, context, tenant, principal }) =>
    database.transaction(async (tx) => {
      const partial = await lockTemplate(tenant, tx, params.id, 'partial');
      if (!partial) throw notFound('partial');
      const { items } = await pageOfUsers(tenant, tx, partial.id, named);
      const isNamed = mayCall(principal, getPartialUse);
      const users = items.map(({ kind, id, name }) => ({ kind, id, name: isNamed ? name : undefined }));
      needsDeletable(partial, users, 'partial');
      await removeTemplate(tenant, tx, partial.id);
      return auditDeletion(tx, outbox, context, {
        kind: 'partial',
        id: partial.id,
        changes: { name: partial.name, versions: partial.last_version_number },
        at: clock.now(),
      });
    }),
  );
