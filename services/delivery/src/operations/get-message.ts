import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentMessage } from '../messages/present-message.ts';
import { findMessage } from '../messages/store/message-log.ts';

/** Reads a message and its calls to the platform. */
export const getMessage = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(contracts.getMessage, async ({ tenant, input }) => {
    const row = await findMessage(tenant, database, input.params.id);
    if (!row) {
      throw new contracts.CodedError('not_found', {
        message: 'There is no such message in this environment, or its retention has passed.',
      });
    }
    return presentMessage(row);
  });
