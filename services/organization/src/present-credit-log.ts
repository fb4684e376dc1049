import type { CreditLogEntry } from '@stanza/contracts';
import type { CreditLogEntry as CreditLogRow } from './store/credit-tables.ts';

/** A row of the ledger as the API shows it. */
export const presentCreditLogEntry = (row: CreditLogRow): CreditLogEntry => ({
  id: row.id,
  kind: row.kind,
  amount: row.amount,
  operation: row.operation,
  environment: row.environment,
  template_id: row.template_id,
  key_id: row.actor_id,
  message_id: row.message_id,
  reason: row.reason,
  created_at: row.created_at.toISOString(),
});
