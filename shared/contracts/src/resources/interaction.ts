import { z } from 'zod';
import { errorCodeSchema } from '../error-codes.ts';
import { freeObject, id, timestamp } from './values.ts';

/** How people act: with an element of a message, or by submitting a modal. */
export const interactionKinds = ['block_actions', 'view_submission'] as const;

/** What the actions of an element do. */
export const interactionActionTypes = ['open_modal', 'call_destination', 'update_message'] as const;

/** States of an action: it waits for its turn or for another try, and then has one of three ends. */
export const interactionActionStatuses = ['waiting', 'done', 'failed', 'unknown'] as const;

/** States of an interaction: open while an action waits, failed when one has not been done. */
export const interactionStatuses = ['open', 'done', 'failed'] as const;

/** One action of an interaction and its outcome. */
export const interactionAction = z
  .object({
    type: z.enum(interactionActionTypes),
    status: z.enum(interactionActionStatuses),
    modal_id: id.optional(),
    step: z.int().min(0).optional().describe('step of a modal that has several, from 0'),
    destination_id: id.optional(),
    delivery_id: id.optional().describe('see the deliveries of the destination for its outcome'),
    strategy: z.string().optional(),
    error: errorCodeSchema.optional(),
    error_details: z.string().optional(),
    ended_at: timestamp.optional(),
  })
  .meta({ id: 'InteractionAction' });

/** A click or a submitted form of a reader, and its outcome. */
export const interaction = z
  .object({
    id,
    kind: z.enum(interactionKinds),
    status: z.enum(interactionStatuses),
    user_id: z.string().describe('chat id of the person'),
    user_name: z.string().optional(),
    message_id: id.describe('the message that it began with'),
    template_id: id,
    channel: z.string(),
    message_ts: z.string(),
    action_id: z.string().optional().describe('the element that was used, as it stood in the message'),
    action_type: z.string().optional(),
    value: z.unknown().optional().describe('what was chosen or entered in the element'),
    opened_by: id.optional().describe('the interaction that opened the modal which was submitted'),
    form: freeObject.describe('what was entered so far, by action_id'),
    actions: z.array(interactionAction).describe('in the order in which they are run'),
    request_id: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'Interaction' });

/** See {@link interaction}. */
export type Interaction = z.output<typeof interaction>;
