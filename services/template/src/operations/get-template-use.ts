import {
  listTemplateCallers,
  listTemplateQueues,
  listTemplateSchedules,
  notFound,
  getTemplateUse as operation,
} from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { modalsOpenedBy } from '../store/modal-references.ts';
import { findTemplate } from '../store/templates.ts';

/** Milliseconds for which callers are looked back. */
const lookBackMs = 30 * 24 * 3_600_000;

/** Tells what uses a template: each service is asked for what it keeps. */
export const getTemplateUse = ({ database, rpc, clock }: Pick<Dependencies, 'database' | 'rpc' | 'clock'>) =>
  handle(operation, async ({ input: { params }, context, tenant }) => {
    const template = await findTemplate(tenant, database, params.id);
    if (!template) throw notFound('template');
    const { id: template_id, organization_id, environment, current_version_id } = template;
    const asked = { organization_id, environment, template_id };
    const since = new Date(clock.now().getTime() - lookBackMs).toISOString();
    const [{ queues, batches = [] }, { schedules }, { callers }, modals] = await Promise.all([
      rpc.call(listTemplateQueues, asked, context),
      rpc.call(listTemplateSchedules, asked, context),
      rpc.call(listTemplateCallers, { ...asked, since }, context),
      modalsOpenedBy(tenant, database, current_version_id),
    ]);
    const active = queues.filter(({ is_active = true }) => is_active).map(({ id, name }) => ({ id, name }));
    return { template_id, queues: active, batches, schedules, modals, callers, since };
  });
