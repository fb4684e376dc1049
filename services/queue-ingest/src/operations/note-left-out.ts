import { noteLeftOut as declaration } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { writeLeftOut } from '../store/batches.ts';

/** Writes what the digest of a batch leaves out, before or after the outcome of its delivery is reported. */
export const noteLeftOut = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(
    declaration,
    async ({ input: { organization_id, environment, batch_id, operation_id, left_out } }) => {
      const written = { id: batch_id, operationId: operation_id, leftOut: left_out };
      await database.transaction((tx) => writeLeftOut(new Tenant(organization_id, environment), tx, written));
      return {};
    },
  );
