import type { InputOf, ReplyOf, readAuditChain } from '@stanza/contracts';
import { faultsOfSeal, type SealBefore } from '@stanza/runtime';
import { StackFailure } from '../failure.ts';

/** What `audit verify` has found. */
export interface Verified {
  organization_id: string;
  /** The last seal, `number:hash`: note it elsewhere, and name it at the next look. Null for a log without one. */
  head: string | null;
  seals: number;
  entries: number;
  /** Entries that no seal covers yet. */
  unsealed: number;
  faults: string[];
}

/** Reads a part of the chain. */
export type ReadChain = (input: InputOf<typeof readAuditChain>) => Promise<ReplyOf<typeof readAuditChain>>;

/** Looks at the whole chain of an organization. The hashes are computed here, not by the service that keeps the log. */
export const verifyAudit = async (
  read: ReadChain,
  organization_id: string,
  noted?: string,
): Promise<Verified> => {
  const result: Verified = { organization_id, head: null, seals: 0, entries: 0, unsealed: 0, faults: [] };
  let before: SealBefore | undefined;
  let [more, isNoted] = [true, noted === undefined];
  while (more) {
    const input = { organization_id, after: before?.number ?? 0 };
    const { seals, unsealed, is_late, has_more } = await read(input);
    for (const seal of seals) {
      for (const fault of faultsOfSeal(organization_id, seal, before))
        result.faults.push(`seal ${seal.number} of ${seal.sealed_at}: ${fault}`);
      before = seal;
      result.seals += 1;
      result.entries += seal.lines.length;
      isNoted ||= noted === `${seal.number}:${seal.hash}`;
    }
    result.unsealed = unsealed;
    more = has_more;
    if (!more && is_late)
      result.faults.push(
        'entries of more than ten minutes ago are not sealed: the job seal-audit does not run',
      );
  }
  if (before) result.head = `${before.number}:${before.hash}`;
  if (!isNoted) result.faults.push(`the noted seal ${noted} is not in the chain`);
  return result;
};

/** @throws StackFailure for a chain with a fault */
export const refuseFaults = (verified: Verified): void => {
  if (verified.faults.length === 0) return;
  throw new StackFailure(
    `The audit log of ${verified.organization_id} is not what was sealed: ${verified.faults[0]}`,
    'Compare it with the file of STANZA_AUDIT_STREAM or an earlier export, and see who had access to the database.',
  );
};
