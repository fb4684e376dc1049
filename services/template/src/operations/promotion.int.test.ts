import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Block, Principal } from '@stanza/contracts';
import { exhibits, messages, modals } from '@stanza/gallery/exhibits';
import type { Outbox } from '@stanza/runtime';
import { newId } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { newModal } from '../testing/modals.ts';
import {
  type Neighbours,
  neighboursOf,
  newPerson,
  type Person,
  promote,
  rowsOf,
} from '../testing/promotion.ts';
import { ask, newTemplate, openWorld, recordedAudit } from '../testing/world.ts';
import { activateTemplateVersion } from './activate-template-version.ts';
import { createEntity } from './create-entity.ts';
import { createEntityField } from './create-entity-field.ts';
import { createSampleData } from './create-sample-data.ts';
import { deleteModal } from './delete-modal.ts';

const answers: Neighbours = { destinations: [], queues: [], breaking: [], guard_activation: false };

/** Templates that stand for the gallery where its number is not the subject: one of them names what others hold. */
const few = messages.slice(0, 8);
const keys = few.map(({ slug }) => slug);

/** Where the data of the template `approval` of the gallery names a modal and a destination. */
const shown = { modal: '{{answers.modal_id}}', destination: '{{answers.destination_id}}' };

describe('the promotion of the gallery', () => {
  const world = sharedByTests(() => openWorld(neighboursOf(answers)));
  let ada: Person;
  let destination: { preview: string; production: string };

  const galleryModals = async (by: Principal): Promise<Map<string, string>> => {
    const ids = new Map<string, string>();
    for (const { slug, source } of modals) {
      const { name, title } = source;
      const blocks = source.blocks.map((block): Block => ({ type: '', ...Object(block) }));
      ids.set(slug, (await newModal(world(), by, { key: slug, name, title, blocks })).id);
    }
    return ids;
  };

  const newEntity = async (by: Principal): Promise<string> => {
    const { id } = await ask(createEntity(world()), { body: { name: 'Request' } }, by);
    const add = (body: { name: string; type: 'string' | 'object'; parent_field_id?: string }) =>
      ask(createEntityField(world()), { params: { id }, body: { label: `${body.name}!`, ...body } }, by);
    const requester = await add({ name: 'requester', type: 'object' });
    await add({ name: 'name', type: 'string', parent_field_id: requester.id });
    await add({ name: 'subject', type: 'string' });
    return id;
  };

  /** Templates of the gallery in preview with saved data, an entity that describes one of them, all its modals. */
  const furnish = async (chosen: typeof messages) => {
    const by = ada.preview;
    const modalIds = await galleryModals(by);
    const entity_id = await newEntity(by);
    for (const { slug, source, data } of chosen) {
      const text = JSON.stringify(source)
        .replaceAll(shown.modal, modalIds.get('survey') ?? '')
        .replaceAll(shown.destination, destination.preview);
      const isDescribed = slug === 'approval';
      const body = { ...JSON.parse(text), key: slug, sample_data: data, ...(isDescribed && { entity_id }) };
      const { id, version } = await newTemplate(world(), by, body);
      const live = { params: { id, version_id: version.id }, body: {} };
      if (slug < 'm') await ask(activateTemplateVersion(world()), live, by);
      const saved = { name: 'As in the gallery', data: { ...data }, template_id: id };
      await ask(createSampleData(world()), { body: { ...saved, ...(isDescribed && { entity_id }) } }, by);
    }
  };

  beforeEach(() => {
    ada = newPerson();
    destination = { preview: newId(), production: newId() };
    Object.assign(answers, { queues: [], breaking: [], guard_activation: false });
    answers.destinations = [
      { id: destination.preview, key: 'tickets', match: destination.production },
      { id: destination.production, key: 'tickets', match: destination.preview },
    ];
  });

  it('is that of forty templates and more', () => {
    expect(exhibits.length).toBeGreaterThanOrEqual(40);
    expect(messages.length + modals.length).toBe(exhibits.length);
  });

  it('creates each with its entity and its data, and changes nothing the second time, forth and back', async () => {
    await furnish(messages);
    const keys = messages.map(({ slug }) => slug);
    const modalIds = await galleryModals(ada.production);
    const preview = await rowsOf(world(), ada.preview);
    const promoted = await promote(world(), ada.production, { keys });
    expect(promoted).toMatchObject({ from: 'preview', to: 'production', changed: true, unmapped: [] });
    expect(promoted.templates.map((it) => it.key)).toEqual([...keys].sort());
    for (const it of promoted.templates) {
      expect(it).toMatchObject({
        action: 'created',
        version_number: 1,
        is_activated: false,
        samples: { created: 1 },
      });
    }
    expect(promoted.entities).toEqual([{ key: 'request', action: 'created', entity_id: expect.any(String) }]);
    const production = await rowsOf(world(), ada.production);
    const approval = JSON.stringify(production.versions).split('"approve"')[1] ?? '';
    expect(approval).toContain(modalIds.get('survey'));
    expect(approval).toContain(destination.production);
    expect(JSON.stringify(production)).not.toContain(destination.preview);
    expect(production.entity_fields).toHaveLength(3);

    for (const to of [ada.production, ada.preview]) {
      const again = await promote(world(), to, { keys });
      expect(again.changed).toBe(false);
      expect(new Set(again.templates.map((it) => it.action))).toEqual(new Set(['unchanged']));
      expect(again.entities).toMatchObject([{ action: 'unchanged' }]);
    }
    expect(await rowsOf(world(), ada.production)).toEqual(production);
    expect(await rowsOf(world(), ada.preview)).toEqual(preview);
  });

  it('tells in a dry run what it would do, and does nothing', async () => {
    await furnish(few);
    await galleryModals(ada.production);
    const before = await rowsOf(world(), ada.production);
    const audited = (await recordedAudit(world(), ada.production)).length;
    const told = await promote(world(), ada.production, { keys, dry_run: true });
    expect(told).toMatchObject({ dry_run: true, changed: true });
    expect(told.templates[0]).toMatchObject({
      key: 'access-request',
      action: 'created',
      template_id: null,
      version_id: null,
      version_number: 1,
    });
    expect(told.entities).toEqual([{ key: 'request', action: 'created', entity_id: null }]);
    expect(await rowsOf(world(), ada.production)).toEqual(before);
    expect(await recordedAudit(world(), ada.production)).toHaveLength(audited);
    const done = await promote(world(), ada.production, { keys });
    const withoutIds = ({ dry_run: _, ...promotion }: typeof told) =>
      JSON.parse(JSON.stringify(promotion), (key, value) =>
        ['template_id', 'version_id', 'entity_id'].includes(key) ? undefined : value,
      );
    expect(withoutIds(told)).toEqual(withoutIds(done));
  });

  it('names a modal, a destination and a queue without a counterpart before anything is written', async () => {
    await furnish(few);
    const modalIds = await galleryModals(ada.production);
    const id = modalIds.get('survey') ?? '';
    await ask(deleteModal(world()), { params: { id } }, ada.production);
    answers.destinations = [{ id: destination.preview, key: 'tickets', match: null }];
    const [template] = await world().rows<{ id: string }>(
      "select id from template_keys where organization_id = $1 and key = 'approval'",
      [ada.preview.organization_id],
    );
    const queue = {
      id: newId(),
      key: 'requests',
      name: 'Requests',
      template_id: template?.id ?? '',
      match: null,
    };
    answers.queues = [queue];
    const before = await rowsOf(world(), ada.production);
    const refused = promote(world(), ada.production, { keys });
    await expect(refused).rejects.toMatchObject({
      code: 'promotion_unmapped',
      facts: {
        details: expect.stringMatching(
          /^approval\/blocks\/.*\/modal_id: production has no modal with the key "survey"; create it there\.$/m,
        ),
      },
    });
    const { unmapped } = await promote(world(), ada.production, { keys, dry_run: true, activate: true });
    expect(unmapped.map((it) => [it.kind, it.key, it.template_key, it.is_blocking])).toEqual(
      expect.arrayContaining([
        ['modal', 'survey', 'approval', true],
        ['destination', 'tickets', 'approval', true],
        ['queue', 'requests', 'approval', false],
      ]),
    );
    expect(await rowsOf(world(), ada.production)).toEqual(before);
    // A queue names the template, so that it can only come after it.
    await newModal(world(), ada.production, { key: 'survey' });
    answers.destinations = [{ id: destination.preview, key: 'tickets', match: destination.production }];
    const promoted = await promote(world(), ada.production, { keys });
    expect(promoted.unmapped).toMatchObject([{ kind: 'queue', key: 'requests' }]);
  });

  it.each([0, 3, 12])(
    'that dies after %i of its changes has made {}, and run again ends the same',
    async (n) => {
      await furnish(few);
      await galleryModals(ada.production);
      const before = await rowsOf(world(), ada.production);
      let changes = 0;
      const outbox: Outbox = {
        ...world().outbox,
        add: (...change) => {
          if (changes === n) throw new Error('killed');
          changes += 1;
          return world().outbox.add(...change);
        },
      };
      await expect(promote({ ...world(), outbox }, ada.production, { keys })).rejects.toThrow('killed');
      expect(changes).toBe(n);
      expect(await rowsOf(world(), ada.production)).toEqual(before);
      const promoted = await promote(world(), ada.production, { keys });
      expect(promoted.templates.filter((it) => it.action === 'created')).toHaveLength(keys.length);
      expect((await promote(world(), ada.production, { keys })).changed).toBe(false);
    },
  );

  it('that runs three times at once is made once', async () => {
    await furnish(few);
    await galleryModals(ada.production);
    const all = await Promise.all([1, 2, 3].map(() => promote(world(), ada.production, { keys })));
    expect(all.filter(({ changed }) => changed)).toHaveLength(1);
    expect((await rowsOf(world(), ada.production)).versions).toHaveLength(keys.length);
  });
});
