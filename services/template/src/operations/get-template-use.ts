import {
  listApiKeys,
  listQueues,
  listScheduledMessages,
  listTemplateCallers,
  listTemplateQueues,
  listTemplateSchedules,
  mayCall,
  notFound,
  getTemplateUse as operation,
} from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { modalsOpenedBy } from '../store/modal-references.ts';
import { findTemplate } from '../store/templates.ts';

/** Milliseconds for which callers are looked back. */
const lookBackMs = 30 * 24 * 3_600_000;

/** Tells what uses a template: each service is asked for what it keeps. What the caller may not list is named by its id. */
export const getTemplateUse = ({ database, rpc, clock }: Pick<Dependencies, 'database' | 'rpc' | 'clock'>) =>
  handle(operation, async ({ input: { params }, context, tenant, principal }) => {
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
    const toWhoLists =
      (list: Parameters<typeof mayCall>[1]) =>
      (name: string, id: string): string =>
        mayCall(principal, list) ? name : id;
    const [ofQueue, ofSchedule] = [toWhoLists(listQueues), toWhoLists(listScheduledMessages)];
    const ofKey = toWhoLists(listApiKeys);
    const active = queues.filter(({ is_active = true }) => is_active);
    return {
      template_id,
      queues: active.map(({ id, name }) => ({ id, name: ofQueue(name, id) })),
      batches: batches.map(({ id, status, queue }) => ({
        id,
        status,
        queue: { id: queue.id, name: ofQueue(queue.name, queue.id) },
      })),
      schedules: schedules.map(({ id, timing }) => ({ id, timing: ofSchedule(timing, id) })),
      modals,
      callers: callers.map((caller) => ({
        ...caller,
        name: caller.name === null ? null : ofKey(caller.name, caller.actor_id),
      })),
      since,
    };
  });
