import { notFound, listTemplateActivations as operation } from '@stanza/contracts';
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
      const { items, total } = await pageOfActivations(tenant, tx, template.id, query);
      const page = { offset: query.offset, limit: query.limit, total };
      return { data: items.map(presentActivation), pagination: page, ...page };
    }),
  );
