import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createApp } from './app.ts';
import type { IdentitySettings } from './identity/tokens.ts';
import { defaultApp, defaultIdentity } from './settings.ts';
import type { AppAddress } from './world/app-address.ts';
import type { OAuthApp } from './world/grants.ts';
import { createWorld } from './world/world.ts';

// Not imported, which would load the web's `fetch` as well: 50 ms of CPU and 13 MB.
const { createServer } = process.getBuiltinModule('node:http');

/** Options of {@link startSandbox}. */
export interface SandboxOptions {
  /** Address to listen on; 127.0.0.1 when left out. */
  readonly host?: string;
  /** Port to listen on; 0, the default, is any free one. */
  readonly port?: number;
  /** The time in milliseconds since 1970; the system's clock when omitted. */
  readonly now?: () => number;
  /** Waits before a late answer, milliseconds; a timer when omitted. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
  /** Host names besides those of this machine and `host`. */
  readonly hosts?: readonly string[];
  /** Its identity provider; the defaults of the settings when omitted. */
  readonly identity?: IdentitySettings;
  /** The app that can be installed; the default of the settings when omitted. */
  readonly app?: OAuthApp;
  /** Address of the app for interactions; none when omitted. */
  readonly listener?: AppAddress;
}

/** A running sandbox. */
export interface Sandbox {
  /** Its address, without a slash at the end. The Web API is at `${url}/api/`. */
  readonly url: string;
  /** Closes it and all its connections at once. */
  close(): Promise<void>;
}

/**
 * Milliseconds for which an idle connection stays open. Longer than in clients' pools, so that no post is sent on a
 * connection that is being closed and looks like a lost answer.
 */
const KEEP_ALIVE_MS = 120_000;

function listeningUrl(server: Server, host: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the sandbox listens on no TCP port');
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

/** Starts a sandbox in this process; rejects when the address is taken. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const {
    host = '127.0.0.1',
    port = 0,
    now = Date.now,
    pause = delay,
    identity = defaultIdentity,
    app = defaultApp,
  } = options;
  const served = createApp(
    createWorld({ now, pause, app, listener: options.listener }),
    identity,
    [host, ...(options.hosts ?? [])],
    now,
  );
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, served);
  server.listen(port, host);
  await once(server, 'listening');
  return {
    url: listeningUrl(server, host),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
