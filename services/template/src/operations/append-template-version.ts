import { authorOf, notFound, appendTemplateVersion as operation } from '@stanza/contracts';
import { audit, handle, newId } from '@stanza/runtime';
import { checkedVersion } from '../checked-blocks.ts';
import type { Dependencies } from '../dependencies.ts';
import { presentVersion } from '../domain/present-template.ts';
import { namedEntityId, needEntity } from '../references.ts';
import { appendVersionOnce } from '../store/authoring.ts';
import { findTemplate } from '../store/templates.ts';

/** Appends the next version to a template; it is not live. */
export const appendTemplateVersion = ({ database, outbox, rpc, clock, allowances }: Dependencies) =>
  handle(operation, async ({ input: { params, body }, context, principal, tenant }) => {
    const template = await findTemplate(tenant, database, params.id);
    if (!template) throw notFound('template');
    const { blocks, sample_data } = body;
    const entity_id = (await namedEntityId(tenant, database, body)) ?? null;
    const allowance = await allowances.of(tenant.organizationId);
    const content = await checkedVersion({ database, rpc }, context, tenant, {
      blocks,
      sample_data,
      template,
    });

    const made = {
      ...content,
      id: newId(),
      template_id: template.id,
      operation_id: context.operationId,
      entity_id,
      note: body.note ?? null,
      created_by: authorOf(principal.actor),
      created_at: clock.now(),
    };
    const appended = await appendVersionOnce(tenant, database, made, {
      allowance,
      check: (tx) => needEntity(tenant, tx, entity_id),
      record: (tx, { id, version_number }) =>
        audit(tx, outbox, context, {
          action: 'template.version_added',
          subject: { kind: 'template', id: template.id },
          changes: { version_id: id, version_number },
          at: made.created_at,
        }),
    });
    if (!appended) throw notFound('template');
    return presentVersion(appended.version, appended.currentVersionId);
  });
