import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  activateTemplateVersion,
  appendTemplateVersion,
  archiveTemplate,
  compileTemplate,
  createEntity,
  createEntityField,
  createQueue,
  createSampleData,
  createTemplate,
  deleteEntity,
  deleteQueue,
  deleteSampleData,
  deleteTemplate,
  diffTemplateVersions,
  getEntity,
  getSampleData,
  getTemplate,
  listAuditLog,
  previewTemplate,
  searchEntities,
  searchTemplates,
  unarchiveTemplate,
  updateTemplate,
} from '@stanza/contracts';
import type { Api } from '../kit/api.ts';
import { openWorldWith, type World } from '../kit/stack.ts';
import { waitFor } from '../kit/wait.ts';

const receipt = [
  { type: 'header', id: 'title', text: { type: 'plain_text', text: 'Order {{order.id}}' } },
  { type: 'section', id: 'sum', text: { type: 'mrkdwn', text: '{{order.total | number:2}}' } },
];

describe('the life of a template', () => {
  let world: World;
  let api: Api;
  const ids = { entity: '', template: '', first: '', second: '', sample: '' };
  const nobody = '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f';

  beforeAll(async () => {
    ({ world, api } = await openWorldWith({ connected: false }));
  });
  afterAll(() => world.close());

  it('begins with an entity that says what its data is', async () => {
    const entity = await api.ok(createEntity, { body: { name: 'Order', description: 'What was bought' } });
    const field = (body: object) => api.ok(createEntityField, { params: { id: entity.id }, body });
    const order = await field({ name: 'order', type: 'object', required: true });
    await field({ name: 'id', type: 'string', parent_field_id: order.id, required: true });
    await field({ name: 'total', type: 'number', parent_field_id: order.id, required: true });
    const { fields } = await api.ok(getEntity, { params: { id: entity.id } });
    expect(fields.map((it) => it.path)).toEqual(['order', 'order.id', 'order.total']);
    ids.entity = entity.id;
  });

  it('knows no field that the entity does not have, as a parent neither', async () => {
    const fields = `/v1/entities/${ids.entity}/fields`;
    const unknown = { status: 404, body: { code: 'field_not_found' } };
    const below = { name: 'vat', type: 'number', parent_field_id: nobody };
    expect(await api.post(fields, below)).toMatchObject(unknown);
    expect(await api.request('PATCH', `${fields}/${nobody}`, { name: 'vat' })).toMatchObject(unknown);
    expect(await api.request('DELETE', `${fields}/${nobody}`)).toMatchObject(unknown);
  });

  it('goes on with a template whose version names the entity', async () => {
    const unknown = { name: 'Receipt', blocks: receipt, entity_id: nobody };
    expect(await api.post('/v1/templates', unknown)).toMatchObject({
      status: 404,
      body: { code: 'entity_not_found' },
    });
    const { id, version } = await api.ok(createTemplate, {
      body: { name: 'Receipt', blocks: receipt, entity_id: ids.entity, locale: 'de-DE' },
    });
    expect(version.entity_id).toBe(ids.entity);
    ids.template = id;
    ids.first = version.id;
  });

  it('is tried with sample data that fits the entity, and only such is taken', async () => {
    const body = { name: 'A big one', template_id: ids.template, entity_id: ids.entity };
    const unfit = await api.post('/v1/sample-data', { ...body, data: { order: { total: 'much' } } });
    expect(unfit).toMatchObject({
      status: 400,
      body: {
        code: 'invalid_data',
        details: expect.stringMatching(/^\/data\/order\/id.*\n\/data\/order\/total/),
      },
    });
    const data = { order: { id: 'A-1', total: 1234.5 } };
    const sample = await api.ok(createSampleData, { body: { ...body, data } });
    ids.sample = sample.id;
    const before = await api.ok(getSampleData, { params: { id: sample.id } });
    const shown = await api.ok(previewTemplate, {
      body: { template_id: ids.template, version_id: ids.first, data: before.data },
    });
    expect(shown).toMatchObject({
      version_number: 1,
      blocks: [{ text: { text: 'Order A-1' } }, { text: { text: '1.234,50' } }],
      warnings: [],
    });
  });

  it('gets a second version, and shows what is different in it', async () => {
    const [title, sum] = receipt;
    const blocks = [
      sum,
      { ...title, text: { type: 'plain_text', text: 'Receipt for {{order.id}}' } },
      { type: 'divider', id: 'end' },
    ];
    const second = await api.ok(appendTemplateVersion, { params: { id: ids.template }, body: { blocks } });
    ids.second = second.id;
    const diff = await api.ok(diffTemplateVersions, {
      params: { id: ids.template, version_id: second.id },
      query: { against: ids.first },
    });
    expect(diff).toMatchObject({
      version_number: 2,
      against: { version_id: ids.first, version_number: 1 },
      added: [{ block_id: 'end', pointer: '/blocks/2' }],
      removed: [],
      moved: [{ from: expect.any(String), to: expect.any(String) }],
      changed: [
        {
          block_id: 'title',
          pointer: '/blocks/1',
          before: '/blocks/0',
          changes: [{ op: 'replace', pointer: '/blocks/1/text/text' }],
        },
      ],
    });
  });

  it('is made live, compiles by its own defaults, and is found by words spelt wrong', async () => {
    await api.ok(activateTemplateVersion, { params: { id: ids.template, version_id: ids.second } });
    const { data } = await api.ok(getSampleData, { params: { id: ids.sample } });
    const compiled = await api.ok(compileTemplate, { body: { template_id: ids.template, data } });
    expect(compiled.blocks[0]).toMatchObject({ text: { text: '1.234,50' } });
    await api.ok(updateTemplate, { params: { id: ids.template }, body: { strict: true, locale: 'en-US' } });
    const refused = await api.post('/v1/templates/compile', { template_id: ids.template, data: {} });
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_data' } });
    const templates = await api.ok(searchTemplates, { query: { q: 'reciept' } });
    expect(templates.data.map((it) => it.id)).toEqual([ids.template]);
    const entities = await api.get('/v1/search/entities?q=ordre');
    expect(entities.body).toMatchObject({ results: [{ id: ids.entity }], total: 1 });
    expect((await api.ok(searchEntities, { query: { q: 'bought' } })).data).toHaveLength(1);
    expect(await api.get('/v1/search/templates?q=r')).toMatchObject({
      status: 400,
      body: { code: 'invalid_search_query' },
    });
  });

  it('is archived: nothing is compiled, nothing activated, and a second time changes nothing', async () => {
    const params = { id: ids.template };
    const archived = await api.ok(archiveTemplate, { params });
    expect(archived).toMatchObject({ id: ids.template, lifecycle: 'archived', changed: true });
    expect(await api.ok(archiveTemplate, { params })).toEqual({ ...archived, changed: false });
    for (const [path, body] of [
      ['/v1/templates/compile', { template_id: ids.template, data: {} }],
      ['/v1/templates/send', { template_id: ids.template, data: {}, channel_id: 'C0GENERAL' }],
      [`/v1/templates/${ids.template}/versions/${ids.first}/activate`, {}],
    ] as const) {
      expect(await api.post(path, body)).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    }
  });

  it('is unarchived: as it was, and a second time changes nothing', async () => {
    const params = { id: ids.template };
    const active = { id: ids.template, lifecycle: 'active', archived_at: expect.any(String) };
    expect(await api.ok(unarchiveTemplate, { params })).toEqual({ ...active, changed: true });
    expect(await api.ok(unarchiveTemplate, { params })).toEqual({ ...active, changed: false });
    expect((await api.ok(getTemplate, { params })).current_version_id).toBe(ids.second);
  });

  it('is deleted last, once it is archived and no queue needs it; its sample data stays', async () => {
    const path = `/v1/templates/${ids.template}`;
    const refused = { status: 409, body: { code: 'invalid_state' } };
    const queue = await api.ok(createQueue, {
      body: {
        name: 'Receipts',
        mode: 'fixed_volume',
        threshold: 5,
        template_id: ids.template,
        channel_id: 'C0GENERAL',
      },
    });
    expect(await api.request('DELETE', path)).toMatchObject(refused);
    await api.ok(archiveTemplate, { params: { id: ids.template } });
    expect(await api.request('DELETE', path)).toMatchObject({
      ...refused,
      body: { error: expect.stringContaining('Receipts') },
    });
    await api.ok(deleteQueue, { params: { id: queue.id } });
    await api.ok(deleteTemplate, { params: { id: ids.template } });
    expect(await api.get(path)).toMatchObject({ status: 404, body: { code: 'template_not_found' } });
    expect(await api.request('DELETE', path)).toMatchObject({ status: 404 });
    expect((await api.ok(getSampleData, { params: { id: ids.sample } })).template_id).toBeNull();
  });

  it('leaves an entity that can go once nothing refers to it', async () => {
    const path = `/v1/entities/${ids.entity}`;
    expect(await api.request('DELETE', path)).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    await api.ok(deleteSampleData, { params: { id: ids.sample } });
    await api.ok(deleteEntity, { params: { id: ids.entity } });
    expect(await api.get(path)).toMatchObject({ status: 404, body: { code: 'entity_not_found' } });
  });

  it('stands in the audit log, step by step', async () => {
    const actions = await waitFor('every step in the audit log', async () => {
      const { data } = await api.ok(listAuditLog, { query: { limit: '100' } });
      const seen = data.map((it) => it.action);
      return seen.includes('entity.deleted') && seen;
    });
    expect(actions).toEqual(
      expect.arrayContaining([
        'entity.created',
        'entity_field.created',
        'template.created',
        'sample_data.created',
        'template.version_added',
        'template.activated',
        'template.updated',
        'template.archived',
        'template.unarchived',
        'template.deleted',
        'sample_data.deleted',
      ]),
    );
  });
});
