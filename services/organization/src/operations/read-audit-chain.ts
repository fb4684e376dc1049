import {
  type AuditSeal,
  limits,
  logPlaceText,
  notFound,
  readAuditChain as operation,
} from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { bytesOf } from '../export-lines.ts';
import { presentAuditRecord } from '../present-audit.ts';
import { endOf, findUnsealed, linesBetween, sealsFrom } from '../store/audit-seals.ts';
import type { AuditSealRow } from '../store/audit-tables.ts';
import { findOrganization } from '../store/organizations.ts';

/** Seals of an answer, at most, and entries after which it takes no further seal. */
const [maxSeals, enoughLines] = [200, 500];

const presentSeal = (seal: AuditSealRow): AuditSeal => ({
  number: seal.number,
  previous_hash: seal.previous_hash,
  line_count: seal.line_count,
  end: logPlaceText({ at: seal.end_place, id: seal.end_id }),
  lines_digest: seal.lines_digest,
  hash: seal.hash,
  sealed_at: seal.sealed_at.toISOString(),
  forgotten_at: seal.forgotten_at?.toISOString() ?? null,
});

/** Reads the seals of an organization with the entries that each covers, for whoever verifies them. */
export const readAuditChain = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { organization_id, after } }) => {
    if (!(await findOrganization(database, organization_id))) throw notFound('organization');
    // The seal before says where the first one begins.
    const found = await sealsFrom(database, organization_id, after, maxSeals + 1);
    const before = found[0]?.number === after ? found.shift() : undefined;
    const seals = [];
    let [lines, bytes, last] = [0, 0, before];
    for (const seal of found.slice(0, maxSeals)) {
      // One more than it should have is enough to tell.
      const covered = await linesBetween(
        database,
        organization_id,
        endOf(last),
        endOf(seal),
        seal.line_count + 1,
      );
      const presented = covered.map(presentAuditRecord);
      bytes += bytesOf(presented);
      if (seals.length > 0 && bytes > limits.pageBytes) break;
      seals.push({ ...presentSeal(seal), lines: presented });
      last = seal;
      lines += covered.length;
      if (lines >= enoughLines) break;
    }
    const unsealed = await findUnsealed(database, organization_id);
    return {
      seals,
      unsealed: unsealed.count,
      is_late: unsealed.is_late,
      has_more: seals.length < found.length,
    };
  });
