import { accessChanged, maintenanceChanged } from '@stanza/contracts';
import { eraseOrganizations, handlersFrom, runService, type ServiceContext } from '@stanza/runtime';
import { credentials } from './access/credentials.ts';
import { PrincipalCache } from './access/principal-cache.ts';
import { sessionVerifier } from './access/sessions/index.ts';
import { type GatewaySettings, settings } from './config.ts';
import { createApp } from './http/app.ts';
import { clientOf } from './http/client.ts';
import { createHttpServer } from './http/http-server.ts';
import { type Door, listen } from './http/listen.ts';
import { securityHeaders } from './http/security-headers.ts';
import type { ServeDependencies } from './http/serve.ts';
import { Confirmations } from './idempotency/confirmations.ts';
import { IdempotencyClaims } from './idempotency/idempotency-claims.ts';
import { startJobs } from './jobs/index.ts';
import { ConcurrencyLimit } from './limits/concurrency-limit.ts';
import { Maintenance } from './limits/maintenance.ts';
import { RateLimits } from './limits/rate-limits.ts';
import { gatewayMetrics } from './metrics.ts';
import * as operations from './operations/index.ts';
import { pipeline } from './pipeline/index.ts';
import { entities } from './store/entities.ts';
import { migrations } from './store/migrations/index.ts';

/** Knows whether the API is closed before the first request, and hears of it from then on. */
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

/** Listens for requests. */
const openDoor = (
  { settings: set, condition }: ServiceContext<GatewaySettings>,
  dependencies: ServeDependencies,
): Promise<Door> => {
  const headers = securityHeaders(set.STANZA_HSTS_SECONDS);
  const server = createHttpServer(createApp(dependencies, condition, headers), {
    connections: set.STANZA_HTTP_CONNECTIONS,
    onDropped: () => dependencies.metrics.dropped.inc(),
    headers,
  });
  return listen(server, { port: set.STANZA_PORT, host: set.STANZA_HOST, log: dependencies.log });
};

await runService({
  name: 'gateway',
  settings,
  entities,
  migrations,
  async start(serviceContext) {
    const { database, outbox, rpc, log, clock, tracing } = serviceContext;
    const principals = new PrincipalCache(clock);
    serviceContext.events.subscribe(accessChanged, (event) => principals.forget(event.organization_id), {
      onGap: () => principals.forgetAll(),
    });
    const known = credentials(rpc, principals, sessionVerifier(serviceContext.settings, { clock, log }));
    const confirmations = new Confirmations(rpc, log);
    const metrics = gatewayMetrics(serviceContext.metrics);
    const failureDays = serviceContext.settings.STANZA_IDEMPOTENCY_FAILURE_DAYS;
    const keyed = new IdempotencyClaims({ database, log, metrics, failureDays });
    const rates = new RateLimits({ database, clock, log, metrics });
    const maintenance = await followMaintenance(serviceContext);
    const finishJobs = startJobs(
      { database, rpc, clock, log, keyed, maintenance, metrics },
      serviceContext.every,
    );
    const concurrencyLimit = new ConcurrencyLimit(serviceContext.settings.STANZA_HTTP_CONCURRENCY, metrics);
    const steps = pipeline({
      forward: serviceContext.forward,
      credentials: known,
      keyed,
      rates,
      maintenance,
      concurrencyLimit,
      metrics,
      clock,
    });
    const rules = {
      trusted: serviceContext.settings.STANZA_TRUSTED_PROXIES,
      header: serviceContext.settings.STANZA_FORWARDED_HEADER,
    };
    const door = await openDoor(serviceContext, {
      steps,
      confirmations,
      metrics,
      log,
      clock,
      tracing,
      clientOf: (request) => clientOf(request, rules),
    });
    // The last one first: confirmations are told once nobody is answered any more.
    serviceContext.onClose(() => confirmations.flush());
    serviceContext.onClose(finishJobs);
    serviceContext.onClose(door.close);
    const consumers = [eraseOrganizations('gateway', serviceContext)];
    return {
      operations: handlersFrom(operations, { ...serviceContext, database, outbox, failureDays }),
      consumers,
      leave: {
        milliseconds: serviceContext.settings.STANZA_DRAIN_SECONDS * 1_000,
        announce: door.announceClosing,
      },
    };
  },
});
