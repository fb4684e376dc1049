import type { Stanza, Template } from '@stanza/sdk';
import { z } from 'zod';
import { blocks, data, draftOf, inputOf, templateKey, templateOf, versionOf, whole } from '../inputs.ts';
import { tool } from '../tool.ts';

/** Makes a template, which is not live. */
export const create = tool({
  name: 'create',
  title: 'Create a template',
  description:
    'Creates a template whose version 1 has the blocks, under a key that you choose. A key that is taken is refused. It is not live: nothing is sent with it until a person makes it live.',
  scopes: ['templates:create'],
  changes: true,
  input: inputOf({
    key: templateKey.describe('names the template for programs: lower-case letters, digits, hyphens'),
    name: z.string().min(1).max(100).describe('names it for people'),
    description: z.string().max(1_000).optional().describe('what it is for'),
    blocks,
    sample_data: data.optional(),
    whole,
  }),
  output: { key: 'string', version_number: 'integer', is_live: 'boolean' },
  run: async (stanza, { key, name, description, blocks: given, sample_data }) => {
    const made = await stanza.templates.create({
      key,
      name,
      blocks: given,
      ...(description !== undefined && { description }),
      ...(sample_data !== undefined && { sample_data }),
    });
    return {
      sentence: 'The template is there, with version 1. It is not live: a person decides that.',
      content: { key: made.key, version_number: 1, is_live: false },
    };
  },
});

/**
 * What a draft holds next to its blocks and is kept: of the draft that is there, else of the version that it begins
 * from.
 */
const keptOf = async (stanza: Stanza, templateId: string) => {
  const draft = await draftOf(stanza, templateId);
  if (draft !== undefined) {
    const { metadata, sample_data, base_version_id } = draft;
    return { metadata, sample_data, base_version_id };
  }
  const { current_version_id } = await stanza.templates.get(templateId);
  const base = current_version_id ?? (await versionOf(stanza, templateId)).id;
  const { sample_data } = await stanza.templates.versions.get(templateId, base);
  return { sample_data, base_version_id: base };
};

/** Settings of a template that count for its live version as soon as they are saved. */
const liveSettings = ['user_name', 'icon_emoji', 'fallback_text', 'locale', 'timezone', 'strict'] as const;

/** Settings of the draft that would change what is live, and are left to a person therefore. */
const settingsLeft = async (stanza: Stanza, template: Template): Promise<string[]> => {
  if (template.current_version_id === null) return [];
  const metadata = (await draftOf(stanza, template.id))?.metadata ?? {};
  return liveSettings.filter((name) => metadata[name] !== undefined && metadata[name] !== template[name]);
};

/** Writes the draft of a template. */
export const draft = tool({
  name: 'draft',
  title: 'Write the draft of a template',
  description:
    'Replaces the blocks of the draft of a template; they need not be valid yet. Settings and sample data of the draft stay. A draft is never sent. Name the revision that you have read, so that nothing of somebody else is overwritten.',
  scopes: ['templates:read', 'templates:update'],
  changes: true,
  input: inputOf({
    template: templateKey,
    blocks,
    sample_data: data.optional(),
    expected_revision: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe('the revision of the draft that you have read; null where there was none'),
    whole,
  }),
  output: { key: 'string', revision: 'integer', is_live: 'boolean' },
  run: async (stanza, { template: key, blocks: given, sample_data, expected_revision }) => {
    const { id } = await templateOf(stanza, key);
    const kept = await keptOf(stanza, id);
    const { revision } = await stanza.templates.draft.put(id, {
      ...kept,
      blocks: given,
      expected_revision,
      ...(sample_data !== undefined && { sample_data }),
    });
    return {
      sentence: `The draft is saved as revision ${revision}. It is not live, and no version yet.`,
      content: { key, revision, is_live: false },
    };
  },
});

/** Makes the draft a version, which is not live. */
export const save = tool({
  name: 'save',
  title: 'Save the draft as a version',
  description:
    'Makes the draft of a template its next version, which is not live: propose it. Settings that a live version has too (such as its time zone) are left as they are.',
  scopes: ['templates:read', 'templates:update'],
  changes: true,
  input: inputOf({
    template: templateKey,
    note: z.string().max(500).optional().describe('what is new, in one line'),
    expected_revision: z
      .int()
      .min(1)
      .describe('the revision of the draft that is to be saved, as "draft" and "read" answer it'),
    whole,
  }),
  output: { key: 'string', version_number: 'integer', is_live: 'boolean', settings_left: 'array' },
  run: async (stanza, { template: key, note, expected_revision }) => {
    const template = await templateOf(stanza, key);
    const { id, current_version_id } = template;
    const settings_left = await settingsLeft(stanza, template);
    const version = await stanza.templates.draft.save(id, {
      expected_revision,
      ...(current_version_id !== null && { keep_settings: true }),
      ...(note !== undefined && { note }),
    });
    const left =
      settings_left.length === 0
        ? ''
        : ` ${settings_left.length} settings of the draft are left as they are, since the live version has them too: a person changes these.`;
    return {
      sentence: `The draft is version ${version.version_number}. It is not live: propose it.${left}`,
      content: { key, version_number: version.version_number, is_live: false, settings_left },
    };
  },
});
