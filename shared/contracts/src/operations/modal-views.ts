import { z } from 'zod';
import { internalOperation } from '../operation.ts';
import { environmentSchema } from '../principal.ts';
import { mentionedPeople, wantedMentions } from '../resources/mentions.ts';
import { problem } from '../resources/message.ts';
import { modalView } from '../resources/modal.ts';
import { block, freeObject, id } from '../resources/values.ts';

const tenant = { organization_id: id, environment: environmentSchema };

/** A modal view as a template, under the names of the API. */
const viewSource = z.object({
  title: z.string(),
  submit_label: z.string().nullable(),
  close_label: z.string().nullable(),
  blocks: z.array(block),
});

/** See {@link viewSource}. */
export type ModalViewSource = z.output<typeof viewSource>;

const placeholderMapping = z.record(z.string(), z.string()).nullable();

/** Fills omitted ids of views and compiles them with sample data, as before saving them. */
export const checkViews = internalOperation({
  id: 'check-views',
  service: 'compile',
  readOnly: true,
  summary: 'Fill ids and compile modal views',
  callers: ['template'],
  input: z.object({
    views: z.array(viewSource),
    sample_data: freeObject,
    placeholder_mapping: placeholderMapping,
  }),
  reply: z.object({
    views: z
      .array(
        z.object({ blocks: z.array(block), problems: z.array(problem).describe('pointers into the view') }),
      )
      .describe('in the order of the input'),
  }),
});

/** Reads the source of the views of a modal: of its active version, unless one is named or drafts are allowed. */
export const getModalSource = internalOperation({
  id: 'get-modal-source',
  service: 'template',
  readOnly: true,
  summary: 'Read what the views of a modal are made of',
  callers: ['compile'],
  input: z.object({
    ...tenant,
    modal_id: id,
    version_id: id.optional(),
    drafts: z.boolean().describe('where none is active, the newest version is meant'),
  }),
  reply: z.object({
    modal_name: z.string(),
    version_id: id,
    version_number: z.int(),
    views: z.array(viewSource).describe('one for each step'),
    sample_data: freeObject.nullable(),
    placeholder_mapping: placeholderMapping,
  }),
  errors: ['not_found', 'version_not_found'],
});

/** Makes the view that a click opens, of the active version of a modal; the caller adds `private_metadata`. */
export const renderModal = internalOperation({
  id: 'render-modal',
  service: 'compile',
  readOnly: true,
  summary: 'Make a view of the active version of a modal',
  callers: ['delivery'],
  input: z.object({
    ...tenant,
    modal_id: id,
    version_id: id.optional().describe('the version of the step before, so that a modal ends as it began'),
    step: z.int().min(0).default(0),
    data: freeObject,
    locale: z.string().optional(),
    timezone: z.string().optional(),
    people: mentionedPeople,
  }),
  reply: z.object({
    modal_name: z.string(),
    version_id: id,
    version_number: z.int(),
    step: z.int(),
    step_count: z.int(),
    view: modalView,
    warnings: z.array(z.string()),
    mentions: wantedMentions,
  }),
  errors: [
    'not_found',
    'version_not_found',
    'compilation_failed',
    'invalid_data',
    'no_blocks_to_send',
    'validation_failed',
  ],
});
