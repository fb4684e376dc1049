import type { Client } from '@stanza/contracts';
import type { ConcurrencyLimit, Database, Outbox, RpcClient } from '@stanza/runtime';
import type { Request, RequestHandler, Router } from 'express';
import type { Credentials } from './access/credentials.ts';
import type { GatewaySettings } from './config.ts';
import { type Console, openConsole } from './console/index.ts';
import { clientOf, type Origins, originIn } from './http/client.ts';
import { protectedResource } from './http/protected-resource.ts';
import type { GuardDependencies } from './limits/guard.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import { openMcp } from './mcp/index.ts';

/** What a gateway serves besides its operations, as its settings say. */
export interface Routers {
  console: Console | undefined;
  mcp: Router | undefined;
  signIn: RequestHandler | undefined;
  /** The origin of a request: of the agent's, where a tool has made it. */
  clientOf: (request: Request) => Client;
  /** Whether a tool has made a request. */
  isOfTool: (request: Request) => boolean;
}

/** Opens what a gateway serves besides its operations. */
export const openRouters = async (
  settings: GatewaySettings,
  dependencies: Omit<GuardDependencies, 'clientOf'> & {
    agents: ConcurrencyLimit;
    database: Database;
    outbox: Outbox;
    rpc: Pick<RpcClient, 'call'>;
    credentials: Credentials;
    rates: Pick<RateLimits, 'take'>;
  },
): Promise<Routers> => {
  const origins: Origins = new Map();
  const rules = { trusted: settings.STANZA_TRUSTED_PROXIES, header: settings.STANZA_FORWARDED_HEADER };
  const ofRequests = clientOf(rules, origins);
  const mcp =
    settings.STANZA_MCP === 'off'
      ? undefined
      : openMcp({
          ...dependencies,
          clientOf: ofRequests,
          origins,
          issuer: settings.STANZA_SESSION_ISSUER,
          origin: settings.STANZA_CONSOLE_URL,
        });
  return {
    console: await openConsole(settings, { ...dependencies, clientOf: ofRequests }),
    mcp,
    isOfTool: (request) => originIn(request, origins) !== undefined,
    signIn: protectedResource(settings),
    clientOf: ofRequests,
  };
};
