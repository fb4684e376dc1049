import type { TemplateProposal } from '@stanza/sdk';
import { z } from 'zod';
import { counted } from '../counted.ts';
import {
  blocks,
  data,
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

/** A proposal as an agent sees it. */
const shown = (it: TemplateProposal) => ({
  proposal: it.id,
  template: it.template_key,
  version_number: it.version_number,
  live_version_number: it.live_version_number,
  status: it.status,
  is_live: it.status === 'accepted',
  note: it.note,
  reason: it.reason,
  decided_at: it.decided_at,
});

const shownOutput = {
  proposal: 'string',
  template: 'string',
  version_number: 'integer',
  status: 'string',
  is_live: 'boolean',
  reason: 'any',
} as const;

/** What each status means for an agent. */
const meanings = {
  open: 'It waits for a person.',
  accepted: 'A person has made the version live.',
  declined: 'A person has declined it; the reason is in the content.',
  withdrawn: 'It was taken back.',
  superseded: 'Another version was proposed by you, a later one was made live, or a program made it live.',
} as const;

/** Proposes to make a version live. */
export const propose = tool({
  name: 'propose',
  title: 'Propose a version',
  description:
    'Proposes to make a version of a template live: the newest one, the one with a number, or blocks that become the next version. A person accepts or declines; until then nothing is live. The same version again is the same proposal.',
  scopes: ['templates:read', 'templates:update'],
  changes: true,
  input: inputOf({
    template: templateKey,
    version: versionNumber.optional().describe('the number of a version, in place of the newest one'),
    blocks: blocks.optional().describe('in place of a version'),
    sample_data: data.optional().describe('with blocks'),
    note: z.string().max(500).optional().describe('what is new and why, for the person who decides'),
    whole,
  })
    .refine(isOneOf, onlyOne)
    .refine(({ blocks: given, sample_data }) => given !== undefined || sample_data === undefined, {
      path: ['sample_data'],
      message: 'give it with blocks; a version has its own',
    }),
  output: shownOutput,
  run: async (stanza, { template: key, version, blocks: given, sample_data, note }) => {
    const { id } = await templateOf(stanza, key);
    const what =
      given === undefined
        ? { version_id: (await versionOf(stanza, id, version)).id }
        : { blocks: given, ...(sample_data !== undefined && { sample_data }) };
    const made = await stanza.templates.proposals.propose(id, {
      ...what,
      ...(note !== undefined && { note }),
    });
    const left = given === undefined && version === undefined ? await draftOf(stanza, id) : undefined;
    const besides =
      left === undefined
        ? ''
        : ` The draft, revision ${left.revision}, is not in it: the tool "save" makes it a version.`;
    return {
      sentence: `Version ${made.version_number} is proposed. ${meanings[made.status]} The tool "proposals" tells what becomes of it.${besides}`,
      content: shown(made),
    };
  },
});

/** Proposals of one answer. */
const most = 20;

/** Tells what became of proposals. */
export const proposals = tool({
  name: 'proposals',
  title: 'What became of proposals',
  description:
    'Tells what became of proposals, newest first: whether they wait, were accepted and so are live, or were declined, with the reason. Of one template, or of all.',
  scopes: ['templates:read'],
  changes: false,
  input: inputOf({
    template: templateKey.optional().describe('the key of a template; all where it is left out'),
    status: z
      .enum(['open', 'accepted', 'declined', 'withdrawn', 'superseded'])
      .optional()
      .describe('those with this status'),
    whole,
  }),
  output: { proposals: 'array' },
  run: async (stanza, { template: key, status }) => {
    const query = { limit: most, ...(status !== undefined && { status }) };
    const list =
      key === undefined
        ? stanza.proposals.list(query)
        : stanza.templates.proposals.list((await templateOf(stanza, key)).id, query);
    const found: TemplateProposal[] = [];
    for await (const one of list) {
      found.push(one);
      if (found.length === most) break;
    }
    const [newest] = found;
    return {
      sentence:
        newest === undefined
          ? 'There is no such proposal.'
          : `${counted(found.length, 'proposal')}. Of the newest one: ${meanings[newest.status]}`,
      content: { proposals: found.map(shown) },
      outline: {
        proposals: found.map(({ template_key, version_number, status: is }) => ({
          template: template_key,
          version_number,
          status: is,
        })),
      },
    };
  },
});
