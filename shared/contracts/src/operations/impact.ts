import { z } from 'zod';
import { httpOperation, internalOperation } from '../operation.ts';
import { environmentSchema } from '../principal.ts';
import { creditOperations } from '../resources/credits.ts';
import { entityField } from '../resources/entity.ts';
import { templateImpact, templateUse } from '../resources/impact.ts';
import { blocks, freeObject, id, timestamp } from '../resources/values.ts';

const byId = z.strictObject({ id });
const ofTemplate = { organization_id: id, environment: environmentSchema, template_id: id };

/** Tells what uses a template. */
export const getTemplateUse = httpOperation({
  id: 'get-template-use',
  service: 'template',
  summary: 'See what uses a template: queues, schedules, modals, and what compiled or sent it in 30 days',
  method: 'GET',
  path: '/templates/{id}/use',
  access: 'templates:read',
  params: byId,
  reply: templateUse,
  errors: ['template_not_found'],
});

/** Reports what another version of a template would change and break. */
export const getTemplateImpact = httpOperation({
  id: 'get-template-impact',
  service: 'compile',
  readOnly: true,
  summary: 'See what making a version live, or blocks, would change and break',
  description:
    'Compares what the version reads with the live version, and compiles with it the data that is stored: sample data, data of scheduled messages, events of recent batches. The work is bounded; `not_looked_at` names what was left out. Data of sends and compiles is not stored.',
  method: 'POST',
  path: '/templates/{id}/impact',
  access: 'messages:preview',
  authoring: true,
  params: byId,
  body: z
    .strictObject({
      version_id: id.optional().describe('of the template'),
      blocks: blocks.optional().describe('in place of a version'),
    })
    .superRefine(({ version_id, blocks: given }, context) => {
      if ((version_id === undefined) !== (given === undefined)) return;
      context.addIssue({ code: 'custom', path: ['version_id'], message: 'give either version_id or blocks' });
    })
    .meta({ oneOf: [{ required: ['version_id'] }, { required: ['blocks'] }] }),
  reply: templateImpact,
  errors: ['template_not_found', 'version_not_found', 'compilation_failed'],
  deadlineMs: 10_000,
  example: { blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '*{{version}}* is live.' } }] },
});

/** The metadata of a template that affects the compiled message. */
const messageSettings = {
  fallback_text: z.string().nullable(),
  locale: z.string().nullable(),
  timezone: z.string().nullable(),
  strict: z.boolean(),
};

/** The impact of a version, or of blocks that are to become one, for the service that activates it. */
export const measureImpact = internalOperation({
  id: 'measure-impact',
  service: 'compile',
  readOnly: true,
  summary: 'See what making a version live would break',
  callers: ['template'],
  input: z.object({
    ...ofTemplate,
    version_id: id.optional(),
    blocks: blocks.optional(),
    settings: z
      .object(messageSettings)
      .optional()
      .describe('what becomes live with it; left out, the settings of the template stay'),
  }),
  reply: templateImpact,
  errors: ['template_not_found', 'version_not_found', 'compilation_failed'],
  deadlineMs: 10_000,
});

/** Stored data for a template, within the bounds of one answer. */
const storedData = z.object({
  items: z.array(
    z.object({
      id,
      name: z.string(),
      owner: z.string().nullable(),
      data: freeObject,
      strict: z.boolean().nullable().optional(),
      locale: z.string().nullable().optional(),
      timezone: z.string().nullable().optional(),
    }),
  ),
  left_out: z.int().describe('items beyond the bounds'),
});

const inputSource = z.object({
  version_id: id,
  sample_data: freeObject.nullable(),
  created_by: z.string(),
  version_number: z.int(),
  entity_fields: z.array(entityField),
});

/** Reads what the template service stores for the impact of a version. */
export const getImpactSource = internalOperation({
  id: 'get-impact-source',
  service: 'template',
  readOnly: true,
  summary: 'Read what the impact of a version is derived from',
  callers: ['compile'],
  input: z.object({ ...ofTemplate, version_id: id.optional() }),
  reply: z.object({
    ...messageSettings,
    live: inputSource.nullable(),
    candidate: inputSource.nullable().describe('null where no version was named'),
    samples: storedData,
  }),
  errors: ['template_not_found', 'version_not_found'],
});

/** The data of scheduled messages that are still to be made from a template. */
export const listScheduleData = internalOperation({
  id: 'list-schedule-data',
  service: 'delivery',
  readOnly: true,
  summary: 'Read the data of the active scheduled messages of a template',
  callers: ['compile'],
  input: z.object(ofTemplate),
  reply: storedData,
});

/** The recent batches of a template, as the data that it would be compiled with. */
export const listBatchData = internalOperation({
  id: 'list-batch-data',
  service: 'queue-ingest',
  readOnly: true,
  summary: 'Read the recent batches of a template as it would see them',
  callers: ['compile'],
  input: z.object(ofTemplate),
  reply: storedData,
});

/** Counts the charges for a template by caller. */
export const listTemplateCallers = internalOperation({
  id: 'list-template-callers',
  service: 'organization',
  readOnly: true,
  summary: 'Count what compiled or sent a template, by caller',
  callers: ['template'],
  input: z.object({ ...ofTemplate, since: timestamp }),
  reply: z.object({
    callers: z.array(
      z.object({
        actor_id: z.string(),
        name: z.string().nullable(),
        operation: z.enum(creditOperations),
        count: z.int(),
        last_at: timestamp,
      }),
    ),
  }),
});
