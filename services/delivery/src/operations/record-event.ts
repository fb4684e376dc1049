import { recordEvent as declaration, type InputOf, type PublicEventType } from '@stanza/contracts';
import { handle, Tenant, type Transaction } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { recordOccurrence } from '../events/store/events.ts';

type Told = Omit<InputOf<typeof declaration>, 'earlier'>;

const recordOne = (tx: Transaction, id: string, told: Told): Promise<PublicEventType[]> => {
  const { organization_id, environment, type, subject, created_at, data } = told;
  const occurrence = { id, type, subject, data, at: new Date(created_at) };
  return recordOccurrence(new Tenant(organization_id, environment), tx, occurrence);
};

/** Records an event of another service, once, behind those before it: it has the id of its row in the outbox. */
export const recordEvent = ({ database, countEvents }: Pick<Dependencies, 'database' | 'countEvents'>) =>
  handle(declaration, async ({ input: { earlier = [], ...event }, context: { operationId } }) => {
    const types = await database.transaction(async (tx) => {
      const recorded: PublicEventType[] = [];
      for (const before of earlier) recorded.push(...(await recordOne(tx, before.id, before.event)));
      recorded.push(...(await recordOne(tx, operationId, event)));
      return recorded;
    });
    countEvents(types);
    return {};
  });
