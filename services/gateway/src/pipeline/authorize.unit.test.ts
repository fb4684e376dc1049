import { describe, expect, it } from '@jest/globals';
import { type HttpOperation, httpOperations, type Principal, scopesOfRole } from '@stanza/contracts';
import type { RequestContext } from '../http/request-context.ts';
import { newRequestContext } from '../testing/request-context.ts';
import { authorize } from './authorize.ts';

const owner: Principal = {
  organization_id: '019a0000-0000-7000-8000-000000000001',
  environment: 'production',
  actor: { type: 'api_key', id: '019a0000-0000-7000-8000-000000000002' },
  role: 'owner',
  scopes: [...scopesOfRole('owner')],
};

const exchangeWith = (operation: HttpOperation, principal: Principal): RequestContext =>
  newRequestContext(operation, { principal });

const wide = httpOperations.filter((it) => it.organizationWide);

describe('an operation on the whole organization', () => {
  it.each(wide.map((it) => [it.id, it] as const))(
    '%s refuses every key, and every session token, of preview',
    (_, operation) => {
      const key = { ...owner, environment: 'preview' } as const;
      const token = { ...key, actor: { type: 'session', id: 'ada' }, confined: true } as const;
      for (const preview of [key, token]) {
        expect(() => authorize(exchangeWith(operation, preview))).toThrow(
          expect.objectContaining({
            code: 'access_denied',
            facts: expect.objectContaining({
              required_scopes: [operation.access],
              user_scopes: preview.scopes,
            }),
          }),
        );
      }
    },
  );

  it.each(wide.map((it) => [it.id, it] as const))('%s accepts a key of production', (_, operation) => {
    expect(() => authorize(exchangeWith(operation, owner))).not.toThrow();
  });

  it.each(wide.map((it) => [it.id, it] as const))(
    '%s accepts a session of either environment',
    (_, operation) => {
      const session = { ...owner, environment: 'preview', actor: { type: 'session', id: 'ada' } } as const;
      expect(() => authorize(exchangeWith(operation, session))).not.toThrow();
    },
  );
});
