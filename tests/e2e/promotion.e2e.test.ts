import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  appendTemplateVersion,
  type Block,
  compileTemplate,
  createDestination,
  createModal,
  createQueue,
  createSampleData,
  createTemplate,
  diffTemplate,
  getTemplate,
  listDestinations,
  listSampleData,
  listTemplates,
  promoteTemplates,
  putTemplateDraft,
  saveTemplateDraft,
  updateOrganization,
} from '@stanza/contracts';
import type { Api } from '../kit/api.ts';
import type { TestOrganization } from '../kit/organization.ts';
import { sharedByTests } from '../kit/shared.ts';
import { openWorld } from '../kit/stack.ts';

const section = (text: string): Block => ({ type: 'section', text: { type: 'mrkdwn', text } });
const view = [{ type: 'section', text: { type: 'mrkdwn', text: 'Why?' } }];

describe('a template that goes to production', () => {
  const world = sharedByTests(openWorld);
  let organization: TestOrganization;
  let previewKey: string;
  let preview: Api;
  let production: Api;

  beforeEach(async () => {
    organization = await world().newOrganization({ tier: 'enterprise', credits: 100 });
    previewKey = (await organization.key({ environment: 'preview' })).key;
    preview = world().api.with(previewKey);
    production = world().api.with((await organization.key()).key);
  });

  const newModalIn = async (api: Api) =>
    (
      await api.ok(createModal, {
        body: { name: 'Why', key: 'why', title: 'Why', blocks: view, activate: true },
      })
    ).id;
  const newDestinationIn = async (api: Api) =>
    (
      await api.ok(createDestination, {
        body: { name: 'Tickets', key: 'tickets', url: 'https://example.com/' },
      })
    ).id;

  /** A template whose button opens a modal and calls a destination. */
  const newTemplate = async () => {
    const interaction = [
      { type: 'open_modal', modal_id: await newModalIn(preview) },
      { type: 'call_destination', destination_id: await newDestinationIn(preview) },
    ];
    const button = {
      type: 'button',
      action_id: 'go',
      text: { type: 'plain_text', text: 'Why' },
      interaction,
    };
    const blocks = [section('Deploy of {{service}}'), { type: 'actions', elements: [button] }];
    const { id } = await preview.ok(createTemplate, { body: { name: 'Deploy alert', blocks } });
    const body = { name: 'A deploy', data: { service: 'api' }, template_id: id };
    await preview.ok(createSampleData, { body });
    return id;
  };

  const promote = (body: object, authorization: string | undefined = `Bearer ${previewKey}`) =>
    production.post(
      `/v1${promoteTemplates.path}`,
      { from: 'preview', keys: ['deploy-alert'], ...body },
      { headers: authorization === '' ? {} : { 'x-source-authorization': authorization } },
    );

  it('takes what it names along by key, and nothing goes there before it is whole', async () => {
    const id = await newTemplate();
    const policy = {
      name: 'Deploys',
      mode: 'rolling_window',
      window_seconds: 60,
      channel_id: 'C0DEPLOYS',
    };
    await preview.ok(createQueue, { body: { ...policy, template_id: id } });
    const refused = await promote({});
    expect([refused.status, refused.body]).toEqual([
      409,
      expect.objectContaining({
        code: 'promotion_unmapped',
        details: expect.stringMatching(/destination with the key "tickets"|modal with the key "why"/),
      }),
    ]);
    expect((await production.ok(listTemplates)).data).toEqual([]);
    const modal = await newModalIn(production);
    const destination = await newDestinationIn(production);
    const dry = await promote({ dry_run: true, activate: true });
    expect(dry.body).toMatchObject({
      changed: true,
      unmapped: [{ kind: 'queue', key: 'deploys', is_blocking: false }],
    });
    const promoted = await promote({ activate: true });
    expect([promoted.status, promoted.body]).toMatchObject([
      200,
      {
        from: 'preview',
        to: 'production',
        changed: true,
        templates: [{ action: 'created', is_activated: true }],
      },
    ]);
    const body = { template_key: 'deploy-alert', data: { service: 'api' } };
    const compiled = JSON.stringify((await production.ok(compileTemplate, { body })).metadata);
    for (const named of [modal, destination]) expect(compiled).toContain(named);
    expect((await production.ok(listSampleData)).data).toMatchObject([{ name: 'A deploy' }]);
    expect((await promote({ activate: true })).body).toMatchObject({ changed: false });
    expect((await production.ok(listDestinations)).data).toHaveLength(1);
  });

  it('is copied by the person of a session without a second key', async () => {
    await preview.ok(createTemplate, { body: { name: 'Deploy alert', blocks: [section('Hello')] } });
    const session = world().api.with((await organization.session()).token);
    const body = { from: 'preview', keys: ['deploy-alert'] };
    expect(await session.ok(promoteTemplates, { body })).toMatchObject({ changed: true });
    expect(await session.ok(promoteTemplates, { body })).toMatchObject({ changed: false });
  });

  it('stays where it is without a key of the environment that it is in', async () => {
    await preview.ok(createTemplate, { body: { name: 'Deploy alert', blocks: [section('Hello')] } });
    const other = await world().newOrganization();
    const foreign = (await other.key({ environment: 'preview' })).key;
    const own = (await organization.key()).key;
    expect(await promote({}, '')).toMatchObject({ status: 403, body: { code: 'access_denied' } });
    expect(await promote({}, `Bearer ${own}`)).toMatchObject({
      status: 403,
      body: { code: 'access_denied' },
    });
    expect(await promote({}, `Bearer ${foreign}`)).toMatchObject({
      status: 403,
      body: { code: 'access_denied' },
    });
    expect(await promote({}, 'Bearer stz_test_no')).toMatchObject({
      status: 401,
      body: { code: 'invalid_token' },
    });
    const narrow = await organization.key({ environment: 'preview', scopes: ['entities:read'] });
    expect(await promote({}, `Bearer ${narrow.key}`)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope', required_scopes: ['templates:read'] },
    });
    expect((await production.ok(listTemplates)).data).toEqual([]);
  });

  it('is replayed under its idempotency key only to callers who may read the other environment', async () => {
    await preview.ok(createTemplate, { body: { name: 'Deploy alert', blocks: [section('Hello')] } });
    const ask = (source: Record<string, string>) =>
      production.post(
        `/v1${promoteTemplates.path}`,
        { from: 'preview', keys: ['deploy-alert'] },
        { headers: { 'idempotency-key': 'promotion-1', ...source } },
      );
    const withKey = { 'x-source-authorization': `Bearer ${previewKey}` };
    const first = await ask(withKey);
    expect(first).toMatchObject({ status: 200, body: { changed: true } });
    expect(await ask({})).toMatchObject({ status: 403, body: { code: 'access_denied' } });
    const again = await ask(withKey);
    expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', first.body]);
  });

  it('is written as a draft first, which no compile uses, and is guarded where the policy is on', async () => {
    const made = await production.ok(createTemplate, {
      body: { name: 'Deploy alert', blocks: [section('{{service}}')], sample_data: { service: 'api' } },
    });
    const params = { id: made.id };
    const activate = (version_id: string, body: object = {}) =>
      production.post(`/v1/templates/${made.id}/versions/${version_id}/activate`, body);
    await activate(made.version.id);
    const draft = { blocks: [section('{{version | default: ""}}')], base_version_id: made.version.id };
    await production.ok(putTemplateDraft, { params, body: { ...draft, expected_revision: null } });
    const changed = { changes: [{ to: '{{version | default: ""}}' }] };
    expect(await production.ok(diffTemplate, { params, body: { draft: true } })).toMatchObject({
      draft_revision: 1,
      changed: [changed],
    });
    const body = { template_id: made.id, data: { service: 'api' } };
    expect((await production.ok(compileTemplate, { body })).version_id).toBe(made.version.id);
    const { id } = await production.ok(saveTemplateDraft, { params, body: { expected_revision: 1 } });

    const ours = { params: { id: organization.id }, body: { guard_activation: true } };
    await production.ok(updateOrganization, ours);
    expect(await activate(id)).toMatchObject({ status: 409, body: { code: 'activation_breaks' } });
    expect((await production.ok(getTemplate, { params })).current_version_id).toBe(made.version.id);
    // The same blocks from preview meet the same guard.
    const there = await preview.ok(createTemplate, {
      body: { name: 'Deploy alert', blocks: [section('{{service}}')] },
    });
    await preview.ok(appendTemplateVersion, { params: { id: there.id }, body: { blocks: draft.blocks } });
    expect(await promote({ activate: true })).toMatchObject({
      status: 409,
      body: { code: 'activation_breaks' },
    });
    expect(await activate(id, { accept_breaks: true })).toMatchObject({ status: 200 });
  });
});
