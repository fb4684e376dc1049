import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { sealInstall } from '../chat/access.ts';
import { requireApp } from '../connections/chat-app.ts';
import { installMs, noSuchInstall, organizationOf } from '../connections/initiator.ts';
import { askPage, declinedPage } from '../connections/install-pages.ts';
import { hashOf, newSecret } from '../connections/install-secrets.ts';
import { exchangeCode, type Granted } from '../connections/oauth-token.ts';
import { findConnection } from '../connections/store/connections.ts';
import { findBegun, holdToken, spendState, tenantOfInstall } from '../connections/store/installs.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ChatInstallRow } from '../store/rows.ts';

/** Keeps the token, encrypted, until the page is answered; answers what the button of the page brings back. */
const keep = async (
  { database, keyring }: Dependencies,
  install: ChatInstallRow,
  { token, identity }: Granted,
): Promise<string> => {
  const tenant = tenantOfInstall(install);
  const confirmation = newSecret();
  const held = await holdToken(tenant, database, install.id, {
    identity,
    sealed: sealInstall(tenant, install.id, token, keyring),
    confirmHash: hashOf(confirmation),
    openMs: installMs,
  });
  if (!held) throw noSuchInstall();
  return confirmation;
};

/** Takes a browser that comes back from the platform: its state is used up, and the page asks whether to connect. */
export const chatOauthCallback = (dependencies: Dependencies) =>
  handle(contracts.chatOauthCallback, async ({ context, input: { query } }) => {
    const { database } = dependencies;
    const app = requireApp(dependencies.app);
    const install = await findBegun(database, hashOf(query.state));
    if (!install) throw noSuchInstall();
    const organization = await organizationOf(dependencies, install, context);
    const tenant = tenantOfInstall(install);
    if (!(await spendState(tenant, database, install.id))) throw noSuchInstall();
    if (query.code === undefined) return declinedPage(organization);
    const granted = await exchangeCode(dependencies, app, query.code, context);
    const confirmation = await keep(dependencies, install, granted);
    const current = await findConnection(tenant, database);
    const workspace = granted.identity.workspace_name;
    return askPage({ organization, environment: install.environment, workspace }, current, confirmation);
  });
