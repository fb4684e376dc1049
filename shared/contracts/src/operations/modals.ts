import { z } from 'zod';
import { limits } from '../limits.ts';
import { httpOperation } from '../operation.ts';
import { locale, timezone } from '../resources/locale.ts';
import { truncation } from '../resources/message.ts';
import { createdModal, listedModal, modal, modalVersion, modalView } from '../resources/modal.ts';
import {
  beginsOnce,
  block,
  deleted,
  description,
  freeObject,
  growingListOf,
  growingQuery,
  id,
  key,
  keyQuery,
  listOf,
  name,
  newKey,
  pageQuery,
  smallRecord,
  sorts,
} from '../resources/values.ts';

const byId = z.strictObject({ id });
const byVersion = z.strictObject({ id, version_id: id });

/** What the platform shows around a view; placeholders may stand in it. */
const label = z.string().min(1).max(limits.modalLabel).regex(/\S/, 'must hold more than white space');
const blocks = z.array(block).min(1).max(limits.modalBlocks);

const placeholderName = z
  .string()
  .max(255)
  .regex(/^[\p{L}\p{N}_$][\p{L}\p{N}_$-]*$/u, 'must be a name, like customer');
const bareKey = String.raw`[\p{L}\p{N}_$-]+`;
const quotedKey = String.raw`"[^"\\]*(?:\\[\s\S][^"\\]*)*"|'[^'\\]*(?:\\[\s\S][^'\\]*)*'`;
/** A path as placeholders outside loops read it: a key in quotes holds any characters. */
const dataPath = z
  .string()
  .max(255)
  .regex(
    new RegExp(
      String.raw`^(?:(?!-)${bareKey}|\[(?:${quotedKey})\])(?:\.${bareKey}|\[(?:\d{1,9}|${quotedKey})\])*$`,
      'u',
    ),
    'must be a path, like order.items[0].name or labels["app.kubernetes.io/name"]',
  );
const placeholderMapping = smallRecord(placeholderName, dataPath, limits.modalPlaceholders, 'placeholders');

const steps = z
  .array(
    z.strictObject({
      title: label,
      blocks,
      submit_label: label.nullable().optional().describe("default: the modal's"),
    }),
  )
  .min(1)
  .max(limits.modalSteps);

const exampleBlocks = [
  {
    type: 'input',
    label: { type: 'plain_text', text: 'Why should {{order.id}} be refunded?' },
    element: { type: 'plain_text_input', action_id: 'reason' },
  },
];

/** Creates a modal and its version 1. */
export const createModal = httpOperation({
  id: 'create-modal',
  service: 'template',
  summary: 'Create a modal and its version 1',
  description:
    'The version is a draft unless `activate` is true. Omitted block and action ids are filled, and the view is compiled with `sample_data` before anything is saved.',
  method: 'POST',
  path: '/modals',
  access: 'modals:write',
  idempotent: true,
  authoring: true,
  status: 201,
  bodyLimit: limits.modalBody,
  body: z.strictObject({
    name,
    key: newKey,
    title: label,
    blocks,
    description: description.nullable().optional(),
    submit_label: label.default('Submit'),
    close_label: label.default('Cancel'),
    sample_data: freeObject.default({}),
    activate: z.boolean().default(false),
  }),
  reply: createdModal,
  errors: ['compilation_failed', 'already_exists', 'activation_refused', 'tier_limit'],
  example: {
    name: 'Refund',
    title: 'Refund an order',
    blocks: exampleBlocks,
    sample_data: { order: { id: 'A-1' } },
    activate: true,
  },
});

/** Lists modals. */
export const listModals = httpOperation({
  id: 'list-modals',
  service: 'template',
  summary: 'List modals, newest first, without their blocks',
  method: 'GET',
  path: '/modals',
  access: 'modals:read',
  query: pageQuery.extend({
    key: keyQuery,
    q: z.string().min(1).max(limits.name).optional().describe('part of the name, in any case'),
    sort: sorts,
  }),
  reply: listOf(listedModal),
});

/** Reads one modal with its active version. */
export const getModal = httpOperation({
  id: 'get-modal',
  service: 'template',
  summary: 'Read a modal and its active version',
  method: 'GET',
  path: '/modals/{id}',
  access: 'modals:read',
  entityTag: { without: ['current_version'] },
  params: byId,
  reply: modal,
  errors: ['not_found'],
});

/** Changes what a modal says of itself, and its steps. */
export const updateModal = httpOperation({
  id: 'update-modal',
  service: 'template',
  summary: 'Change the metadata or the steps of a modal',
  description:
    'Absent fields keep their values. `steps` is replaced as a whole: with steps, the modal shows those views in order; null makes it one view again, of the blocks of its active version. The change is compiled with the sample data of the active version, else of the newest one, before it is saved.',
  method: 'PATCH',
  path: '/modals/{id}',
  access: 'modals:write',
  entityTag: { without: ['current_version'] },
  bodyLimit: limits.modalBody,
  params: byId,
  body: z.strictObject({
    name: name.optional(),
    key: key.optional().describe('until a version has been active: then 409 invalid_state'),
    description: description.nullable().optional(),
    title: label.optional(),
    submit_label: label.optional(),
    close_label: label.optional(),
    steps: steps.nullable().optional(),
  }),
  reply: modal,
  errors: [
    'not_found',
    'compilation_failed',
    'already_exists',
    'invalid_state',
    'activation_refused',
    'tier_limit',
  ],
  example: {
    title: 'Refund an order',
    steps: [
      { title: 'Refund: why', blocks: exampleBlocks, submit_label: 'Next' },
      {
        title: 'Refund: sure?',
        blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Refund {{order.id}}?' } }],
      },
    ],
  },
});

