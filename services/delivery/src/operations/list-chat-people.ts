import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { searchListed } from '../chat/directory.ts';
import { openAccess } from '../connections/chat-access.ts';
import { findConnection } from '../connections/store/connections.ts';
import { Deadline } from '../deadline.ts';
import type { Dependencies } from '../dependencies.ts';

/** Lists people of the connected workspace by name. */
export const listChatPeople = ({
  database,
  keyring,
  directory,
  clock,
  log,
}: Pick<Dependencies, 'database' | 'keyring' | 'directory' | 'clock' | 'log'>) =>
  handle(contracts.listChatPeople, async ({ tenant, context, input: { query } }) => {
    const access = openAccess(tenant, await findConnection(tenant, database), keyring);
    const listed = await directory.people(access, Deadline.forCaller(clock, context.deadline), log);
    const place = { ...query, cursor: query.offset ?? query.cursor };
    return searchListed(listed, place, ({ name, email }) => `${name} ${email ?? ''}`);
  });
