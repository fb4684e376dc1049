import { authorOf, createPartial as operation } from '@stanza/contracts';
import { audit, handle, newId } from '@stanza/runtime';
import { checkedVersion } from '../checked-blocks.ts';
import type { Dependencies } from '../dependencies.ts';
import { beginningOf } from '../domain/new-template.ts';
import { presentPartial, presentPartialVersion } from '../domain/present-template.ts';
import { insertTemplateOnce } from '../store/authoring.ts';
import { storedTemplates } from '../store/stored.ts';

/** A partial has no messages of its own, so nothing is said of them. */
const noSettings = {
  type: 'partial',
  user_name: null,
  icon_emoji: null,
  fallback_text: null,
  locale: null,
  timezone: null,
  strict: false,
};

/** Creates a partial and its version 1, which is not live. */
export const createPartial = ({ database, outbox, rpc, clock, allowances }: Dependencies) =>
  handle(operation, async ({ input: { body }, context, principal, tenant }) => {
    const { name, key, description = null, blocks, sample_data } = body;
    const allowance = await allowances.of(tenant.organizationId);
    const draft = { blocks, sample_data, template: noSettings };
    // A key that is made from the name is one that no other partial has.
    const content = await checkedVersion({ database, rpc }, context, tenant, draft, key ?? '');

    const id = newId();
    const at = clock.now();
    const beginning = beginningOf(id, at, 'partial');
    const origin = {
      operation_id: context.operationId,
      created_by: authorOf(principal.actor),
      created_at: at,
    };
    const made = {
      key,
      template: { ...origin, ...noSettings, name, description, ...beginning.template },
      version: { ...origin, ...content, ...beginning.version, entity_id: null },
    };
    const { template, version } = await insertTemplateOnce(tenant, database, made, {
      allowance,
      check: (tx) => storedTemplates.check(tenant, tx, allowance, context.operationId),
      record: (tx) =>
        audit(tx, outbox, context, {
          action: 'partial.created',
          subject: { kind: 'partial', id },
          changes: { name, version_id: made.version.id },
          at,
        }),
    });
    const { current_version_id } = template;
    return { ...presentPartial(template), version: presentPartialVersion(version, current_version_id) };
  });
