import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defaultTiers, type Principal, type StoredLimits } from '@stanza/contracts';
import { type CallContext, newContext } from '@stanza/runtime';
import { newModal } from '../testing/modals.ts';
import { neighboursOf, newPerson, promote } from '../testing/promotion.ts';
import { ask, greeting, newTemplate, openWorld, somebody, type World } from '../testing/world.ts';
import { appendModalVersion } from './append-modal-version.ts';
import { appendTemplateVersion } from './append-template-version.ts';
import { countStoredTemplates } from './count-stored-templates.ts';
import { createEntity } from './create-entity.ts';
import { createEntityField } from './create-entity-field.ts';
import { createSampleData } from './create-sample-data.ts';
import { createTemplate } from './create-template.ts';
import { duplicateTemplate } from './duplicate-template.ts';

describe('the tier', () => {
  let world: World;

  beforeAll(async () => {
    const answers = { destinations: [], queues: [], breaking: [], guard_activation: false };
    world = await openWorld(neighboursOf(answers));
  });
  afterAll(() => world.close());

  /** Someone whose tier allows so much. */
  const limited = (stored: Partial<StoredLimits>): Principal => {
    const by = somebody();
    world.allowanceOf.set(by.organization_id, { ...defaultTiers.free.stored, ...stored });
    return by;
  };
  const contextOf = (principal: Principal) => newContext({ deadlineMs: 60_000, principal });

  let names = 0;
  const entityOf = (by: Principal) => {
    names += 1;
    return ask(createEntity(world), { body: { name: `Entity ${names}` } }, by);
  };
  const sampleOf = (by: Principal) => ask(createSampleData(world), { body: { name: 'One', data: {} } }, by);
  const template = (by: Principal, context?: CallContext) =>
    ask(
      createTemplate(world),
      { body: { name: 'One', type: 'message' as const, blocks: greeting } },
      by,
      context,
    );

  const kinds = {
    templates: (by: Principal) => template(by),
    modals: (by: Principal) => newModal(world, by),
    entities: entityOf,
    sample_data: sampleOf,
  } as const;

  it.each(Object.entries(kinds))(
    'bounds %s over both environments, and two requests never take the last place',
    async (kind, create) => {
      const by = limited({ [kind]: 3 });
      await create(by);
      await create({ ...by, environment: by.environment === 'preview' ? 'production' : 'preview' });
      const both = await Promise.allSettled([create(by), create(by)]);
      expect(both.map((it) => it.status).toSorted()).toEqual(['fulfilled', 'rejected']);
      await expect(create(by)).rejects.toMatchObject({
        code: 'tier_limit',
        message: expect.stringContaining('allows 3'),
      });
      const { organization_id } = by;
      const counted = await ask(countStoredTemplates(world), { organization_id });
      expect(counted).toMatchObject({ [kind]: 3 });
      // Another organization has a tier of its own.
      await create(somebody());
    },
  );

  it('answers a repeat of the operation that took the last place', async () => {
    const by = limited({ templates: 1, versions: 2 });
    const context = contextOf(by);
    const made = await template(by, context);
    expect(await template(by, context)).toEqual(made);
    const again = contextOf(by);
    const append = () =>
      ask(
        appendTemplateVersion(world),
        { params: { id: made.id }, body: { blocks: greeting, sample_data: {} } },
        by,
        again,
      );
    expect(await append()).toEqual(await append());
  });

  it('bounds the versions of a template and of a modal', async () => {
    const by = limited({ versions: 2 });
    const { id } = await template(by);
    const append = () =>
      ask(appendTemplateVersion(world), { params: { id }, body: { blocks: greeting, sample_data: {} } }, by);
    const both = await Promise.allSettled([append(), append()]);
    expect(both.map((it) => it.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(append()).rejects.toMatchObject({ code: 'tier_limit' });
    const modal = await newModal(world, by);
    const further = () =>
      ask(
        appendModalVersion(world),
        {
          params: { id: modal.id },
          body: { blocks: modal.version.blocks, sample_data: {}, activate: false },
        },
        by,
      );
    await further();
    await expect(further()).rejects.toMatchObject({ code: 'tier_limit' });
  });

  it('bounds the fields of an entity', async () => {
    const by = limited({ entity_fields: 1 });
    const { id } = await entityOf(by);
    const add = (name: string) =>
      ask(createEntityField(world), { params: { id }, body: { name, type: 'string' } }, by);
    const both = await Promise.allSettled([add('one'), add('two')]);
    expect(both.map((it) => it.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(add('three')).rejects.toMatchObject({ code: 'tier_limit' });
  });

  it('bounds copies', async () => {
    const by = limited({ templates: 1 });
    const { id } = await template(by);
    const copying = ask(duplicateTemplate(world), { params: { id }, body: { name: 'A copy' } }, by);
    await expect(copying).rejects.toMatchObject({ code: 'tier_limit' });
  });

  it('bounds promotions, which then write nothing', async () => {
    const person = newPerson();
    world.allowanceOf.set(person.preview.organization_id, { ...defaultTiers.free.stored, templates: 3 });
    for (const key of ['first', 'second']) await newTemplate(world, person.preview, { key });
    const promoting = promote(world, person.production, { keys: ['first', 'second'] }, person.preview);
    await expect(promoting).rejects.toMatchObject({ code: 'tier_limit' });
    const { organization_id } = person.preview;
    const rows = await world.rows('select id from templates where organization_id = $1', [organization_id]);
    expect(rows).toHaveLength(2);
    await promote(world, person.production, { keys: ['first'] }, person.preview);
  });

  it('bounds nothing while the service that knows it is away', async () => {
    const by = somebody();
    const alone: World = { ...world, allowances: { of: async () => undefined } };
    await newTemplate(alone, by);
  });
});
