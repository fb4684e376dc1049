import { notFound, updateTemplate as operation } from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import { checkedBlocks } from '../checked-blocks.ts';
import type { Dependencies } from '../dependencies.ts';
import { auditedChanges, changesOf, isEmpty } from '../domain/changes.ts';
import { presentTemplate } from '../domain/present-template.ts';
import { changeTemplate, findTemplate, lockTemplate } from '../store/templates.ts';
import { findVersion, newestVersion } from '../store/versions.ts';

/** Changes the metadata of a template. A fallback text that does not compile would break every version, so it is compiled first. */
export const updateTemplate = ({ database, outbox, rpc, clock }: Dependencies) =>
  handle(operation, async ({ input: { params, body }, context, tenant }) => {
    const template = await findTemplate(tenant, database, params.id);
    if (!template) throw notFound('template');
    const { id, current_version_id: liveId } = template;
    const wanted = changesOf(template, body);
    if (typeof wanted.fallback_text === 'string') {
      const read =
        liveId === null ? newestVersion(tenant, database, id) : findVersion(tenant, database, id, liveId);
      const version = await read;
      if (!version) throw notFound('template');
      const { blocks, sample_data } = version;
      const draft = { blocks, sample_data: sample_data ?? {}, template: { ...template, ...wanted } };
      await checkedBlocks(rpc, context, draft);
    }

    return database.transaction(async (tx) => {
      const before = await lockTemplate(tenant, tx, id);
      if (!before) throw notFound('template');
      const changes = changesOf(before, body);
      if (isEmpty(changes)) return presentTemplate(before);
      const at = clock.now();
      await changeTemplate(tenant, tx, id, { ...changes, updated_at: at });
      await audit(tx, outbox, context, {
        action: 'template.updated',
        subject: { kind: 'template', id },
        changes: auditedChanges(before, changes),
        at,
      });
      return presentTemplate({ ...before, ...changes, updated_at: at });
    });
  });
