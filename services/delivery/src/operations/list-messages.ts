import * as contracts from '@stanza/contracts';
import { type Call, handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentMessage } from '../messages/present-message.ts';
import { pageOfMessages } from '../messages/store/message-log.ts';
import { isSearch, searchMessages } from '../messages/store/message-search.ts';

/** The id of the template that the key names; null where it names none. */
const idOfKey = async (
  { rpc }: Pick<Dependencies, 'rpc'>,
  { tenant, context }: Pick<Call<typeof contracts.listMessages>, 'tenant' | 'context'>,
  key: string,
): Promise<string | null> => {
  const { organizationId: organization_id, environment } = tenant;
  const asked = { organization_id, environment, kind: 'template' as const, key };
  return (await rpc.call(contracts.resolveKey, asked, context)).id;
};

/** Lists messages with their outcomes, newest first. A key that names no template finds none. */
export const listMessages = (dependencies: Pick<Dependencies, 'database' | 'rpc'>) =>
  handle(contracts.listMessages, async ({ tenant, context, input: { query } }) => {
    const { offset, limit, template_key } = query;
    const { database } = dependencies;
    const keyed =
      template_key === undefined ? undefined : await idOfKey(dependencies, { tenant, context }, template_key);
    if (keyed === null) return { data: [], pagination: { offset, limit, total: 0 }, next_before: null };
    const { items, total, nextBefore } = isSearch(query)
      ? await searchMessages(tenant, database, { ...query, keyed_template_id: keyed })
      : await pageOfMessages(tenant, database, query);
    return {
      data: items.map(presentMessage),
      pagination: { offset, limit, total },
      next_before: nextBefore,
    };
  });
