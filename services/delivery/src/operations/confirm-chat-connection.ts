import * as contracts from '@stanza/contracts';
import { type CallContext, handle } from '@stanza/runtime';
import { isDeadToken } from '../chat/errors.ts';
import type { ChatOutcome } from '../chat/platform.ts';
import { decryptInstall } from '../connections/chat-access.ts';
import { storeConnection } from '../connections/connect.ts';
import type { ChatInstallRow } from '../connections/connection-tables.ts';
import { askIdentity, identityIn } from '../connections/identify.ts';
import { noSuchInstall, organizationOf } from '../connections/initiator.ts';
import { donePage } from '../connections/install-pages.ts';
import { hashOf } from '../connections/install-secrets.ts';
import { endInstall, findAsked, tenantOfInstall } from '../connections/store/installs.ts';
import type { Dependencies } from '../dependencies.ts';

/** Milliseconds for which the button waits for the platform. */
const askMs = 5_000;

const withdrawn = (refusal: string): contracts.CodedError =>
  new contracts.CodedError('chat_not_connected', {
    message:
      'The chat platform refuses the token since the page was shown. Nothing was connected; start again.',
    error_details: JSON.stringify(refusal),
  });

/**
 * Asks the platform where the workspace is. Without an answer its messages have no links until the connection is tested.
 * @throws CodedError `chat_not_connected` when the token was revoked since the page was shown
 */
const addressOf = async (
  { chat, clock, log }: Dependencies,
  token: string,
  workspace_id: string,
  context: CallContext,
): Promise<string | null> => {
  const deadline = Math.min(context.deadline, clock.monotonic() + askMs);
  let outcome: ChatOutcome;
  try {
    outcome = await askIdentity({ chat, clock, log }, token, workspace_id, { ...context, deadline });
  } catch (err) {
    if (!(err instanceof contracts.CodedError)) throw err;
    log.warn({ err, workspace_id }, 'the address of a workspace could not be learned');
    return null;
  }
  if (outcome.kind === 'refused' && isDeadToken(outcome.error)) throw withdrawn(outcome.error);
  return identityIn(outcome)?.workspace_url ?? null;
};

/** Connects, unless an earlier press of the same button has done so. */
const connect = async (
  dependencies: Dependencies,
  install: ChatInstallRow,
  context: CallContext,
): Promise<void> => {
  const tenant = tenantOfInstall(install);
  const { workspace_id, workspace_name, bot_user_id, scopes, actor } = install;
  if (workspace_id === null || workspace_name === null || bot_user_id === null) throw noSuchInstall();
  const token = decryptInstall(tenant, install, dependencies.keyring);
  const workspace_url = await addressOf(dependencies, token, workspace_id, context);
  const identity = { workspace_id, workspace_name, workspace_url, bot_user_id, scopes };
  await dependencies.database.transaction(async (tx) => {
    if (!(await endInstall(tenant, tx, install.id))) return;
    await storeConnection(dependencies, tenant, tx, { token, identity, source: 'install' }, context, {
      actor,
    });
  });
};

/** Connects the workspace of the page, in the name of the installation's initiator. */
export const confirmChatConnection = (dependencies: Dependencies) =>
  handle(contracts.confirmChatConnection, async ({ context, input: { query } }) => {
    const install = await findAsked(dependencies.database, hashOf(query.token));
    if (!install) throw noSuchInstall();
    const organization = await organizationOf(dependencies, install, context);
    if (install.status === 'waiting') await connect(dependencies, install, context);
    const { environment, workspace_name } = install;
    return donePage({ organization, environment, workspace: workspace_name ?? '' });
  });
