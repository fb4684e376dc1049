import { cursorAfter, listAuditLog as operation, readLogPlace } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { readableEnvironment } from '../domain/readable-environment.ts';
import { presentAuditRecord } from '../present-audit.ts';
import { pageOfAuditLog } from '../store/audit-log.ts';

const moment = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text);

/** Lists the audit log of the whole organization; a key of preview sees its own environment only. */
export const listAuditLog = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ tenant, principal, input: { query } }) => {
    const { limit, offset, cursor, user_id, from, to, ...equal } = query;
    const environment = readableEnvironment(principal, query.environment);
    const filter = { ...equal, environment, actor_user_id: user_id, from: moment(from), to: moment(to) };
    const before = cursor === undefined ? undefined : readLogPlace(cursor);
    const page = await pageOfAuditLog(database, tenant.organizationId, filter, { limit, offset, before });
    return {
      data: page.items.map(presentAuditRecord),
      pagination: { offset, limit, total: page.total },
      next_cursor: cursorAfter(page, offset, (line) => line),
    };
  });
