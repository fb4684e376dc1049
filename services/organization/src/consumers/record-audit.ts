import { recordAudit as declaration } from '@stanza/contracts';
import { consume } from '@stanza/runtime';
import { addAuditLine } from '../store/audit-log.ts';

/** Records the changes made by other services in the audit log, each once. */
export const recordAudit = () =>
  consume(declaration, (entry, tx, { id }) => addAuditLine(tx, id, entry), { concurrency: 2 });