/** Deletes a modal that nothing opens. */
export const deleteModal = httpOperation({
  id: 'delete-modal',
  service: 'template',
  summary: 'Delete a modal for good',
  description:
    'With its versions. Refused while the live version of a template or partial in service opens it.',
  method: 'DELETE',
  path: '/modals/{id}',
  access: 'modals:write',
  params: byId,
  reply: deleted,
  errors: ['not_found', 'invalid_state'],
});

/** Lists the versions of a modal. */
export const listModalVersions = httpOperation({
  id: 'list-modal-versions',
  service: 'template',
  summary: 'List the versions of a modal, newest first, without their sample data',
  description: 'A page of more than 4 MiB is refused with 400 `invalid_request`: ask for fewer at once.',
  method: 'GET',
  path: '/modals/{id}/versions',
  access: 'modals:read',
  params: byId,
  query: growingQuery.superRefine(beginsOnce),
  reply: growingListOf(modalVersion),
  errors: ['not_found'],
});

/** Appends a version to a modal. */
export const appendModalVersion = httpOperation({
  id: 'append-modal-version',
  service: 'template',
  summary: 'Append a version to a modal',
  description:
    'Numbered 1, 2, 3; a draft unless `activate` is true. `placeholder_mapping` lets a placeholder read another path of the data than its name says.',
  method: 'POST',
  path: '/modals/{id}/versions',
  access: 'modals:write',
  idempotent: true,
  status: 201,
  bodyLimit: limits.modalBody,
  params: byId,
  body: z.strictObject({
    blocks,
    sample_data: freeObject.default({}),
    placeholder_mapping: placeholderMapping.nullable().optional(),
    activate: z.boolean().default(false),
  }),
  reply: modalVersion,
  errors: ['not_found', 'compilation_failed', 'activation_refused', 'tier_limit'],
  example: {
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Refund {{order_id}}?' } }],
    placeholder_mapping: { order_id: 'order.id' },
    sample_data: { order: { id: 'A-1' } },
  },
});

/** Reads one version of a modal. */
export const getModalVersion = httpOperation({
  id: 'get-modal-version',
  service: 'template',
  summary: 'Read one version of a modal',
  method: 'GET',
  path: '/modals/{id}/versions/{version_id}',
  access: 'modals:read',
  params: byVersion,
  reply: modalVersion,
  errors: ['not_found', 'version_not_found'],
});

/** Makes a version the active one. */
export const activateModalVersion = httpOperation({
  id: 'activate-modal-version',
  service: 'template',
  summary: 'Make a version of a modal the active one',
  description:
    'The version that was active before becomes inactive. Activating the active version changes nothing.',
  method: 'POST',
  path: '/modals/{id}/versions/{version_id}/activate',
  access: 'modals:write',
  idempotent: true,
  bodyLimit: limits.modalBody,
  params: byVersion,
  reply: modalVersion,
  errors: ['not_found', 'version_not_found', 'activation_refused'],
});

/** Shows the view that a version makes of data. */
export const previewModal = httpOperation({
  id: 'preview-modal',
  service: 'compile',
  readOnly: true,
  summary: 'See the view that a modal makes of data',
  description:
    'Answers the JSON that the chat platform opens, without credits. Of the active version, else the newest one, unless one is named; without `data` it takes the sample data of the version.',
  method: 'POST',
  path: '/modals/{id}/preview',
  access: 'modals:read',
  ownRate: 'preview',
  params: byId,
  body: z
    .strictObject({
      version_id: id.optional(),
      step: z
        .int()
        .min(0)
        .max(limits.modalSteps - 1)
        .default(0)
        .describe('from 0; of a modal with steps'),
      data: freeObject.optional(),
      strict: z.boolean().default(false).describe('a missing value is an error instead of a warning'),
      locale: locale.optional().describe('BCP 47; default en-US'),
      timezone: timezone.optional().describe('IANA name; default UTC'),
    })
    .default({ step: 0, strict: false }),
  reply: z.object({
    success: z.literal(true),
    modal: z.object({ id, name: z.string() }),
    version_id: id,
    version_number: z.int(),
    step: z.int(),
    step_count: z.int().describe('1 for a modal without steps'),
    view: modalView,
    warnings: z.array(z.string()),
    chat_truncation: truncation,
  }),
  errors: ['not_found', 'version_not_found', 'compilation_failed', 'invalid_data'],
  example: { data: { order: { id: 'A-2' } } },
});
