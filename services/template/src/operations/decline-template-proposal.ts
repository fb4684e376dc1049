import { declineTemplateProposal as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { activationRightsOf } from '../read-activation-rights.ts';
import { refuseProposal } from '../refuse-proposal.ts';

/** Declines a proposal; its version stays. */
export const declineTemplateProposal = (dependencies: Dependencies) =>
  handle(operation, async ({ input: { params, body }, context, principal, tenant }) => {
    const readRights = activationRightsOf(
      dependencies.rpc,
      context,
      principal,
      'templates:activate',
      'template',
    );
    return refuseProposal(
      dependencies,
      { tenant, context, principal },
      {
        params,
        status: 'declined',
        reason: body.reason,
        check: async () => (await readRights()).needPersonToDecline(),
      },
    );
  });
