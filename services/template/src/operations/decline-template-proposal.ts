import { declineTemplateProposal as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { WriteDependencies } from '../dependencies.ts';
import { refuseProposal } from '../refuse-proposal.ts';

/** Declines a proposal; its version stays. */
export const declineTemplateProposal = (dependencies: WriteDependencies) =>
  handle(operation, ({ input: { params, body }, context, principal, tenant }) =>
    refuseProposal(
      dependencies,
      { tenant, context, principal },
      { params, status: 'declined', reason: body.reason },
    ),
  );
