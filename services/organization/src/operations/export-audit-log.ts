import { exportAuditLog as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { exportLines } from '../export-lines.ts';

/** Exports the audit log of the caller's organization. */
export const exportAuditLog = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ tenant, input: { query } }) => {
    const { limit = query.count } = query;
    return exportLines(database, tenant.organizationId, { ...query, count: limit });
  });
