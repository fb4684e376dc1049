import { z } from 'zod';
import { limits } from '../limits.ts';
import { httpOperation, internalOperation } from '../operation.ts';
import { environmentSchema } from '../principal.ts';
import { messageLocale, timezone } from '../resources/locale.ts';
import { destinationForm, isOneDestination, oneDestination } from '../resources/message.ts';
import { onUnknown } from '../resources/on-unknown.ts';
import {
  scheduledMessage,
  scheduledMessageDetails,
  scheduledRun,
  scheduleStatuses,
} from '../resources/scheduled-message.ts';
import { areMessageOptions, messageOptions, postOptions } from '../resources/send-options.ts';
import {
  isOneTemplate,
  isOneTemplateAtMost,
  oneTemplate,
  templateReference,
} from '../resources/template-reference.ts';
import { deleted, freeObject, id, listOf, messageTs, moment, pageQuery } from '../resources/values.ts';
import { sendFields } from './messages.ts';

const timings = ['send_at', 'cron'] as const;

const byId = z.strictObject({ id });

/** The tag is that of what people choose: runs change the rest. */
const tagged = {
  without: ['status', 'next_run_at', 'last_run', 'next_runs', 'runs', 'updated_at', 'ended_at'],
  onlyForChanges: true,
} as const;

const sendAt = moment.describe('RFC 3339, in the future: the message is sent once, at this time');
const cron = z
  .string()
  .min(1)
  .max(limits.cron)
  .describe(
    'minute, hour, day of the month, month, day of the week, as `0 9 * * 1-5`; each local time has one run at most',
  );
const catchUp = z.boolean().describe('after a downtime, send the missed run once; otherwise skip it');

type Timings = Partial<Record<(typeof timings)[number], unknown>>;

const isOneTiming = (given: Timings, context: Pick<z.core.$RefinementCtx, 'addIssue'>): void => {
  const named = timings.filter((timing) => given[timing] !== undefined);
  if (named.length === 1) return;
  context.addIssue({
    code: 'custom',
    path: [named[1] ?? 'send_at'],
    message: `give exactly one of ${timings.join(', ')}; ${named.length} were given`,
  });
};

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
      send_at: sendAt.optional(),
      cron: cron.optional(),
      on_unknown: onUnknown.default('hold'),
      catch_up: catchUp.default(false),
    })
    .superRefine((body, context) => {
      isOneTemplate(body, context);
      isOneDestination(body, context);
      areMessageOptions(body, context);
      isOneTiming(body, context);
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
  entityTag: tagged,
  params: byId,
  reply: scheduledMessageDetails,
  errors: ['not_found'],
});

const clearable = {
  strict: z.boolean().nullable().optional(),
  locale: messageLocale.nullable().optional(),
  timezone: timezone.nullable().optional(),
  thread_ts: messageTs.nullable().optional(),
  reply_to: messageOptions.reply_to.nullable(),
  visible_to: messageOptions.visible_to.nullable(),
  message_key: messageOptions.message_key.nullable(),
  on_existing: messageOptions.on_existing.nullable(),
  reply_broadcast: postOptions.reply_broadcast.nullable(),
  unfurl_links: postOptions.unfurl_links.nullable(),
  unfurl_media: postOptions.unfurl_media.nullable(),
};

/** Changes a scheduled message. */
export const updateScheduledMessage = httpOperation({
  id: 'update-scheduled-message',
  service: 'delivery',
  summary: 'Change a scheduled message',
  description:
    'Absent fields keep their values, null clears one. Another recipient clears thread_ts and reply_to; cron and send_at replace each other. A due run has the new content unless it is compiled already. 409 invalid_state once it has ended.',
  method: 'PATCH',
  path: '/scheduled-messages/{id}',
  access: 'messages:create',
  entityTag: tagged,
  params: byId,
  body: z
    .strictObject({
      ...templateReference,
      ...destinationForm,
      data: freeObject.optional().describe('replaces the old values'),
      ...clearable,
      send_at: sendAt.optional(),
      cron: cron.optional(),
      on_unknown: onUnknown.optional(),
      catch_up: catchUp.optional(),
    })
    .superRefine((body, context) => {
      isOneTemplateAtMost(body, context);
      const { channel_id, recipient_email, recipient_chat_id } = body;
      if (channel_id ?? recipient_email ?? recipient_chat_id) isOneDestination(body, context);
      if (body.send_at !== undefined && body.cron !== undefined) isOneTiming(body, context);
    }),
  reply: scheduledMessageDetails,
  errors: ['not_found', 'template_not_found', 'invalid_state', 'tier_limit'],
  example: { cron: '0 9 * * 1-5' },
});

/** Pauses a scheduled message. */
export const pauseScheduledMessage = httpOperation({
  id: 'pause-scheduled-message',
  service: 'delivery',
  summary: 'Pause a scheduled message',
  description:
    'No run begins until it is resumed; a run that was due before is sent. Again, it changes nothing. 409 invalid_state once it has ended.',
  method: 'POST',
  path: '/scheduled-messages/{id}/pause',
  access: 'messages:create',
  params: byId,
  reply: scheduledMessageDetails,
  errors: ['not_found', 'invalid_state'],
});

/** Resumes a scheduled message. */
export const resumeScheduledMessage = httpOperation({
  id: 'resume-scheduled-message',
  service: 'delivery',
  summary: 'Resume a scheduled message',
  description:
    'Runs missed by the pause are not sent. Again, it changes nothing. 409 invalid_state where no run is to come, as when send_at has passed.',
  method: 'POST',
  path: '/scheduled-messages/{id}/resume',
  access: 'messages:create',
  params: byId,
  reply: scheduledMessageDetails,
  errors: ['not_found', 'invalid_state'],
});

/** Sends a scheduled message now. */
export const runScheduledMessageNow = httpOperation({
  id: 'run-scheduled-message-now',
  service: 'delivery',
  summary: 'Send a scheduled message now',
  description:
    'A run besides those of the schedule, also while it is paused, of the live version; it costs one credit when it is sent. GET shows its outcome. 409 invalid_state once it has ended.',
  method: 'POST',
  path: '/scheduled-messages/{id}/run-now',
  access: 'messages:create',
  idempotent: true,
  params: byId,
  reply: scheduledRun,
  errors: ['not_found', 'invalid_state'],
});

/** Cancels a scheduled message. */
export const cancelScheduledMessage = httpOperation({
  id: 'cancel-scheduled-message',
  service: 'delivery',
  summary: 'Cancel a scheduled message',
  description:
    'No run begins any more. One that is on its way ends as `sent`, as `failed` with invalid_state, or as `unknown` where the answer of the platform was lost: then it may have been posted. Cancelling again changes nothing. GET shows its runs. What was sent cannot be cancelled: 409.',
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
