import { z } from 'zod';
import { limits } from '../limits.ts';
import { httpOperation, internalOperation } from '../operation.ts';
import { environmentSchema } from '../principal.ts';
import { interaction, interactionKinds } from '../resources/interaction.ts';
import { mentionedPeople, wantedMentions } from '../resources/mentions.ts';
import { compiledMessage } from '../resources/message.ts';
import { beginsOnce, block, freeObject, growingListOf, growingQuery, id } from '../resources/values.ts';
import { signedRequest } from '../signed-requests.ts';

/** Receives clicks and submissions from the chat platform. */
export const receiveInteraction = httpOperation({
  id: 'receive-interaction',
  service: 'delivery',
  posts: true,
  summary: 'Take what a person clicked or submitted',
  description:
    "The chat platform calls it, as the app's interactivity request URL. The body is signed with the signing secret; a signature is good for five minutes. However often an interaction is delivered, it is handled once. Modals are opened before the answer; whatever else there is to do is done afterwards, and GET /v1/interactions tells what came of it.",
  method: 'POST',
  path: '/chat/interactions',
  access: 'signed',
  deadlineMs: 2_800,
  bodyLimit: limits.interactionBody,
  body: signedRequest,
  signedForm: z.object({ payload: z.string().describe('JSON text of the interaction') }),
  reply: z.object({
    challenge: z.string().optional().describe('given back when the platform verifies the address'),
    response_action: z.enum(['update']).optional().describe('what becomes of the modal; it closes without'),
    view: freeObject.optional(),
  }),
  errors: ['invalid_signature', 'misconfigured', 'invalid_request'],
  example: {
    payload: '{"type":"block_actions","trigger_id":"1.2.3","actions":[{"action_id":"approve"}]}',
  },
  noGeneratedSuccess: 'the body is signed with a secret that only the platform and the service know',
});

/** Lists interactions and their outcomes. */
export const listInteractions = httpOperation({
  id: 'list-interactions',
  service: 'delivery',
  summary: 'List what people clicked or submitted and what came of it, newest first',
  description:
    'A page ends before `limit` where people entered more than 4 MiB, and `pagination.limit` is its length: continue with `next_cursor` until it is null.',
  method: 'GET',
  path: '/interactions',
  access: 'interactions:read',
  query: growingQuery
    .extend({
      kind: z.enum(interactionKinds).optional(),
      message_id: id.optional(),
      user_id: z.string().min(1).max(255).optional().describe('chat id of the person'),
    })
    .superRefine(beginsOnce),
  reply: growingListOf(interaction),
});

/**
 * Fills in the placeholders of an interactive message's action when it is used: with the values that the message kept
 * for it, and with the facts of the use under `interaction`.
 */
export const renderInteraction = internalOperation({
  id: 'render-interaction',
  service: 'compile',
  readOnly: true,
  summary: 'Fill in the actions of an element that was used',
  callers: ['delivery'],
  input: z.object({
    organization_id: id,
    environment: environmentSchema,
    template_id: id.describe('its locale and time zone are used while it has a live version'),
    values: freeObject.describe('what the message kept, by path as the template writes it'),
    facts: freeObject.describe('read as `interaction`'),
    json: z.unknown().optional(),
    blocks: z.array(block).optional(),
    people: mentionedPeople,
  }),
  reply: z.object({
    json: z.unknown().optional(),
    message: compiledMessage.optional(),
    warnings: z.array(z.string()),
    mentions: wantedMentions,
    locale: z.string().optional().describe('that of the template, also for a modal that the action opens'),
    timezone: z.string().optional(),
  }),
  errors: ['compilation_failed', 'invalid_data'],
});
