import type { Database } from '../database/database.ts';
import { statement } from '../database/statement.ts';
import { newId } from '../id.ts';

/** A message that could not be handled. */
export interface DeadLetter {
  /** Id of the producer's outbox row, when the message has one. */
  messageId?: string;
  subject: string;
  payload: string;
  /** For the operator; without message content. */
  reason: string;
  deliveries: number;
}

const insertDeadLetter = statement<{ id: string }>(
  'dead-letter-insert',
  `insert into dead_letters (id, message_id, subject, payload, reason, deliveries)
   values ($1, $2, $3, $4, $5, $6)`,
);

/** Marks a message as consumed; returns a row only the first time. */
export const claimMessage = statement<{ message_id: string }>(
  'inbox-claim',
  `insert into inbox (message_id)
   values ($1)
   on conflict do nothing
   returning message_id`,
);

/** Stores a message for an operator and marks it as consumed, so that further attempts of its producer are skipped. */
export const buryMessage = (database: Database, letter: DeadLetter): Promise<void> =>
  database.transaction(async (tx) => {
    if (letter.messageId !== undefined) {
      const [first] = await tx.query(claimMessage, [letter.messageId]);
      if (!first) return;
    }
    await tx.query(insertDeadLetter, [
      newId(),
      letter.messageId,
      letter.subject,
      // Postgres takes no NUL in text.
      letter.payload.replaceAll('\0', ''),
      letter.reason,
      letter.deliveries,
    ]);
  });
