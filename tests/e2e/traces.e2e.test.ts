import { describe, expect, it } from '@jest/globals';
import {
  createApiKey,
  createDestination,
  getSigningSecret,
  listApiKeys,
  listAuditLog,
  newApiKey,
} from '@stanza/contracts';
import { sharedByTests } from '../kit/shared.ts';
import { openWorldWith } from '../kit/stack.ts';
import { waitFor } from '../kit/wait.ts';

const local = /^(127\.0\.0\.1|::1)$/;
const spoofed = { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.1', 'x-real-ip': '192.0.2.1' };

describe('what a request leaves behind', () => {
  const own = sharedByTests(() => openWorldWith({ connected: false }));

  const linesOf = async (query: Record<string, string>) => (await own().api.ok(listAuditLog, { query })).data;
  const lineOf = (query: Record<string, string>) =>
    waitFor('the line of the audit log', async () => (await linesOf(query))[0] ?? false);

  it('is the address of its connection and its user agent in the audit log, whatever it claims', async () => {
    const headers = { ...spoofed, 'user-agent': `deploy/2 ${newApiKey('production')}` };
    const body = { name: 'Traced', scopes: ['templates:read'] };
    const made = await own().api.post('/v1/api-keys', body, { headers });
    const { id } = createApiKey.reply.parse(made.body);
    expect(await lineOf({ subject_id: id })).toMatchObject({
      action: 'api_key.created',
      client: { address: expect.stringMatching(local), user_agent: 'deploy/2 [redacted]' },
    });
  });

  it('reaches the audit log from other services too, and reading a signing secret is a line of it', async () => {
    const body = { name: 'Tickets', url: 'https://tickets.example.com/in' };
    const { id } = await own().api.ok(createDestination, { body });
    await own().api.ok(getSigningSecret, { params: { id } });
    expect(await lineOf({ action: 'destination.signing_secret_read', subject_id: id })).toMatchObject({
      actor: { type: 'api_key' },
      client: { address: expect.stringMatching(local), user_agent: expect.any(String) },
    });
  });

  describe('a key with addresses', () => {
    const keyFor = async (...allowed_addresses: string[]) => {
      const scopes = ['templates:read', 'api-keys:write', 'api-keys:read'];
      return own().api.ok(createApiKey, { body: { name: 'Bound', scopes, allowed_addresses } });
    };

    it('is let in from there, and shown with them', async () => {
      const bound = await keyFor('127.0.0.0/8', '::1');
      const answer = await own().api.with(bound.key).get('/v1/templates');
      expect(answer.status).toBe(200);
      const { data } = await own().api.ok(listApiKeys);
      expect(data.find(({ id }) => id === bound.id)).toMatchObject({
        allowed_addresses: ['127.0.0.0/8', '::1/128'],
      });
    });

    it('is refused from other addresses, however often it was allowed, with the same error', async () => {
      const bound = own().api.with((await keyFor('192.0.2.0/24')).key);
      for (const headers of [{}, spoofed, {}]) {
        const refused = await bound.get('/v1/templates', { headers });
        expect(refused).toMatchObject({
          status: 403,
          body: {
            code: 'access_denied',
            error: 'The API key cannot be used from this address.',
            required_scopes: ['templates:read'],
            user_scopes: [],
          },
        });
        expect(refused.text).not.toContain('192.0.2');
        expect(refused.text).not.toContain(own().organization.id);
      }
    });

    it('makes no key that may be used from elsewhere', async () => {
      const bound = own().api.with((await keyFor('127.0.0.0/8', '::1')).key);
      const wide = { name: 'Free', scopes: ['templates:read'], allowed_addresses: ['0.0.0.0/0'] };
      expect(await bound.post('/v1/api-keys', wide)).toMatchObject({
        status: 422,
        body: { code: 'validation_failed' },
      });
      const child = await bound.ok(createApiKey, { body: { name: 'Child', scopes: ['templates:read'] } });
      expect(child.allowed_addresses).toEqual(['127.0.0.0/8', '::1/128']);
    });

    it.each([
      ['10.1.2.3/8', 'give 10.0.0.0/8'],
      ['example.com', 'must be an address or a CIDR'],
    ])('is not made for %s', async (range, message) => {
      const body = { name: 'Bound', scopes: ['templates:read'], allowed_addresses: [range] };
      const refused = await own().api.post('/v1/api-keys', body);
      expect(refused).toMatchObject({ status: 422, body: { message: expect.stringContaining(message) } });
    });
  });
});
