import { cursorAfter, listProposals as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentProposal } from '../domain/proposal.ts';
import { pageOfProposals } from '../store/proposals.ts';
import { atOneMoment } from '../store/snapshot.ts';

/** Lists the proposals of the caller's organization and environment, newest first. */
export const listProposals = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input: { query }, tenant }) =>
    atOneMoment(database, async (tx) => {
      const { offset, limit } = query;
      const page = await pageOfProposals(tenant, tx, query);
      return {
        data: page.items.map(presentProposal),
        pagination: { offset, limit, total: page.total },
        next_cursor: cursorAfter(page, offset, ({ created_at, id }) => ({ at: created_at, id })),
      };
    }),
  );
