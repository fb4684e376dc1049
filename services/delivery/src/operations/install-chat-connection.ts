import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { v7 as uuidv7 } from 'uuid';
import { authorizeAddress, requireApp } from '../connections/chat-app.ts';
import { installMs } from '../connections/initiator.ts';
import { hashOf, newSecret } from '../connections/install-secrets.ts';
import { beginInstall } from '../connections/store/installs.ts';
import type { Dependencies } from '../dependencies.ts';

/** Concurrent installations of an environment; an older one ends. */
const maxInstalls = 20;

/** Begins an installation: its state belongs to the caller's organization and environment, and to the caller. */
export const installChatConnection = ({ database, app }: Pick<Dependencies, 'database' | 'app'>) =>
  handle(contracts.installChatConnection, async ({ tenant, principal }) => {
    const known = requireApp(app);
    const state = newSecret();
    const install = {
      id: uuidv7(),
      actor: principal.actor,
      state_hash: hashOf(state),
      openMs: installMs,
    };
    const expiresAt = await database.transaction((tx) => beginInstall(tenant, tx, install, maxInstalls));
    return { url: authorizeAddress(known, state), expires_at: expiresAt.toISOString() };
  });
