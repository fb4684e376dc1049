import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createApp } from './app.ts';
import type { IdentitySettings } from './identity/router.ts';
import type { AppAddress } from './interactions/app-address.ts';
import { defaultApp, defaultIdentity } from './settings.ts';
import type { OAuthApp } from './world/grants.ts';
import { createWorld } from './world/world.ts';

/** How a sandbox is started. */
export interface SandboxOptions {
  /** Address to listen on; 127.0.0.1 when left out. */
  readonly host?: string;
  /** Port to listen on; 0, the default, is any free one. */
  readonly port?: number;
  /** Tells the time in milliseconds since 1970; the system's clock when left out. */
  readonly now?: () => number;
  /** Waits for so many milliseconds before a late answer; by a timer when left out. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
  /** Names under which it is reached besides those of this machine and `host`. */
  readonly hosts?: readonly string[];
  /** Whose session tokens its identity provider makes; the defaults of the settings when left out. */
  readonly identity?: IdentitySettings;
  /** The app that can be installed; the default of the settings when left out. */
  readonly app?: OAuthApp;
  /** Where the app takes interactions; nowhere when left out. */
  readonly listener?: AppAddress;
}

/** A running sandbox. */
export interface Sandbox {
  /** Where it listens, without a slash at the end. The Web API stands at `${url}/api/`. */
  readonly url: string;
  /** Ends it and every connection to it at once. */
  close(): Promise<void>;
}

/**
 * How long an idle connection stays open, in milliseconds. Clients pool connections for less; were it the other way round, a
 * post could meet a connection that is just being closed and look like a lost answer.
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
