import { listTemplateQueues } from '@stanza/contracts';
import type { CallContext, RpcClient } from '@stanza/runtime';
import type { Reference } from './domain/deletion.ts';
import type { TemplateRow } from './domain/rows.ts';

/** Everything that needs a template: the one place to ask whoever comes to refer to templates. */
export const referencesTo = async (
  template: TemplateRow,
  rpc: RpcClient,
  context: CallContext,
): Promise<Reference[]> => {
  const { organization_id, environment, id: template_id } = template;
  const { queues } = await rpc.call(
    listTemplateQueues,
    { organization_id, environment, template_id },
    context,
  );
  return queues.map(({ id, name }) => ({ kind: 'queue', id, name }));
};
