import { notFound, getTemplate as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentTemplate, presentVersion } from '../domain/present-template.ts';
import { summarizeDraft } from '../store/drafts.ts';
import { templateKeys } from '../store/keys.ts';
import { atOneMoment } from '../store/snapshot.ts';
import { findTemplate } from '../store/templates.ts';
import { findVersion } from '../store/versions.ts';

/** Reads a template and its live version. */
export const getTemplate = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input: { params }, tenant }) =>
    atOneMoment(database, async (tx) => {
      const template = await findTemplate(tenant, tx, params.id);
      if (!template) throw notFound('template');
      const { current_version_id: liveId } = template;
      const live = liveId === null ? null : await findVersion(tenant, tx, template.id, liveId);
      const keyed = await templateKeys.withKey(tenant, tx, template);
      return {
        ...presentTemplate(keyed),
        current_version: live && presentVersion(live, liveId),
        draft: await summarizeDraft(tenant, tx, template.id),
      };
    }),
  );
