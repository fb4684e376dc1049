import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentMessage } from '../messages/present-message.ts';
import { pageOfMessages } from '../messages/store/message-log.ts';

/** Lists messages and what came of them, newest first. */
export const listMessages = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(contracts.listMessages, async ({ tenant, input }) => {
    const { offset, limit } = input.query;
    const { items, total } = await pageOfMessages(tenant, database, input.query);
    return { data: items.map(presentMessage), pagination: { offset, limit, total } };
  });
