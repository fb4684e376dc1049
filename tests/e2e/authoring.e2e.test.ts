import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  activateTemplateVersion,
  appendTemplateVersion,
  compileTemplate,
  createTemplate,
  getTemplate,
  listTemplateActivations,
  listTemplates,
  listTemplateVersions,
  validateTemplate,
} from '@stanza/contracts';
import { resolvePointer } from '@stanza/engine/testing';
import type { Api } from '../kit/api.ts';
import { openWorldWith, type World } from '../kit/stack.ts';
import { deployBlocks, liveTemplate } from '../kit/templates.ts';

describe('authoring a template', () => {
  let world: World;
  let api: Api;

  beforeAll(async () => {
    ({ world, api } = await openWorldWith({ connected: false }));
  });
  afterAll(() => world.close());

  it('begins with version 1, which is not live and cannot be compiled', async () => {
    const { id, version, current_version_id } = await api.ok(createTemplate, {
      body: { name: 'Deploy alert', blocks: deployBlocks, sample_data: { service: 'api', version: '1' } },
    });
    expect(version).toMatchObject({ version_number: 1, is_current: false, status: 'draft' });
    expect(current_version_id).toBeNull();
    const compiled = await api.post('/v1/templates/compile', { template_id: id, data: {} });
    expect(compiled).toMatchObject({ status: 404, body: { code: 'version_not_found' } });
  });

  it('fills ids that are left out, keeps those given, and derives what the blocks read', async () => {
    const { version } = await api.ok(createTemplate, {
      body: {
        name: 'Ids',
        blocks: [
          { type: 'section', id: 'mine', text: { type: 'mrkdwn', text: '{{order.total}}' } },
          { type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Go' } }] },
        ],
      },
    });
    expect(version.blocks).toMatchObject([
      { id: 'mine' },
      {
        id: expect.stringMatching(/^blk_[0-9a-f-]{36}$/),
        elements: [{ action_id: expect.stringMatching(/^act_/) }],
      },
    ]);
    expect(version.request_format).toEqual({ 'order.total': null });
  });

  it('makes the activated version the one that compiles, at the price of one credit', async () => {
    const { id, versionId } = await liveTemplate(api);
    const before = await api.ok(compileTemplate, {
      body: { template_id: id, data: { service: 'api', version: '1' } },
    });
    const after = await api.ok(compileTemplate, {
      body: { template_id: id, data: { service: 'web', version: '2' } },
    });
    expect(after).toMatchObject({ success: true, version_id: versionId, version_number: 1, warnings: [] });
    expect(after.blocks).toMatchObject([
      { type: 'header', text: { text: 'Deploy of web' } },
      { type: 'section', text: { text: '*2* is live.' } },
    ]);
    expect(after.text).toContain('Deploy of web');
    expect(after.remaining_credits).toBe(before.remaining_credits - 1);
  });

  it('appends versions numbered one after the other and logs which one is live', async () => {
    const { id, versionId } = await liveTemplate(api);
    const second = await api.ok(appendTemplateVersion, {
      params: { id },
      body: { blocks: deployBlocks, note: 'v2' },
    });
    expect(second).toMatchObject({ version_number: 2, is_current: false, note: 'v2' });
    await api.ok(activateTemplateVersion, {
      params: { id, version_id: second.id },
      body: { expected_current_version_id: versionId, note: 'go' },
    });
    const versions = await api.ok(listTemplateVersions, { params: { id } });
    expect(versions.data.map((it) => [it.version_number, it.status])).toEqual([
      [2, 'active'],
      [1, 'inactive'],
    ]);
    const log = await api.ok(listTemplateActivations, { params: { id } });
    expect(log).toMatchObject({
      total: 2,
      data: [{ version_number: 2, previous_version_id: versionId, source: 'api' }, {}],
    });
    expect((await api.ok(getTemplate, { params: { id } })).current_version).toMatchObject({ id: second.id });
  });

  it('refuses to activate over a live version that the caller did not expect', async () => {
    const { id, versionId } = await liveTemplate(api);
    const second = await api.ok(appendTemplateVersion, { params: { id }, body: { blocks: deployBlocks } });
    const refused = await api.post(`/v1/templates/${id}/versions/${second.id}/activate`, {
      expected_current_version_id: second.id,
    });
    expect(refused).toMatchObject({ status: 409, body: { code: 'current_version_changed' } });
    expect((await api.ok(getTemplate, { params: { id } })).current_version_id).toBe(versionId);
  });

  it('saves nothing that does not compile, and names every problem with its pointer', async () => {
    const refused = await api.post('/v1/templates', {
      name: 'Broken',
      blocks: [
        { type: 'sektion', text: { type: 'mrkdwn', text: 'x' } },
        { type: 'section', text: { type: 'mrkdwn', text: '{{name | shout}}' } },
      ],
    });
    expect(refused).toMatchObject({ status: 400, body: { code: 'compilation_failed' } });
    expect(refused.body).toHaveProperty(
      'details',
      expect.stringMatching(/\/blocks\/0.*\n.*\/blocks\/1\/text\/text/s),
    );
    const listed = await api.ok(listTemplates, { query: { q: 'Broken' } });
    expect(listed.data).toEqual([]);
  });

  it('refuses a template whose own sample data does not fit it', async () => {
    const refused = await api.post('/v1/templates', {
      name: 'Unfit',
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'From {{customer}}' } }],
      sample_data: { customer: { name: 'Ada' } },
    });
    expect(refused).toMatchObject({ status: 400, body: { code: 'compilation_failed' } });
  });

  it('lists templates page by page under `data` and the older key', async () => {
    await liveTemplate(api);
    const page = await api.get('/v1/templates?limit=1&offset=0');
    expect(page.body).toMatchObject({
      data: [expect.anything()],
      templates: [expect.anything()],
      limit: 1,
      offset: 0,
      pagination: { limit: 1, offset: 0 },
    });
  });

  it('checks blocks without saving, and answers 200 for a template that is wrong', async () => {
    const checked = await api.ok(validateTemplate, {
      body: { blocks: [{ type: 'header' }, { type: 'nonsense' }] },
    });
    expect(checked.valid).toBe(false);
    expect(checked.errors?.map((it) => it.pointer.split('/').slice(0, 3).join('/'))).toEqual(
      expect.arrayContaining(['/blocks/0', '/blocks/1']),
    );
    expect(checked.output).toBeUndefined();
  });

  it('names seven different mistakes at once, each with a pointer to the culprit', async () => {
    const { blocks, culprits } = sevenMistakes;
    const { valid, errors = [] } = await api.ok(validateTemplate, { body: { blocks: [...blocks] } });
    expect(valid).toBe(false);
    expect(errors.map(({ rule, pointer }) => [rule, resolvePointer({ blocks }, pointer)])).toEqual(culprits);
  });
});

const withText = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const tooLong = 'x'.repeat(151);
const headless = { type: 'header' };

/** A template with seven mistakes, and for each the rule that it breaks with what stands where it does. */
const sevenMistakes = {
  blocks: [
    { type: 'sektion', text: 'Order {{id}}' },
    withText('Order {{id'),
    withText('{{total | curency:"USD"}}'),
    {
      type: 'directive',
      directive: '#if',
      condition: { path: 'total', operator: 'above', value: 5 },
      children: [{ type: 'divider' }],
    },
    headless,
    {
      type: 'actions',
      elements: [
        { type: 'overflow', options: [{ text: { type: 'plain_text', text: 'More' }, value: tooLong }] },
      ],
    },
    { ...withText('Order'), accesory: 'a picture' },
  ],
  culprits: [
    ['type.unknown', 'sektion'],
    ['placeholder.syntax', 'Order {{id'],
    ['filter.unknown', '{{total | curency:"USD"}}'],
    ['operator.unknown', 'above'],
    ['required', headless],
    ['limit.max', tooLong],
    ['key.unknown', 'a picture'],
  ],
} as const;
