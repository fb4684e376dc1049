import { type AuditRecord, limits, logPlaceText, readLogPlace } from '@stanza/contracts';
import type { Queryable } from '@stanza/runtime';
import { presentAuditRecord } from './present-audit.ts';
import { linesAfter, type Position } from './store/audit-stream.ts';

/** The requested part of the log. */
export interface ExportQuery {
  cursor?: string | undefined;
  count: number;
  from?: string | undefined;
  to?: string | undefined;
}

/** The bytes of entries as they are answered. */
export const bytesOf = (lines: readonly AuditRecord[]): number => Buffer.byteLength(JSON.stringify(lines));

/** The first entries, whose bytes one answer holds; one at least. */
const thatFit = (lines: readonly AuditRecord[]): AuditRecord[] => {
  let bytes = 0;
  const over = lines.findIndex((line, at) => {
    bytes += bytesOf([line]);
    return at > 0 && bytes > limits.pageBytes;
  });
  return over === -1 ? [...lines] : lines.slice(0, over);
};

const positionOf = (cursor: string): Position => {
  const { at, id } = readLogPlace(cursor);
  return { place: at, id };
};

/** The next entries of an organization's log, in the order in which they were written. */
export const exportLines = async (
  database: Queryable,
  organizationId: string,
  { cursor, count, from, to }: ExportQuery,
): Promise<{ data: AuditRecord[]; next_cursor: string | null; has_more: boolean }> => {
  const rows = await linesAfter(database, {
    organizationId,
    after: cursor === undefined ? undefined : positionOf(cursor),
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
    limit: count + 1,
  });
  const data = thatFit(rows.slice(0, count).map(presentAuditRecord));
  const last = rows[data.length - 1];
  return {
    data,
    next_cursor: last ? logPlaceText({ at: last.place, id: last.id }) : (cursor ?? null),
    has_more: rows.length > data.length,
  };
};
