import { cursorAfter, notFound, listCreditLog as operation, readLogPlace } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { checkOwn } from '../domain/errors.ts';
import { ledgerReach } from '../domain/readable-environment.ts';
import { boundsOfDay } from '../domain/usage-range.ts';
import { presentCreditLogEntry } from '../present-credit-log.ts';
import { showAccount } from '../store/accounts.ts';
import { pageOfCreditLog } from '../store/credit-log.ts';

/** Lists the ledger of the caller's own organization; a key of preview sees its own environment only. */
export const listCreditLog = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ tenant, principal, input: { params, query } }) => {
    const { organizationId } = tenant;
    checkOwn(tenant, params.organization_id);
    const account = await showAccount(database, organizationId);
    if (!account) throw notFound('credit account');
    const { limit, offset, cursor, day, key_id, ...equal } = query;
    const filter = {
      ...equal,
      reach: ledgerReach(principal),
      actor_id: key_id,
      ...(day === undefined ? {} : boundsOfDay(day)),
    };
    const before = cursor === undefined ? undefined : readLogPlace(cursor);
    const page = await pageOfCreditLog(database, organizationId, filter, { limit, offset, before });
    return {
      data: page.items.map(presentCreditLogEntry),
      pagination: { offset, limit, total: page.total },
      next_cursor: cursorAfter(page, offset, ({ created_at, id }) => ({ at: created_at, id })),
    };
  });
