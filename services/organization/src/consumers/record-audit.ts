import { recordAudit as declaration } from '@stanza/contracts';
import { consume } from '@stanza/runtime';
import { addAuditLine } from '../store/audit-log.ts';

/** Writes the changes that other services made into the audit log, each once. */
export const recordAudit = () =>
  consume(declaration, (entry, tx, { id }) => addAuditLine(tx, id, entry), { concurrency: 2 });
