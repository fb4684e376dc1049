import { authorOf, notFound, appendPartialVersion as operation } from '@stanza/contracts';
import { audit, handle, newId } from '@stanza/runtime';
import { checkedVersion } from '../checked-blocks.ts';
import type { Dependencies } from '../dependencies.ts';
import { presentPartialVersion } from '../domain/present-template.ts';
import { appendVersionOnce } from '../store/authoring.ts';
import { findKeyedPartial } from '../store/templates.ts';

/** Appends the next version to a partial; it is not live. */
export const appendPartialVersion = ({ database, outbox, rpc, clock, allowances }: Dependencies) =>
  handle(operation, async ({ input: { params, body }, context, principal, tenant }) => {
    const partial = await findKeyedPartial(tenant, database, params.id);
    if (!partial) throw notFound('partial');
    const { key, id } = partial;
    const { blocks, sample_data } = body;
    const allowance = await allowances.of(tenant.organizationId);
    const draft = { blocks, sample_data, template: partial };
    const content = await checkedVersion({ database, rpc }, context, tenant, draft, key);

    const made = {
      ...content,
      id: newId(),
      template_id: id,
      operation_id: context.operationId,
      entity_id: null,
      note: body.note ?? null,
      created_by: authorOf(principal.actor),
      created_at: clock.now(),
    };
    const appended = await appendVersionOnce(tenant, database, made, {
      allowance,
      check: async () => undefined,
      record: (tx, version) =>
        audit(tx, outbox, context, {
          action: 'partial.version_added',
          subject: { kind: 'partial', id },
          changes: { version_id: version.id, version_number: version.version_number },
          at: made.created_at,
        }),
    });
    if (!appended) throw notFound('partial');
    return presentPartialVersion(appended.version, appended.currentVersionId);
  });
