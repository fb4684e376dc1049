import { listTemplateQueues as operation } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Parts } from '../parts.ts';
import { queuesOfTemplate } from '../store/queues.ts';

/** Tells which queues make their digests from a template. */
export const listTemplateQueues = ({ database }: Pick<Parts, 'database'>) =>
  handle(operation, async ({ input: { organization_id, environment, template_id } }) => {
    const queues = await queuesOfTemplate(new Tenant(organization_id, environment), database, template_id);
    return { queues: queues.map(({ id, name }) => ({ id, name })) };
  });
