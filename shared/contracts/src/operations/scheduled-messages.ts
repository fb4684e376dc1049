import { z } from 'zod';
import { limits } from '../limits.ts';
import { httpOperation, internalOperation } from '../operation.ts';
import { environmentSchema } from '../principal.ts';
import { timezone } from '../resources/locale.ts';
import { isOneDestination, oneDestination } from '../resources/message.ts';
import { onUnknown } from '../resources/on-unknown.ts';
import {
  scheduledMessage,
  scheduledMessageDetails,
  scheduleStatuses,
} from '../resources/scheduled-message.ts';
import { areMessageOptions } from '../resources/send-options.ts';
import { isOneTemplate, oneTemplate, templateReference } from '../resources/template-reference.ts';
import { deleted, id, listOf, moment, pageQuery } from '../resources/values.ts';
import { sendFields } from './messages.ts';

const timings = ['send_at', 'cron'] as const;

const byId = z.strictObject({ id });

/** Schedules a message. */
export const createScheduledMessage = httpOperation({
  id: 'create-scheduled-message',
  service: 'delivery',
  unrated: true,
  summary: 'Send a message at a time, or again and again',
  description:
    'Takes the fields of a send, and either send_at or a cron. Each run compiles the version that is live then, costs one credit when it is sent, and happens once. The answer shows the next runs.',
  method: 'POST',
  path: '/scheduled-messages',
  access: 'messages:create',
  status: 201,
  idempotent: true,
  body: z
    .strictObject({
      ...sendFields,
      timezone: timezone
        .optional()
        .describe(
          "IANA name, for the cron and for dates in the message; default: UTC for the cron, the template's for dates",
        ),
      send_at: moment.optional().describe('RFC 3339, in the future: the message is sent once, at this time'),
      cron: z
        .string()
        .min(1)
        .max(limits.cron)
        .optional()
        .describe(
          'minute, hour, day of the month, month, day of the week, as `0 9 * * 1-5`; each local time has one run at most',
        ),
      on_unknown: onUnknown.default('hold'),
      catch_up: z
        .boolean()
        .default(false)
        .describe('after a downtime, send the missed run once; otherwise skip it'),
    })
    .superRefine((body, context) => {
      isOneTemplate(body, context);
      isOneDestination(body, context);
      areMessageOptions(body, context);
      const given = timings.filter((timing) => body[timing] !== undefined);
      if (given.length === 1) return;
      context.addIssue({
        code: 'custom',
        path: [given[1] ?? 'send_at'],
        message: `give exactly one of ${timings.join(', ')}; ${given.length} were given`,
      });
    })
    .meta({
      allOf: [oneTemplate, oneDestination, { oneOf: timings.map((timing) => ({ required: [timing] })) }],
    }),
  reply: scheduledMessageDetails,
  errors: ['template_not_found', 'invalid_state', 'tier_limit'],
  example: {
    template_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f',
    data: { service: 'api', version: '1.4.2' },
    channel_id: 'C0DEPLOYS',
    cron: '0 9 * * 1-5',
    timezone: 'Europe/Berlin',
  },
});

/** Lists scheduled messages. */
export const listScheduledMessages = httpOperation({
  id: 'list-scheduled-messages',
  service: 'delivery',
  summary: 'List scheduled messages, newest first',
  method: 'GET',
  path: '/scheduled-messages',
  access: 'messages:create',
  query: pageQuery.extend({ status: z.enum(scheduleStatuses).optional(), ...templateReference }),
  reply: listOf(scheduledMessage),
});

/** Reads a scheduled message. */
export const getScheduledMessage = httpOperation({
  id: 'get-scheduled-message',
  service: 'delivery',
  summary: 'Read a scheduled message, its next runs and its last ones',
  method: 'GET',
  path: '/scheduled-messages/{id}',
  access: 'messages:create',
  params: byId,
  reply: scheduledMessageDetails,
  errors: ['not_found'],
});

/** Cancels a scheduled message. */
export const cancelScheduledMessage = httpOperation({
  id: 'cancel-scheduled-message',
  service: 'delivery',
  summary: 'Cancel a scheduled message',
  description:
    'No run begins any more. One that is on its way is either posted or stopped: it ends as `sent`, as `failed` with invalid_state, or as `unknown` where the answer of the platform was lost: then it may have been posted. Cancelling again changes nothing. GET shows what became of its runs. What has been sent for good cannot be cancelled: 409.',
  method: 'DELETE',
  path: '/scheduled-messages/{id}',
  access: 'messages:create',
  params: byId,
  reply: deleted,
  errors: ['not_found', 'invalid_state'],
});

/** Lists the scheduled messages still to be made from a template, which is not deleted until then. */
export const listTemplateSchedules = internalOperation({
  id: 'list-template-schedules',
  service: 'delivery',
  readOnly: true,
  summary: 'List the active scheduled messages of a template',
  callers: ['template'],
  input: z.object({ organization_id: id, environment: environmentSchema, template_id: id }),
  reply: z.object({
    schedules: z
      .array(z.object({ id, timing: z.string().describe('the cron, or the time') }))
      .describe('the first ten'),
  }),
});
