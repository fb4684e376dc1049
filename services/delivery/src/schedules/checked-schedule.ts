import {
  CodedError,
  type createScheduledMessage,
  type InputOf,
  notFound,
  resolveLiveVersions,
  validationFailed,
} from '@stanza/contracts';
import type { CallContext, RpcClient, Tenant } from '@stanza/runtime';
import type { ScheduledOptions } from './schedule-tables.ts';
import { cronProblem, nextRun, type Timing } from './schedule-timing.ts';
import type { ScheduleContent } from './store/schedule-changes.ts';

/** A scheduled message as it is asked for. */
export type ScheduleBody = InputOf<typeof createScheduledMessage>['body'];

const refused = (field: string, message: string): CodedError =>
  validationFailed([{ code: 'custom', path: [field], message }]);

/** The times of a scheduled message. */
export const timingIn = ({ send_at, cron, timezone }: ScheduleBody): Timing => ({
  send_at: send_at === undefined ? null : new Date(send_at),
  cron: cron ?? null,
  timezone: timezone ?? null,
});

/**
 * Days of the month and a week of the month at one time: where they never meet, the search for it goes through eight
 * thousand years, for a fifth of a second.
 */
const isLongSought = (cron: string): boolean => /\+.*[#L]/i.test(cron.split(' ')[4] ?? '');

/**
 * The first run after now.
 * @throws CodedError when the message would never be sent
 */
export const firstRun = (timing: Timing, now: Date): Date => {
  const { send_at, cron, timezone } = timing;
  const problem = cron === null ? undefined : cronProblem(cron, timezone ?? 'UTC');
  if (problem !== undefined) throw refused('cron', problem);
  if (cron !== null && isLongSought(cron))
    throw refused('cron', 'has + with # or L: name the week of the month, or days of it');
  const next = nextRun(timing, now);
  if (next) return next;
  throw send_at
    ? refused(
        'send_at',
        `must be in the future; it is ${now.toISOString()} now. POST /v1/templates/send sends at once`,
      )
    : refused('cron', 'fits no date that is to come');
};

/**
 * Checks the template. One without a live version is allowed: it may be activated before the first run.
 * @throws CodedError `template_not_found`, or `invalid_state` for an archived template
 */
export const checkTemplate = async (
  rpc: RpcClient,
  context: CallContext,
  { organizationId: organization_id, environment }: Tenant,
  template_id: string,
): Promise<void> => {
  const templates = [{ organization_id, environment, template_id }];
  const [version] = (await rpc.call(resolveLiveVersions, { templates }, context)).versions;
  if (!version || version.found || version.code === 'version_not_found') return;
  if (version.code === 'template_not_found') throw notFound('template');
  throw new CodedError('invalid_state', { message: 'The template is archived; unarchive it first.' });
};

/** The options that are given; null without any. */
const optionsIn = (body: ScheduleBody): ScheduledOptions | null => {
  const { reply_to, visible_to, message_key, on_existing, reply_broadcast, unfurl_links, unfurl_media } =
    body;
  const all = { reply_to, visible_to, message_key, on_existing, reply_broadcast, unfurl_links, unfurl_media };
  return Object.values(all).some((value) => value !== undefined) ? all : null;
};

/** The stored content, recipient and times. */
export const contentOf = (body: ScheduleBody, template_id: string): ScheduleContent => ({
  template_id,
  options: optionsIn(body),
  data: body.data,
  strict: body.strict ?? null,
  locale: body.locale ?? null,
  channel_id: body.channel_id ?? null,
  recipient_email: body.recipient_email ?? null,
  recipient_chat_id: body.recipient_chat_id ?? null,
  thread_ts: body.thread_ts ?? null,
  catch_up: body.catch_up,
  on_unknown: body.on_unknown,
  ...timingIn(body),
});
