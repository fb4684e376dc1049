import { cursorAfter, notFound, listTemplateProposals as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentProposal } from '../domain/proposal.ts';
import { pageOfProposals } from '../store/proposals.ts';
import { atOneMoment } from '../store/snapshot.ts';
import { findTemplate } from '../store/templates.ts';

/** Lists the proposals of a template, newest first. */
export const listTemplateProposals = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input: { params, query }, tenant }) =>
    atOneMoment(database, async (tx) => {
      const template = await findTemplate(tenant, tx, params.id);
      if (!template) throw notFound('template');
      const { offset, limit } = query;
      const page = await pageOfProposals(tenant, tx, { templateId: template.id, ...query });
      return {
        data: page.items.map(presentProposal),
        pagination: { offset, limit, total: page.total },
        next_cursor: cursorAfter(page, offset, ({ created_at, id }) => ({ at: created_at, id })),
      };
    }),
  );
