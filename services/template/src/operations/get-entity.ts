import { notFound, getEntity as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentEntityWithFields } from '../domain/present-data.ts';
import { fieldsOf } from '../store/entity-fields.ts';
import { findEntity } from '../store/entity-records.ts';
import { entityKeys } from '../store/keys.ts';
import { atOneMoment } from '../store/snapshot.ts';

/** Reads an entity with its fields. */
export const getEntity = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input: { params }, tenant }) =>
    atOneMoment(database, async (tx) => {
      const entity = await findEntity(tenant, tx, params.id);
      if (!entity) throw notFound('entity');
      const keyed = await entityKeys.withKey(tenant, tx, entity);
      return presentEntityWithFields(keyed, await fieldsOf(tenant, tx, entity.id));
    }),
  );
