import { describe, expect, it } from '@jest/globals';
import { auditEntrySchema, type Principal } from '@stanza/contracts';
import { InvariantError } from '../invariant.ts';
import { auditEntry } from './audit.ts';

const principal: Principal = {
  organization_id: '019a0000-0000-7000-8000-000000000001',
  environment: 'preview',
  actor: { type: 'api_key', id: '019a0000-0000-7000-8000-000000000002' },
  role: 'admin',
  scopes: [],
};
const change = {
  action: 'modal.created',
  subject: { kind: 'modal', id: 'm1' },
  changes: { name: 'Feedback' },
  at: new Date('2026-11-21T08:00:00.000Z'),
} as const;

describe('a line of the audit log', () => {
  it('names the actor, the tenant and the request of the change', () => {
    const operationId = '019a0000-0000-7000-8000-000000000003';
    const entry = auditEntry({ principal, requestId: 'r1', operationId }, change);
    expect(auditEntrySchema.parse(entry)).toEqual({
      organization_id: principal.organization_id,
      environment: 'preview',
      actor: principal.actor,
      action: 'modal.created',
      subject: { kind: 'modal', id: 'm1' },
      changes: { name: 'Feedback' },
      request_id: 'r1',
      operation_id: operationId,
      at: '2026-11-21T08:00:00.000Z',
    });
  });

  it('belongs to both environments when the change does', () => {
    const owner = { organization_id: principal.organization_id, environment: null };
    expect(auditEntry({ principal, requestId: 'r1' }, { ...change, owner })).toMatchObject({
      environment: null,
      actor: principal.actor,
    });
  });

  it('names the operator where the call has no principal', () => {
    const owner = { organization_id: principal.organization_id, environment: 'production' } as const;
    const { actor } = auditEntry({ requestId: 'r1' }, { ...change, owner });
    expect(actor).toEqual({ type: 'system', id: 'operator' });
  });

  it('names who ran the command of the operator, and nobody else beside a principal', () => {
    const owner = { organization_id: principal.organization_id, environment: 'production' } as const;
    const entry = auditEntry({ requestId: 'r1', operator: 'ada@desk' }, { ...change, owner });
    expect(auditEntrySchema.parse(entry).actor).toEqual({ type: 'system', id: 'operator', name: 'ada@desk' });
    expect(auditEntry({ principal, requestId: 'r1', operator: 'ada@desk' }, change).actor).toEqual(
      principal.actor,
    );
  });

  it('never carries a field with the name of a secret', () => {
    const changes = { name: 'Hook', headers: { authorization: 'Bearer abc' }, auth: { token: 'abc' } };
    const entry = auditEntry({ principal, requestId: 'r1' }, { ...change, changes });
    expect(entry.changes).toHaveProperty('name', 'Hook');
    expect(JSON.stringify(entry)).not.toContain('abc');
  });

  it('is refused for a change without an organization', () => {
    expect(() => auditEntry({ requestId: 'r1' }, change)).toThrow(InvariantError);
  });
});
