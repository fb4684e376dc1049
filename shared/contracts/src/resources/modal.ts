import { z } from 'zod';
import { block, freeObject, id, key, timestamp } from './values.ts';

/** States of a version of a modal: never active, active, active before. */
export const modalVersionStatuses = ['draft', 'active', 'inactive'] as const;

/** One version of a modal; its content never changes, its status does. */
export const modalVersion = z
  .object({
    id,
    modal_definition_id: id,
    version_number: z.int().min(1).describe('1, 2, 3 … within the modal'),
    blocks: z.array(block),
    placeholder_mapping: z
      .record(z.string(), z.string())
      .nullable()
      .describe('name of a placeholder -> path in the data that it reads'),
    sample_data: freeObject.nullable().optional().describe('left out of lists'),
    status: z.enum(modalVersionStatuses).describe('never active, active, active before'),
    is_current: z.boolean(),
    created_by: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'ModalVersion' });

/** See {@link modalVersion}. */
export type ModalVersion = z.output<typeof modalVersion>;

const step = z.object({ title: z.string(), submit_label: z.string().nullable(), blocks: z.array(block) });

/** A modal: its metadata, its steps, and which version is active. */
const definition = z.object({
  id,
  organization_id: id,
  key: key.describe('names it for programs'),
  name: z.string(),
  description: z.string().nullable(),
  title: z.string(),
  submit_label: z.string().nullable(),
  close_label: z.string().nullable(),
  current_version_id: id.nullable().describe('the active version'),
  is_multi_step: z.boolean(),
  steps: z.array(step).nullable().describe('null: one view, made of the blocks of the active version'),
  created_by: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
});

/** A modal with its active version. */
export const modal = definition
  .extend({ current_version: modalVersion.nullable() })
  .meta({ id: 'ModalDefinition' });

/** See {@link modal}. */
export type Modal = z.output<typeof modal>;

/** A modal with the version that its creation made. */
export const createdModal = modal.extend({ version: modalVersion }).meta({ id: 'CreatedModalDefinition' });

/** See {@link createdModal}. */
export type CreatedModal = z.output<typeof createdModal>;

/** A modal in a list: without its active version, its steps without their blocks. */
export const modalSummary = definition
  .extend({ steps: z.array(step.omit({ blocks: true })).nullable() })
  .meta({ id: 'ModalDefinitionSummary' });

/** See {@link modalSummary}. */
export type ModalSummary = z.output<typeof modalSummary>;

/** A modal in a list. */
export const listedModal = modalSummary
  .extend({
    // During an upgrade, a template service of the previous version leaves it out.
    newest_version: modalVersion
      .omit({ blocks: true, placeholder_mapping: true, sample_data: true })
      .optional()
      .describe('its newest version without the content, which may be the active one'),
  })
  .meta({ id: 'ListedModalDefinition' });

/** See {@link listedModal}. */
export type ListedModal = z.output<typeof listedModal>;

const plainText = z.object({ type: z.literal('plain_text'), text: z.string() });

/** A modal view as the chat platform takes it; who opens it adds `private_metadata`. */
export const modalView = z
  .object({
    type: z.literal('modal'),
    title: plainText,
    submit: plainText.optional(),
    close: plainText.optional(),
    blocks: z.array(block),
  })
  .meta({ id: 'ModalView' });

/** See {@link modalView}. */
export type ModalView = z.output<typeof modalView>;
