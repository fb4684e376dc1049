import { notFound, getPartialUse as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentUser } from '../domain/partials.ts';
import { pageOfUsers } from '../store/partials.ts';
import { atOneMoment } from '../store/snapshot.ts';
import { findTemplate } from '../store/templates.ts';

/** Lists the templates and partials that use a partial, with the version that each holds. */
export const getPartialUse = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input: { params, query }, tenant }) =>
    atOneMoment(database, async (tx) => {
      const partial = await findTemplate(tenant, tx, params.id, 'partial');
      if (!partial) throw notFound('partial');
      const { items, total } = await pageOfUsers(tenant, tx, partial.id, query);
      const { offset, limit } = query;
      return {
        data: items.map((user) => presentUser(user, partial.current_version_number)),
        pagination: { offset, limit, total },
      };
    }),
  );
