import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApiKey, scimGroupList, scimSchemas } from '@stanza/contracts';
import { testGateways } from '@stanza/test-kit/database';
import { Api } from '../kit/api.ts';
import type { TestOrganization } from '../kit/organization.ts';
import { openWorld, type World } from '../kit/stack.ts';
import { waitFor } from '../kit/wait.ts';

const deactivation = {
  schemas: [scimSchemas.patch],
  Operations: [{ op: 'Replace', path: 'active', value: 'False' }],
};

describe('an identity provider over SCIM', () => {
  const gateways = testGateways().map((url) => new Api(url));
  let world: World;
  let organization: TestOrganization;
  let provider: Api;

  beforeAll(async () => {
    world = await openWorld();
    organization = await world.newOrganization({ connected: false });
    provider = world.api.with((await organization.key({ scopes: ['users:provision'] })).key);
  });
  afterAll(() => world.close());

  it('finds a person, deactivates them, and no gateway lets their session or their keys in any more', async () => {
    const { token, userId, email } = await organization.session({ role: 'admin' });
    const session = world.api.with(token);
    const { key } = await session.ok(createApiKey, { body: { name: 'CI', scopes: ['templates:read'] } });
    for (const gateway of gateways) {
      for (const secret of [token, key]) {
        expect(await gateway.with(secret).get('/v1/templates')).toMatchObject({ status: 200 });
      }
    }
    const search = `?filter=${encodeURIComponent(`userName eq "${email}"`)}&startIndex=1&count=1`;
    const found = await provider.get(`/scim/v2/Users${search}`);
    expect(found).toMatchObject({ status: 200, body: { totalResults: 1, Resources: [{ id: userId }] } });
    expect(found.headers.get('content-type')).toMatch(/^application\/scim\+json/);
    expect(found.headers.get('deprecation')).toBeNull();

    const changed = await provider.request('PATCH', `/scim/v2/Users/${userId}`, deactivation, {
      headers: { 'content-type': 'application/scim+json' },
    });
    expect(changed).toMatchObject({ status: 200, body: { id: userId, active: false } });
    await waitFor('every gateway to refuse both', async () => {
      const answers = await Promise.all(
        gateways.flatMap((gateway) => [
          gateway.with(token).get('/v1/templates'),
          gateway.with(key).get('/v1/templates'),
        ]),
      );
      return answers.every(({ status }, at) => status === (at % 2 === 0 ? 403 : 401));
    });
    expect(await provider.request('PATCH', `/scim/v2/Users/${userId}`, deactivation)).toMatchObject({
      status: 200,
      body: { active: false },
    });
  });

  it('takes a person out with DELETE, which has no body', async () => {
    const { userId } = await organization.session({ role: 'member' });
    const gone = await provider.request('DELETE', `/scim/v2/Users/${userId}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect(await provider.get(`/scim/v2/Users/${userId}`)).toMatchObject({
      status: 404,
      body: { schemas: [scimSchemas.error], status: '404', code: 'user_not_found' },
    });
  });

  it('is answered errors of SCIM', async () => {
    const refused = await provider.get(`/scim/v2/Users?filter=${encodeURIComponent('title co "x"')}`);
    expect(refused).toMatchObject({
      status: 400,
      body: {
        schemas: [scimSchemas.error],
        status: '400',
        scimType: 'invalidFilter',
        detail: expect.stringContaining('userName eq'),
        code: 'validation_failed',
      },
    });
    expect(refused.headers.get('content-type')).toMatch(/^application\/scim\+json/);
    for (const path of ['/scim/v2/Users/no-uuid', '/scim/v2/Groups/no-uuid', '/v1/scim/v2/Bulk']) {
      const missing = await provider.get(path);
      expect(missing).toMatchObject({ status: 404, body: { schemas: [scimSchemas.error], status: '404' } });
      expect(missing.headers.get('content-type')).toMatch(/^application\/scim\+json/);
    }
    const unnamed = await provider.with(undefined).get('/scim/v2/ServiceProviderConfig');
    expect(unnamed).toMatchObject({ status: 401, body: { status: '401', code: 'unauthenticated' } });
  });

  it('has a scope of its own, which users:write does not replace, and no key of preview will do', async () => {
    const { userId } = await organization.session({ role: 'viewer' });
    const others = world.api.with((await organization.key({ scopes: ['users:write', 'users:read'] })).key);
    expect(await others.request('PATCH', `/scim/v2/Users/${userId}`, deactivation)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope', required_scopes: ['users:provision'] },
    });
    const preview = world.api.with((await organization.key({ environment: 'preview' })).key);
    expect(await preview.request('PATCH', `/scim/v2/Users/${userId}`, deactivation)).toMatchObject({
      status: 403,
      body: { code: 'access_denied' },
    });
    expect(await provider.get(`/scim/v2/Users/${userId}`)).toMatchObject({ body: { active: true } });
    expect(await provider.get('/v1/scim/v2/ServiceProviderConfig')).toMatchObject({
      body: { patch: { supported: true }, filter: { supported: true }, bulk: { supported: false } },
    });
  });

  it('reads what there is, changes roles by groups, and makes or renames none', async () => {
    const types = await provider.get('/scim/v2/ResourceTypes');
    expect(types).toMatchObject({ status: 200, body: { Resources: [{ id: 'User' }, { id: 'Group' }] } });
    expect(await provider.get('/scim/v2/Schemas')).toMatchObject({ status: 200, body: { totalResults: 2 } });
    const filter = encodeURIComponent('displayName eq "viewer"');
    const found = await provider.get(`/scim/v2/Groups?excludedAttributes=members&filter=${filter}`);
    expect(found).toMatchObject({ status: 200, body: { totalResults: 1 } });
    const { id } = scimGroupList.parse(found.body).Resources[0] ?? { id: '' };
    const { userId } = await organization.session({ role: 'member' });
    const change = {
      schemas: [scimSchemas.patch],
      Operations: [{ op: 'Add', path: 'members', value: [{ value: userId }] }],
    };
    expect(await provider.request('PATCH', `/scim/v2/Groups/${id}`, change)).toMatchObject({
      status: 200,
      body: {
        displayName: 'viewer',
        members: expect.arrayContaining([expect.objectContaining({ value: userId })]),
      },
    });
    const rename = { Operations: [{ op: 'replace', path: 'displayName', value: 'Readers' }] };
    expect(await provider.request('PATCH', `/scim/v2/Groups/${id}`, rename)).toMatchObject({
      status: 400,
      body: { scimType: 'mutability' },
    });
    const made = await provider.request('POST', '/scim/v2/Groups', { displayName: 'Readers' });
    expect(made).toMatchObject({ status: 405, body: { schemas: [scimSchemas.error], status: '405' } });
  });

  it('is granted only to admins and owners', async () => {
    const member = await organization.key({ role: 'member', scopes: ['templates:read', 'users:provision'] });
    expect(await world.api.with(member.key).get('/scim/v2/Users')).toMatchObject({ status: 403 });
  });
});
