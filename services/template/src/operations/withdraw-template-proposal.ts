import { authorOf, CodedError, withdrawTemplateProposal as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { WriteDependencies } from '../dependencies.ts';
import { refuseProposal } from '../refuse-proposal.ts';

/** Takes a proposal of the caller's own back. */
export const withdrawTemplateProposal = (dependencies: WriteDependencies) =>
  handle(operation, ({ input: { params }, context, principal, tenant }) =>
    refuseProposal(
      dependencies,
      { tenant, context, principal },
      {
        params,
        status: 'withdrawn',
        check: ({ proposed_by }) => {
          if (proposed_by === authorOf(principal.actor)) return;
          throw new CodedError('access_denied', {
            message: 'Another person made this proposal: decline it instead.',
            required_scopes: [],
            user_scopes: [...principal.scopes],
          });
        },
      },
    ),
  );
