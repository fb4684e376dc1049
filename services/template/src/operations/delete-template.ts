import {
  CodedError,
  listQueues,
  listScheduledMessages,
  listTemplateQueues,
  listTemplateSchedules,
  mayCall,
  notFound,
  deleteTemplate as operation,
  type Principal,
} from '@stanza/contracts';
import { auditDeletion, type CallContext, handle, type RpcClient } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { needsDeletable, type Reference } from '../domain/deletion.ts';
import type { TemplateRow } from '../domain/tables.ts';
import { findTemplate, lockTemplate, removeTemplate } from '../store/templates.ts';

/**
 * Deletes an archived template. Other services are asked before its row is locked: they accept no new references to an
 * archived template, so the answer stays valid as long as it stays archived.
 */
export const deleteTemplate = ({ database, outbox, rpc, clock }: Dependencies) =>
  handle(operation, async ({ input: { params }, context, tenant, principal }) => {
    const found = await findTemplate(tenant, database, params.id);
    if (!found) throw notFound('template');
    needsDeletable(found, []);
    needsDeletable(found, await referencesTo(found, rpc, { context, principal }));

    return database.transaction(async (tx) => {
      const template = await lockTemplate(tenant, tx, found.id);
      if (!template) throw notFound('template');
      needsDeletable(template, []);
      if (template.archived_at?.getTime() !== found.archived_at?.getTime()) throw archivedAnew();
      await removeTemplate(tenant, tx, template.id);
      return auditDeletion(tx, outbox, context, {
        kind: 'template',
        id: template.id,
        changes: { name: template.name, type: template.type, versions: template.last_version_number },
        at: clock.now(),
      });
    });
  });

const archivedAnew = () =>
  new CodedError('invalid_state', {
    message: 'The template was unarchived during the deletion; archive it and delete it again.',
  });

/** All references to a template from other services; a new kind of reference is added here. */
const referencesTo = async (
  template: TemplateRow,
  rpc: RpcClient,
  { context, principal }: { context: CallContext; principal: Principal },
): Promise<Reference[]> => {
  const { organization_id, environment, id: template_id } = template;
  const asked = { organization_id, environment, template_id };
  const [{ queues, batches = [] }, { schedules }] = await Promise.all([
    rpc.call(listTemplateQueues, asked, context),
    rpc.call(listTemplateSchedules, asked, context),
  ]);
  const ofQueue = (name: string) => (mayCall(principal, listQueues) ? name : undefined);
  const ofSchedule = (timing: string) => (mayCall(principal, listScheduledMessages) ? timing : undefined);
  return [
    ...queues.map(({ id, name }): Reference => ({ kind: 'queue', id, name: ofQueue(name) })),
    ...batches.map(
      ({ id, status, queue }): Reference => ({
        kind: 'batch',
        id,
        name: ofQueue(`${queue.name} (${status})`),
      }),
    ),
    ...schedules.map(
      ({ id, timing }): Reference => ({ kind: 'scheduled message', id, name: ofSchedule(timing) }),
    ),
  ];
};
