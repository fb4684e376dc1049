import { notFound, updatePartial as operation } from '@stanza/contracts';
import { audit, checkIfMatch, handle } from '@stanza/runtime';
import type { WriteDependencies } from '../dependencies.ts';
import { auditedChanges, changesOf, isEmpty } from '../domain/changes.ts';
import { keyIsFixed } from '../domain/errors.ts';
import { presentPartial } from '../domain/present-template.ts';
import type { TemplateRow } from '../domain/tables.ts';
import { templateKeys } from '../store/keys.ts';
import { changeTemplate, lockTemplate } from '../store/templates.ts';

/** Changes the labels of a partial, which no message shows, or the key that templates will name. */
export const updatePartial = ({ database, outbox, clock }: WriteDependencies) =>
  handle(operation, ({ input: { params, body }, context, tenant }) =>
    database.transaction(async (tx) => {
      const locked = await lockTemplate(tenant, tx, params.id, 'partial');
      if (!locked) throw notFound('partial');
      const before = await templateKeys.withKey(tenant, tx, locked);
      checkIfMatch(context, operation, presentPartial(before));
      const changes = changesOf(before, body);
      if (isEmpty(changes)) return presentPartial(before);
      const { key, ...columns } = changes;
      if (key !== undefined) {
        if (before.activation_count > 0) throw keyIsFixed('partial', before.key);
        await templateKeys.change(tenant, tx, before.id, key);
      }
      const at = clock.now();
      await changeTemplate(tenant, tx, before.id, { ...columns, updated_at: at });
      await audit(tx, outbox, context, {
        action: 'partial.updated',
        subject: { kind: 'partial', id: before.id },
        changes: {
          ...auditedChanges<TemplateRow>(before, columns),
          // A field `key` is a credential to the audit log.
          ...(key !== undefined && { partial_key: { from: before.key, to: key } }),
        },
        at,
      });
      return presentPartial({ ...before, ...changes, updated_at: at });
    }),
  );
