import * as contracts from '@stanza/contracts';
import { type CallContext, handle } from '@stanza/runtime';
import { openInstall } from '../connections/chat-access.ts';
import { storeConnection } from '../connections/connect.ts';
import type { ChatInstallRow } from '../connections/connection-tables.ts';
import { noSuchInstall, organizationOf } from '../connections/initiator.ts';
import { donePage } from '../connections/install-pages.ts';
import { hashOf } from '../connections/install-secrets.ts';
import { endInstall, findAsked, tenantOfInstall } from '../connections/store/installs.ts';
import type { Dependencies } from '../dependencies.ts';

/** Connects, unless an earlier press of the same button has done so. */
const connect = (
  dependencies: Dependencies,
  install: ChatInstallRow,
  context: CallContext,
): Promise<void> => {
  const tenant = tenantOfInstall(install);
  const { workspace_id, workspace_name, bot_user_id, scopes, actor } = install;
  if (workspace_id === null || workspace_name === null || bot_user_id === null) throw noSuchInstall();
  const token = openInstall(tenant, install, dependencies.keyring);
  const identity = { workspace_id, workspace_name, bot_user_id, scopes };
  return dependencies.database.transaction(async (tx) => {
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
