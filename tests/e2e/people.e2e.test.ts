import { describe, expect, it } from '@jest/globals';
import {
  acceptInvitation,
  createApiKey,
  deleteUser,
  type Environment,
  getProfile,
  getUser,
  inviteMember,
  listApiKeys,
  listAuditLog,
  listInvitations,
  listMembers,
  revokeApiKey,
  revokeInvitation,
  type Scope,
  transferOwnership,
  updateMember,
  updateProfile,
} from '@stanza/contracts';
import { testGateways } from '@stanza/test-kit/database';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 } from 'uuid';
import { Api, type ApiAnswer } from '../kit/api.ts';
import { mailTo, refuseMailTo } from '../kit/mailbox.ts';
import { openWorld } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

describe('the people of an organization', () => {
  const gateways = testGateways().map((url) => new Api(url));
  const world = sharedByTests(openWorld);

  const tokenTo = async (email: string): Promise<string> => {
    const { text = '' } = (await mailTo(email)) ?? {};
    return new URL(/https:\S+/.exec(text)?.[0] ?? 'https://none.example').searchParams.get('token') ?? '';
  };

  /** Signs someone in who is a member of nothing yet; `at` names the organization to act in. */
  const newPerson = () => {
    const [subject, email] = [v7(), `ada-${v7()}@example.com`];
    return {
      email,
      at: async (organization_id?: string) =>
        world().api.with(
          await world().identity.token({ subject, email, ...(organization_id ? { organization_id } : {}) }),
        ),
    };
  };

  /** Asks every gateway with every key until all answer with the same error. How soon they do is a row of the bench. */
  const refusedEverywhere = <K extends { key: string }>(
    keys: readonly K[],
    error: { status: number; code: string },
    ask: (api: Api, key: K) => Promise<ApiAnswer>,
  ) =>
    waitFor(`every gateway to answer ${error.code}`, async () => {
      const asked = gateways.flatMap((gateway) => keys.map((key) => ask(gateway.with(key.key), key)));
      const answers = await Promise.all(asked);
      return answers.every((it) => it.status === error.status && Object(it.body).code === error.code);
    });
  const listTemplates = (api: Api) => api.get('/v1/templates');
  const unknownKey = { status: 401, code: 'invalid_token' };

  const expectError = (answer: ApiAnswer, status: number, code: string) =>
    expect(answer).toMatchObject({ status, body: { code } });

  describe('an organization from its first member', () => {
    /** An organization with its owner's session. */
    const newOrganization = async () => {
      const organization = await world().newOrganization({ connected: false });
      const owner = world().api.with((await organization.session()).token);
      return {
        organization,
        owner,
        params: { id: organization.id },
        path: `/v1/organizations/${organization.id}`,
      };
    };

    /** An organization that Ada has joined as an admin. */
    const withAda = async () => {
      const made = await newOrganization();
      const ada = newPerson();
      await made.owner.ok(inviteMember, { params: made.params, body: { email: ada.email, role: 'admin' } });
      await (await ada.at()).ok(acceptInvitation, { body: { token: await tokenTo(ada.email) } });
      return { ...made, ada: await ada.at(made.organization.id) };
    };

    it('invites somebody by mail, who joins with the link and acts at once', async () => {
      const { organization, owner, params, path } = await newOrganization();
      const ada = newPerson();
      const nowhere = await ada.at();
      expectError(await nowhere.get('/v1/users/profile'), 404, 'profile_not_found');
      const body = { email: ada.email, role: 'admin', message: 'Grüße, join us!' };
      const invited = await owner.ok(inviteMember, { params, body });
      expect(invited).toMatchObject({ success: true, email_sent: true });
      const received = await mailTo(ada.email);
      expect(received).toMatchObject({ from: 'stanza@example.com', to: [ada.email] });
      for (const part of ['Olive Owner', 'Grüße, join us!', '?token='])
        expect(received?.text).toContain(part);
      expectError(await owner.post(`${path}/invite`, body), 409, 'invitation_pending');

      const joined = await nowhere.ok(acceptInvitation, { body: { token: await tokenTo(ada.email) } });
      expect(joined).toMatchObject({ organization_id: organization.id, role: 'admin' });
      const { data } = await owner.ok(listInvitations, { params, query: { status: 'accepted' } });
      expect(data.map((it) => it.id)).toEqual([invited.invitation_id]);
      expectError(await owner.post(`${path}/invite`, body), 409, 'already_exists');

      const session = await ada.at(organization.id);
      const named = await session.ok(updateProfile, { body: { first_name: 'Ada', last_name: 'Lovelace' } });
      expect(named.organizations).toMatchObject([{ id: organization.id, role: 'admin' }]);
      const members = await session.ok(listMembers, { params });
      expect(members.data.map((it) => [it.role, it.first_name])).toEqual([
        ['owner', 'Olive'],
        ['admin', 'Ada'],
      ]);
    });

    it('lets a member of one organization join another', async () => {
      const [first, second] = [await newOrganization(), await newOrganization()];
      const ada = newPerson();
      const invite = ({ owner, params }: typeof first) =>
        owner.ok(inviteMember, { params, body: { email: ada.email, role: 'member' } });
      await invite(first);
      await (await ada.at()).ok(acceptInvitation, { body: { token: await tokenTo(ada.email) } });
      const atFirst = await ada.at(first.organization.id);
      await invite(second);
      const { data } = await second.owner.ok(listInvitations, { params: second.params, query: {} });
      const joined = await atFirst.ok(acceptInvitation, { body: { invitation_id: data[0]?.id } });
      expect(joined).toMatchObject({ organization_id: second.organization.id, role: 'member' });
      expectError(await atFirst.get(second.path), 404, 'organization_not_found');
      expect(await (await ada.at(second.organization.id)).get(second.path)).toMatchObject({ status: 200 });
    });

    it('gives a member a key without scopes that they lack, and audits what it does', async () => {
      const { ada } = await withAda();
      const scopes: Scope[] = [
        'templates:create',
        'templates:activate',
        'api-keys:write',
        'organizations:delete',
      ];
      const made = await ada.ok(createApiKey, { body: { name: 'Ada', scopes } });
      expect(made.scopes).toEqual(['templates:create', 'templates:activate', 'api-keys:write']);
      const api = world().api.with(made.key);
      const { id } = await liveTemplate(api);
      const { data: keys } = await ada.ok(listApiKeys);
      expect(keys).toMatchObject([{ id: made.id, status: 'active', key_prefix: made.key_prefix }]);
      expect(JSON.stringify(keys)).not.toContain(made.key);
      const wider = await api.post('/v1/api-keys', { name: 'x', scopes: ['usage:read'] });
      expectError(wider, 403, 'insufficient_scope');
      expect(wider.body).toMatchObject({ required_scopes: ['usage:read'] });
      const log = await waitFor('the audit log to hear of the template', async () => {
        const { data } = await ada.ok(listAuditLog, { query: { subject_id: id } });
        return data.length === 2 && data;
      });
      const { id: user_id } = await ada.ok(getProfile);
      expect(log).toMatchObject([
        { action: 'template.activated', actor: { type: 'api_key', id: made.id, user_id } },
        { action: 'template.created', environment: 'production', subject: { kind: 'template', id } },
      ]);
    });

    it('gets another owner, and the former one can be removed', async () => {
      const { owner, ada, params, path } = await withAda();
      const [olive, her] = [await owner.ok(getProfile), await ada.ok(getProfile)];
      const demote = () => ada.request('PATCH', `${path}/members/${olive.id}`, { role: 'viewer' });
      expectError(await demote(), 403, 'access_denied');
      const own = { user_id: her.id };
      expectError(await ada.post(`${path}/transfer-ownership`, own), 403, 'insufficient_scope');
      const transferred = await owner.ok(transferOwnership, { params, body: own });
      expect(transferred).toMatchObject({ owner: { id: her.id }, previous_owner: { role: 'admin' } });
      const demoted = await waitFor('the owner before to be demoted', async () => {
        const answer = await demote();
        return answer.status === 200 && answer;
      });
      expect(demoted.body).toMatchObject({ id: olive.id, role: 'viewer' });
      expect(await ada.ok(getUser, { params: { id: olive.id } })).toMatchObject({ role: 'viewer' });
      await ada.ok(deleteUser, { params: { id: olive.id } });
      expectError(await ada.get(`/v1/users/${olive.id}`), 404, 'user_not_found');
      expect((await owner.ok(getProfile)).organizations).toEqual([]);
      const { data } = await ada.ok(listAuditLog, { query: { user_id: her.id } });
      expect(data.map((line) => line.action).slice(0, 2)).toEqual(['member.removed', 'member.role_changed']);
    });

    it('revokes an invitation, which is refused from then on', async () => {
      const { owner, params } = await newOrganization();
      const late = newPerson();
      const { invitation_id } = await owner.ok(inviteMember, {
        params,
        body: { email: late.email, role: 'member' },
      });
      await owner.ok(revokeInvitation, { params: { ...params, invitation_id } });
      const refused = await (await late.at()).post('/v1/invitations/accept', {
        token: await tokenTo(late.email),
      });
      expectError(refused, 409, 'invalid_state');
    });

    it('lets no key of preview touch what both environments share', async () => {
      const { organization, params, path } = await newOrganization();
      const preview = world().api.with((await organization.key({ environment: 'preview' })).key);
      await organization.session({ role: 'member' });
      // When someone was last active is written down later than the answer.
      const members = async () =>
        (await preview.ok(listMembers, { params })).data.map(({ last_active: _, ...member }) => member);
      const before = await members();
      for (const user of before) {
        expectError(await preview.request('DELETE', `/v1/users/${user.id}`), 403, 'access_denied');
      }
      const refused = await preview.post(`${path}/invite`, { email: 'eve@example.com', role: 'viewer' });
      expectError(refused, 403, 'access_denied');
      expect(await members()).toEqual(before);
    });

    it('learns that the mail server has refused', async () => {
      const { owner, params } = await newOrganization();
      const { email } = newPerson();
      await refuseMailTo(email);
      const invited = await owner.ok(inviteMember, { params, body: { email, role: 'viewer' } });
      expect(invited.email_sent).toBe(false);
      const { data } = await owner.ok(listInvitations, { params, query: { status: 'pending' } });
      expect(data.map((it) => it.id)).toEqual([invited.invitation_id]);
    });
  });

  describe('on every gateway,', () => {
    const compile = (api: Api, { template }: { template: string }) =>
      api.post('/v1/templates/compile', { template_id: template, data: { service: 'a', version: 'b' } });

    /** An organization whose member has a key in each environment, known to every gateway. */
    const busyMember = async () => {
      const organization = await world().newOrganization({ connected: false });
      const owner = world().api.with((await organization.key()).key);
      const { userId } = await organization.session({ role: 'member' });
      const scopes: Scope[] = ['templates:read', 'messages:create'];
      const keyIn = async (environment: Environment) => {
        // A member may not make keys; operators make them for anybody.
        const key = await organization.keyOf(userId, { environment, scopes });
        const author = world().api.with((await organization.key({ environment })).key);
        return { ...key, template: (await liveTemplate(author)).id };
      };
      const made = [await keyIn('production'), await keyIn('preview')] as const;
      for (const gateway of gateways) {
        for (const key of made) expect((await compile(gateway.with(key.key), key)).status).toBe(200);
      }
      return { organization, owner, userId, made };
    };

    it('a member demoted to viewer loses messages:create on all keys', async () => {
      const { organization, owner, userId, made } = await busyMember();
      await owner.ok(updateMember, {
        params: { id: organization.id, user_id: userId },
        body: { role: 'viewer' },
      });
      await refusedEverywhere(made, { status: 403, code: 'insufficient_scope' }, compile);
      for (const { key } of made) {
        const kept = await Promise.all(gateways.map((it) => listTemplates(it.with(key))));
        expect(kept.map((answer) => answer.status)).toEqual(gateways.map(() => 200));
      }
    });

    it('a removed member loses all keys', async () => {
      const { owner, userId, made } = await busyMember();
      await owner.ok(deleteUser, { params: { id: userId } });
      await refusedEverywhere(made, unknownKey, listTemplates);
    });

    it('a revoked key is refused, and the others are accepted', async () => {
      const { owner, made } = await busyMember();
      const [revoked, other] = made;
      await owner.ok(revokeApiKey, { params: { id: revoked.id } });
      await refusedEverywhere([revoked], unknownKey, listTemplates);
      const kept = await Promise.all(gateways.map((it) => listTemplates(it.with(other.key))));
      expect(kept.map((answer) => answer.status)).toEqual(gateways.map(() => 200));
    });
  });
});
