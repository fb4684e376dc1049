import { beforeEach, describe, expect, it } from '@jest/globals';
import { sharedByTests } from '@stanza/test-kit/shared';
import {
  type Neighbours,
  neighboursOf,
  newPerson,
  type Person,
  promote,
  rowsOf,
} from '../testing/promotion.ts';
import { ask, newTemplate, openWorld } from '../testing/world.ts';
import { activateTemplateVersion } from './activate-template-version.ts';
import { appendTemplateVersion } from './append-template-version.ts';
import { getTemplate } from './get-template.ts';
import { updateTemplate } from './update-template.ts';

const plain = {
  destinations: [],
  queues: [],
  breaking: [],
  guard_activation: false,
  activation: 'anyone' as const,
};
const section = (text: string) => ({ type: 'section', id: 'one', text: { type: 'mrkdwn', text } });

describe('a promotion that activates', () => {
  const world = sharedByTests(() => openWorld(neighboursOf(answers)));
  const answers: Neighbours & Required<Pick<Neighbours, 'measured' | 'activation'>> = {
    ...plain,
    measured: [],
  };
  let ada: Person;
  let id: string;

  beforeEach(async () => {
    Object.assign(answers, { ...plain, measured: [] });
    ada = newPerson();
    ({ id } = await newTemplate(world(), ada.preview, { name: 'Deploy alert', blocks: [section('one')] }));
  });

  const one = async (body: object = {}) => {
    const asked = { keys: ['deploy-alert'], activate: true, ...body };
    const [template] = (await promote(world(), ada.production, asked)).templates;
    if (!template) throw new Error('no template was promoted');
    return template;
  };
  const append = (text: string) =>
    ask(appendTemplateVersion(world()), { params: { id }, body: { blocks: [section(text)] } }, ada.preview);
  const activate = (by: Person['preview'], templateId: string, version_id: string) =>
    ask(activateTemplateVersion(world()), { params: { id: templateId, version_id }, body: {} }, by);
  const update = (body: object) => ask(updateTemplate(world()), { params: { id }, body }, ada.preview);
  const read = (templateId: string | null) =>
    ask(getTemplate(world()), { params: { id: templateId ?? '' } }, ada.production);

  it('is guarded with the settings of the source, also where they alone differ', async () => {
    const { template_id } = await one();
    await update({ strict: true, locale: 'de-DE', user_name: 'Deploys' });
    Object.assign(answers, { guard_activation: true, breaking: ['An order'] });
    await expect(one()).rejects.toMatchObject({ code: 'activation_breaks' });
    const settings = { strict: true, locale: 'de-DE', timezone: null, fallback_text: null };
    expect(answers.measured).toMatchObject([{ template_id, settings }]);
    expect(await read(template_id)).toMatchObject({ strict: false });
    expect(await one({ accept_breaks: true })).toMatchObject({ action: 'updated', is_activated: false });
    expect(await read(template_id)).toMatchObject({ strict: true, locale: 'de-DE' });
    expect(await one()).toMatchObject({ action: 'unchanged' });
    expect(answers.measured).toHaveLength(1);
  });

  it('leaves a version that was rolled back since, with its settings, however often it is repeated', async () => {
    const first = await one();
    const second = await append('two');
    await activate(ada.preview, id, second.id);
    expect(await one()).toMatchObject({ version_number: 2, is_activated: true, activation_left: false });
    await activate(ada.production, first.template_id ?? '', first.version_id ?? '');
    await update({ strict: true });
    Object.assign(answers, { guard_activation: true, breaking: ['An order'] });
    for (const dry_run of [true, false, false]) {
      expect(await one({ dry_run })).toMatchObject({
        action: 'unchanged',
        version_number: 2,
        is_activated: false,
        activation_left: true,
        metadata_left: ['strict'],
      });
    }
    expect(answers.measured).toEqual([]);
    expect(await read(first.template_id)).toMatchObject({
      current_version_id: first.version_id,
      strict: false,
    });
    Object.assign(answers, { guard_activation: false });
    const third = await append('three');
    await activate(ada.preview, id, third.id);
    expect(await one()).toMatchObject({ version_number: 3, is_activated: true, activation_left: false });
    expect(await read(first.template_id)).toMatchObject({ strict: true });
  });

  it('makes no version of an earlier release live that the platform refuses, also where it was promoted then', async () => {
    const { template_id } = await one({ activate: false });
    const blocks = JSON.stringify([{ type: 'image', image_url: 'javascript:alert(1)', alt_text: 'x' }]);
    await world().rows('update versions set blocks = $2 where template_id = any ($1)', [
      [id, template_id],
      blocks,
    ]);
    await expect(one()).rejects.toMatchObject({ code: 'compilation_failed' });
    expect(await read(template_id)).toMatchObject({ current_version_id: null });
    expect(await one({ activate: false })).toMatchObject({ action: 'unchanged' });
  });

  it('copies so many samples at once', async () => {
    const insert = (count: number) =>
      world().rows(
        `insert into sample_data (organization_id, environment, id, operation_id, name, data, template_id, created_by,
           created_at, updated_at)
         select organization_id, environment, gen_random_uuid(), gen_random_uuid(), 'sample', '{}'::json, id, created_by,
           created_at, created_at
         from templates, generate_series(1, $2)
         where id = $1`,
        [id, count],
      );
    await insert(1_001);
    await expect(one()).rejects.toMatchObject({
      code: 'invalid_request',
      status: 413,
      message: expect.stringContaining('1001 pieces of sample data, and one promotion copies 1000'),
    });
    expect((await rowsOf(world(), ada.production)).templates).toEqual([]);
  });

  it('writes nothing once its caller waits no more', async () => {
    await newTemplate(world(), ada.preview, { name: 'Other' });
    const moments = [0];
    const late = {
      ...world(),
      clock: { ...world().clock, monotonic: () => moments.shift() ?? Number.POSITIVE_INFINITY },
    };
    const asked = { keys: ['deploy-alert', 'other'] };
    const before = await rowsOf(world(), ada.production);
    await expect(promote(late, ada.production, asked)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(moments).toEqual([]);
    expect(await rowsOf(world(), ada.production)).toEqual(before);
    expect(await promote(world(), ada.production, asked)).toMatchObject({ changed: true });
  });
});
