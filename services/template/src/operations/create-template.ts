import { authorOf, createTemplate as operation } from '@stanza/contracts';
import { audit, handle, newId } from '@stanza/runtime';
import { checkedVersion } from '../checked-blocks.ts';
import type { Dependencies } from '../dependencies.ts';
import { beginningOf } from '../domain/new-template.ts';
import { presentTemplate, presentVersion } from '../domain/present-template.ts';
import { namedEntityId, needEntity } from '../references.ts';
import { insertTemplateOnce } from '../store/authoring.ts';
import { storedTemplates } from '../store/stored.ts';

/** Creates a template and its version 1, which is not live. */
export const createTemplate = ({ database, outbox, rpc, clock, allowances }: Dependencies) =>
  handle(operation, async ({ input: { body }, context, principal, tenant }) => {
    const { name, key, type, blocks, sample_data } = body;
    const entity_id = (await namedEntityId(tenant, database, body)) ?? null;
    const said = {
      name,
      type,
      description: body.description ?? null,
      user_name: body.user_name ?? null,
      icon_emoji: body.icon_emoji ?? null,
      fallback_text: body.fallback_text ?? null,
      locale: body.locale ?? null,
      timezone: body.timezone ?? null,
      strict: body.strict ?? false,
    };
    const allowance = await allowances.of(tenant.organizationId);
    const content = await checkedVersion({ database, rpc }, context, tenant, {
      blocks,
      sample_data,
      template: said,
    });

    const templateId = newId();
    const now = clock.now();
    const beginning = beginningOf(templateId, now);
    const origin = {
      operation_id: context.operationId,
      created_by: authorOf(principal.actor),
      created_at: now,
    };
    const made = {
      key,
      template: {
        ...origin,
        ...said,
        ...beginning.template,
      },
      version: {
        ...origin,
        ...content,
        ...beginning.version,
        entity_id,
      },
    };
    const { template, version } = await insertTemplateOnce(tenant, database, made, {
      allowance,
      check: async (tx) => {
        await storedTemplates.check(tenant, tx, allowance, context.operationId);
        await needEntity(tenant, tx, entity_id);
      },
      record: (tx) =>
        audit(tx, outbox, context, {
          action: 'template.created',
          subject: { kind: 'template', id: templateId },
          changes: { name, type, version_id: made.version.id },
          at: now,
        }),
    });
    return { ...presentTemplate(template), version: presentVersion(version, template.current_version_id) };
  });
