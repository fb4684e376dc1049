import { mapData } from '@stanza/engine';
import type { ModalDefinition } from '@stanza/sdk';
import type { JsonObject } from '../files/canonical.ts';
import { problemsOfView } from '../templates/compile.ts';
import { blocksIn } from '../templates/content.ts';
import { forEach, newestOf } from '../templates/remote.ts';
import type { TemplateProblem } from '../templates/settings.ts';
import { blocks, versionBody } from './blocks.ts';
import { kindOf, type Listed, type Written } from './kind.ts';
import { anyObject, dictionaryOf, listOf, record, type Shaped, text } from './shape.ts';

const shape = record(
  { name: text, title: text, blocks },
  {
    description: text,
    submit_label: text,
    close_label: text,
    steps: listOf(record({ title: text, blocks }, { submit_label: text })),
    placeholder_mapping: dictionaryOf(text),
    data: anyObject,
  },
);

type ModalFile = Shaped<typeof shape>;

const usual = { submit_label: 'Submit', close_label: 'Cancel', placeholder_mapping: {}, data: {} } as const;

const stepsOf = ({ steps }: ModalDefinition) =>
  steps?.map(({ title, submit_label, blocks: given }) => ({
    title,
    ...(submit_label !== null && { submit_label }),
    blocks: blocksIn(given) ?? [],
  }));

const partsOf = ({ blocks: own, placeholder_mapping, data, ...about }: JsonObject) => ({
  about,
  content: { blocks: own, placeholder_mapping, data },
});

const aboutOf = ({ name, title, description, submit_label, close_label, steps }: ModalFile) => ({
  name,
  title,
  description: description ?? null,
  submit_label: submit_label ?? usual.submit_label,
  close_label: close_label ?? usual.close_label,
  steps: steps ?? null,
});

const versionOf = (document: ModalFile) => ({
  ...versionBody(document),
  placeholder_mapping: document.placeholder_mapping ?? null,
});

/** Why the API would refuse the views of a modal: that of its blocks, and those of its steps. */
export const problemsOfModal = (document: JsonObject, now: Date): TemplateProblem[] => {
  if (!shape.is(document)) return [];
  const { title, submit_label, close_label, steps } = aboutOf(document);
  const { data = {}, placeholder_mapping = {} } = document;
  const problemsOf = (view: Parameters<typeof problemsOfView>[0], around: string): TemplateProblem[] =>
    problemsOfView(view, mapData(data, placeholder_mapping), now).map((it) => ({
      ...it,
      pointer: it.pointer.startsWith('/close_label') ? it.pointer : `${around}${it.pointer}`,
    }));
  const own = problemsOf({ title, submit_label, close_label, blocks: document.blocks }, '');
  const ofSteps = steps?.flatMap((step, at) =>
    problemsOf({ submit_label, close_label, ...step }, `/steps/${at}`),
  );
  return [...own, ...(ofSteps ?? [])];
};

const written = (modal: ModalDefinition, versionId: string): Written => ({
  id: modal.id,
  versionId,
  liveVersionId: modal.current_version_id,
});

/** Modals have versions; their labels and steps take effect at once. */
export const modals = kindOf<ModalFile>({
  folder: 'modals',
  word: 'modal',
  named: 'modal',
  scope: 'modals:read',
  shape,
  order: [
    'name',
    'description',
    'title',
    'submit_label',
    'close_label',
    'steps',
    'blocks',
    'placeholder_mapping',
    'data',
  ],
  usual: () => usual,
  hasVersions: true,
  partsOf,
  list: async ({ stanza }) => {
    const listed = [];
    for await (const modal of stanza.modals.list()) listed.push(modal);
    return forEach(listed, async (modal): Promise<Listed> => {
      const { id, key, current_version_id: liveVersionId } = modal;
      const versions = () => stanza.modals.versions.list(id, { limit: 1 }).page();
      const newest = await newestOf(modal.newest_version, versions);
      if (!newest) throw new Error(`the modal ${key} has no version`);
      const readVersion = async (versionId: string): Promise<JsonObject> => {
        const version = await stanza.modals.versions.get(id, versionId);
        const { blocks: given, placeholder_mapping, sample_data } = version;
        return { blocks: blocksIn(given) ?? [], placeholder_mapping, data: sample_data };
      };
      // The list has the steps without their blocks.
      const steps = modal.is_multi_step ? stepsOf(await stanza.modals.get(id)) : undefined;
      const document = { ...modal, steps, ...(await readVersion(newest.id)) };
      return { id, key, document, newest, liveVersionId, readVersion };
    });
  },
  create: async ({ stanza }, document, key, idempotencyKey) => {
    const { placeholder_mapping, ...version } = versionOf(document);
    const { steps, ...about } = aboutOf(document);
    const { version: made, ...modal } = await stanza.modals.create(
      { key, ...about, ...version },
      { idempotencyKey },
    );
    if (steps) await stanza.modals.update(modal.id, { steps });
    const { id: versionId } = placeholder_mapping
      ? await stanza.modals.versions.append(modal.id, versionOf(document))
      : made;
    return written(modal, versionId);
  },
  update: async ({ stanza }, document, { found }, { about, content }) => {
    const appended = content && (await stanza.modals.versions.append(found.id, versionOf(document)));
    if (about) await stanza.modals.update(found.id, aboutOf(document));
    return {
      id: found.id,
      versionId: appended ? appended.id : found.version_id,
      liveVersionId: found.live_version_id,
    };
  },
  activate: async ({ stanza }, { id, versionId }) => {
    await stanza.modals.versions.activate(id, versionId);
  },
  remove: async ({ stanza }, id) => {
    await stanza.modals.delete(id);
  },
});
