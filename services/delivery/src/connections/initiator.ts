import { CodedError, describeActor } from '@stanza/contracts';
import type { CallContext } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import type { ChatInstallRow } from '../store/rows.ts';

/** Milliseconds that an address, or a page, of an installation is good for. */
export const installMs = 10 * 60_000;

/** The same whether it was used, has expired or never was. */
export const noSuchInstall = (): CodedError =>
  new CodedError('invalid_state', {
    message:
      'This address is not valid any more: it works once, for ten minutes. Nothing was connected; begin again.',
  });

/**
 * The name of the organization that an installation is for.
 * @throws CodedError `access_denied` when whoever began it has no access to its connections any more
 */
export const organizationOf = async (
  { rpc }: Pick<Dependencies, 'rpc'>,
  { organization_id, environment, actor }: ChatInstallRow,
  context: CallContext,
): Promise<string> => {
  const asked = { organization_id, environment, actor, scope: 'connections:write' as const };
  const { organization_name, may } = await rpc.call(describeActor, asked, context);
  if (may) return organization_name;
  throw new CodedError('access_denied', {
    message: 'Whoever began this has no access to the organization any more. Nothing was connected.',
  });
};
