import { recordEvent as declaration } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { recordOccurrence } from '../events/store/events.ts';

/** Records an event of another service, once: it has the id of its row in the outbox. */
export const recordEvent = ({ database, countEvents }: Pick<Dependencies, 'database' | 'countEvents'>) =>
  handle(declaration, async ({ input, context: { operationId: id } }) => {
    const { organization_id, environment, type, subject, created_at, data } = input;
    const occurrence = { id, type, subject, data, at: new Date(created_at) };
    const types = await database.transaction((tx) =>
      recordOccurrence(new Tenant(organization_id, environment), tx, occurrence),
    );
    countEvents(types);
    return {};
  });
