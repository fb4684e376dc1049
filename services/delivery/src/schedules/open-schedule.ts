import { CodedError, notFound, type ScheduledMessageDetails } from '@stanza/contracts';
import { InvariantError, type Queryable, type Tenant, type Transaction } from '@stanza/runtime';
import { presentDetails } from './present-scheduled-message.ts';
import type { ScheduledMessageRow } from './schedule-tables.ts';
import { isOpenSchedule } from './store/schedule-changes.ts';
import { findScheduledMessage, lockScheduledMessage } from './store/scheduled-messages.ts';
import { latestRuns, shownRuns } from './store/scheduled-runs.ts';

/** @throws CodedError `invalid_state` when a scheduled message has ended */
export const checkOpen = ({ status }: ScheduledMessageRow): void => {
  if (isOpenSchedule({ status })) return;
  throw new CodedError('invalid_state', {
    message:
      status === 'cancelled'
        ? 'It was cancelled; schedule the message again.'
        : 'Its last run has begun: last_run has the outcome, and DELETE stops one that is pending. Only for another run schedule the message again.',
  });
};

/**
 * Locks a scheduled message whose runs may still come.
 * @throws CodedError `not_found`, or `invalid_state` when it has ended
 */
export const lockOpenSchedule = async (
  tenant: Tenant,
  tx: Transaction,
  id: string,
): Promise<ScheduledMessageRow> => {
  const row = await lockScheduledMessage(tenant, tx, id);
  if (!row) throw notFound('scheduled message');
  checkOpen(row);
  return row;
};

/** A scheduled message as the API shows it after a change. */
export const detailsOf = async (
  tenant: Tenant,
  db: Queryable,
  id: string,
): Promise<ScheduledMessageDetails> => {
  const row = await findScheduledMessage(tenant, db, id);
  if (!row) throw new InvariantError('a locked scheduled message is gone');
  return presentDetails(row, await latestRuns(tenant, db, id, shownRuns));
};
