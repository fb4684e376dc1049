import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { findConnection } from '../connections/store/connections.ts';
import type { Dependencies } from '../dependencies.ts';
import { noSuchMessage } from '../messages/begin-change.ts';
import { permalinkOf } from '../messages/permalink.ts';
import { presentMessage, presentRevision } from '../messages/present-message.ts';
import { findMessage } from '../messages/store/message-log.ts';
import { changesOf } from '../messages/store/revisions.ts';

/** Reads a message, its revisions and its calls to the platform. */
export const getMessage = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(contracts.getMessage, async ({ tenant, input }) => {
    const row = await findMessage(tenant, database, input.params.id);
    if (!row) throw noSuchMessage();
    const changes = await changesOf(tenant, database, row.id);
    const connection = row.status === 'sent' ? await findConnection(tenant, database) : undefined;
    const permalink = connection && permalinkOf(row, connection);
    return {
      ...presentMessage(row),
      revisions: [row, ...changes].map(presentRevision),
      ...(permalink !== undefined && { permalink }),
    };
  });
