import { notFound, getTemplateProposal as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentProposal } from '../domain/proposal.ts';
import { neededProposal } from '../needed-proposal.ts';
import { namedProposal } from '../store/proposals.ts';
import { atOneMoment } from '../store/snapshot.ts';
import { findTemplate } from '../store/templates.ts';

/** Reads a proposal, and what became of it. */
export const getTemplateProposal = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, ({ input: { params }, tenant }) =>
    atOneMoment(database, async (tx) => {
      if (!(await findTemplate(tenant, tx, params.id))) throw notFound('template');
      return presentProposal(await namedProposal(tenant, tx, await neededProposal(tenant, tx, params)));
    }),
  );
