import type { Database } from '@stanza/runtime';
import { appendLines } from '../append-lines.ts';
import type { Dependencies } from '../dependencies.ts';
import { presentAuditRecord } from '../present-audit.ts';
import {
  advanceAuditStream,
  leaseAuditStream,
  linesAfter,
  positionOfStream,
  releaseAuditStream,
} from '../store/audit-stream.ts';
import type { AuditRow } from '../store/audit-tables.ts';

/** Entries written in one chunk. */
const chunk = 500;

const lineOf = (row: AuditRow): string =>
  JSON.stringify({ organization_id: row.organization_id, ...presentAuditRecord(row) });

const stream = 'file';

/** Writes the next entries; returns their number, 0 when there are none or another process holds the lease. */
const writeNext = async (database: Database, path: string, append: typeof appendLines): Promise<number> => {
  const from = await positionOfStream(database, stream);
  if (from === undefined) return 0;
  const rows = await linesAfter(database, { organizationId: undefined, after: from, limit: chunk });
  const to = rows.at(-1);
  if (to === undefined) return 0;
  const leasedUntil = await leaseAuditStream(database, stream, from);
  if (leasedUntil === undefined) return 0;
  try {
    await append(path, rows.map(lineOf));
    return (await advanceAuditStream(database, stream, { from, to })) ? rows.length : 0;
  } finally {
    await releaseAuditStream(database, stream, leasedUntil);
  }
};

/**
 * Appends new entries of the audit log to a file. The position is stored after the entries are on disk, so each is
 * written at least once; a repeated entry has the same id. One process at a time writes, under a lease, each to its own
 * file. No transaction is open during a write: the target may be slow.
 */
export const streamAudit =
  ({ database }: Pick<Dependencies, 'database'>, path: string, append = appendLines) =>
  async (): Promise<void> => {
    let count = chunk;
    while (count === chunk) count = await writeNext(database, path, append);
  };
