import { appendLines } from '../append-lines.ts';
import type { Parts } from '../parts.ts';
import { auditRecord } from '../present-audit.ts';
import type { AuditRow } from '../store/audit-entity.ts';
import { advanceAuditStream, linesAfter, lockAuditStream } from '../store/audit-stream.ts';

/** Lines of one transaction. */
const chunk = 500;

const lineOf = (row: AuditRow): string =>
  JSON.stringify({ organization_id: row.organization_id, ...auditRecord(row) });

/**
 * Appends what is new in the audit log to a file. The position is kept after the lines are on the disk, so that each is
 * written once at least; one that comes twice has the same id. Of several processes one writes at a time, each to its
 * own file.
 */
export const streamAudit =
  ({ database }: Pick<Parts, 'database'>, path: string) =>
  async (): Promise<void> => {
    let count = chunk;
    while (count === chunk) {
      count = await database.transaction(async (tx) => {
        const after = await lockAuditStream(tx, 'file');
        if (after === undefined) return 0;
        const rows = await linesAfter(tx, { organizationId: undefined, after, limit: chunk });
        const last = rows.at(-1);
        if (last === undefined) return 0;
        await appendLines(path, rows.map(lineOf));
        await advanceAuditStream(tx, 'file', last);
        return rows.length;
      });
    }
  };
