import { describe, expect, it } from '@jest/globals';
import { newApiKey, revokeKey, setOrganizationStatus, validateToken } from '@stanza/contracts';
import { v7 } from 'uuid';
import type { ApiAnswer } from '../kit/api.ts';
import { sharedByTests } from '../kit/shared.ts';
import { openWorldWith } from '../kit/stack.ts';
import { deployBlocks, liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

const prefixes = ['/v1', ''];

describe.each(prefixes)('access to %s/…', (prefix) => {
  const own = sharedByTests(() => openWorldWith({ connected: false }));

  const expectError = (answer: ApiAnswer, status: number, code: string) => {
    expect(answer).toMatchObject({ status, body: { code } });
    expect(answer.body).toHaveProperty('request_id', answer.headers.get('x-request-id'));
  };

  it('without a key is unauthenticated', async () => {
    expectError(await own().api.with(undefined).get(`${prefix}/templates`), 401, 'unauthenticated');
  });

  it('with a malformed, a mistyped and an unknown key is refused', async () => {
    const real = (await own().organization.key()).key;
    const mistyped = real.slice(0, -1) + (real.endsWith('a') ? 'b' : 'a');
    for (const key of ['nonsense', mistyped, newApiKey('production')]) {
      expectError(await own().api.with(key).get(`${prefix}/templates`), 401, 'invalid_token');
    }
  });

  it('with an expired key is refused', async () => {
    const { key } = await own().organization.key({ expires_at: new Date(Date.now() - 1_000).toISOString() });
    expectError(await own().api.with(key).get(`${prefix}/templates`), 401, 'invalid_token');
  });

  it('with a revoked key is refused', async () => {
    const { id, key } = await own().organization.key();
    expect((await own().api.with(key).get(`${prefix}/templates`)).status).toBe(200);
    await own().organization.call(revokeKey, { organization_id: own().organization.id, key_id: id });
    const refused = await waitFor('the gateway to refuse the key', async () => {
      const answer = await own().api.with(key).get(`${prefix}/templates`);
      return answer.status === 401 && answer;
    });
    expectError(refused, 401, 'invalid_token');
  });

  it('of a suspended organization is refused', async () => {
    const other = await own().world.newOrganization({ connected: false });
    const { key } = await other.key();
    expect((await own().api.with(key).get(`${prefix}/templates`)).status).toBe(200);
    await other.call(setOrganizationStatus, { organization_id: other.id, status: 'suspended' });
    const refused = await waitFor('the gateway to refuse the organization', async () => {
      const answer = await own().api.with(key).get(`${prefix}/templates`);
      return answer.status === 403 && answer;
    });
    expectError(refused, 403, 'access_denied');
  });

  it('without the scope is refused, naming the scope and those of the key', async () => {
    const { key } = await own().organization.key({ scopes: ['templates:read'] });
    const refused = await own()
      .api.with(key)
      .post(`${prefix}/templates`, { name: 'x', blocks: deployBlocks });
    expectError(refused, 403, 'insufficient_scope');
    expect(refused.body).toMatchObject({
      required_scopes: ['templates:create'],
      user_scopes: ['templates:read'],
    });
  });

  it("to another organization's template is as to one that does not exist", async () => {
    const other = await own().world.newOrganization({ connected: false });
    const theirs = await liveTemplate(own().world.api.with((await other.key()).key));
    const body = { template_id: theirs.id, data: {} };
    expectError(await own().api.get(`${prefix}/templates/${theirs.id}`), 404, 'template_not_found');
    expectError(await own().api.post(`${prefix}/templates/compile`, body), 404, 'template_not_found');
    expectError(await own().api.get(`${prefix}/credits/${other.id}`), 404, 'organization_not_found');
  });

  it('to a template of the other environment is as to one that does not exist', async () => {
    const { id } = await liveTemplate(own().api);
    const preview = own().api.with((await own().organization.key({ environment: 'preview' })).key);
    expectError(await preview.get(`${prefix}/templates/${id}`), 404, 'template_not_found');
    expectError(
      await preview.post(`${prefix}/templates/compile`, { template_id: id }),
      404,
      'template_not_found',
    );
  });

  it('with a body that is no JSON, or nested too deep, is a bad request', async () => {
    const deep = `{"name":"x","blocks":${'['.repeat(70)}${']'.repeat(70)}}`;
    for (const raw of ['{"name":', 'name=x', deep, new Uint8Array([0x22, 0xff, 0x22])]) {
      expectError(await own().api.post(`${prefix}/templates`, undefined, { raw }), 400, 'invalid_request');
    }
  });

  it('with a body over 512 KiB is too large', async () => {
    const body = { name: 'x'.repeat(600_000), blocks: deployBlocks };
    expectError(await own().api.post(`${prefix}/templates`, body), 413, 'invalid_request');
  });

  it('with unknown keys, and characters that cannot be stored, lists each with its path', async () => {
    const refused = await own().api.post(`${prefix}/templates`, undefined, {
      raw: '{"name":"a\\u0000","blocks":[{"type":"divider","id":"\\ud800"}],"colour":1,"size":2}',
    });
    expectError(refused, 422, 'validation_failed');
    expect(refused.body).toMatchObject({ success: false, error: { name: expect.any(String) } });
    const line = JSON.stringify(refused.body);
    for (const path of [
      '"path":["name"]',
      '"path":["blocks",0,"id"]',
      '"path":["colour"]',
      '"path":["size"]',
    ]) {
      expect(line).toContain(path);
    }
    expect(refused.body).toHaveProperty('message', expect.stringContaining('colour: '));
  });

  it('takes the camelCase spelling of a key, and says that it is deprecated', async () => {
    const { id } = await liveTemplate(own().api);
    const compiled = await own().api.post(`${prefix}/templates/compile`, { templateId: id, data: {} });
    expect(compiled.status).toBe(200);
    expect(compiled.headers.get('deprecation')).toMatch(/^@\d+$/);
    expect(compiled.headers.get('link')).toContain('rel="deprecation"');
    const both = { templateId: id, template_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f', data: {} };
    expectError(await own().api.post(`${prefix}/templates/compile`, both), 422, 'validation_failed');
  });

  it('echoes the request id, and replaces a bad one', async () => {
    const echoed = await own().api.get(`${prefix}/templates`, {
      headers: { 'x-request-id': 'my-request.1' },
    });
    expect(echoed.headers.get('x-request-id')).toBe('my-request.1');
    const replaced = await own().api.get(`${prefix}/templates`, { headers: { 'x-request-id': 'no spaces' } });
    expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('shows what a key is', async () => {
    const { key } = await own().organization.key({ role: 'member', environment: 'preview' });
    const shown = await own().api.with(key).ok(validateToken);
    expect(shown).toMatchObject({
      valid: true,
      user: { role: 'member', organization_id: own().organization.id, first_name: 'Mel' },
      token: { type: 'api_key', status: 'active', key_prefix: key.slice(0, 13) },
      organization: { id: own().organization.id, status: 'active', credit_balance: expect.any(Number) },
    });
    expect(shown.user.scopes).toContain('messages:create');
    const refused = await own().api.with('nonsense').get(`${prefix}/auth/validate`);
    expect(refused).toMatchObject({ status: 401, body: { valid: false, code: 'invalid_token' } });
  });

  it('to an unknown path is not found, and with a wrong method is told the right ones', async () => {
    expectError(await own().api.get(`${prefix}/nowhere`), 404, 'not_found');
    const idless = await own().api.request('POST', `${prefix}/templates//versions//activate`);
    expectError(idless, 404, 'not_found');
    expect(JSON.stringify(idless.body)).toContain('an id was left out');
    const wrong = await own().api.request('PUT', `${prefix}/templates/compile`);
    expectError(wrong, 405, 'method_not_allowed');
    expect(wrong.headers.get('allow')).toBe('POST');
    const read = await own().api.get(`${prefix}/templates/compile`);
    expectError(read, 405, 'method_not_allowed');
    expect(read.headers.get('allow')).toBe('POST');
    const both = await own().api.request('PUT', `${prefix}/templates/${v7()}`);
    expectError(both, 405, 'method_not_allowed');
    expect(both.headers.get('allow')?.split(', ').sort()).toEqual(['DELETE', 'GET', 'PATCH']);
    const probe = await own().api.request('POST', '/readyz');
    expectError(probe, 405, 'method_not_allowed');
    expect(probe.headers.get('allow')).toBe('GET');
  });
});
