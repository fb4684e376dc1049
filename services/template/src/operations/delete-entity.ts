import { notFound, deleteEntity as operation } from '@stanza/contracts';
import { auditDeletion, handle } from '@stanza/runtime';
import type { WriteDependencies } from '../dependencies.ts';
import { needsUnused } from '../domain/deletion.ts';
import { lockEntityToDelete, removeEntity, usesOfEntity } from '../store/entity-records.ts';

/** Deletes an unreferenced entity; the lock on its row prevents new references. */
export const deleteEntity = ({ database, outbox, clock }: WriteDependencies) =>
  handle(operation, ({ input: { params }, context, tenant }) =>
    database.transaction(async (tx) => {
      const entity = await lockEntityToDelete(tenant, tx, params.id);
      if (!entity) throw notFound('entity');
      needsUnused(await usesOfEntity(tenant, tx, entity.id));
      await removeEntity(tenant, tx, entity.id);
      const changes = { name: entity.name };
      return auditDeletion(tx, outbox, context, { kind: 'entity', id: entity.id, changes, at: clock.now() });
    }),
  );
