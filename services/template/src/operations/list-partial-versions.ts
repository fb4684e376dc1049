import { cursorAfter, notFound, numberedPlace, listPartialVersions as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentPartialVersionSummary } from '../domain/present-template.ts';
import { atOneMoment } from '../store/snapshot.ts';
import { findTemplate } from '../store/templates.ts';
import { pageOfVersions } from '../store/versions.ts';

/** Lists the versions of a partial, newest first, without their content. */
export const listPartialVersions = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input: { params, query }, tenant }) =>
    atOneMoment(database, async (tx) => {
      const partial = await findTemplate(tenant, tx, params.id, 'partial');
      if (!partial) throw notFound('partial');
      const page = await pageOfVersions(tenant, tx, partial.id, query);
      const { offset, limit } = query;
      return {
        data: page.items.map((version) => presentPartialVersionSummary(version, partial.current_version_id)),
        pagination: { offset, limit, total: page.total },
        next_cursor: cursorAfter(page, offset, (it) => numberedPlace(it.version_number, it.id)),
      };
    }),
  );
