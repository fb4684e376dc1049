import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Principal, Scope } from '@stanza/contracts';
import { sharedByTests } from '@stanza/test-kit/shared';
import {
  type Neighbours,
  neighboursOf,
  newPerson,
  type Person,
  promote,
  rowsOf,
} from '../testing/promotion.ts';
import { ask, newTemplate, openWorld, recordedAudit, somebody } from '../testing/world.ts';
import { activateTemplateVersion } from './activate-template-version.ts';
import { appendTemplateVersion } from './append-template-version.ts';
import { archiveTemplate } from './archive-template.ts';
import { createEntity } from './create-entity.ts';
import { createEntityField } from './create-entity-field.ts';
import { createSampleData } from './create-sample-data.ts';
import { deleteEntityField } from './delete-entity-field.ts';
import { getTemplate } from './get-template.ts';
import { putTemplateDraft } from './put-template-draft.ts';
import { updateEntity } from './update-entity.ts';
import { updateSampleData } from './update-sample-data.ts';
import { updateTemplate } from './update-template.ts';

const answers: Neighbours = { destinations: [], queues: [], breaking: [], guard_activation: false };
const section = (text: string) => ({ type: 'section', id: 'one', text: { type: 'mrkdwn', text } });
const keys = ['deploy-alert'];

