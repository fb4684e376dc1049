import { z } from 'zod';
import { id, key, timestamp } from './values.ts';

/**
 * States of a proposal: it waits for a decision; its version was made live; it was refused; its proposer took it back;
 * it was overtaken, by another proposal of its proposer, by a later version that was made live, or by a key that made
 * its own version live without deciding about it.
 */
export const proposalStatuses = ['open', 'accepted', 'declined', 'withdrawn', 'superseded'] as const;

/** See {@link proposalStatuses}. */
export type ProposalStatus = (typeof proposalStatuses)[number];

/** Where a proposal was made: in the console, by a program, by an agent through the protocol. */
export const proposalSources = ['web', 'api', 'mcp'] as const;

/** See {@link proposalSources}. */
export type ProposalSource = (typeof proposalSources)[number];

/** A version that someone proposes to make live. */
export const templateProposal = z
  .object({
    id,
    template_id: id,
    template_key: key,
    template_name: z.string(),
    version_id: id.describe('the version that is proposed'),
    version_number: z.int().min(1),
    live_version_id: id.nullable().describe('the version that was live when it was proposed'),
    live_version_number: z.int().nullable(),
    status: z.enum(proposalStatuses),
    note: z.string().nullable(),
    proposed_by: z.string().describe('the person behind the session or key, else the key'),
    key_id: id.nullable().describe('the key that proposed; null where a person did'),
    source: z.enum(proposalSources),
    agent: z
      .string()
      .nullable()
      .describe('what the agent calls itself; a claim, as every user agent is')
      .meta({ example: 'code-editor' }),
    created_at: timestamp,
    decided_by: z.string().nullable().describe('who accepted, declined, withdrew or superseded it'),
    decided_at: timestamp.nullable(),
    reason: z.string().nullable().describe('why it was declined'),
  })
  .meta({ id: 'TemplateProposal' });

/** See {@link templateProposal}. */
export type TemplateProposal = z.output<typeof templateProposal>;
