import { listMessages as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentMessage } from '../messages/present-message.ts';
import { pageOfMessages } from '../messages/store/message-log.ts';
import { isSearch, searchMessages } from '../messages/store/message-search.ts';
import { templateOfKey } from '../messages/template-of-key.ts';

/** Lists messages with their outcomes, newest first. A key that names no template finds none. */
export const listMessages = (dependencies: Pick<Dependencies, 'database' | 'reports' | 'rpc'>) =>
  handle(operation, async ({ tenant, context, input: { query: given } }) => {
    const query = { ...given, before: given.cursor ?? given.before };
    const { offset, limit, template_key } = query;
    const { database, reports } = dependencies;
    const keyed =
      template_key === undefined
        ? undefined
        : await templateOfKey(dependencies, { tenant, context }, template_key);
    if (keyed === null)
      return { data: [], pagination: { offset, limit, total: 0 }, next_cursor: null, next_before: null };
    const { items, total, nextBefore } = isSearch(query)
      ? await searchMessages(tenant, reports, { ...query, keyed_template_id: keyed })
      : await pageOfMessages(tenant, database, query);
    return {
      data: items.map(presentMessage),
      pagination: { offset, limit, total },
      next_cursor: nextBefore,
      next_before: nextBefore,
    };
  });
