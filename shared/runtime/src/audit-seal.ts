import { createHash } from 'node:crypto';
import type { AuditRecord, AuditSeal } from '@stanza/contracts';

/** What a seal covers. A release that covers more counts it up. */
const format = 1;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** JSON of which equal values have equal texts: the keys of each object are sorted. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );

const lineText = ({ actor, subject, client, ...line }: AuditRecord): string =>
  canonical([
    line.id,
    line.environment,
    [actor.type, actor.id, actor.user_id ?? null, actor.client_id ?? null, actor.name ?? null],
    line.action,
    [subject.kind, subject.id],
    line.changes,
    line.request_id,
    [client?.address ?? null, client?.user_agent ?? null],
    line.created_at,
    ...(line.operation_id === undefined ? [] : [line.operation_id]),
  ]);

/** The digest of entries in their order: of each entry's own digest, a line each. */
export const linesDigest = (lines: readonly AuditRecord[]): string =>
  digest(lines.map((line) => `${digest(lineText(line))}\n`).join(''));

/** The facts that the hash of a seal covers. */
export type SealedFacts = Pick<AuditSeal, 'number' | 'previous_hash' | 'line_count' | 'end' | 'lines_digest'>;

/** The hash of a seal: it covers the entries, and by the hash of the seal before all entries before them. */
export const sealHash = (organizationId: string, facts: SealedFacts): string => {
  const { number, previous_hash, line_count, end, lines_digest } = facts;
  return digest(canonical([format, organizationId, number, previous_hash, line_count, end, lines_digest]));
};

/** A seal with the entries that its part of the log has now. */
export interface SealWithLines extends AuditSeal {
  lines: readonly AuditRecord[];
}

/** The last seal that was looked at. */
export type SealBefore = Pick<AuditSeal, 'number' | 'hash'>;

/**
 * What is wrong with a seal, in words; empty for one that holds. The first seal that is there needs none before it: the
 * entries of those before are past their retention.
 */
export const faultsOfSeal = (
  organizationId: string,
  seal: SealWithLines,
  before: SealBefore | undefined,
): string[] => {
  const { number, lines } = seal;
  const faults: string[] = [];
  if (before && number !== before.number + 1) faults.push(`seal ${before.number + 1} is missing`);
  else if (before && seal.previous_hash !== before.hash) faults.push(`does not follow seal ${before.number}`);
  if (!before && number === 1 && seal.previous_hash !== null) faults.push('the first seal follows another');
  if (!before && number > 1 && seal.forgotten_at === null) faults.push(`seal ${number - 1} is missing`);
  if (sealHash(organizationId, seal) !== seal.hash) faults.push('its hash is not that of its facts');
  if (seal.forgotten_at !== null) {
    if (lines.length > 0) faults.push(`has ${lines.length} entries, though they were deleted`);
    return faults;
  }
  if (lines.length !== seal.line_count) faults.push(`has ${lines.length} of ${seal.line_count} entries`);
  else if (linesDigest(lines) !== seal.lines_digest) faults.push('an entry was changed or exchanged');
  return faults;
};
