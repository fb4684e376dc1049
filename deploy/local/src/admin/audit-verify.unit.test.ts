import { describe, expect, it } from '@jest/globals';
import type { ReplyOf, readAuditChain } from '@stanza/contracts';
import { linesDigest, sealHash } from '@stanza/runtime';
import { type ReadChain, refuseFaults, verifyAudit } from './audit-verify.ts';

const organization = '019a0000-0000-7000-8000-000000000001';

type Seal = ReplyOf<typeof readAuditChain>['seals'][number];

const chain = (length: number): Seal[] => {
  const seals: Seal[] = [];
  for (let number = 1; number <= length; number += 1) {
    const facts = {
      number,
      previous_hash: seals.at(-1)?.hash ?? null,
      line_count: 1,
      end: '1800000000000-019a0000-0000-7000-8000-000000000002',
      lines_digest: '',
    };
    const lines: Seal['lines'] = [
      {
        id: '019a0000-0000-7000-8000-000000000002',
        environment: null,
        actor: { type: 'system', id: 'operator' },
        action: 'organization.created',
        subject: { kind: 'organization', id: organization },
        changes: { number },
        request_id: 'r1',
        client: null,
        created_at: '2026-11-21T08:00:00.000Z',
      },
    ];
    const digested = { ...facts, lines_digest: linesDigest(lines) };
    const hash = sealHash(organization, digested);
    seals.push({ ...digested, hash, sealed_at: '2026-11-21T08:00:01.000Z', forgotten_at: null, lines });
  }
  return seals;
};

/** A service that answers one seal at a time. */
const verify = (seals: Seal[], noted?: string, is_late = false) => {
  const read: ReadChain = async ({ after }) => {
    const rest = seals.filter(({ number }) => number > after);
    return { seals: rest.slice(0, 1), unsealed: 3, is_late, has_more: rest.length > 1 };
  };
  return verifyAudit(read, organization, noted);
};

describe('the command that verifies the audit log', () => {
  it('looks at every seal, and names the last one', async () => {
    const seals = chain(3);
    expect(await verify(seals)).toEqual({
      organization_id: organization,
      head: `3:${seals[2]?.hash}`,
      seals: 3,
      entries: 3,
      unsealed: 3,
      faults: [],
    });
    expect(await verify([])).toMatchObject({ head: null, faults: [] });
  });

  it('fails, with the seal, where an entry was changed', async () => {
    const seals = chain(3);
    const [line] = seals[1]?.lines ?? [];
    if (line) line.action = 'organization.renamed';
    const verified = await verify(seals);
    expect(verified.faults).toEqual([
      'seal 2 of 2026-11-21T08:00:01.000Z: an entry was changed or exchanged',
    ]);
    expect(() => refuseFaults(verified)).toThrow('is not what was sealed');
  });

  it('fails where a chain is rebuilt or truncated after a seal that was recorded elsewhere', async () => {
    const noted = `3:${chain(3)[2]?.hash}`;
    expect((await verify(chain(4), noted)).faults).toEqual([]);
    expect((await verify(chain(2), noted)).faults).toEqual([`the noted seal ${noted} is not in the chain`]);
  });

  it('fails where nothing seals any more', async () => {
    expect((await verify(chain(2), undefined, true)).faults).toEqual([
      'entries of more than ten minutes ago are not sealed: the job seal-audit does not run',
    ]);
  });
});
