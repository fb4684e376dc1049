import { z } from 'zod';
import { errorCodeSchema } from '../error-codes.ts';
import { problem } from './message.ts';
import { activation, template, templateVersion, templateVersionSummary } from './template.ts';
import { id, key } from './values.ts';
import { blockDiff } from './version-diff.ts';

/** The blocks of examples. */
export const partialExampleBlocks = [
  { type: 'divider' },
  {
    type: 'context',
    elements: [{ type: 'mrkdwn', text: 'Sent by {{author}}, team {{team | default:"none"}}' }],
  },
];

/** Blocks that templates share, and which of their versions is live. */
export const partial = template
  .pick({
    id: true,
    organization_id: true,
    key: true,
    name: true,
    description: true,
    lifecycle: true,
    current_version_id: true,
    created_by: true,
    created_at: true,
    updated_at: true,
    archived_at: true,
  })
  .meta({ id: 'TemplatePartial' });

/** See {@link partial}. */
export type TemplatePartial = z.output<typeof partial>;

/** One immutable version of a partial. */
export const partialVersion = templateVersion
  .omit({ template_id: true, entity_id: true })
  .extend({ partial_id: id })
  .meta({ id: 'PartialVersion' });

/** See {@link partialVersion}. */
export type PartialVersion = z.output<typeof partialVersion>;

/** A version in a list: everything but its content. */
export const partialVersionSummary = templateVersionSummary
  .omit({ template_id: true, entity_id: true })
  .extend({ partial_id: id })
  .meta({ id: 'PartialVersionSummary' });

/** See {@link partialVersionSummary}. */
export type PartialVersionSummary = z.output<typeof partialVersionSummary>;

/** A partial in a list. */
export const listedPartial = partial
  .extend({
    // During an upgrade, a template service of the previous version leaves it out.
    newest_version: partialVersionSummary
      .optional()
      .describe('its newest version, which may be the live one'),
  })
  .meta({ id: 'ListedPartial' });

/** See {@link listedPartial}. */
export type ListedPartial = z.output<typeof listedPartial>;

/** A change of which version is live. */
export const partialActivation = activation
  .omit({ template_id: true })
  .extend({ partial_id: id })
  .meta({ id: 'PartialActivation' });

/** See {@link partialActivation}. */
export type PartialActivation = z.output<typeof partialActivation>;

/** The differences between two versions of a partial. */
export const partialDiff = blockDiff
  .extend({
    partial_id: id,
    version_id: id,
    version_number: z.int(),
    against: z.object({ version_id: id, version_number: z.int() }),
  })
  .meta({ id: 'PartialDiff' });

/** See {@link partialDiff}. */
export type PartialDiff = z.output<typeof partialDiff>;

const kind = z.enum(['template', 'partial']);

const holding = z.object({
  version_id: id,
  version_number: z.int(),
  partial_versions: z.array(z.int()).describe('the versions of the partial that it holds; empty for none'),
});

/** A template, or another partial, that uses a partial. */
export const partialUser = z
  .object({
    kind,
    id,
    key,
    name: z.string(),
    live: holding.nullable().describe('its live version; null for none'),
    newest: holding.describe('its newest version, which may be the live one'),
    is_behind: z
      .boolean()
      .describe(
        'whether its live version, else its newest one, holds another version than the live one; false while it is archived',
      ),
  })
  .meta({ id: 'PartialUser' });

/** See {@link partialUser}. */
export type PartialUser = z.output<typeof partialUser>;

/** What a version of a partial does to what uses it. */
export const partialImpact = z
  .object({
    partial_id: id,
    version_id: id.nullable().describe('the version that was looked at; null for blocks'),
    templates: z.array(
      z.object({
        id,
        key,
        name: z.string(),
        problems: z.array(problem).describe('why the template cannot have it; empty where it can'),
        summary: z
          .object({ same: z.int(), changed: z.int(), warning: z.int(), breaks: z.int() })
          .nullable()
          .describe('its stored data by effect, as in the impact of a version; null where it has problems'),
      }),
    ),
    not_looked_at: z.int().describe('templates beyond those that one request looks at'),
  })
  .meta({ id: 'PartialImpact' });

/** See {@link partialImpact}. */
export type PartialImpact = z.output<typeof partialImpact>;

/** Results of a roll-out for one template. */
export const rollOutOutcomes = ['created', 'activated', 'proposed', 'unchanged', 'failed'] as const;

/** What a roll-out did to what uses a partial. */
export const rollOut = z
  .object({
    partial_id: id,
    version_number: z.int().describe('the live version of the partial, which was rolled out'),
    results: z.array(
      z.object({
        kind,
        id,
        key,
        name: z.string(),
        outcome: z
          .enum(rollOutOutcomes)
          .describe(
            'created: it has a new version; activated: which is live; proposed: which the policy of the organization lets others make live; unchanged: it has such a version already; failed: it stays as it was, or its new version is not live',
          ),
        version_id: id.nullable().describe('its version with the live version of the partial'),
        version_number: z.int().nullable(),
        proposal_id: id.optional(),
        error: errorCodeSchema.optional().describe('of a failure'),
        message: z.string().optional(),
        problems: z.array(problem).optional(),
      }),
    ),
    remaining: z.int().describe('templates that one request does not reach: repeat it for these'),
  })
  .meta({ id: 'PartialRollOut' });

/** See {@link rollOut}. */
export type RollOut = z.output<typeof rollOut>;
