import { CodedError, getOrganizationStatus, type Principal, type Scope } from '@stanza/contracts';
import type { CallContext, RpcClient } from '@stanza/runtime';
import { ActivationRights, type ReadActivationRights } from './domain/activation-rights.ts';

/** Makes the reader of a caller's rights; `scope` is the one that the operation takes. */
export const activationRightsOf =
  (rpc: RpcClient, context: CallContext, principal: Principal, scope: Scope): ReadActivationRights =>
  async () => {
    const { organization_id, environment, actor } = principal;
    const asked = { organization_id, holder: { environment, actor, scope } };
    const {
      activation = 'anyone',
      guard_activation = false,
      may = true,
    } = await rpc.call(getOrganizationStatus, asked, context);
    if (may) return new ActivationRights(principal, { activation, guard_activation });
    throw new CodedError('access_denied', {
      message: `The scope ${scope} was taken away since the request began; nothing was done.`,
      required_scopes: [scope],
      user_scopes: [],
    });
  };
