import * as contracts from '@stanza/contracts';
import { type CallContext, handle } from '@stanza/runtime';
import { openInstall } from '../chat/access.ts';
import { storeConnection } from '../connections/connect.ts';
import { noSuchInstall, organizationOf } from '../connections/initiator.ts';
import { donePage } from '../connections/install-pages.ts';
import { hashOf } from '../connections/install-secrets.ts';
import { endInstall, findAsked, tenantOfInstall } from '../connections/store/installs.ts';
import type { Parts } from '../dependencies.ts';
import type { ChatInstallRow } from '../store/rows.ts';

/** Connects, unless a press of the same button has done so before. */
const connect = (parts: Parts, install: ChatInstallRow, context: CallContext): Promise<void> => {
  const tenant = tenantOfInstall(install);
  const { workspace_id, workspace_name, bot_user_id, scopes, actor } = install;
  if (workspace_id === null || workspace_name === null || bot_user_id === null) throw noSuchInstall();
  const token = openInstall(tenant, install, parts.keyring);
  const identity = { workspace_id, workspace_name, bot_user_id, scopes };
  return parts.database.transaction(async (tx) => {
    if (!(await endInstall(tenant, tx, install.id))) return;
    await storeConnection(parts, tenant, tx, { token, identity, source: 'install' }, context, { actor });
  });
};

/** Connects what the page has asked about, in the name of whoever began the installation. */
export const confirmChatConnection = (parts: Parts) =>
  handle(contracts.confirmChatConnection, async ({ context, input: { query } }) => {
    const install = await findAsked(parts.database, hashOf(query.token));
    if (!install) throw noSuchInstall();
    const organization = await organizationOf(parts, install, context);
    if (install.status === 'waiting') await connect(parts, install, context);
    const { environment, workspace_name } = install;
    return donePage({ organization, environment, workspace: workspace_name ?? '' });
  });
