import { exportAuditLog as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { exportLines } from '../export-lines.ts';
import type { Parts } from '../parts.ts';

/** Exports the audit log of the caller's organization. */
export const exportAuditLog = ({ database }: Pick<Parts, 'database'>) =>
  handle(operation, ({ tenant, input: { query } }) => exportLines(database, tenant.organizationId, query));
