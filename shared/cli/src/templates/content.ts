import { type Block, isList } from '@stanza/engine';
import { withoutGeneratedIds } from '@stanza/engine/diff';
import type { Template, TemplateVersion } from '@stanza/sdk';
import { hashOf, isObject, type JsonObject } from '../files/canonical.ts';

/** What a template says of itself. What is left out has the API's usual value. */
export interface About {
  readonly name: string;
  readonly description?: string;
  readonly type?: string;
  readonly user_name?: string;
  readonly icon_emoji?: string;
  readonly fallback_text?: string;
  readonly locale?: string;
  readonly timezone?: string;
  readonly strict?: true;
}

/** What a version holds. It names entities, modals and destinations by their keys. */
export interface Version {
  /** The key of the entity that describes the data. */
  readonly entity?: string;
  readonly blocks: readonly Block[];
  /** The data to try it with. */
  readonly data: JsonObject;
}

/** The blocks of partials that stand in files, by their keys. */
export type LocalPartials = ReadonlyMap<string, readonly Block[]>;

/** A template, as files and the API both have it. */
export interface TemplateContent {
  readonly about: About;
  readonly version: Version;
  /** The partials that its blocks name without a version. */
  readonly partials?: LocalPartials;
}

/** The texts that a template may say of itself, in the order of the file. */
export const aboutTexts = [
  'name',
  'description',
  'type',
  'user_name',
  'icon_emoji',
  'fallback_text',
  'locale',
  'timezone',
] as const;

/** What the API takes where no type is given. */
const usualType = 'message';

/** The metadata of a template, without what says nothing. */
export const aboutOf = (template: Pick<Template, (typeof aboutTexts)[number] | 'strict'>): About => {
  const texts = aboutTexts.flatMap((name): [string, string][] => {
    const value = template[name];
    return value === null || value === '' || (name === 'type' && value === usualType) ? [] : [[name, value]];
  });
  return { name: template.name, ...Object.fromEntries(texts), ...(template.strict && { strict: true }) };
};

/** The metadata as the API takes it: null takes a value away. */
export const aboutBody = (about: About) => ({
  name: about.name,
  description: about.description ?? null,
  type: about.type ?? usualType,
  user_name: about.user_name ?? null,
  icon_emoji: about.icon_emoji ?? null,
  fallback_text: about.fallback_text ?? null,
  locale: about.locale ?? null,
  timezone: about.timezone ?? null,
  strict: about.strict ?? false,
});

const isBlock = (value: unknown): value is Block => isObject(value) && typeof value.type === 'string';

/**
 * The blocks in a value, without the ids that were filled in when they were saved; undefined where it is no list of blocks.
 */
export const blocksIn = (value: unknown): Block[] | undefined => {
  const plain = withoutGeneratedIds(value);
  return isList(plain) && plain.every(isBlock) ? [...plain] : undefined;
};

/** Rewrites what an element's actions name: modals and destinations. */
export type Renaming = (kind: 'modal' | 'destination', name: string) => string;

const named = {
  open_modal: ['modal_id', 'modal'],
  call_destination: ['destination_id', 'destination'],
} as const;

const renamedAction = (value: JsonObject, rename: Renaming): JsonObject => {
  const { type } = value;
  if (type !== 'open_modal' && type !== 'call_destination') return value;
  const [field, kind] = named[type];
  const name = value[field];
  return typeof name === 'string' ? { ...value, [field]: rename(kind, name) } : value;
};

const renamedIn = (value: unknown, rename: Renaming, isAction: boolean): unknown => {
  if (isList(value)) return value.map((one) => renamedIn(one, rename, isAction));
  if (!isObject(value)) return value;
  const own = isAction ? renamedAction(value, rename) : value;
  return Object.fromEntries(
    Object.entries(own).map(([key, inner]): [string, unknown] => [
      key,
      renamedIn(inner, rename, key === 'interaction'),
    ]),
  );
};

/** The same blocks with other names for what their actions open and call. */
export const renamed = (blocks: readonly Block[], rename: Renaming): Block[] =>
  blocksIn(renamedIn(blocks, rename, false)) ?? [];

/** Everything that the blocks of a version name, besides its entity. */
export const namesIn = (blocks: readonly Block[]): { kind: 'modal' | 'destination'; name: string }[] => {
  const found: { kind: 'modal' | 'destination'; name: string }[] = [];
  renamed(blocks, (kind, name) => {
    found.push({ kind, name });
    return name;
  });
  return found;
};

/** What a version of the API holds, by the names that files use. */
export const versionOf = (
  { blocks, sample_data }: Pick<TemplateVersion, 'blocks' | 'sample_data'>,
  entity: string | undefined,
  rename: Renaming,
): Version => ({
  ...(entity !== undefined && { entity }),
  blocks: renamed(blocksIn(blocks) ?? [], rename),
  data: sample_data ?? {},
});

/** Names metadata by what it says. */
export const hashOfAbout = (about: About): string => hashOf(about);

/** Names a version by what it holds. */
export const hashOfVersion = (version: Version): string => hashOf(version);
