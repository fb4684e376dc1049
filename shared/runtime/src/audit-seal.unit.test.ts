import { describe, expect, it } from '@jest/globals';
import type { AuditRecord } from '@stanza/contracts';
import { faultsOfSeal, linesDigest, type SealWithLines, sealHash } from './audit-seal.ts';

const organization = '019a0000-0000-7000-8000-000000000001';

const line = (action: string, more: Partial<AuditRecord> = {}): AuditRecord => ({
  id: '019a0000-0000-7000-8000-000000000002',
  environment: 'production',
  actor: { type: 'system', id: 'operator' },
  action,
  subject: { kind: 'template', id: 't1' },
  changes: { name: 'One', more: { b: 1, a: [2] } },
  request_id: 'r1',
  client: null,
  created_at: '2026-11-21T08:00:00.000Z',
  ...more,
});

const seal = (
  lines: AuditRecord[],
  { number, hash }: { number: number; hash: string | null } = { number: 0, hash: null },
): SealWithLines => {
  const facts = {
    number: number + 1,
    previous_hash: hash,
    line_count: lines.length,
    end: '1800000000000-019a0000-0000-7000-8000-000000000002',
    lines_digest: linesDigest(lines),
  };
  const hashes = { hash: sealHash(organization, facts) };
  return { ...facts, ...hashes, sealed_at: '2026-11-21T08:00:01.000Z', forgotten_at: null, lines };
};

describe('a seal of the audit log', () => {
  const first = seal([line('template.created'), line('template.activated')]);
  const second = seal([line('template.deleted')], first);

  it('holds over the entries that it was made of, whatever the order of their keys', () => {
    expect(faultsOfSeal(organization, first, undefined)).toEqual([]);
    const turned = line('template.deleted', { changes: { more: { a: [2], b: 1 }, name: 'One' } });
    expect(faultsOfSeal(organization, { ...second, lines: [turned] }, first)).toEqual([]);
  });

  it.each<[string, Partial<AuditRecord>]>([
    ['action', { action: 'template.renamed' }],
    ['actor', { actor: { type: 'system', id: 'operator', name: 'eve' } }],
    ['application', { actor: { type: 'system', id: 'operator', client_id: 'eve' } }],
    ['subject', { subject: { kind: 'template', id: 't2' } }],
    ['change', { changes: { name: 'Two' } }],
    ['moment', { created_at: '2026-11-21T08:00:00.001Z' }],
    ['environment', { environment: null }],
    ['request', { request_id: 'r2' }],
    ['operation', { operation_id: '019a0000-0000-7000-8000-000000000004' }],
    ['client', { client: { address: '192.0.2.1', user_agent: null } }],
    ['id', { id: '019a0000-0000-7000-8000-000000000003' }],
  ])('tells an entry with another %s', (_what, other) => {
    const lines = [line('template.deleted', other)];
    expect(faultsOfSeal(organization, { ...second, lines }, first)).toEqual([
      'an entry was changed or exchanged',
    ]);
  });

  it('tells entries that are gone, were added, or come in another order', () => {
    const [one, two] = first.lines;
    const faultsOf = (lines: (AuditRecord | undefined)[]) =>
      faultsOfSeal(organization, { ...first, lines: lines.flatMap((it) => it ?? []) }, undefined);
    expect(faultsOf([one])).toEqual(['has 1 of 2 entries']);
    expect(faultsOf([one, two, two])).toEqual(['has 3 of 2 entries']);
    expect(faultsOf([two, one])).toEqual(['an entry was changed or exchanged']);
  });

  it('tells a seal of another organization, and one that was made anew over other entries', () => {
    expect(faultsOfSeal('019a0000-0000-7000-8000-00000000000f', first, undefined)).toEqual([
      'its hash is not that of its facts',
    ]);
    const forged = seal([line('template.created')]);
    expect(faultsOfSeal(organization, second, forged)).toEqual(['does not follow seal 1']);
  });

  it('tells seals that are missing, at the beginning too', () => {
    expect(faultsOfSeal(organization, second, undefined)).toEqual(['seal 1 is missing']);
    expect(faultsOfSeal(organization, { ...second, ...seal([], second) }, first)).toContain(
      'seal 2 is missing',
    );
  });

  it('needs neither its entries nor a seal before it once it is past its retention', () => {
    const anchor = { ...second, forgotten_at: '2027-03-01T00:00:00.000Z', lines: [] };
    expect(faultsOfSeal(organization, anchor, undefined)).toEqual([]);
    expect(faultsOfSeal(organization, { ...anchor, lines: second.lines }, undefined)).toEqual([
      'has 1 entries, though they were deleted',
    ]);
  });
});
