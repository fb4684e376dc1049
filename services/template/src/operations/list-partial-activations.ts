import { cursorAfter, notFound, numberedPlace, listPartialActivations as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentPartialActivation } from '../domain/present-template.ts';
import { pageOfActivations } from '../store/activations.ts';
import { atOneMoment } from '../store/snapshot.ts';
import { findTemplate } from '../store/templates.ts';

/** Lists every change of the live version of a partial, newest first. */
export const listPartialActivations = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input: { params, query }, tenant }) =>
    atOneMoment(database, async (tx) => {
      const partial = await findTemplate(tenant, tx, params.id, 'partial');
      if (!partial) throw notFound('partial');
      const page = await pageOfActivations(tenant, tx, partial.id, query);
      const { offset, limit } = query;
      return {
        data: page.items.map(presentPartialActivation),
        pagination: { offset, limit, total: page.total },
        next_cursor: cursorAfter(page, offset, (it) => numberedPlace(it.activation_number, it.id)),
      };
    }),
  );
