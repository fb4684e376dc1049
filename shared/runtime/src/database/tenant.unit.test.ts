import { describe, expect, it } from '@jest/globals';
import { Tenant } from './tenant.ts';

const organizationId = '019a0000-0000-7000-8000-000000000001';

describe('a tenant', () => {
  it('is the organization and the environment of a principal', () => {
    expect(Tenant.of({ organization_id: organizationId, environment: 'preview' })).toMatchObject({
      organizationId,
      environment: 'preview',
    });
  });

  it('cannot be imitated by an object with the same fields', () => {
    expect(Tenant.isTenant(new Tenant(organizationId, 'production'))).toBe(true);
    expect(Tenant.isTenant({ organizationId, environment: 'production' })).toBe(false);
    // @ts-expect-error a plain object is no Tenant
    const imitation: Tenant = { organizationId, environment: 'production' };
    expect(Tenant.isTenant(imitation)).toBe(false);
  });
});
