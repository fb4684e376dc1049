import { matchQueues as operation } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { queueKeys } from '../store/keys.ts';
import { activeQueuesOf } from '../store/queues.ts';

/** Finds the active queues of templates, and those with the same keys in the other environment. */
export const matchQueues = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { organization_id, environment, to, template_ids } }) => {
    const tenant = new Tenant(organization_id, environment);
    const queues = await activeQueuesOf(tenant, database, template_ids);
    const ids = queues.map(({ id }) => id);
    const found = new Map((await queueKeys.matches(tenant, database, to, ids)).map((it) => [it.id, it]));
    return {
      queues: queues.flatMap((queue) => {
        const named = found.get(queue.id);
        return named ? [{ ...queue, key: named.key, match: named.match }] : [];
      }),
    };
  });
