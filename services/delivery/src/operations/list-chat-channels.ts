import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { searchListed } from '../chat/directory.ts';
import { openAccess } from '../connections/chat-access.ts';
import { findConnection } from '../connections/store/connections.ts';
import { Deadline } from '../deadline.ts';
import type { Dependencies } from '../dependencies.ts';

/** Lists channels of the connected workspace by name. */
export const listChatChannels = ({
  database,
  keyring,
  directory,
  clock,
  log,
}: Pick<Dependencies, 'database' | 'keyring' | 'directory' | 'clock' | 'log'>) =>
  handle(contracts.listChatChannels, async ({ tenant, context, input: { query } }) => {
    const access = openAccess(tenant, await findConnection(tenant, database), keyring);
    const listed = await directory.channels(access, Deadline.forCaller(clock, context.deadline), log);
    return searchListed(listed, { ...query, cursor: query.offset ?? query.cursor });
  });
