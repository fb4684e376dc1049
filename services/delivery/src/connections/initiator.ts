import { CodedError, describeActor } from '@stanza/contracts';
import type { CallContext } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import type { ChatInstallRow } from './connection-tables.ts';

/** Milliseconds for which the address, or the page, of an installation is valid. */
export const installMs = 10 * 60_000;

/** The same text for used, expired and unknown addresses. */
export const noSuchInstall = (): CodedError =>
  new CodedError('invalid_state', {
    message:
      'This address is no longer valid: it works once, for ten minutes. Nothing was connected; start again.',
  });

/**
 * The name of the organization of an installation.
 * @throws CodedError `access_denied` when its initiator has lost access to the organization's connections
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
    message: 'The person who started this no longer has access to the organization. Nothing was connected.',
  });
};
