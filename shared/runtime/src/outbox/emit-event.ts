import { type EmittedEvent, jobSubjectOf, recordEvent } from '@stanza/contracts';
import type { Transaction } from '../database/database.ts';
import { statement } from '../database/statement.ts';
import type { Outbox } from './outbox.ts';

/** Earlier events that one takes along at most. */
const maxEarlier = 50;

const findUnrecorded = statement<{ id: string; event: EmittedEvent }>(
  'outbox-unrecorded-events',
  `select id, payload as event
   from (
     select id, payload
     from outbox
     where subject = $1 and payload ->> 'subject' = $2
     order by payload ->> 'created_at' desc, id desc
     limit ${maxEarlier}) as latest
   order by payload ->> 'created_at', id`,
);

/**
 * Emits an event to subscribers, in the transaction in which it happens, which must hold a lock on its subject. It takes along
 * the earlier events of the subject whose calls have no answer yet: calls overtake each other, and events of a subject are
 * recorded in the order in which they happened.
 * @param mayHaveEarlier false where it is the first of its subject, which spares a look
 */
export const emitEvent = async (
  tx: Transaction,
  outbox: Outbox,
  event: EmittedEvent,
  mayHaveEarlier: boolean,
): Promise<void> => {
  const earlier = mayHaveEarlier
    ? await tx.query(findUnrecorded, [jobSubjectOf(recordEvent), event.subject])
    : [];
  await outbox.add(tx, recordEvent, earlier.length > 0 ? { ...event, earlier } : event);
};
