import { z } from 'zod';
import { draftOf, inputOf, templateKey, templateOf, versionOf, whole } from '../inputs.ts';
import { tool } from '../tool.ts';

/** Whether a value is an object of JSON. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One line a block: where it stands and what it is. */
const outlineOf = (blocks: readonly unknown[]) =>
  blocks.map((block, at) => ({ pointer: `/${at}`, type: isObject(block) ? block.type : null }));

/** Letters of the note of a version in an outline. */
const noteLetters = 60;

/** Reads a template as one document. */
export const read = tool({
  name: 'read',
  title: 'Read a template',
  description:
    'Shows a template as one document: its settings, the blocks and the sample data of its live version (else of its newest), what data it takes, and its draft where there is one.',
  scopes: ['templates:read'],
  changes: false,
  input: inputOf({
    template: templateKey,
    version: z.int().min(1).optional().describe('the number of a version, in place of the live one'),
    whole,
  }),
  output: {
    key: 'string',
    settings: 'object',
    lifecycle: 'string',
    version_number: 'integer',
    is_live: 'boolean',
    versions: 'array',
    draft: 'any',
    blocks: 'array',
    sample_data: 'any',
    inputs: 'array',
  },
  run: async (stanza, { template: key, version: number }) => {
    const template = await templateOf(stanza, key);
    const versions = [];
    for await (const one of stanza.templates.versions.list(template.id, { limit: 20 })) {
      versions.push(one);
      if (versions.length === 20) break;
    }
    const live = number === undefined ? template.current_version_id : null;
    const id = live ?? (await versionOf(stanza, template.id, number)).id;
    const version = await stanza.templates.versions.get(template.id, id);
    const { fields } = await stanza.templates.inputSchema.get(template.id, { version_id: id });
    const draft = await draftOf(stanza, template.id);
    const { name, description, fallback_text, user_name, icon_emoji, locale, timezone, strict } = template;
    const settings = { name, description, fallback_text, user_name, icon_emoji, locale, timezone, strict };
    const draftAbout =
      draft === undefined
        ? null
        : {
            revision: draft.revision,
            blocks: draft.blocks,
            settings: draft.metadata,
            sample_data: draft.sample_data,
          };
    const about = {
      key: template.key,
      settings,
      lifecycle: template.lifecycle,
      version_number: version.version_number,
      is_live: version.id === template.current_version_id,
      versions: versions.map(({ version_number, note }) => ({ version_number, note })),
      draft: draftAbout,
    };
    return {
      sentence: `Version ${version.version_number} of the template, ${about.is_live ? 'which is live' : 'which is not live'}.`,
      content: {
        ...about,
        blocks: version.blocks,
        sample_data: version.sample_data,
        inputs: fields,
      },
      outline: {
        ...about,
        versions: about.versions.map(({ note, ...one }) => ({ ...one, note: note?.slice(0, noteLetters) })),
        draft: draft === undefined ? null : { revision: draft.revision },
        blocks: outlineOf(version.blocks),
      },
    };
  },
});
