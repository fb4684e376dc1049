import { beforeEach, describe, expect, it } from '@jest/globals';
import { defaultTiers } from '@stanza/contracts';
import { sharedByTests } from '@stanza/test-kit/shared';
import { type Neighbours, neighboursOf, newPerson, type Person, promote } from '../testing/promotion.ts';
import { ask, newTemplate, openWorld, recordedAudit } from '../testing/world.ts';
import { createEntity } from './create-entity.ts';
import { createEntityField } from './create-entity-field.ts';
import { deleteEntityField } from './delete-entity-field.ts';
import { getEntity } from './get-entity.ts';
import { updateEntity } from './update-entity.ts';
import { updateEntityField } from './update-entity-field.ts';

const answers: Neighbours = { destinations: [], queues: [], breaking: [], guard_activation: false };
const keys = ['alert'];

describe('the promotion of a template that an entity describes', () => {
  const world = sharedByTests(() => openWorld(neighboursOf(answers)));
  let ada: Person;
  let entity: string;

  beforeEach(async () => {
    ada = newPerson();
    entity = (await ask(createEntity(world()), { body: { name: 'Pod' } }, ada.preview)).id;
    await newTemplate(world(), ada.preview, { key: 'alert', entity_id: entity });
  });

  const field = async (name: string, type: 'object' | 'string', parent?: string): Promise<string> => {
    const body = { name, type, ...(parent !== undefined && { parent_field_id: parent }) };
    return (await ask(createEntityField(world()), { params: { id: entity }, body }, ada.preview)).id;
  };
  const pathsIn = async (by: Person['preview'], id: string) =>
    (await ask(getEntity(world()), { params: { id } }, by)).fields.map(({ path }) => path).sort();

  it('A promotion leaves each field inside the one that holds it, also with dots or spaces in its name', async () => {
    const labels = await field('labels', 'object');
    await field('app.kubernetes.io/name', 'string', labels);
    await field('with a space', 'string', labels);
    await field('with a space', 'string');
    await field('a.b', 'string', await field('x.y', 'object', labels));
    const [promoted] = (await promote(world(), ada.production, { keys })).entities;
    expect(await pathsIn(ada.production, promoted?.entity_id ?? '')).toEqual(
      await pathsIn(ada.preview, entity),
    );
    expect(await promote(world(), ada.production, { keys })).toMatchObject({ changed: false });
  });

  it('A promotion goes on where a lower tier includes fewer fields than there are, and adds none', async () => {
    for (const name of ['one', 'two', 'three']) await field(name, 'string');
    await promote(world(), ada.production, { keys });
    const stored = { ...defaultTiers.free.stored, entity_fields: 2 };
    world().allowanceOf.set(ada.preview.organization_id, stored);
    expect(await promote(world(), ada.production, { keys })).toMatchObject({ changed: false });
    world().allowanceOf.delete(ada.preview.organization_id);
    await field('four', 'string');
    world().allowanceOf.set(ada.preview.organization_id, stored);
    await expect(promote(world(), ada.production, { keys })).rejects.toMatchObject({ code: 'tier_limit' });
  });

  it('A promotion has each field that it changes in the audit log', async () => {
    const author = await field('author', 'object');
    await field('name', 'string', author);
    const service = await field('service', 'string');
    await promote(world(), ada.production, { keys });
    const params = { id: entity };
    await ask(updateEntity(world()), { params, body: { description: 'of a service' } }, ada.preview);
    await ask(deleteEntityField(world()), { params: { ...params, field_id: author } }, ada.preview);
    const required = { params: { ...params, field_id: service }, body: { required: true } };
    await ask(updateEntityField(world()), required, ada.preview);
    await field('version', 'string');
    await promote(world(), ada.production, { keys });
    const entries = (await recordedAudit(world(), ada.production)).filter(
      (it) => it.environment === 'production' && it.action.startsWith('entity'),
    );
    const of = { entity_id: expect.any(String), promoted_from: 'preview' };
    expect(entries.map(({ action, changes }) => [action, changes])).toEqual([
      ['entity.created', { name: 'Pod', fields: 3, promoted_from: 'preview' }],
      ['entity_field.deleted', { ...of, name: 'author', fields_inside: 1 }],
      ['entity_field.updated', { ...of, required: { from: false, to: true } }],
      ['entity_field.created', { ...of, name: 'version', type: 'string' }],
      ['entity.updated', { description: 'changed', promoted_from: 'preview' }],
    ]);
  });
});
