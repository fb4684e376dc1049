import type { Stanza } from '@stanza/sdk';
import { hashOf, isObject, type JsonObject } from '../files/canonical.ts';
import type { Folder } from '../files/folders.ts';
import type { Lock } from '../files/lock-file.ts';
import type { NamedKind, Names } from '../templates/names.ts';
import type { Fingerprint, Found } from './found.ts';
import type { Shape } from './shape.ts';
import type { Variables } from './variables.ts';

/** What a resource names. */
export interface Reference {
  readonly kind: NamedKind;
  readonly name: string;
}

/** What reads and writes resources works with. */
export interface Access {
  readonly stanza: Stanza;
  readonly names: Names;
  readonly lock: Lock;
  readonly locals: ReadonlyMap<string, LocalResource>;
  /** The partials that have a live version, by key; undefined where they were not read. */
  readonly livePartials?: ReadonlySet<string> | undefined;
}

/** A resource as it stands in its file. */
export interface LocalResource {
  readonly kind: Kind;
  /** Its folder and its key, which name it in a plan and in the base state. */
  readonly ref: string;
  readonly key: string;
  /** The file, in which variables stand for values. */
  readonly written: JsonObject;
  /** The same with the values of the variables. */
  readonly document: JsonObject;
  /** Variables that are not set. */
  readonly unset: readonly string[];
  /** What is wrong with the file. */
  readonly problem: string | undefined;
  readonly fingerprint: Fingerprint;
}

/** A resource as the API has it. */
export interface RemoteResource {
  readonly kind: Kind;
  readonly ref: string;
  readonly key: string;
  /** In the form of the file. */
  readonly document: JsonObject;
  readonly found: Found;
  /** The same as it is live, which is fetched where it is needed; absent where nothing is live, or has no versions. */
  readonly live?: () => Promise<JsonObject>;
}

/** A resource after a push has written it. */
export interface Written {
  readonly id: string;
  readonly versionId: string;
  readonly liveVersionId: string | null;
}

/** What differs of a resource that is there. */
export interface Differing {
  readonly about: boolean;
  readonly content: boolean;
}

/** A document with what a file lacks, and the names of that. */
export interface Kept {
  readonly document: JsonObject;
  readonly kept: readonly string[];
}

/** How a kind is compared, and written. */
export interface Kind {
  readonly folder: Folder;
  /** One of them, in a sentence. */
  readonly word: string;
  /** As what other files name one; undefined where none does. */
  readonly named: NamedKind | undefined;
  /** What a key must be allowed to read them. */
  readonly scope: string;
  /** Whether they have versions, one of which is live. */
  readonly hasVersions: boolean;
  /** What takes one out of service. */
  readonly removal: 'archive' | 'delete' | 'cancel';
  /** Where variables may stand: in the values of the document, and in those of these keys. */
  readonly secretsIn: readonly string[];
  /** What the API does not show, so that a change of it there stays unseen. */
  readonly hidden?: string;
  problemOf(document: JsonObject, written: JsonObject): string | undefined;
  /** What keeps it from being made now. */
  problemOfNew(document: JsonObject, now: Date): string | undefined;
  /** What a push leaves of it that the file lacks, unless it is told to delete that. */
  keeping(document: JsonObject, there: JsonObject): Kept;
  /** The document without what says nothing, its keys in the order of the file. */
  normal(document: JsonObject): JsonObject;
  /** The parts that are compared: what takes effect at once, and what is a version or hidden. */
  partsOf(document: JsonObject, written: JsonObject): { about: unknown; content: unknown };
  referencesOf(document: JsonObject): Reference[];
  list(access: Access): Promise<RemoteResource[]>;
  create(access: Access, local: LocalResource, idempotencyKey: string): Promise<Written>;
  update(access: Access, local: LocalResource, remote: RemoteResource, what: Differing): Promise<Written>;
  /** Makes the newest version live. */
  activate(access: Access, written: Written): Promise<void>;
  remove(access: Access, id: string): Promise<void>;
  /** Takes one back into service that is archived. */
  restore(access: Access, id: string): Promise<void>;
}

/** A description of a kind; what is left out is that of a plain one, which has no versions and hides nothing. */
interface Description<D> {
  readonly folder: Folder;
  readonly word: string;
  readonly named?: NamedKind;
  readonly scope: string;
  readonly shape: Shape<D>;
  readonly order: readonly string[];
  /** Values that say nothing, as they are what the API takes where none is given. */
  usual(document: JsonObject): JsonObject;
  readonly hasVersions?: boolean;
  readonly removal?: Kind['removal'];
  readonly secretsIn?: readonly string[];
  readonly hidden?: string;
  problemOf?(document: D, written: JsonObject): string | undefined;
  partsOf?(document: JsonObject, written: JsonObject): { about: unknown; content: unknown };
  referencesOf?(document: D): Reference[];
  problemOfNew?(document: D, now: Date): string | undefined;
  keeping?(document: D, there: D): Kept;
  list(access: Access): Promise<Listed[]>;
  create(access: Access, document: D, key: string, idempotencyKey: string): Promise<Written>;
  update(access: Access, document: D, remote: RemoteResource, what: Differing): Promise<Written>;
  activate?(access: Access, written: Written): Promise<void>;
  remove(access: Access, id: string): Promise<void>;
  restore?(access: Access, id: string): Promise<void>;
}

