import {
  authorOf,
  CodedError,
  type InputOf,
  notFound,
  createScheduledMessage as operation,
  resolveLiveVersions,
  validationFailed,
} from '@stanza/contracts';
import {
  audit,
  beginReferences,
  type CallContext,
  handle,
  namedTemplateId,
  newId,
  type RpcClient,
  type Tenant,
} from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentDetails } from '../schedules/present-scheduled-message.ts';
import type { ScheduledOptions } from '../schedules/schedule-tables.ts';
import { cronProblem, nextRun, type Timing } from '../schedules/schedule-timing.ts';
import {
  findScheduledMessageMadeBy,
  insertScheduledMessage,
  momentOf,
} from '../schedules/store/scheduled-messages.ts';
import { latestRuns, shownRuns } from '../schedules/store/scheduled-runs.ts';
import { storedScheduledData, storedSchedules } from '../store/stored.ts';

type Body = InputOf<typeof operation>['body'];

const refused = (field: string, message: string): CodedError =>
  validationFailed([{ code: 'custom', path: [field], message }]);

/**
 * The times of a scheduled message, and the first of them.
 * @throws CodedError when it would never be sent
 */
const timingOf = ({ send_at, cron, timezone }: Body, now: Date): { timing: Timing; next: Date } => {
  const problem = cron === undefined ? undefined : cronProblem(cron, timezone ?? 'UTC');
  if (problem !== undefined) throw refused('cron', problem);
  const timing = {
    send_at: send_at === undefined ? null : new Date(send_at),
    cron: cron ?? null,
    timezone: timezone ?? null,
  };
  const next = nextRun(timing, now);
  if (next) return { timing, next };
  throw timing.send_at
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
const checkTemplate = async (
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
const optionsIn = (body: Body): ScheduledOptions | null => {
  const { reply_to, visible_to, message_key, on_existing, reply_broadcast, unfurl_links, unfurl_media } =
    body;
  const all = { reply_to, visible_to, message_key, on_existing, reply_broadcast, unfurl_links, unfurl_media };
  return Object.values(all).some((value) => value !== undefined) ? all : null;
};

/** The stored content and recipient. */
const contentOf = (body: Body) => ({
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
});

/** Schedules a message; a repeat of the operation answers the same. */
export const createScheduledMessage = ({
  database,
  outbox,
  rpc,
  allowances,
}: Pick<Dependencies, 'database' | 'outbox' | 'rpc' | 'allowances'>) =>
  handle(operation, async ({ tenant, input: { body }, context, principal }) => {
    const before = await findScheduledMessageMadeBy(tenant, database, context.operationId);
    if (before) return presentDetails(before, await latestRuns(tenant, database, before.id, shownRuns));
    const now = await momentOf(database);
    const { timing, next } = timingOf(body, now);
    const template_id = await namedTemplateId({ rpc, context, tenant }, body);
    await checkTemplate(rpc, context, tenant, template_id);
    const allowance = await allowances.of(tenant.organizationId);
    const id = newId();
    const made = await database.transaction(async (tx) => {
      // It may have been archived and deleted since.
      await beginReferences(tx, [template_id]);
      await checkTemplate(rpc, context, tenant, template_id);
      await storedSchedules.check(tenant, tx, allowance, context.operationId);
      const row = await storedScheduledData.within(tenant, tx, allowance, () =>
        insertScheduledMessage(tenant, tx, {
          ...timing,
          ...contentOf(body),
          template_id,
          id,
          operation_id: context.operationId,
          next_run_at: next,
          created_by: authorOf(principal.actor),
          created_at: now,
        }),
      );
      if (!row) return undefined;
      const { send_at, cron, timezone, catch_up, on_unknown } = body;
      await audit(tx, outbox, context, {
        action: 'scheduled_message.created',
        subject: { kind: 'scheduled_message', id },
        changes: { template_id, send_at, cron, timezone, catch_up, on_unknown },
        at: now,
      });
      return row;
    });
    const row = made ?? (await findScheduledMessageMadeBy(tenant, database, context.operationId));
    if (!row) throw new CodedError('service_unavailable', { nothing_done: true });
    return presentDetails(row, []);
  });
