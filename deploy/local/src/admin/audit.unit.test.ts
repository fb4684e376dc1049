import { describe, expect, it } from '@jest/globals';
import { CodedError } from '@stanza/contracts';
import { exportLines } from './audit.ts';

const input = { organization_id: '019a0000-0000-7000-8000-000000000001', count: 1 };
const cursor = '1800000000000-019a0000-0000-7000-8000-000000000002';

describe('an export of the audit log', () => {
  it('An export that fails on its second page notes where the next one continues', async () => {
    const notes: string[] = [];
    const sink = { line: () => Promise.resolve(true), note: (text: string) => void notes.push(text) };
    const read = (page: { cursor?: string | undefined }) =>
      page.cursor === undefined
        ? Promise.resolve({ data: [], next_cursor: cursor, has_more: true })
        : Promise.reject(new CodedError('service_unavailable'));
    await expect(exportLines(read, input, sink)).rejects.toThrow(CodedError);
    expect(notes).toEqual([`--cursor ${cursor}`]);
  });

  it('An export whose reader has gone reads no further page', async () => {
    const entry = {
      id: cursor,
      environment: null,
      actor: { type: 'system' as const, id: 'system' },
      action: 'organization.created',
      subject: { kind: 'organization', id: input.organization_id },
      changes: {},
      request_id: 'r-1',
      client: null,
      created_at: '2027-01-01T00:00:00Z',
    };
    let pages = 0;
    const read = async () => {
      pages += 1;
      return { data: [entry], next_cursor: cursor, has_more: pages < 3 };
    };
    await exportLines(read, input, { line: async () => false, note: () => undefined });
    expect(pages).toBe(1);
  });
});
