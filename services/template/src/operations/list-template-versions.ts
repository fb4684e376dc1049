import { cursorAfter, notFound, numberedPlace, listTemplateVersions as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentVersionSummary } from '../domain/present-template.ts';
import { atOneMoment } from '../store/snapshot.ts';
import { findTemplate } from '../store/templates.ts';
import { pageOfVersions } from '../store/versions.ts';

/** Lists the versions of a template, newest first, without their content. */
export const listTemplateVersions = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input: { params, query }, tenant }) =>
    atOneMoment(database, async (tx) => {
      const template = await findTemplate(tenant, tx, params.id);
      if (!template) throw notFound('template');
      const page = await pageOfVersions(tenant, tx, template.id, query);
      const { offset, limit } = query;
      return {
        data: page.items.map((version) => presentVersionSummary(version, template.current_version_id)),
        pagination: { offset, limit, total: page.total },
        next_cursor: cursorAfter(page, offset, (it) => numberedPlace(it.version_number, it.id)),
      };
    }),
  );
