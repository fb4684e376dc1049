import { z } from 'zod';
import { environmentSchema } from '../principal.ts';
import { id, key } from './values.ts';

/** Outcomes of the promotion of one resource. */
export const promotedActions = ['created', 'updated', 'unchanged'] as const;

/** What a template may name that is mapped by its key, and queues that make digests of it. */
export const mappedKinds = ['modal', 'destination', 'queue'] as const;

/** Something that has no counterpart in the other environment. */
export const unmappedReference = z
  .object({
    kind: z.enum(mappedKinds),
    id: id.describe('in the environment that is promoted from'),
    key: key
      .nullable()
      .describe('null where that environment has no such thing either')
      .meta({ example: 'survey' }),
    template_key: key,
    pointer: z
      .string()
      .nullable()
      .describe('JSON pointer into {blocks}; null for a queue, which names the template'),
    is_blocking: z.boolean().describe('false for a queue: the template is promoted without it'),
    message: z.string(),
  })
  .meta({ id: 'UnmappedReference' });

/** See {@link unmappedReference}. */
export type UnmappedReference = z.output<typeof unmappedReference>;

/** The outcome for one template. */
export const promotedTemplate = z
  .object({
    key,
    action: z.enum(promotedActions).describe('updated: another version, or other metadata'),
    template_id: id.nullable().describe('null in a dry run that would create it'),
    version_id: id.nullable().describe('the version with the content; null in a dry run that would make it'),
    version_number: z.int(),
    has_new_version: z.boolean(),
    is_activated: z.boolean().describe('whether this request made the version live'),
    activation_left: z
      .boolean()
      .describe(
        'true where `activate` leaves the version as it is: it was live here before, and another was made live since. Its own activation makes it live again',
      ),
    metadata_left: z
      .array(z.string())
      .describe('metadata that differs and stays, since it would change the messages of the live version'),
    samples: z.object({ created: z.int(), updated: z.int(), unchanged: z.int() }),
    breaks: z
      .array(z.string())
      .describe('stored data that breaks when the version is made live; a line each'),
    source: z.object({ template_id: id, version_id: id, version_number: z.int() }),
  })
  .meta({ id: 'PromotedTemplate' });

/** See {@link promotedTemplate}. */
export type PromotedTemplate = z.output<typeof promotedTemplate>;

/** The outcome for one entity. */
export const promotedEntity = z
  .object({
    key,
    action: z.enum(promotedActions),
    entity_id: id.nullable().describe('null in a dry run that would create it'),
  })
  .meta({ id: 'PromotedEntity' });

/** See {@link promotedEntity}. */
export type PromotedEntity = z.output<typeof promotedEntity>;

/** What a promotion did, or would do. */
export const promotion = z
  .object({
    from: environmentSchema,
    to: environmentSchema,
    dry_run: z.boolean(),
    changed: z.boolean().describe('false when everything was there already'),
    templates: z.array(promotedTemplate),
    entities: z.array(promotedEntity).describe('those that describe the data of the templates and samples'),
    unmapped: z.array(unmappedReference),
  })
  .meta({ id: 'Promotion' });

/** See {@link promotion}. */
export type Promotion = z.output<typeof promotion>;
