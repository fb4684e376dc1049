import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Principal } from '@stanza/contracts';
import { newId } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { newModal } from '../testing/modals.ts';
import { ask, newTemplate, openWorld, recordedAudit, somebody, strangersTo } from '../testing/world.ts';
import { activateTemplateVersion } from './activate-template-version.ts';
import { archiveTemplate } from './archive-template.ts';
import { createEntity } from './create-entity.ts';
import { duplicateTemplate } from './duplicate-template.ts';
import { listTemplates } from './list-templates.ts';
import { resolveKey } from './resolve-key.ts';
import { updateTemplate } from './update-template.ts';

describe('the key of a template', () => {
  const world = sharedByTests(openWorld);
  let ada: Principal;
  const keyOf = async (name: string, body: object = {}) =>
    (await newTemplate(world(), ada, { name, ...body })).key;
  const change = (id: string, body: { key: string; name?: string }) =>
    ask(updateTemplate(world()), { params: { id }, body }, ada);
  const listed = async (key: string, by = ada) => {
    const query = { key, sort: '-created_at' as const, limit: 20, offset: 0 };
    return (await ask(listTemplates(world()), { query }, by)).data.map((it) => it.id);
  };
  const resolve = (
    kind: 'template' | 'entity' | 'modal',
    key: string,
    { organization_id, environment } = ada,
  ) => ask(resolveKey(world()), { organization_id, environment, kind, key });

  beforeEach(() => {
    ada = somebody();
  });

  it.each([
    ['Deploy alert', 'deploy-alert'],
    ['  Über *große* Bestellung #4711! ', 'uber-gro-e-bestellung-4711'],
    ['データ', 'template'],
    ['-', 'template'],
    [`${'x'.repeat(87)} and more`, 'x'.repeat(87)],
    ['01938C2E-7b1a-7c3d-9e4f-5a6b7c8d9e0f', 'template-01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f'],
  ])('is made from the name %j', async (name, key) => {
    await expect(keyOf(name)).resolves.toBe(key);
  });

  it('has the next number where the name has a key already', async () => {
    const keys: string[] = [];
    for (let n = 0; n < 3; n++) keys.push(await keyOf('Deploy alert'));
    await expect(keyOf('Deploy', { key: 'deploy-alert-7' })).resolves.toBe('deploy-alert-7');
    keys.push(await keyOf('Deploy alert'));
    expect(keys).toEqual(['deploy-alert', 'deploy-alert-2', 'deploy-alert-3', 'deploy-alert-8']);
  });

  it('is another one for each of many that are made at once', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => keyOf('Same name')));
    expect(new Set(keys).size).toBe(8);
  });

  it('may be given, once in an environment', async () => {
    await expect(keyOf('Deploy alert', { key: 'release' })).resolves.toBe('release');
    await expect(keyOf('Deploy alert', { key: 'release' })).rejects.toMatchObject({ code: 'already_exists' });
    for (const stranger of strangersTo(ada)) {
      await expect(newTemplate(world(), stranger, { key: 'release' })).resolves.toMatchObject({
        key: 'release',
      });
    }
  });

  it('is changed until a version is live, and stays from then on', async () => {
    const { id, version } = await newTemplate(world(), ada, { name: 'Deploy alert' });
    await expect(change(id, { key: 'release' })).resolves.toMatchObject({ key: 'release' });
    const template_key = { from: 'deploy-alert', to: 'release' };
    expect((await recordedAudit(world(), ada)).at(-1)?.changes).toEqual({ template_key });
    await keyOf('Other', { key: 'taken' });
    await expect(change(id, { key: 'taken', name: 'Lost' })).rejects.toMatchObject({
      code: 'already_exists',
    });
    const version_id = version.id;
    await ask(activateTemplateVersion(world()), { params: { id, version_id }, body: {} }, ada);
    await expect(change(id, { key: 'other' })).rejects.toMatchObject({ code: 'invalid_state' });
    await expect(change(id, { key: 'release', name: 'Same key' })).resolves.toMatchObject({
      name: 'Same key',
    });
  });

  it('finds it in lists and for other services, and for nobody else', async () => {
    const { id } = await newTemplate(world(), ada, { name: 'Deploy alert' });
    await keyOf('Another');
    await expect(listed('deploy-alert')).resolves.toEqual([id]);
    await expect(listed('deploy')).resolves.toEqual([]);
    await expect(resolve('template', 'deploy-alert')).resolves.toEqual({ id });
    await expect(resolve('modal', 'deploy-alert')).resolves.toEqual({ id: null });
    for (const stranger of strangersTo(ada)) {
      await expect(listed('deploy-alert', stranger)).resolves.toEqual([]);
      await expect(resolve('template', 'deploy-alert', stranger)).resolves.toEqual({ id: null });
    }
  });

  it('is its own for a copy', async () => {
    const { id } = await newTemplate(world(), ada, { name: 'Deploy alert' });
    const copy = (body: { name: string; key?: string }) =>
      ask(duplicateTemplate(world()), { params: { id }, body }, ada);
    await expect(copy({ name: 'Deploy alert' })).resolves.toMatchObject({ key: 'deploy-alert-2' });
    await expect(copy({ name: 'Deploy alert', key: 'copy' })).resolves.toMatchObject({ key: 'copy' });
  });

  it('is free again once the template is deleted', async () => {
    const { id } = await newTemplate(world(), ada, { name: 'Deploy alert' });
    await ask(archiveTemplate(world()), { params: { id } }, ada);
    await world().rows('delete from templates where id = $1', [id]);
    await expect(keyOf('Deploy alert')).resolves.toBe('deploy-alert');
  });

  it('is given to what is inserted without one', async () => {
    await newTemplate(world(), ada, { name: 'Deploy alert' });
    const entity = await ask(createEntity(world()), { body: { name: 'Purchase order' } }, ada);
    const modal = await newModal(world(), ada, { name: 'Refund' });
    const older = newId();
    await world().rows(
      `insert into templates (organization_id, environment, id, operation_id, name, type, last_version_number,
         created_by, created_at, updated_at)
       values ($1, $2, $3, $4, 'Deploy alert', 'message', 1, 'ada', now(), now())`,
      [ada.organization_id, ada.environment, older, newId()],
    );
    await expect(resolve('template', 'deploy-alert-2')).resolves.toEqual({ id: older });
    expect(entity.key).toBe('purchase-order');
    expect(modal.key).toBe('refund');
  });
});
