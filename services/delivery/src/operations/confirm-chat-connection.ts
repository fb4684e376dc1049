import * as contracts from '@stanza/contracts';
import { type CallContext, handle, type Tenant } from '@stanza/runtime';
import { decryptInstall } from '../connections/chat-access.ts';
import { storeConnection } from '../connections/connect.ts';
import type { ChatInstallRow, ConnectionRow } from '../connections/connection-tables.ts';
import { askIdentity, identityIn } from '../connections/identify.ts';
import { noSuchInstall, organizationOf } from '../connections/initiator.ts';
import { donePage } from '../connections/install-pages.ts';
import { hashOf } from '../connections/install-secrets.ts';
import { noteTaken } from '../connections/store/connections.ts';
import { endInstall, findAsked, tenantOfInstall } from '../connections/store/installs.ts';
import type { Dependencies } from '../dependencies.ts';

/** Asks the platform where the workspace is. Without an answer its messages have no links until the connection is tested. */
const learnAddress = async (
  dependencies: Dependencies,
  tenant: Tenant,
  { token, row }: { token: string; row: ConnectionRow },
  context: CallContext,
): Promise<void> => {
  const { workspace_id } = row;
  try {
    const identity = identityIn(await askIdentity(dependencies, token, workspace_id, context));
    if (identity) await noteTaken(tenant, dependencies.database, row.id, identity, dependencies.clock.now());
  } catch (err) {
    if (!(err instanceof contracts.CodedError)) throw err;
    dependencies.log.warn({ err, workspace_id }, 'the address of a workspace could not be learned');
  }
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
  const identity = { workspace_id, workspace_name, workspace_url: null, bot_user_id, scopes };
  const row = await dependencies.database.transaction(async (tx) => {
    if (!(await endInstall(tenant, tx, install.id))) return undefined;
    const holder = { token, identity, source: 'install' } as const;
    return storeConnection(dependencies, tenant, tx, holder, context, { actor });
  });
  if (row) await learnAddress(dependencies, tenant, { token, row }, context);
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
