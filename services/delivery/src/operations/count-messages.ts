import * as contracts from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { countByStatus } from '../messages/store/message-log.ts';

/** Counts an environment's messages by status. */
export const countMessages = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(contracts.countMessages, async ({ input }) => ({
    counts: await countByStatus(new Tenant(input.organization_id, input.environment), database),
  }));
