import { type Stanza, StanzaError, type TemplateDraft } from '@stanza/sdk';
import type { z } from 'zod';
import { counted } from '../counted.ts';
import {
  blocks,
  draftOf,
  inputOf,
  isOneOf,
  onlyOne,
  templateKey,
  templateOf,
  versionNumber,
  versionOf,
  whole,
} from '../inputs.ts';
import { tool } from '../tool.ts';

const either = {
  template: templateKey,
  version: versionNumber.optional().describe('the number of a version, in place of the draft'),
  blocks: blocks.optional().describe('in place of the draft'),
};

interface Given {
  version?: number | undefined;
  blocks?: z.output<typeof blocks> | undefined;
}

const idOf = async (stanza: Stanza, templateId: string, number: number): Promise<string> =>
  (await versionOf(stanza, templateId, number)).id;

/**
 * The draft of a template.
 * @throws StanzaError `not_found` where there is none
 */
const neededDraft = async (stanza: Stanza, templateId: string): Promise<TemplateDraft> => {
  const draft = await draftOf(stanza, templateId);
  if (draft !== undefined) return draft;
  const text = 'The template has no draft: write one with the tool "draft", or give a version or blocks.';
  throw new StanzaError({ code: 'not_found', text, operation: 'templates.draft.get' });
};

const comparedWith = async (stanza: Stanza, templateId: string, { version, blocks: given }: Given) => {
  if (version !== undefined) return { version_id: await idOf(stanza, templateId, version) };
  if (given !== undefined) return { blocks: given };
  await neededDraft(stanza, templateId);
  return { draft: true } as const;
};

/** Compares the draft, blocks or a version with the live version, or with any other. */
export const diff = tool({
  name: 'diff',
  title: 'Compare with a version',
  description:
    'Compares the draft of a template, blocks, or a version with its live version, or with the version `against`, block by block: added, removed, changed, moved.',
  scopes: ['templates:read'],
  changes: false,
  input: inputOf({
    ...either,
    against: versionNumber.optional().describe('the number of the previous version; left out, the live one'),
    whole,
  }).refine(isOneOf, onlyOne),
  output: {
    version_number: 'any',
    against: 'object',
    added: 'array',
    removed: 'array',
    changed: 'any',
    moved: 'any',
  },
  run: async (stanza, { template: key, version, blocks: given, against }) => {
    const { id } = await templateOf(stanza, key);
    const { added, removed, changed, moved, ...compared } = await stanza.templates.diff(id, {
      ...(await comparedWith(stanza, id, { version, blocks: given })),
      ...(against !== undefined && { against: await idOf(stanza, id, against) }),
    });
    const about = {
      version_number: compared.version_number,
      against: { version_number: compared.against.version_number },
    };
    return {
      sentence: `Compared with version ${compared.against.version_number}: ${counted(added.length, 'block')} added, ${removed.length} removed, ${changed.length} changed, ${moved.length} moved.`,
      content: { ...about, added, removed, changed, moved },
      outline: {
        ...about,
        added: added.map(({ pointer, type }) => ({ pointer, type })),
        removed: removed.map(({ pointer, type }) => ({ pointer, type })),
        changed: changed.length,
        moved: moved.length,
      },
    };
  },
});

/** What the impact is of: a version, blocks, or those of the draft; undefined where the draft holds none. */
const lookedAt = async (stanza: Stanza, templateId: string, { version, blocks: given }: Given) => {
  if (version !== undefined) return { version_id: await idOf(stanza, templateId, version) };
  const found = given ?? blocks.safeParse((await neededDraft(stanza, templateId)).blocks).data;
  return found && { blocks: found };
};

/** Says what making the draft, blocks or a version live would change and break. */
export const impact = tool({
  name: 'impact',
  title: 'What it would change and break',
  description:
    'Says what it would mean to make the draft of a template, blocks, or a version live: which values it then reads, and what becomes of the data that is stored (sample data, scheduled messages, recent batches). Names what was not looked at.',
  scopes: ['templates:read', 'messages:preview'],
  changes: false,
  input: inputOf({ ...either, whole }).refine(isOneOf, onlyOne),
  output: { inputs: 'object', summary: 'object', data: 'array', breaks: 'array', not_looked_at: 'array' },
  run: async (stanza, { template: key, version, blocks: given }) => {
    const { id } = await templateOf(stanza, key);
    const looked = await lookedAt(stanza, id, { version, blocks: given });
    if (looked === undefined) {
      return { sentence: 'The draft is no list of blocks yet; "validate" says what is wrong.', content: {} };
    }
    const { inputs, data, summary, not_looked_at } = await stanza.templates.impact.get(id, looked);
    return {
      sentence: `Of the stored data, ${summary.breaks} would break, ${summary.warning} would compile with warnings, ${summary.changed} would look different.`,
      content: { inputs, summary, data, not_looked_at },
      outline: { inputs, summary, breaks: data.filter(({ effect }) => effect === 'breaks').slice(0, 5) },
    };
  },
});
