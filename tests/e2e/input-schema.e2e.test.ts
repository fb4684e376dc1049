import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  activateTemplateVersion,
  appendTemplateVersion,
  compileTemplate,
  createEntity,
  createEntityField,
  createTemplate,
  getInputSchema,
  getInputSchemaAutomation,
} from '@stanza/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Api } from '../kit/api.ts';
import { openWorldWith, type World } from '../kit/stack.ts';

const blocks = [
  { type: 'section', text: { type: 'mrkdwn', text: '*{{order.id}}* {{order.total | currency:"EUR"}}' } },
  {
    type: 'directive',
    directive: '#each',
    path: 'lines',
    as: 'line',
    children: [
      { type: 'section', text: { type: 'mrkdwn', text: '{{line.name}} {{line.note | default:""}}' } },
    ],
  },
];

describe('the input schema of a template', () => {
  let world: World;
  let api: Api;

  beforeAll(async () => {
    ({ world, api } = await openWorldWith({ connected: false }));
  });
  afterAll(() => world.close());

  const newTemplate = async (more: object = {}) => {
    const sample_data = { order: { id: 'A-1', total: 12.5 }, lines: [{ name: 'Tea' }] };
    return api.ok(createTemplate, { body: { name: 'Receipt', blocks, sample_data, ...more } });
  };

  it('is that of the live version, and fits the data that compiles without a warning', async () => {
    const { id, version } = await newTemplate();
    await api.ok(activateTemplateVersion, { params: { id, version_id: version.id } });
    const inputs = await api.ok(getInputSchema, { params: { id } });
    expect(inputs).toMatchObject({ template_id: id, version_id: version.id, warnings: [] });
    expect(inputs.fields.map((field) => [field.path, field.type, field.required])).toEqual([
      ['order', 'object', true],
      ['lines', 'array', true],
    ]);
    const check = new Ajv2020({ strictTypes: false }).compile(inputs.json_schema);
    const data = { order: { id: 'A-2', total: 3 }, lines: [{ name: 'Milk' }] };
    expect(check(data)).toBe(true);
    expect(check({ order: { id: 'A-2' }, lines: [] })).toBe(false);
    const compiled = await api.ok(compileTemplate, { body: { template_id: id, data } });
    expect(compiled.warnings).toEqual([]);
  });

  it('is that of another version of the template when it is named', async () => {
    const { id } = await newTemplate();
    const other = [{ type: 'header', text: { type: 'plain_text', text: '{{title}}' } }];
    const second = await api.ok(appendTemplateVersion, { params: { id }, body: { blocks: other } });
    const inputs = await api.ok(getInputSchema, { params: { id }, query: { version_id: second.id } });
    expect(inputs.fields.map((field) => field.name)).toEqual(['title']);
  });

  it("refuses without a live version, and another template's version", async () => {
    const [one, two] = [await newTemplate(), await newTemplate()];
    const refusals = [
      await api.get(`/v1/templates/${one.id}/input-schema`),
      await api.get(`/v1/templates/${one.id}/input-schema/automation?version_id=${two.version.id}`),
    ];
    for (const { status, body } of refusals) {
      expect(status).toBe(404);
      expect(body).toMatchObject({ code: 'version_not_found' });
    }
    expect(refusals[0]?.body).toMatchObject({ error: expect.stringContaining('activate one') });
  });

  it('takes types and labels from the entity of the version', async () => {
    const entity = await api.ok(createEntity, { body: { name: 'Receipt data' } });
    await api.ok(createEntityField, {
      params: { id: entity.id },
      body: { name: 'order', type: 'object', label: 'Order of the shop' },
    });
    const { id, version } = await newTemplate({ entity_id: entity.id });
    const query = { version_id: version.id };
    const { fields } = await api.ok(getInputSchema, { params: { id }, query });
    expect(fields[0]).toMatchObject({ name: 'order', label: 'Order of the shop' });
    const { parameters } = await api.ok(getInputSchemaAutomation, { params: { id }, query });
    expect(parameters.map((it) => [it.name, it.label, it.type])).toEqual([
      ['order.id', 'Order of the shop › Id', 'text'],
      ['order.total', 'Order of the shop › Total', 'number'],
      ['lines', 'Lines', 'json'],
    ]);
  });
});
