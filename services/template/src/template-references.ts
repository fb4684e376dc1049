import { listTemplateQueues, listTemplateSchedules } from '@stanza/contracts';
import type { CallContext, RpcClient } from '@stanza/runtime';
import type { Reference } from './domain/deletion.ts';
import type { TemplateRow } from './domain/tables.ts';

/** All references to a template from other services; a new kind of reference is added here. */
export const referencesTo = async (
  template: TemplateRow,
  rpc: RpcClient,
  context: CallContext,
): Promise<Reference[]> => {
  const { organization_id, environment, id: template_id } = template;
  const asked = { organization_id, environment, template_id };
  const [{ queues, batches = [] }, { schedules }] = await Promise.all([
    rpc.call(listTemplateQueues, asked, context),
    rpc.call(listTemplateSchedules, asked, context),
  ]);
  return [
    ...queues.map(({ id, name }) => ({ kind: 'queue', id, name }) as const),
    ...batches.map(
      ({ id, status, queue }) => ({ kind: 'batch', id, name: `${queue.name} (${status})` }) as const,
    ),
    ...schedules.map(({ id, timing }) => ({ kind: 'scheduled message', id, name: timing }) as const),
  ];
};
