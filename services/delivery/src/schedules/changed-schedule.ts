import {
  createScheduledMessage,
  type InputOf,
  isReply,
  type updateScheduledMessage,
  validationFailed,
  validationIssues,
} from '@stanza/contracts';
import type { ScheduleBody } from './checked-schedule.ts';
import type { ScheduledMessageRow } from './schedule-tables.ts';
import type { ScheduleContent } from './store/schedule-changes.ts';

/** What a request changes of a scheduled message. */
export type ScheduleChange = InputOf<typeof updateScheduledMessage>['body'];

const targets = ['channel_id', 'recipient_email', 'recipient_chat_id'] as const;

/** What belongs to the conversation with a recipient, and so goes with it. */
const ofTarget = { thread_ts: undefined, reply_to: undefined };

/**
 * A scheduled message with its changes, checked like a new one.
 * @throws CodedError `validation_failed`
 */
export const changedBody = (row: ScheduledMessageRow, change: ScheduleChange): ScheduleBody => {
  const { template_key: _, ...given } = change;
  const { template_id, data, strict, locale, timezone, thread_ts, cron, catch_up, on_unknown } = row;
  const { channel_id, recipient_email, recipient_chat_id } = row;
  const target = { channel_id, recipient_email, recipient_chat_id };
  const isMoved = targets.some((form) => typeof given[form] === 'string' && given[form] !== row[form]);
  const isTimed = given.send_at !== undefined || given.cron !== undefined;
  const merged = {
    ...{ template_id, data, strict, locale, timezone, thread_ts, catch_up, on_unknown, ...row.options },
    ...(isMoved ? ofTarget : target),
    ...(!isTimed && { cron, send_at: row.send_at?.toISOString() }),
    ...given,
  };
  const chosen = Object.fromEntries(
    Object.entries(merged).filter(([, value]) => value !== null && value !== undefined),
  );
  if (typeof given.on_existing !== 'string' && chosen.message_key === undefined) delete chosen.on_existing;
  // What a change takes the thread from is no reply any more, which only a request that asks for both contradicts.
  if (typeof given.reply_broadcast !== 'boolean' && !isReply(chosen)) delete chosen.reply_broadcast;
  const parsed = createScheduledMessage.body?.safeParse(chosen);
  if (!parsed?.success) throw validationFailed(validationIssues(parsed?.error.issues ?? []));
  return parsed.data;
};

const recorded: readonly string[] = ['template_id', 'send_at', 'cron', 'timezone', 'catch_up', 'on_unknown'];

const asText = (value: unknown): string | undefined => JSON.stringify(value);

/** What a change alters, in the form of the audit log: of content and recipients only that they changed. */
export const auditedSchedule = (
  row: ScheduledMessageRow,
  content: ScheduleContent,
): Record<string, unknown> => {
  const before: Readonly<Record<string, unknown>> = { ...row };
  return Object.fromEntries(
    Object.entries(content)
      .filter(([name, to]) => asText(before[name]) !== asText(to))
      .map(([name, to]) => [name, recorded.includes(name) ? { from: before[name], to } : 'changed']),
  );
};
