import { z } from 'zod';
import { chargeErrors, liveVersionErrors } from '../error-lists.ts';
import { httpOperation } from '../operation.ts';
import { locale, timezone } from '../resources/locale.ts';
import { compiledMessage, problem, truncation } from '../resources/message.ts';
import {
  isOneTemplate,
  isOneTemplateAtMost,
  oneTemplate,
  templateReference,
} from '../resources/template-reference.ts';
import { block, blocks, credits, freeObject, id } from '../resources/values.ts';

/** How a template is to be compiled, where its own defaults are not meant. */
export const renderOptions = {
  strict: z
    .boolean()
    .optional()
    .describe("a missing value is an error instead of a warning; default: the template's, else false"),
  locale: locale
    .optional()
    .describe("BCP 47, for texts in languages, numbers and dates; default: the template's, else en-US"),
  timezone: timezone.optional().describe("IANA name; default: the template's, else UTC"),
};

/** A template and how it is to be compiled; shared by compile and send. */
export const compileOptions = {
  ...templateReference,
  data: freeObject.default({}).describe('values that the template reads'),
  ...renderOptions,
};

const templateName = z.object({ id, name: z.string() });

/** Dry run of blocks. */
export const validateTemplate = httpOperation({
  id: 'validate-template',
  service: 'compile',
  readOnly: true,
  summary: 'Check blocks without saving anything',
  description: 'Answers 200 for any well-formed input, with every problem at once. Spends no credits.',
  method: 'POST',
  path: '/templates/validate',
  access: 'messages:preview',
  authoring: true,
  body: z.strictObject({
    blocks,
    sample_data: freeObject.optional(),
    locale: locale
      .optional()
      .describe('that of the template: the language that the texts of the others are compared with'),
  }),
  reply: z.object({
    valid: z.boolean(),
    blocks: z.array(block).describe('as they would be stored'),
    request_format: z
      .record(z.string(), z.null())
      .describe('every path that the blocks read; where one has a problem, those of the others'),
    output: compiledMessage.extend({ chat_truncation: truncation }).optional(),
    errors: z.array(problem).optional(),
    warnings: z.array(z.string()),
  }),
  example: {
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello {{name}}' } }],
    sample_data: { name: 'Ada' },
  },
});

/** The reference of the template language. */
export const getBlockSchema = httpOperation({
  id: 'get-block-schema',
  service: 'compile',
  summary: 'Block types, directives, operators, filters, placeholder syntax and limits',
  method: 'GET',
  path: '/templates/block-schema',
  access: 'templates:read',
  entityTag: {},
  reply: z.looseObject({
    platform: z
      .unknown()
      .describe(
        'the day on which the tables were compared with the chat platform, and what becomes of what is newer',
      ),
    block_types: z.unknown().describe('by type: keys, limits, surfaces, and the form with a `source`'),
    elements: z.unknown(),
    rich_text: z.unknown().describe('parts and inline elements'),
    table_cells: z.unknown(),
    charts: z.unknown(),
    directives: z.unknown(),
    operators: z.unknown(),
    filters: z.unknown(),
    placeholder_syntax: z.unknown(),
    positions: z.unknown(),
    limits: z.unknown(),
    interactivity: z.looseObject({ limits: z.unknown() }),
    json_schema: z
      .looseObject({ $schema: z.string() })
      .describe('JSON Schema 2020-12 of the blocks of a message; under `$defs/view_blocks` of a modal view'),
  }),
});

/** Compiles a version or blocks without charging. */
export const previewTemplate = httpOperation({
  id: 'preview-template',
  service: 'compile',
  readOnly: true,
  summary: 'See what a version, or blocks, make of data',
  description:
    'Like compile, without credits and for any version: the live one unless one is named. Without `data` it takes the sample data of the version.',
  method: 'POST',
  path: '/templates/preview',
  access: 'messages:preview',
  ownRate: 'preview',
  body: z
    .strictObject({
      ...templateReference,
      version_id: id.optional().describe('of the template; default: its live version'),
      blocks: blocks.optional(),
      data: freeObject.optional(),
      ...renderOptions,
    })
    .superRefine((body, context) => {
      const { template_id, template_key, version_id, blocks: given } = body;
      const isNamed = template_id !== undefined || template_key !== undefined;
      const refuse = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message });
      isOneTemplateAtMost(body, context);
      if (isNamed === (given !== undefined)) {
        refuse('template_id', 'give either template_id, or template_key, or blocks');
      }
      if (version_id !== undefined && !isNamed) {
        refuse('version_id', 'needs the template_id or the template_key of its template');
      }
    })
    .meta({ oneOf: [...oneTemplate.oneOf, { required: ['blocks'] }] }),
  reply: compiledMessage.extend({
    success: z.literal(true),
    template: templateName.optional().describe('unless blocks were given; so are the two after it'),
    version_id: id.optional(),
    version_number: z.int().optional(),
    warnings: z.array(z.string()),
    chat_truncation: truncation,
  }),
  errors: ['template_not_found', 'version_not_found', 'compilation_failed', 'invalid_data'],
  example: {
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello {{name}}' } }],
    data: { name: 'Ada' },
  },
});

/** Compiles the live version of a template; one credit. */
export const compileTemplate = httpOperation({
  id: 'compile-template',
  service: 'compile',
  unrated: true,
  once: true,
  summary: 'Compile the live version of a template with data',
  description:
    'You post the blocks yourself. Costs one credit, charged only when the compiled blocks are answered.',
  method: 'POST',
  path: '/templates/compile',
  access: 'messages:create',
  idempotent: true,
  confirmed: true,
  body: z.strictObject(compileOptions).superRefine(isOneTemplate).meta(oneTemplate),
  reply: compiledMessage.extend({
    success: z.literal(true),
    template: templateName,
    version_id: id,
    version_number: z.int(),
    warnings: z.array(z.string()),
    chat_truncation: truncation,
    credit_log_id: id,
    remaining_credits: credits,
  }),
  errors: [...liveVersionErrors, ...chargeErrors],
  example: {
    template_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f',
    data: { service: 'api', version: '1.4.2', author: { name: 'Ada' } },
  },
});
