import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { encryptInstall } from '../connections/chat-access.ts';
import { requireApp } from '../connections/chat-app.ts';
import type { ChatInstallRow } from '../connections/connection-tables.ts';
import { installMs, noSuchInstall, organizationOf } from '../connections/initiator.ts';
import { askPage, declinedPage } from '../connections/install-pages.ts';
import { hashOf, newSecret } from '../connections/install-secrets.ts';
import { exchangeCode, type Granted } from '../connections/oauth-token.ts';
import { findConnection } from '../connections/store/connections.ts';
import { findBegun, holdToken, spendState, tenantOfInstall } from '../connections/store/installs.ts';
import type { Dependencies } from '../dependencies.ts';

/** Stores the encrypted token until the page is answered; returns the secret of the page's button. */
const keep = async (
  { database, keyring }: Dependencies,
  install: ChatInstallRow,
  { token, identity }: Granted,
): Promise<string> => {
  const tenant = tenantOfInstall(install);
  const confirmation = newSecret();
  const held = await holdToken(tenant, database, install.id, {
    identity,
    encrypted: encryptInstall(tenant, install.id, token, keyring),
    confirmHash: hashOf(confirmation),
    openMs: installMs,
  });
  if (!held) throw noSuchInstall();
  return confirmation;
};

/** Handles the browser returning from the platform: its state is consumed, and the page asks whether to connect. */
export const chatOauthCallback = (dependencies: Dependencies) =>
  handle(contracts.chatOauthCallback, async ({ context, input: { query } }) => {
    const { database } = dependencies;
    const app = requireApp(dependencies.app);
    const install = await findBegun(database, hashOf(query.state));
    if (!install) throw noSuchInstall();
    const organization = await organizationOf(dependencies, install, context);
    const tenant = tenantOfInstall(install);
    if (!(await spendState(tenant, database, install.id))) throw noSuchInstall();
    if (query.code === undefined) return declinedPage(organization, query.error);
    const granted = await exchangeCode(dependencies, app, query.code, context);
    const confirmation = await keep(dependencies, install, granted);
    const current = await findConnection(tenant, database);
    const workspace = granted.identity.workspace_name;
    return askPage({ organization, environment: install.environment, workspace }, current, confirmation);
  });
