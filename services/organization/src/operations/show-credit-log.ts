import { notFound, showCreditLog as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { boundsOfDay } from '../domain/usage-range.ts';
import { presentCreditLogEntry } from '../present-credit-log.ts';
import { showAccount } from '../store/accounts.ts';
import { pageOfCreditLog } from '../store/credit-log.ts';

/** Lists the ledger of any organization, for operators. */
export const showCreditLog = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input }) => {
    const { organization_id, limit, offset, day, key_id, ...equal } = input;
    const account = await showAccount(database, organization_id);
    if (!account) throw notFound('organization');
    const filter = {
      ...equal,
      reach: 'all' as const,
      actor_id: key_id,
      ...(day === undefined ? {} : boundsOfDay(day)),
    };
    const { items, total } = await pageOfCreditLog(database, organization_id, filter, { limit, offset });
    return { entries: items.map(presentCreditLogEntry), total };
  });
