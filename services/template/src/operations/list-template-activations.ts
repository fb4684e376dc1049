import {
  cursorAfter,
  notFound,
  numberedPlace,
  listTemplateActivations as operation,
} from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentActivation } from '../domain/present-template.ts';
import { pageOfActivations } from '../store/activations.ts';
import { atOneMoment } from '../store/snapshot.ts';
import { findTemplate } from '../store/templates.ts';

/** Lists every change of the live version, newest first. */
export const listTemplateActivations = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input: { params, query }, tenant }) =>
    atOneMoment(database, async (tx) => {
      const template = await findTemplate(tenant, tx, params.id);
      if (!template) throw notFound('template');
      const page = await pageOfActivations(tenant, tx, template.id, query);
      const pagination = { offset: query.offset, limit: query.limit, total: page.total };
      return {
        data: page.items.map(presentActivation),
        pagination,
        ...pagination,
        next_cursor: cursorAfter(page, query.offset, (it) => numberedPlace(it.activation_number, it.id)),
      };
    }),
  );
