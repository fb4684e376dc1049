import { type Block, partialsIn } from '@stanza/engine';
import type { ListedTemplate, Stanza, TemplateVersionSummary } from '@stanza/sdk';
import type { Lock } from '../files/lock-file.ts';
import { type About, aboutOf, hashOfAbout, hashOfVersion, type Version, versionOf } from './content.ts';
import type { Names } from './names.ts';
import { asSaved } from './partials.ts';
import type { LocalTemplate } from './template-files.ts';

/** A template as the API has it. */
export interface RemoteTemplate {
  readonly id: string;
  readonly key: string;
  readonly isArchived: boolean;
  readonly about: About;
  readonly aboutHash: string;
  /** The newest version. */
  readonly newest: TemplateVersionSummary;
  readonly liveVersionId: string | null;
  /** The hash of the newest version. */
  readonly versionHash: string;
  /** What the newest version holds; it is fetched where it is needed. */
  version(): Promise<Version>;
  /** What the live version holds; undefined where none is live. */
  live(): Promise<Version | undefined>;
}

/** Requests that are on the way at once. */
const inFlight = 8;

/** Does something with each item, a few at a time, in their order. */
export const forEach = async <T, R>(
  items: readonly T[],
  run: (item: T) => Promise<R>,
  most = inFlight,
): Promise<R[]> => {
  const done: R[] = [];
  for (let from = 0; from < items.length; from += most)
    done.push(...(await Promise.all(items.slice(from, from + most).map(run))));
  return done;
};

/** The newest version: as the list has it, or by a request of its own from a gateway of an earlier version. */
export const newestOf = async <V>(
  listed: V | undefined,
  versions: () => Promise<{ data: V[] }>,
): Promise<V | undefined> => listed ?? (await versions()).data[0];

/** Reads one version by the names that files use. */
export const readVersion = async (
  stanza: Stanza,
  names: Names,
  templateId: string,
  versionId: string,
): Promise<Version> => {
  const version = await stanza.templates.versions.get(templateId, versionId);
  const entity = version.entity_id === null ? undefined : names.keyOf('entity', version.entity_id);
  return versionOf(version, entity, (kind, id) => names.keyOf(kind, id));
};

/** Reads what the API has of a template. Versions never change, so that one that the base state knows is not read again. */
export const readRemote = async (
  stanza: Stanza,
  names: Names,
  lock: Lock,
  template: ListedTemplate,
): Promise<RemoteTemplate> => {
  const versions = () => stanza.templates.versions.list(template.id, { limit: 1 }).page();
  const newest = await newestOf(template.newest_version, versions);
  if (!newest) throw new Error(`the template ${template.key} has no version`);
  let read: Promise<Version> | undefined;
  const version = () => {
    read ??= readVersion(stanza, names, template.id, newest.id);
    return read;
  };
  const base = lock.get(template.key);
  const about = aboutOf(template);
  return {
    id: template.id,
    key: template.key,
    isArchived: template.lifecycle === 'archived',
    about,
    aboutHash: hashOfAbout(about),
    newest,
    liveVersionId: template.current_version_id,
    versionHash: base?.version_id === newest.id ? base.content : hashOfVersion(await version()),
    version,
    live: async () => {
      const { current_version_id: live } = template;
      if (live === newest.id) return version();
      return live === null ? undefined : readVersion(stanza, names, template.id, live);
    },
  };
};

/** A template as its live version is, where that is not the newest one. */
export const liveOf = async (remote: RemoteTemplate): Promise<RemoteTemplate> => {
  const { liveVersionId: id, newest } = remote;
  const live = id === newest.id ? undefined : await remote.live();
  if (id === null || live === undefined) return remote;
  return {
    ...remote,
    newest: { ...newest, id },
    versionHash: hashOfVersion(live),
    version: async () => live,
  };
};

/** The blocks of files as they are saved over what is there, by the names of files. */
export const blocksToSave = async (
  { version }: LocalTemplate,
  remote: RemoteTemplate | undefined,
): Promise<readonly Block[]> => {
  if (partialsIn(version.blocks).length === 0) return version.blocks;
  return asSaved(version.blocks, remote ? (await remote.version()).blocks : []);
};

/** Every template of the environment, by key. */
export const readRemotes = async (
  stanza: Stanza,
  names: Names,
  lock: Lock,
  isWanted: (key: string) => boolean = () => true,
): Promise<Map<string, RemoteTemplate>> => {
  const listed: ListedTemplate[] = [];
  for await (const template of stanza.templates.list({ sort: 'created_at' }))
    if (isWanted(template.key)) listed.push(template);
  const remotes = await forEach(listed, (template) => readRemote(stanza, names, lock, template));
  return new Map(remotes.map((remote) => [remote.key, remote]));
};
