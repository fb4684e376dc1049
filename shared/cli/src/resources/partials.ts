import { partialsIn } from '@stanza/engine';
import type { JsonObject } from '../files/canonical.ts';
import { blocksIn, namesIn, renamed } from '../templates/content.ts';
import type { Names } from '../templates/names.ts';
import { asSaved } from '../templates/partials.ts';
import { forEach, newestOf } from '../templates/remote.ts';
import { blocks, versionBody } from './blocks.ts';
import { kindOf, type Listed } from './kind.ts';
import { anyObject, record, type Shaped, text } from './shape.ts';

const shape = record({ name: text, blocks }, { description: text, data: anyObject });

type PartialFile = Shaped<typeof shape>;

const aboutOf = ({ name, description }: PartialFile) => ({ name, description: description ?? null });

const partsOf = ({ blocks: own, data, ...about }: JsonObject) => ({ about, content: { blocks: own, data } });

/** A version as the API takes it: by ids, and with the versions of other partials that are there. */
const bodyOf = (names: Names, document: PartialFile, there: JsonObject = {}) =>
  versionBody({
    ...document,
    blocks: renamed(asSaved(document.blocks, blocksIn(there.blocks) ?? []), (kind, key) =>
      names.idOf(kind, key),
    ),
  });

/** Partials have versions; the templates that hold one keep it when another becomes live. */
export const partials = kindOf<PartialFile>({
  folder: 'partials',
  word: 'partial',
  named: 'partial',
  scope: 'templates:read',
  shape,
  order: ['name', 'description', 'blocks', 'data'],
  usual: () => ({ data: {} }),
  hasVersions: true,
  removal: 'archive',
  partsOf,
  referencesOf: ({ blocks: own }) => [
    ...namesIn(own),
    ...partialsIn(own).flatMap(({ key: name, version }) =>
      version === undefined ? [{ kind: 'partial' as const, name }] : [],
    ),
  ],
  list: async ({ stanza, names }) => {
    const listed = [];
    for await (const partial of stanza.partials.list()) listed.push(partial);
    return forEach(listed, async (partial): Promise<Listed> => {
      const { id, key, current_version_id: liveVersionId, lifecycle } = partial;
      const versions = () => stanza.partials.versions.list(id, { limit: 1 }).page();
      const newest = await newestOf(partial.newest_version, versions);
      if (!newest) throw new Error(`the partial ${key} has no version`);
      const readVersion = async (versionId: string): Promise<JsonObject> => {
        const { blocks: given, sample_data } = await stanza.partials.versions.get(id, versionId);
        const own = renamed(blocksIn(given) ?? [], (kind, named) => names.keyOf(kind, named));
        return { blocks: own, data: sample_data };
      };
      const document = { ...partial, ...(await readVersion(newest.id)) };
      return { id, key, document, newest, liveVersionId, isArchived: lifecycle === 'archived', readVersion };
    });
  },
  create: async ({ stanza, names }, document, key, idempotencyKey) => {
    const body = { key, ...aboutOf(document), ...bodyOf(names, document) };
    const { id, version } = await stanza.partials.create(body, { idempotencyKey });
    return { id, versionId: version.id, liveVersionId: null };
  },
  update: async ({ stanza, names }, document, { found, document: there }, { about, content }) => {
    const { id, version_id, live_version_id: liveVersionId } = found;
    const appended = content && (await stanza.partials.versions.append(id, bodyOf(names, document, there)));
    if (about) await stanza.partials.update(id, aboutOf(document));
    return { id, versionId: appended ? appended.id : version_id, liveVersionId };
  },
  activate: async ({ stanza }, { id, versionId, liveVersionId }) => {
    await stanza.partials.versions.activate(id, versionId, { expected_current_version_id: liveVersionId });
  },
  remove: async ({ stanza }, id) => {
    await stanza.partials.archive(id);
  },
  restore: async ({ stanza }, id) => {
    await stanza.partials.unarchive(id);
  },
});
