import { z } from 'zod';
import { liveVersionErrors } from '../error-lists.ts';
import { internalOperation } from '../operation.ts';
import { environmentSchema } from '../principal.ts';
import { entityField } from '../resources/entity.ts';
import { mentionedPeople, wantedMentions } from '../resources/mentions.ts';
import { compiledMessage, problem } from '../resources/message.ts';
import { leftOut } from '../resources/queue.ts';
import { block, freeObject, id, key, timestamp } from '../resources/values.ts';
import { renderOptions } from './compile.ts';

/** What a template says of how its versions are compiled. */
const said = {
  fallback_text: z.string().nullable(),
  locale: z.string().nullable(),
  timezone: z.string().nullable(),
};
const compileDefaults = { ...said, strict: z.boolean() };

const tenant = { organization_id: id, environment: environmentSchema };

/** Which version of each template is live now. Never answered from a cache. */
export const resolveLiveVersions = internalOperation({
  id: 'resolve-live-versions',
  service: 'template',
  readOnly: true,
  summary: 'Resolve the live versions of templates',
  callers: ['compile', 'queue-ingest', 'delivery'],
  input: z.object({
    templates: z.array(
      z.object({
        ...tenant,
        template_id: id,
        live_at: timestamp.optional().describe('the version that was live at this moment; default now'),
        // Ignored by processes of the previous version, which answer with the live one.
        version_id: id.optional().describe('this version in place of the live one'),
      }),
    ),
  }),
  reply: z.object({
    versions: z.array(
      z.union([
        z.object({
          found: z.literal(true),
          template_name: z.string(),
          version_id: id,
          version_number: z.int(),
          user_name: z.string().nullable(),
          icon_emoji: z.string().nullable(),
          ...compileDefaults,
        }),
        z.object({
          found: z.literal(false),
          code: z.enum(['template_not_found', 'version_not_found', 'invalid_state']),
        }),
      ]),
    ),
  }),
});

/** The kinds of resources of the template service that have keys. */
export const keyedKinds = ['template', 'entity', 'modal'] as const;

/** Which template, entity or modal a key names. */
export const resolveKey = internalOperation({
  id: 'resolve-key',
  service: 'template',
  readOnly: true,
  summary: 'Find what a key names',
  callers: ['compile', 'queue-ingest', 'delivery'],
  input: z.object({ ...tenant, kind: z.enum(keyedKinds), key }),
  reply: z.object({ id: id.nullable().describe('null when the key names nothing') }),
});

/** The content of a version, which never changes. */
export const getVersionContent = internalOperation({
  id: 'get-version-content',
  service: 'template',
  readOnly: true,
  summary: 'Read the blocks of a version',
  callers: ['compile'],
  input: z.object({ ...tenant, version_id: id }),
  reply: z.object({ blocks: z.array(block) }),
  errors: ['version_not_found'],
});

/** The input of a preview besides the blocks; of the live version unless one is named. */
export const getPreviewSource = internalOperation({
  id: 'get-preview-source',
  service: 'template',
  readOnly: true,
  summary: 'Read the input of a preview of a version',
  callers: ['compile'],
  input: z.object({
    ...tenant,
    template_id: id,
    version_id: id.optional(),
    newest: z.boolean().optional().describe('of a template without a live version, its newest one'),
  }),
  reply: z.object({
    template_name: z.string(),
    version_id: id,
    version_number: z.int(),
    sample_data: freeObject.nullable(),
    ...compileDefaults,
    // Left out by processes of the previous version.
    user_name: z.string().nullable().optional(),
    icon_emoji: z.string().nullable().optional(),
    is_archived: z.boolean().optional(),
  }),
  errors: ['template_not_found', 'version_not_found'],
});

/** The source of the inputs of a version besides its blocks; of the live version unless one is named. */
export const getInputSource = internalOperation({
  id: 'get-input-source',
  service: 'template',
  readOnly: true,
  summary: 'Read what the inputs of a version are derived from',
  callers: ['compile'],
  input: z.object({ ...tenant, template_id: id, version_id: id.optional() }),
  reply: z.object({
    version_id: id,
    fallback_text: z.string().nullable(),
    // Left out by processes of the previous version.
    locale: z.string().nullable().optional(),
    sample_data: freeObject.nullable(),
    entity_fields: z.array(entityField).describe('of the entity of the version, each before those inside it'),
  }),
  errors: ['template_not_found', 'version_not_found'],
});

/** Fills omitted ids and compiles blocks with sample data, as before saving them. */
export const checkBlocks = internalOperation({
  id: 'check-blocks',
  service: 'compile',
  readOnly: true,
  summary: 'Fill ids, compile, and derive the request format',
  callers: ['template'],
  input: z.object({
    blocks: z.array(block),
    sample_data: freeObject,
    ...said,
  }),
  reply: z.object({
    blocks: z.array(block),
    request_format: z.record(z.string(), z.null()),
    problems: z.array(problem),
    warnings: z.array(z.string()),
  }),
});

/** Finds what the interactions of blocks name and their environment does not have. */
export const checkReferences = internalOperation({
  id: 'check-references',
  service: 'template',
  readOnly: true,
  summary: 'Find modals and destinations that blocks name and that do not exist',
  callers: ['compile'],
  input: z.object({ ...tenant, blocks: z.array(block) }),
  reply: z.object({ problems: z.array(problem) }),
});

/** A message for the platform, and how it appears there. */
const renderedMessage = compiledMessage.extend({
  user_name: z.string().nullable(),
  icon_emoji: z.string().nullable(),
  warnings: z.array(z.string()),
  fields_truncated: z.int(),
  mentions: wantedMentions,
});

/** Compiles the live version of a template without charging: the first half of a send. */
export const renderTemplate = internalOperation({
  id: 'render-template',
  service: 'compile',
  readOnly: true,
  summary: 'Compile the live version for a send',
  callers: ['delivery'],
  input: z.object({
    ...tenant,
    template_id: id,
    data: freeObject.default({}),
    ...renderOptions,
    live_at: timestamp.optional(),
    people: mentionedPeople,
    digest: z
      .boolean()
      .optional()
      .describe('unless strict, entries that the events of `data` do not fit are left out of the message'),
  }),
  reply: renderedMessage.extend({
    template_name: z.string(),
    version_id: id,
    version_number: z.int(),
    left_out: leftOut.optional().describe('of a digest that left out anything'),
  }),
  errors: [...liveVersionErrors],
});

/** Compiles a version, or blocks that are not yet one, without charging: the first half of a test send. */
export const renderTest = internalOperation({
  id: 'render-test',
  service: 'compile',
  readOnly: true,
  summary: 'Compile a version or blocks for a test send',
  callers: ['delivery'],
  input: z.object({
    ...tenant,
    template_id: id.optional().describe('of the version, or the one whose settings the blocks take'),
    version_id: id.optional(),
    blocks: z.array(block).optional().describe('in place of a version'),
    data: freeObject.optional(),
    ...renderOptions,
    people: mentionedPeople,
  }),
  reply: renderedMessage.extend({
    version: z.object({ id, number: z.int() }).nullable().describe('null for blocks'),
  }),
  errors: [...liveVersionErrors],
});
