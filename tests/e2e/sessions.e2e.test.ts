import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  activateTemplateVersion,
  addMember,
  appendTemplateVersion,
  createTemplate,
  getProfile,
  listAuditLog,
  listTemplateActivations,
  scopesOfRole,
  setOrganizationStatus,
  validateToken,
} from '@stanza/contracts';
import { testStack } from '@stanza/test-kit/database';
import { UnsecuredJWT } from 'jose';
import type { Api, ApiAnswer } from '../kit/api.ts';
import type { SessionOptions, TestOrganization } from '../kit/organization.ts';
import { openWorld, type World } from '../kit/stack.ts';
import { deployBlocks, liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

describe('a session', () => {
  let world: World;
  let organization: TestOrganization;

  beforeAll(async () => {
    world = await openWorld();
    organization = await world.newOrganization({ connected: false });
  });
  afterAll(() => world.close());

  const sessionApi = async (options?: SessionOptions): Promise<Api> =>
    world.api.with((await organization.session(options)).token);

  const expectError = (answer: ApiAnswer, status: number, code: string) =>
    expect(answer).toMatchObject({ status, body: { code } });

  const newTemplate = { name: 'Deploy alert', blocks: deployBlocks };

  it('acts with the scopes of the role of its user, and no others', async () => {
    const member = await sessionApi({ role: 'member' });
    await liveTemplate(member);
    const queue = { name: 'Deploys', mode: 'fixed_volume', threshold: 10, channel_id: 'C0DEPLOYS' };
    const refused = await member.post('/v1/queues', queue);
    expectError(refused, 403, 'insufficient_scope');
    expect(refused.body).toMatchObject({
      required_scopes: ['queues:write'],
      user_scopes: scopesOfRole('member'),
    });
    const viewer = await sessionApi({ role: 'viewer' });
    expect((await viewer.get('/v1/templates')).status).toBe(200);
    expectError(await viewer.post('/v1/templates', newTemplate), 403, 'insufficient_scope');
  });

  it('is shown as one, with its user, its organization and its end', async () => {
    const { token, userId, email } = await organization.session({ role: 'admin', expires_in: 600 });
    const shown = await world.api.with(token).ok(validateToken);
    expect(shown).toMatchObject({
      valid: true,
      user: { id: userId, email, role: 'admin', scopes: scopesOfRole('admin') },
      token: { type: 'session', key_prefix: null, status: 'active', scopes: scopesOfRole('admin') },
      organization: { id: organization.id, status: 'active' },
    });
    const { created_at, expires_at } = shown.token;
    expect(Date.parse(expires_at ?? '') - Date.parse(created_at ?? '')).toBe(600_000);
  });

  it('loses what a demotion takes away', async () => {
    const { token, email } = await organization.session({ role: 'member' });
    const api = world.api.with(token);
    expect((await api.post('/v1/templates', newTemplate)).status).toBe(201);
    await organization.call(addMember, {
      organization_id: organization.id,
      email,
      role: 'viewer',
      first_name: '',
      last_name: '',
    });
    const refused = await waitFor('the gateway to hear of the demotion', async () => {
      const answer = await api.post('/v1/templates', newTemplate);
      return answer.status === 403 && answer;
    });
    expect(refused.body).toMatchObject({ code: 'insufficient_scope', user_scopes: scopesOfRole('viewer') });
  });

  it('of a suspended organization is refused', async () => {
    const other = await world.newOrganization({ connected: false });
    const api = world.api.with((await other.session()).token);
    expect((await api.get('/v1/templates')).status).toBe(200);
    await other.call(setOrganizationStatus, { organization_id: other.id, status: 'suspended' });
    const refused = await waitFor('the gateway to refuse the organization', async () => {
      const answer = await api.get('/v1/templates');
      return answer.status === 403 && answer;
    });
    expectError(refused, 403, 'access_denied');
  });

  it('is of production unless its token says preview, and the two do not mix', async () => {
    const production = await sessionApi();
    const preview = await sessionApi({ environment: 'preview' });
    const { id } = await liveTemplate(production);
    expectError(await preview.get(`/v1/templates/${id}`), 404, 'template_not_found');
    const theirs = await liveTemplate(preview);
    expectError(await production.get(`/v1/templates/${theirs.id}`), 404, 'template_not_found');
    const key = await organization.key({ environment: 'preview' });
    expect((await world.api.with(key.key).get(`/v1/templates/${theirs.id}`)).status).toBe(200);
  });

  it('reaches no organization of which its user is no member, whether it exists or not', async () => {
    const other = await world.newOrganization({ connected: false });
    const theirs = await liveTemplate(world.api.with((await other.key()).key));
    const { subject, token } = await organization.session();
    expectError(await world.api.with(token).get(`/v1/templates/${theirs.id}`), 404, 'template_not_found');
    const naming = async (organization_id: string) =>
      world.api.with(await world.identity.token({ subject, organization_id })).get('/v1/templates');
    const foreign = await naming(other.id);
    const unknown = await naming('01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f');
    expectError(foreign, 403, 'access_denied');
    expect(foreign.body).toMatchObject({ required_scopes: ['templates:read'], user_scopes: [] });
    expect({ ...Object(unknown.body), request_id: '' }).toEqual({ ...Object(foreign.body), request_id: '' });
  });

  it('of somebody whom the service does not know, or that names no organization, may do nothing', async () => {
    const stranger = await world.person('ada@example.com', { organization_id: organization.id });
    expectError(await world.api.with(stranger).get('/v1/templates'), 403, 'access_denied');
    const nowhere = await sessionApi({ claims: { organization_id: null } });
    expectError(await nowhere.get('/v1/templates'), 403, 'access_denied');
    expect(await nowhere.get('/v1/auth/validate')).toMatchObject({ status: 403, body: { valid: false } });
  });

  it('is enough for what belongs to a person, whichever organization it names, and a key is not', async () => {
    const { subject, userId } = await organization.session({ role: 'viewer' });
    const elsewhere = await world.newOrganization({ connected: false });
    for (const organization_id of [organization.id, elsewhere.id, undefined]) {
      const token = await world.identity.token({ subject, ...(organization_id && { organization_id }) });
      expect(await world.api.with(token).ok(getProfile)).toMatchObject({ id: userId });
    }
    const stranger = await world.api.with(await world.person('ada@example.com')).get('/v1/users/profile');
    expectError(stranger, 404, 'profile_not_found');
    const { key } = await organization.key();
    expectError(await world.api.with(key).get('/v1/users/profile'), 403, 'access_denied');
  });

  it('whose token is expired, for somebody else, forged or no token is unauthorized', async () => {
    const { token } = await organization.session();
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    for (const bad of [
      (await organization.session({ expires_in: -60 })).token,
      (await organization.session({ claims: { iss: 'https://other.example.com' } })).token,
      (await organization.session({ claims: { aud: 'other' } })).token,
      new UnsecuredJWT(claims).encode(),
      `${token.split('.').slice(0, 2).join('.')}.AAAA`,
      'a.b.c',
    ]) {
      const refused = await world.api.with(bad).get('/v1/auth/validate');
      expectError(refused, 401, 'invalid_token');
      expect(refused.body).toMatchObject({ valid: false });
    }
  });

  it('goes on when the identity provider signs with another key, and so do those of the new key', async () => {
    const before = await organization.session();
    expect((await world.api.with(before.token).get('/v1/templates')).status).toBe(200);
    await world.identity.rotate();
    const after = await organization.session();
    for (const { token } of [after, before]) {
      expect((await world.api.with(token).get('/v1/templates')).status).toBe(200);
    }
  });

  it('is named by what it changes: as the user, over the web', async () => {
    const { token, userId, subject } = await organization.session({ role: 'admin' });
    const person = world.api.with(token);
    const { id, version } = await person.ok(createTemplate, { body: newTemplate });
    await person.ok(activateTemplateVersion, { params: { id, version_id: version.id } });
    const program = world.api.with((await organization.key()).key);
    const second = await program.ok(appendTemplateVersion, {
      params: { id },
      body: { blocks: deployBlocks },
    });
    await program.ok(activateTemplateVersion, { params: { id, version_id: second.id } });

    const { data } = await person.ok(listTemplateActivations, { params: { id } });
    expect(data.map((it) => it.source)).toEqual(['api', 'web']);
    expect(data[1]?.activated_by).toBe(userId);
    const entry = await waitFor('the audit log to have the change', async () => {
      const { data: log } = await person.ok(listAuditLog, { query: { limit: '100' } });
      return log.find((it) => it.action === 'template.created' && it.subject.id === id);
    });
    expect(entry.actor).toEqual({
      type: 'session',
      id: subject,
      user_id: userId,
      client_id: 'stanza-console',
    });
  });

  it('of the people of the demo is to be had from the start', async () => {
    const [demo] = testStack().organizations;
    const token = await world.identity.token({
      subject: 'olivia@acme-rockets.example',
      organization_id: demo?.id ?? '',
    });
    const { user } = await world.api.with(token).ok(validateToken);
    expect(user).toMatchObject({ first_name: 'Olivia', role: 'owner', organization_name: 'Acme Rockets' });
  });
});
