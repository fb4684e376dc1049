import type { InputOf, ReplyOf, reportReservations, settleReservation } from '@stanza/contracts';
import { v7 as uuidv7 } from 'uuid';

/** The outcome of one reserved message: charged under the given id, or released. */
export interface SettledItem {
  /** Number of the message within the operation, from 0. */
  item: number;
  charged: boolean;
  /** Id of the ledger row; null for a released item. */
  creditLogId: string | null;
  messageId: string | null;
}

type ReportedItem = ReplyOf<typeof reportReservations>['reports'][number]['items'][number];

type Work = InputOf<typeof settleReservation>;

/** The outcomes of one operation. */
export type Settlement = Pick<Work, 'environment' | 'operation_id' | 'items'>;

/** The outcomes in one call, by operation. */
export const settlementsOf = (work: Work): readonly Settlement[] => [work, ...(work.others ?? [])];

/** The outcomes in one settlement. */
export const itemsOf = ({ items }: Settlement): SettledItem[] =>
  items.map(({ item, charged, credit_log_id, message_id }) => ({
    item,
    charged,
    creditLogId: charged ? credit_log_id : null,
    messageId: message_id,
  }));

/**
 * The outcomes of a whole reservation from delivery's report. A message that delivery does not know was never posted
 * and is released.
 */
export const itemsOfReport = (amount: number, reported: readonly ReportedItem[]): SettledItem[] =>
  Array.from({ length: amount }, (_, item): SettledItem => {
    const known = reported.find((it) => it.item === item);
    const charged = known?.charged === true;
    return {
      item,
      charged,
      creditLogId: charged ? (known.credit_log_id ?? uuidv7()) : null,
      messageId: known?.message_id ?? null,
    };
  });
