import { recordAudit as declaration } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { addAuditLine } from '../store/audit-log.ts';

/** Records a change made by another service in the audit log, once: the line has the id of its row in the outbox. */
export const recordAudit = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(declaration, async ({ input, context }) => {
    await database.transaction((tx) => addAuditLine(tx, context.operationId, input));
    return {};
  });
