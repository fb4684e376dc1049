import { accessChanged, maintenanceChanged } from '@stanza/contracts';
import {
  ConcurrencyLimit,
  type Door,
  defineService,
  eraseOrganizations,
  handlersFrom,
  type ServiceContext,
} from '@stanza/runtime';
import { credentials, PrincipalCache } from './access/credentials.ts';
import { sessionVerifier } from './access/sessions/index.ts';
import { type GatewaySettings, settings } from './config.ts';
import type { Console } from './console/index.ts';
import { type AppSurroundings, createApp } from './http/app.ts';
import { createHttpServer, listen, securityHeaders } from './http/http-server.ts';
import { observeRefused } from './http/observe.ts';
import type { ServeDependencies } from './http/serve.ts';
import { Confirmations } from './idempotency/confirmations.ts';
import { IdempotencyClaims } from './idempotency/idempotency-claims.ts';
import { LostAnswers } from './idempotency/lost-answers.ts';
import { startJobs } from './jobs/index.ts';
import { Maintenance } from './limits/maintenance.ts';
import { OpenLimits } from './limits/open-limits.ts';
import { RateLimits } from './limits/rate-limits.ts';
import { gatewayMetrics } from './metrics.ts';
import * as operations from './operations/index.ts';
import { pipeline } from './pipeline/index.ts';
import { openRouters } from './routers.ts';
import { entities } from './store/entities.ts';
import { migrations } from './store/migrations/index.ts';
import { streamReadTurns } from './streams/shared-reads.ts';
import { Streams } from './streams/streams.ts';

/** Reads the maintenance mode before the first request, and follows its changes. */
const followMaintenance = async ({
  database,
  log,
  metrics,
  events,
}: ServiceContext<GatewaySettings>): Promise<Maintenance> => {
  const maintenance = new Maintenance({ database, log, metrics });
  events.subscribe(maintenanceChanged, () => maintenance.load(), { onGap: () => maintenance.reload() });
  await maintenance.load();
  return maintenance;
};

/**
 * Of all slots, one in this many is for each kind of request whose caller is not known, and for agents, next to those
 * of the others.
 */
const openPart = 4;

const concurrencyLimitsOf = ({ settings: set, metrics, clock }: ServiceContext<GatewaySettings>) => {
  const limit = set.STANZA_HTTP_CONCURRENCY;
  const part = Math.ceil(limit / openPart);
  return {
    requests: new ConcurrencyLimit({ kind: 'requests', limit, metrics }),
    agents: new ConcurrencyLimit({ kind: 'agents', limit: part, metrics }),
    open: new OpenLimits({ limit: part, authentications: limit, clock, metrics }),
  };
};

/** Milliseconds between two times that the files of the console are kept for other versions. */
const shareMs = 10 * 60_000;

/** Keeps the files of the console before the first page asks for one, at the latest once the database is back. */
const shareConsole = async (
  { every, log }: ServiceContext<GatewaySettings>,
  { keepAssets }: Console,
): Promise<void> => {
  try {
    await keepAssets();
  } catch (err) {
    log.warn({ err }, 'console files could not be stored for other versions yet');
  }
  every('keep-console-assets', shareMs, keepAssets);
};

/** Listens for requests. */
const openDoor = (
  { settings: set, condition }: ServiceContext<GatewaySettings>,
  dependencies: ServeDependencies,
  routers: Pick<AppSurroundings, 'origin' | 'console' | 'mcp' | 'signIn'>,
): Promise<Door> => {
  const headers = securityHeaders(set.STANZA_HSTS_SECONDS);
  const server = createHttpServer(createApp(dependencies, { condition, headers, ...routers }), {
    connections: set.STANZA_HTTP_CONNECTIONS,
    onDropped: () => dependencies.metrics.dropped.inc(),
    onRefused: (refused) => observeRefused(refused, dependencies),
    headers,
  });
  return listen(server, { port: set.STANZA_PORT, host: set.STANZA_HOST, log: dependencies.log });
};

/** The gateway service. */
export const service = defineService({
  name: 'gateway',
  settings,
  entities,
  migrations,
  async start(serviceContext) {
    const { database, outbox, rpc, log, clock, tracing } = serviceContext;
    const concurrencyLimits = concurrencyLimitsOf(serviceContext);
    const principals = new PrincipalCache(clock, concurrencyLimits.open);
    serviceContext.events.subscribe(accessChanged, (event) => principals.forget(event.organization_id), {
      onGap: () => principals.forgetAll(),
    });
    const known = credentials(rpc, principals, sessionVerifier(serviceContext.settings, { clock, log }));
    const confirmations = new Confirmations(rpc, log);
    const metrics = gatewayMetrics(serviceContext.metrics);
    const failureDays = serviceContext.settings.STANZA_IDEMPOTENCY_FAILURE_DAYS;
    const keyed = new IdempotencyClaims({ database, log, metrics, failureDays });
    const lostAnswers = new LostAnswers({ database, rpc, log, metrics, failureDays });
    const rates = new RateLimits({ database, clock, log, metrics });
    const maintenance = await followMaintenance(serviceContext);
    const finishJobs = startJobs(
      { database, rpc, clock, log, keyed, lostAnswers, maintenance, metrics },
      serviceContext.every,
    );
    const { console, mcp, signIn, clientOf, isOfTool } = await openRouters(serviceContext.settings, {
      metrics,
      log,
      clock,
      maintenance,
      database,
      outbox,
      rpc,
      credentials: known,
      rates,
      open: concurrencyLimits.open,
      agents: concurrencyLimits.agents,
    });
    if (console) await shareConsole(serviceContext, console);
    const streams = new Streams({
      most: serviceContext.settings.STANZA_STREAMS,
      lifetimeS: serviceContext.settings.STANZA_STREAM_SECONDS,
      readTurns: streamReadTurns(serviceContext.metrics),
      clock,
      log,
      metrics,
    });
    const steps = pipeline({
      forward: serviceContext.forward,
      credentials: known,
      authentication: {
        consoleHolder: console?.holderOf,
        isOfTool,
        decidingClients: serviceContext.settings.STANZA_DECIDING_CLIENTS,
      },
      keyed,
      lostAnswers,
      rates,
      maintenance,
      concurrencyLimits,
      streams,
      metrics,
      clock,
    });
    const door = await openDoor(
      serviceContext,
      { metrics, log, clock, clientOf, steps, confirmations, tracing },
      { origin: serviceContext.settings.STANZA_CONSOLE_URL, console: console?.router, mcp, signIn },
    );
    // In reverse order: confirmations are sent after the last response.
    serviceContext.onClose(() => confirmations.flush());
    serviceContext.onClose(finishJobs);
    serviceContext.onClose(door.close);
    // A stop without leave has told the streams nothing yet.
    serviceContext.onClose(async () => streams.close());
    const handlers = handlersFrom(operations, { rpc, clock, log, database, outbox, failureDays });
    return {
      operations: [...handlers, eraseOrganizations('gateway', serviceContext)],
      leave: {
        milliseconds: serviceContext.settings.STANZA_DRAIN_SECONDS * 1_000,
        announce: () => {
          door.announceClosing();
          streams.close();
        },
      },
    };
  },
});