describe('a promotion', () => {
  const world = sharedByTests(() => openWorld(neighboursOf(answers)));
  let ada: Person;
  let id: string;
  let first: string;

  beforeEach(async () => {
    Object.assign(answers, { queues: [], destinations: [], breaking: [], guard_activation: false });
    ada = newPerson();
    const made = await newTemplate(world(), ada.preview, { name: 'Deploy alert', blocks: [section('one')] });
    id = made.id;
    first = made.version.id;
  });

  const append = (body: object, by = ada.preview, templateId = id) =>
    ask(
      appendTemplateVersion(world()),
      { params: { id: templateId }, body: { blocks: [section('two')], ...body } },
      by,
    );
  const activate = (version_id: string, by = ada.preview, templateId = id) =>
    ask(activateTemplateVersion(world()), { params: { id: templateId, version_id }, body: {} }, by);
  const update = (body: object, by = ada.preview, templateId = id) =>
    ask(updateTemplate(world()), { params: { id: templateId }, body }, by);
  const read = (templateId: string, by = ada.production) =>
    ask(getTemplate(world()), { params: { id: templateId } }, by);
  const one = async (body: object = {}, to = ada.production, source?: Principal) => {
    const promotion = await promote(world(), to, { keys, ...body }, source);
    const [template] = promotion.templates;
    if (!template) throw new Error('no template was promoted');
    return template;
  };
  const idOf = async () => (await one()).template_id ?? '';

  it('appends a version where the content differs, of the live version rather than the newest', async () => {
    const templateId = await idOf();
    const second = await append({ note: 'shorter' });
    expect(await one()).toMatchObject({ has_new_version: true, version_number: 2, action: 'updated' });
    await activate(first);
    // What is live in preview is version 1, which production has only as an older version.
    expect(await one()).toMatchObject({ version_number: 3, source: { version_id: first } });
    await activate(second.id);
    expect(await one({ note: 'back' })).toMatchObject({ version_number: 4 });
    expect(await one()).toMatchObject({ action: 'unchanged', version_number: 4 });
    const notes = await world().rows(
      'select note from versions where template_id = $1 order by version_number',
      [templateId],
    );
    expect(notes).toEqual([{ note: null }, { note: 'shorter' }, { note: null }, { note: 'back' }]);
  });

  it('takes the live version for the same though a newer one differs', async () => {
    const templateId = await idOf();
    const promoted = await one({ activate: true });
    expect(promoted).toMatchObject({ is_activated: true, has_new_version: false });
    await append({}, ada.production, templateId);
    expect(await one()).toMatchObject({ action: 'unchanged', version_number: 1 });
  });

  it('activates where it is told, once, and is guarded like an activation', async () => {
    const templateId = await idOf();
    await activate(first);
    Object.assign(answers, { guard_activation: true, breaking: ['An order'] });
    await expect(one({ activate: true })).rejects.toMatchObject({
      code: 'activation_breaks',
      facts: { details: expect.stringMatching(/^deploy-alert: sample_data .*An order/) },
    });
    expect(await read(templateId)).toMatchObject({ current_version_id: null });
    expect(await one({ activate: true, dry_run: true })).toMatchObject({
      breaks: [expect.stringContaining('An order')],
      is_activated: true,
    });
    expect(await one({ activate: true, accept_breaks: true, note: 'go' })).toMatchObject({
      is_activated: true,
    });
    expect(await one({ activate: true })).toMatchObject({ is_activated: false, action: 'unchanged' });
    const told = await world().rows(
      "select payload ->> 'type' as type from outbox where payload ->> 'subject' = $1 order by id",
      [templateId],
    );
    expect(told).toEqual([{ type: 'template.activated' }]);
    const log = await world().rows(
      'select source, note, activated_by from activations where template_id = $1',
      [templateId],
    );
    expect(log).toEqual([{ source: 'web', note: 'go', activated_by: ada.preview.actor.user_id }]);
  });

  it('leaves metadata that would change messages of the live version, unless it activates', async () => {
    const templateId = await idOf();
    await update({ name: 'Deploys', fallback_text: 'A deploy', timezone: 'Europe/Berlin' });
    expect(await one()).toMatchObject({ action: 'updated', metadata_left: [] });
    await one({ activate: true });
    await update({ description: 'of services', fallback_text: 'Another deploy', strict: true });
    const left = { action: 'updated', metadata_left: ['fallback_text', 'strict'] };
    expect(await one()).toMatchObject(left);
    expect(await one()).toMatchObject({ ...left, action: 'unchanged' });
    expect(await read(templateId)).toMatchObject({ description: 'of services', fallback_text: 'A deploy' });
    expect(await one({ activate: true })).toMatchObject({ action: 'updated', metadata_left: [] });
    expect(await read(templateId)).toMatchObject({ fallback_text: 'Another deploy', strict: true });
  });

  it('makes entities and samples the same, and keeps samples that are only there', async () => {
    const entity = await ask(createEntity(world()), { body: { name: 'Deploy' } }, ada.preview);
    const ofEntity = { params: { id: entity.id } };
    const field = (name: string, more: object = {}) =>
      ask(createEntityField(world()), { ...ofEntity, body: { name, type: 'string', ...more } }, ada.preview);
    const service = await field('service');
    const author = await field('author', { type: 'object' });
    await field('name', { parent_field_id: author.id });
    await append({ entity_id: entity.id });
    const save = (by: Principal, template_id: string, data: object) =>
      ask(createSampleData(world()), { body: { name: 'A deploy', data: { ...data }, template_id } }, by);
    const sample = await save(ada.preview, id, { service: 'api' });
    await save(ada.preview, id, { service: 'web' });
    const templateId = (await one()).template_id ?? '';
    await save(ada.production, templateId, { service: 'only here' });

    await ask(updateEntity(world()), { ...ofEntity, body: { description: 'of a service' } }, ada.preview);
    const gone = { params: { id: entity.id, field_id: author.id } };
    await ask(deleteEntityField(world()), gone, ada.preview);
    await field('version', { required: true });
    const changed = { params: { id: sample.id }, body: { data: { service: 'db' } } };
    await ask(updateSampleData(world()), changed, ada.preview);
    const promotion = await promote(world(), ada.production, { keys });
    expect(promotion.entities).toMatchObject([{ key: 'deploy', action: 'updated' }]);
    expect(promotion.templates[0]?.samples).toEqual({ created: 0, updated: 1, unchanged: 1 });
    const rows = await rowsOf(world(), ada.production);
    expect(rows.entity_fields).toHaveLength(2);
    expect(JSON.stringify(rows.entity_fields)).not.toContain(service.id);
    const data = await world().rows(
      'select data from sample_data where template_id = $1 order by created_at, id',
      [templateId],
    );
    expect(data).toEqual([
      { data: { service: 'db' } },
      { data: { service: 'web' } },
      { data: { service: 'only here' } },
    ]);
    expect(await promote(world(), ada.production, { keys })).toMatchObject({ changed: false });
  });

  it('refuses an entity whose name another one has, and writes nothing', async () => {
    const entity = await ask(createEntity(world()), { body: { name: 'Deploy' } }, ada.preview);
    await append({ entity_id: entity.id });
    const other = { body: { name: 'deploy', key: 'other' } };
    await ask(createEntity(world()), other, ada.production);
    const before = await rowsOf(world(), ada.production);
    await expect(one()).rejects.toMatchObject({ code: 'already_exists' });
    expect(await rowsOf(world(), ada.production)).toEqual(before);
  });

  it('refuses keys that name nothing, and archived templates on either side', async () => {
    const unknown = promote(world(), ada.production, { keys: [...keys, 'one', 'two'] });
    await expect(unknown).rejects.toMatchObject({
      code: 'template_not_found',
      message: 'preview has no template with the key one, two.',
    });
    const templateId = await idOf();
    const archive = (named: string, by: Principal) =>
      ask(archiveTemplate(world()), { params: { id: named } }, by);
    await archive(templateId, ada.production);
    await expect(one()).rejects.toMatchObject({ code: 'invalid_state' });
    await archive(id, ada.preview);
    await expect(one()).rejects.toMatchObject({ code: 'invalid_state' });
  });

  it('copies so many bytes at once', async () => {
    const big = { text: 'x'.repeat(500_000) };
    for (let count = 0; count < 34; count += 1) {
      const body = { name: 'Big', data: big, template_id: id };
      await ask(createSampleData(world()), { body }, ada.preview);
    }
    await expect(one()).rejects.toMatchObject({ code: 'invalid_request', status: 413 });
  });

  it('does not look at drafts', async () => {
    const draft = { blocks: [section('draft')], metadata: {}, sample_data: null, base_version_id: null };
    await ask(putTemplateDraft(world()), { params: { id }, body: draft }, ada.preview);
    await one();
    expect(JSON.stringify(await rowsOf(world(), ada.production))).not.toContain('draft"');
  });

  it('is in the audit log with where it came from', async () => {
    await one({ activate: true });
    const entries = (await recordedAudit(world(), ada.production)).filter(
      (it) => it.environment === 'production',
    );
    expect(entries.map((it) => [it.action, it.changes.promoted_from])).toEqual([
      ['template.created', 'preview'],
      ['template.activated', 'preview'],
    ]);
  });

  describe('by keys', () => {
    const keyIn = (environment: Principal['environment'], ...without: Scope[]): Principal => {
      const holder = somebody({ organization_id: ada.preview.organization_id, environment });
      return { ...holder, scopes: holder.scopes.filter((scope) => !without.includes(scope)) };
    };

    it('takes that of the environment to copy from, too', async () => {
      const production = keyIn('production');
      const denied = { code: 'access_denied', facts: { required_scopes: ['templates:read'] } };
      await expect(one({}, production)).rejects.toMatchObject(denied);
      await expect(one({}, production, keyIn('production'))).rejects.toMatchObject(denied);
      expect(await one({}, production, keyIn('preview'))).toMatchObject({ action: 'created' });
    });

    it('takes it of a session token for preview too, which reads no production', async () => {
      const token: Principal = { ...ada.preview, confined: true };
      const fromProduction = promote(world(), token, { keys, from: 'production' });
      await expect(fromProduction).rejects.toMatchObject({ code: 'access_denied' });
    });

    it('goes from one environment to the other alone', async () => {
      const same = promote(world(), ada.preview, { keys, from: 'preview' });
      await expect(same).rejects.toMatchObject({ code: 'validation_failed' });
    });

    it('takes the scopes of what it reads and writes', async () => {
      const lacks = async (by: Principal, source: Principal, missing: Scope, body: object = {}) => {
        await expect(one(body, by, source)).rejects.toMatchObject({
          code: 'insufficient_scope',
          facts: { required_scopes: expect.arrayContaining([missing]) },
        });
      };
      const all = keyIn('production');
      const source = keyIn('preview');
      await lacks(all, keyIn('preview', 'templates:read'), 'templates:read', { keys: ['unknown'] });
      // As the organization service answers for such a key.
      answers.may = false;
      await lacks(keyIn('production', 'templates:activate'), source, 'templates:activate', {
        activate: true,
      });
      answers.may = true;
      await ask(
        createSampleData(world()),
        { body: { name: 'A deploy', data: {}, template_id: id } },
        ada.preview,
      );
      await lacks(all, keyIn('preview', 'sample-data:read'), 'sample-data:read');
      await lacks(keyIn('production', 'sample-data:write'), source, 'sample-data:write');
      expect((await rowsOf(world(), ada.production)).templates).toEqual([]);
      const plain = keyIn('production', 'templates:activate', 'templates:update', 'entities:write');
      await one({}, plain, source);
      const entity = await ask(createEntity(world()), { body: { name: 'Deploy' } }, ada.preview);
      await append({ entity_id: entity.id });
      await lacks(all, keyIn('preview', 'entities:read'), 'entities:read');
      await lacks(plain, source, 'entities:write');
      await lacks(plain, source, 'templates:update');
      expect(await one({}, all, source)).toMatchObject({ action: 'updated' });
    });

    it('of another organization finds nothing', async () => {
      const stranger = newPerson().production;
      await expect(one({}, stranger)).rejects.toMatchObject({ code: 'template_not_found' });
    });
  });
});
