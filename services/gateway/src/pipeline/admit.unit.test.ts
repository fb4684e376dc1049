import { describe, expect, it } from '@jest/globals';
import {
  createModal,
  createTemplate,
  type HttpOperation,
  listTemplates,
  scopesOfRole,
  updateProfile,
  updateTemplate,
} from '@stanza/contracts';
import type { RequestContext } from '../http/request-context.ts';
import type { Quota } from '../limits/rate-limits.ts';
import { newRequestContext } from '../testing/request-context.ts';
import { limitClaimed, limitRate, refuseNew } from './admit.ts';

const organization = '019a0000-0000-7000-8000-000000000001';

const exchangeOf = (operation: HttpOperation, sent: Record<string, string> = {}): RequestContext =>
  newRequestContext(operation, {
    sent,
    principal: {
      organization_id: organization,
      environment: 'preview',
      actor: { type: 'api_key', id: 'key' },
      role: 'member',
      scopes: [...scopesOfRole('member')],
    },
  });

describe('a request that counts against a rate', () => {
  const taken: string[][] = [];
  const run = async (operation: HttpOperation, quota?: Quota) => {
    taken.splice(0);
    const requestContext = exchangeOf(operation);
    const step = limitRate({
      take: async (organizationId, rate) => {
        taken.push([organizationId, rate]);
        return quota;
      },
    });
    const error: unknown = await Promise.resolve(step(requestContext)).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return { error, headers: requestContext.headers };
  };

  it('is counted for the organization, and reports the rest', async () => {
    const { error, headers } = await run(createTemplate, {
      isGranted: true,
      remaining: 7,
      secondsToMore: 42,
    });
    expect([taken, error]).toEqual([[[organization, 'authoring']], undefined]);
    expect(headers).toEqual({
      'RateLimit-Policy': '"authoring";q=120;w=60',
      RateLimit: '"authoring";r=7;t=42',
    });
  });

  it('is refused over it with the same seconds in every field', async () => {
    const { error, headers } = await run(createTemplate, {
      isGranted: false,
      remaining: 0,
      secondsToMore: 13,
    });
    expect(error).toMatchObject({ code: 'rate_limited', status: 429, facts: { retry_after: 13 } });
    expect(headers.RateLimit).toBe('"authoring";r=0;t=13');
  });

  it('counts against a rate of its own operation', async () => {
    const quota = { isGranted: true, remaining: 299, secondsToMore: 60 };
    const { headers } = await run({ ...listTemplates, ownRate: 'preview' }, quota);
    expect(taken).toEqual([[organization, 'preview']]);
    expect(headers['RateLimit-Policy']).toBe('"preview";q=300;w=60');
  });

  it('is counted for the person where it is about one, whatever organization the session names', async () => {
    const counted = async (subject: string, requestContext: RequestContext) => {
      requestContext.context.person = {
        issuer: 'https://identity.example.com',
        subject,
        email: null,
        email_verified: false,
      };
      const rates: string[] = [];
      await limitRate({ take: async (...taken) => void rates.push(...taken) })(requestContext);
      return rates;
    };
    const [ada = '', rate] = await counted('ada', newRequestContext(updateProfile));
    expect(rate).toBe('person');
    expect(await counted('ada', exchangeOf(updateProfile))).toEqual([ada, 'person']);
    expect(await counted('ben', exchangeOf(updateProfile))).not.toContain(ada);
  });

  it('passes without headers when it could not be counted, or when its operation has no rate', async () => {
    expect(await run(createTemplate)).toEqual({ error: undefined, headers: {} });
    const quota = { isGranted: false, remaining: 0, secondsToMore: 1 };
    expect(await run(listTemplates, quota)).toEqual({ error: undefined, headers: {} });
    expect(taken).toEqual([]);
  });

  it.each([
    ['is refused before its new key is claimed', false, true],
    ['passes with a taken key, for its replay', true, false],
  ])('%s, while the organization is known to be over the rate', async (_, isTaken, isRefused) => {
    const asked: string[] = [];
    const counted: string[] = [];
    const step = refuseNew(
      {
        refusal: () => ({ isGranted: false, remaining: 0, secondsToMore: 13 }),
        countRefusal: (rate) => void counted.push(rate),
      },
      {
        isTaken: async (tenant, operation, key) => {
          asked.push(tenant.organizationId, tenant.environment, operation, key);
          return isTaken;
        },
      },
    );
    const requestContext = exchangeOf(createModal, { 'idempotency-key': 'k' });
    const error: unknown = await Promise.resolve(step(requestContext)).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(asked).toEqual([organization, 'preview', createModal.id, 'k']);
    expect(error !== undefined).toBe(isRefused);
    expect(counted).toEqual(isRefused ? ['authoring'] : []);
    if (isRefused) expect(error).toMatchObject({ code: 'rate_limited', facts: { retry_after: 13 } });
  });

  it('reads no key while the organization is not known to be over the rate', async () => {
    const step = refuseNew(
      { refusal: () => undefined, countRefusal: () => undefined },
      { isTaken: () => Promise.reject(new Error('the key must not be read')) },
    );
    await step(exchangeOf(createModal, { 'idempotency-key': 'k' }));
  });

  it('counts once: with a key after its claim, else before its body is read', async () => {
    const limits = { take: async (...rate: string[]) => void taken.push(rate) };
    const steps = { limitRate: limitRate(limits), limitClaimed: limitClaimed(limits) };
    const countedBy = async (requestContext: RequestContext) => {
      const found: string[] = [];
      for (const [name, step] of Object.entries(steps)) {
        taken.splice(0);
        await step(requestContext);
        if (taken.length > 0) found.push(name);
      }
      return found;
    };
    const key = { 'idempotency-key': 'k' };
    expect(await countedBy(exchangeOf(createModal, key))).toEqual(['limitClaimed']);
    expect(await countedBy(exchangeOf(createModal))).toEqual(['limitRate']);
    // Supports no key, so that the header has no meaning.
    expect(await countedBy(exchangeOf(updateTemplate, key))).toEqual(['limitRate']);
  });
});
