import { describe, expect, it } from '@jest/globals';
import { defaultTiers, listTemplateQueues, listTemplateSchedules, type Principal } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { newModal } from '../testing/modals.ts';
import { ask, newTemplate, openWorld, somebody } from '../testing/world.ts';
import { appendModalVersion } from './append-modal-version.ts';
import { appendTemplateVersion } from './append-template-version.ts';
import { archiveTemplate } from './archive-template.ts';
import { countStoredTemplates } from './count-stored-templates.ts';
import { createSampleData } from './create-sample-data.ts';
import { createTemplate } from './create-template.ts';
import { deleteSampleData } from './delete-sample-data.ts';
import { deleteTemplate } from './delete-template.ts';
import { proposeTemplateVersion } from './propose-template-version.ts';
import { putTemplateDraft } from './put-template-draft.ts';
import { saveTemplateDraft } from './save-template-draft.ts';
import { updateModal } from './update-modal.ts';
import { updateSampleData } from './update-sample-data.ts';

describe('the bytes of contents', () => {
  const world = sharedByTests(() =>
    openWorld([
      handle(listTemplateQueues, async () => ({ queues: [], batches: [] })),
      handle(listTemplateSchedules, async () => ({ schedules: [] })),
    ]),
  );

  const text = (length: number) => 'x'.repeat(length);
  const blocksOf = (length: number) => [{ type: 'section', text: { type: 'mrkdwn', text: text(length) } }];
  const bytesOf = async ({ organization_id }: Principal): Promise<number> =>
    (await ask(countStoredTemplates(world()), { organization_id })).bytes;
  const refused = { code: 'tier_limit', message: expect.stringContaining('allows 5000 bytes') };

  /** Someone with a template, a modal and sample data, who may store a few thousand bytes. */
  const author = async () => {
    const by = somebody();
    world().allowanceOf.set(by.organization_id, { ...defaultTiers.free.stored, bytes: 5_000 });
    const sample = await ask(createSampleData(world()), { body: { name: 'One', data: {} } }, by);
    return { by, made: await newTemplate(world(), by), modal: await newModal(world(), by), sample };
  };
  type Author = Awaited<ReturnType<typeof author>>;

  const put = ({ by, made: { id } }: Author, length: number) =>
    ask(
      putTemplateDraft(world()),
      {
        params: { id },
        body: {
          blocks: blocksOf(length),
          metadata: { name: 'One' },
          sample_data: {},
          base_version_id: null,
        },
      },
      by,
    );
  const change = ({ by, sample: { id } }: Author, length: number) =>
    ask(updateSampleData(world()), { params: { id }, body: { data: { name: text(length) } } }, by);

  const writes = {
    'a template': ({ by }: Author, length: number) =>
      ask(
        createTemplate(world()),
        { body: { name: 'Two', type: 'message' as const, blocks: blocksOf(length) } },
        by,
      ),
    'a version': ({ by, made: { id } }: Author, length: number) =>
      ask(
        appendTemplateVersion(world()),
        { params: { id }, body: { blocks: blocksOf(length), sample_data: {} } },
        by,
      ),
    'a proposal': ({ by, made: { id } }: Author, length: number) =>
      ask(
        proposeTemplateVersion(world()),
        { params: { id }, body: { blocks: blocksOf(length), sample_data: {} } },
        by,
      ),
    'a draft': put,
    'sample data': ({ by }: Author, length: number) =>
      ask(createSampleData(world()), { body: { name: 'Two', data: { name: text(length) } } }, by),
    'a change of sample data': change,
    'a modal': ({ by }: Author, length: number) => newModal(world(), by, { blocks: blocksOf(length) }),
    'a version of a modal': ({ by, modal: { id } }: Author, length: number) =>
      ask(
        appendModalVersion(world()),
        {
          params: { id },
          body: { blocks: blocksOf(length), sample_data: {}, activate: false },
        },
        by,
      ),
    'the steps of a modal': ({ by, modal: { id } }: Author, length: number) =>
      ask(
        updateModal(world()),
        { params: { id }, body: { steps: [{ title: 'Next', blocks: blocksOf(length) }] } },
        by,
      ),
  } as const;

  it.each(Object.entries(writes))('bounds %s, and keeps what was there', async (_, write) => {
    const somebodyHere = await author();
    const before = await bytesOf(somebodyHere.by);
    await write(somebodyHere, 2_000);
    const between = await bytesOf(somebodyHere.by);
    expect(between).toBeGreaterThanOrEqual(before + 2_000);
    await expect(write(somebodyHere, 5_000)).rejects.toMatchObject(refused);
    expect(await bytesOf(somebodyHere.by)).toBe(between);
  });

  it('lets two writes at one time not take the last bytes together', async () => {
    const here = await author();
    const templates: Author[] = [];
    for (let count = 0; count < 5; count += 1)
      templates.push({ ...here, made: await newTemplate(world(), here.by) });
    const write = (length: number) =>
      Promise.allSettled(templates.map((it) => writes['a version'](it, length)));
    // A database that has a connection for each of them lets all begin before the first one ends.
    await write(1);
    const all = await write(2_500);
    expect(all.filter((it) => it.status === 'fulfilled')).toHaveLength(1);
  });

  it('refuses no draft that is made shorter, and none that is made a version', async () => {
    const here = await author();
    await put(here, 2_500);
    world().allowanceOf.set(here.by.organization_id, { ...defaultTiers.free.stored, bytes: 5 });
    await put(here, 2_400);
    const { id } = here.made;
    await ask(saveTemplateDraft(world()), { params: { id }, body: {} }, here.by);
    await expect(put(here, 1)).rejects.toMatchObject({ code: 'tier_limit' });
  });

  it('are given back with what is deleted', async () => {
    const { by, made, sample } = await author();
    await ask(deleteSampleData(world()), { params: { id: sample.id } }, by);
    const before = await bytesOf(by);
    const named = { params: { id: made.id } };
    await ask(archiveTemplate(world()), named, by);
    await ask(deleteTemplate(world()), named, by);
    expect(await bytesOf(by)).toBeLessThan(before);
  });

  it('have no limit while the service that knows it is of the previous version', async () => {
    const by = somebody();
    const { bytes: _, ...before } = defaultTiers.free.stored;
    await newTemplate({ ...world(), allowances: { of: async () => before } }, by);
  });
});
