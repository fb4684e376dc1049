import { logPlaceText } from '@stanza/contracts';
import { type Database, linesDigest, sealHash } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentAuditRecord } from '../present-audit.ts';
import { addSeal, lastSeals, type NewAuditSeal } from '../store/audit-seals.ts';
import {
  advanceAuditStream,
  leaseAuditStream,
  linesAfter,
  type PlacedAuditRow,
  positionOfStream,
  releaseAuditStream,
} from '../store/audit-stream.ts';

/** Entries that are sealed in one transaction. */
const chunk = 500;

/** The entries of each organization, in parts of a day, so that retention deletes a seal at most a day late. */
const partsOf = (rows: readonly PlacedAuditRow[]): PlacedAuditRow[][] => {
  const parts: PlacedAuditRow[][] = [];
  const last = new Map<string, PlacedAuditRow[]>();
  for (const row of rows) {
    const open = last.get(row.organization_id);
    const day = row.recorded_at.toISOString().slice(0, 10);
    if (open?.[0]?.recorded_at.toISOString().slice(0, 10) === day) {
      open.push(row);
      continue;
    }
    const part = [row];
    parts.push(part);
    last.set(row.organization_id, part);
  }
  return parts;
};

/** The seal over entries of one organization, which follows another. */
export const sealOver = (
  organizationId: string,
  lines: readonly PlacedAuditRow[],
  end: PlacedAuditRow,
  before: Pick<NewAuditSeal, 'number' | 'hash'> | undefined,
): NewAuditSeal => {
  const facts = {
    number: (before?.number ?? 0) + 1,
    previous_hash: before?.hash ?? null,
    line_count: lines.length,
    end: logPlaceText({ at: end.place, id: end.id }),
    lines_digest: linesDigest(lines.map(presentAuditRecord)),
  };
  const { end: _, ...columns } = facts;
  return {
    ...columns,
    organization_id: organizationId,
    end_place: end.place,
    end_id: end.id,
    hash: sealHash(organizationId, facts),
    last_recorded_at: new Date(Math.max(...lines.map(({ recorded_at }) => recorded_at.getTime()))),
  };
};

const stream = 'seals';

/** Seals the next entries; returns their number, 0 when there are none or another process seals. */
const sealNext = async (database: Database): Promise<number> => {
  const from = await positionOfStream(database, stream);
  if (from === undefined) return 0;
  const rows = await linesAfter(database, { organizationId: undefined, after: from, limit: chunk });
  const to = rows.at(-1);
  if (to === undefined) return 0;
  const leasedUntil = await leaseAuditStream(database, stream, from);
  if (leasedUntil === undefined) return 0;
  try {
    return await database.transaction(async (tx) => {
      // The row of the position is locked first: of two processes the later one finds that it has moved.
      if (!(await advanceAuditStream(tx, stream, { from, to }))) return 0;
      const last = await lastSeals(tx, [...new Set(rows.map((it) => it.organization_id))]);
      for (const part of partsOf(rows)) {
        const [{ organization_id }, end] = [part[0] ?? to, part.at(-1) ?? to];
        const seal = sealOver(organization_id, part, end, last.get(organization_id));
        await addSeal(tx, seal);
        last.set(organization_id, seal);
      }
      return rows.length;
    });
  } finally {
    await releaseAuditStream(database, stream, leasedUntil);
  }
};

/**
 * Seals entries of the audit log in the order in which their transactions wrote them, after they are committed: a chain
 * inside of the transactions would have them wait for each other.
 */
export const sealAudit =
  ({ database }: Pick<Dependencies, 'database'>) =>
  async (): Promise<void> => {
    let count = chunk;
    while (count === chunk) count = await sealNext(database);
  };