/** What a kind says of a resource of the API. */
export interface Listed {
  readonly key: string;
  readonly id: string;
  readonly document: JsonObject;
  readonly newest?: { readonly id: string; readonly version_number: number; readonly status: string };
  readonly liveVersionId?: string | null;
  readonly isArchived?: boolean;
  /** Reads what a version holds, in the form of the file. */
  readonly readVersion?: (id: string) => Promise<JsonObject>;
}

/** Names a resource among those of all kinds. */
export const refOf = (folder: Folder, key: string): string => `${folder}/${key}`;

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === '';

const plain = (document: JsonObject) => ({ about: document, content: null });

/** Makes a kind of its description. */
export const kindOf = <D>(description: Description<D>): Kind => {
  const { folder, word, scope, shape, order, usual, ...more } = description;
  const typed = (document: JsonObject): D => {
    if (shape.is(document)) return document;
    throw new Error(`a ${word} was not checked: ${shape.problem(document, '')}`);
  };
  const normal = (document: JsonObject): JsonObject => {
    const preset = usual(document);
    return Object.fromEntries(
      order.flatMap((name): [string, unknown][] => {
        const value = document[name];
        const says = !isNothing(value) && hashOf(value) !== hashOf(preset[name] ?? null);
        return says ? [[name, value]] : [];
      }),
    );
  };
  const partsOf = more.partsOf ?? plain;
  const fingerprint = (document: JsonObject): Fingerprint => {
    const { about, content } = partsOf(document, document);
    return { about: hashOf(about), content: hashOf(content) };
  };
  const kind: Kind = {
    folder,
    word,
    named: more.named,
    scope,
    hasVersions: more.hasVersions ?? false,
    removal: more.removal ?? 'delete',
    secretsIn: more.secretsIn ?? [],
    ...(more.hidden !== undefined && { hidden: more.hidden }),
    problemOf: (document, written) =>
      shape.problem(document, '') ?? more.problemOf?.(typed(document), written),
    problemOfNew: (document, now) => more.problemOfNew?.(typed(document), now),
    keeping: (document, there) => more.keeping?.(typed(document), typed(there)) ?? { document, kept: [] },
    normal,
    partsOf,
    referencesOf: (document) => more.referencesOf?.(typed(document)) ?? [],
    list: async (access) =>
      (await more.list(access)).map(({ key, id, document: given, newest, ...listed }) => {
        const { liveVersionId, isArchived, readVersion } = listed;
        const document = normal(given);
        const found = {
          id,
          ...fingerprint(document),
          version_id: newest?.id ?? id,
          version_number: newest?.version_number ?? 1,
          live_version_id: liveVersionId ?? null,
          is_archived: isArchived ?? false,
          is_taken_back: newest?.status === 'inactive',
        };
        const live =
          readVersion && liveVersionId
            ? async () => normal({ ...given, ...(await readVersion(liveVersionId)) })
            : undefined;
        return { kind, ref: refOf(folder, key), key, document, found, ...(live && { live }) };
      }),
    create: (access, { document, key }, idempotencyKey) =>
      more.create(access, typed(document), key, idempotencyKey),
    update: (access, { document }, remote, what) => more.update(access, typed(document), remote, what),
    activate: (access, written) => more.activate?.(access, written) ?? Promise.resolve(),
    remove: more.remove,
    restore: (access, id) => more.restore?.(access, id) ?? Promise.resolve(),
  };
  return kind;
};

/** A resource as it stands in a file. */
export const localOf = (kind: Kind, key: string, file: JsonObject, variables: Variables): LocalResource => {
  const given = Object.fromEntries(Object.entries(file).filter(([, value]) => !isNothing(value)));
  const { document: filled, unset } = variables.fill(given, kind.secretsIn);
  const written = kind.normal(file);
  const problem = kind.problemOf(filled, given);
  const document = kind.normal(filled);
  const { about, content } = kind.partsOf(document, written);
  return {
    kind,
    ref: refOf(kind.folder, key),
    key,
    written,
    document,
    unset,
    problem,
    fingerprint: { about: hashOf(about), content: hashOf(content) },
  };
};

/** A resource as a push leaves it in the API: with what its file lacks there, unless that is to be deleted. */
export const keptOf = (
  local: LocalResource,
  remote: RemoteResource | undefined,
  deletes: boolean,
): { local: LocalResource; lacking: readonly string[] } => {
  if (!remote || local.problem !== undefined) return { local, lacking: [] };
  const { kind, written } = local;
  const { document: merged, kept } = kind.keeping(local.document, remote.document);
  if (deletes || kept.length === 0) return { local, lacking: kept };
  const document = kind.normal(merged);
  const { about, content } = kind.partsOf(document, written);
  return {
    local: { ...local, document, fingerprint: { about: hashOf(about), content: hashOf(content) } },
    lacking: kept,
  };
};

/** A resource as its live version is, where that is not the newest one. */
export const liveOf = async (remote: RemoteResource): Promise<RemoteResource> => {
  const { kind, found, live } = remote;
  const { live_version_id: version_id } = found;
  if (!live || version_id === null || version_id === found.version_id) return remote;
  const document = await live();
  const { about, content } = kind.partsOf(document, document);
  return {
    ...remote,
    document,
    found: { ...found, about: hashOf(about), content: hashOf(content), version_id },
  };
};

/** What was written of a kind without versions. */
export const plainly = ({ id }: { id: string }): Written => ({ id, versionId: id, liveVersionId: null });

/** An object of a document; empty where it is none. */
export const objectAt = (value: unknown): JsonObject => (isObject(value) ? value : {});
