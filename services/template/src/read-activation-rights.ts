import { CodedError, getOrganizationStatus, type Principal, type Scope } from '@stanza/contracts';
import type { CallContext, RpcClient } from '@stanza/runtime';
import { ActivationRights, type LiveChange, type ReadActivationRights } from './domain/activation-rights.ts';

/**
 * Checks the scope that a request takes besides that of its operation, where it makes versions live.
 * @throws CodedError `insufficient_scope`
 */
export const needActivating = ({ scopes }: Principal, what: string): void => {
  if (scopes.includes('templates:activate')) return;
  throw new CodedError('insufficient_scope', {
    message: `With \`activate\` ${what} takes the scope templates:activate, too.`,
    required_scopes: ['templates:activate'],
    user_scopes: [...scopes],
  });
};

/** Makes the reader of a caller's rights; `scope` is the one that the operation takes. */
export const activationRightsOf =
  (
    rpc: RpcClient,
    context: CallContext,
    principal: Principal,
    scope: Scope,
    change: LiveChange,
  ): ReadActivationRights =>
  async () => {
    const { organization_id, environment, actor } = principal;
    const asked = { organization_id, holder: { environment, actor, scope } };
    const {
      activation = 'anyone',
      guard_activation = false,
      may = true,
    } = await rpc.call(getOrganizationStatus, asked, context);
    if (may) return new ActivationRights(principal, { activation, guard_activation }, change);
    throw new CodedError('access_denied', {
      message: `The scope ${scope} was taken away since the request began; nothing was done.`,
      required_scopes: [scope],
      user_scopes: [],
    });
  };
