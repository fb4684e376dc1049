import { accessChanged, maintenanceChanged } from '@stanza/contracts';
import {
  type AnyHandler,
  eraseOrganizations,
  type Kit,
  runService,
  type WorkConsumer,
} from '@stanza/runtime';
import { credentials } from './access/credentials.ts';
import { PrincipalCache } from './access/principal-cache.ts';
import { sessionVerifier } from './access/sessions/index.ts';
import { type GatewaySettings, settings } from './config.ts';
import { createApp } from './http/app.ts';
import { clientOf } from './http/client.ts';
import { createHttpServer } from './http/http-server.ts';
import { type Door, listen } from './http/listen.ts';
import { securityHeaders } from './http/security-headers.ts';
import type { ServeParts } from './http/serve.ts';
import { Confirmations } from './idempotency/confirmations.ts';
import { KeyedRequests } from './idempotency/idempotency-claims.ts';
import { startJobs } from './jobs/index.ts';
import { Places } from './limits/concurrency-limit.ts';
import { Maintenance } from './limits/maintenance.ts';
import { RateLimits } from './limits/rate-limits.ts';
import { gatewayMetrics } from './metrics.ts';
import { getIdempotencyRecord } from './operations/get-idempotency-record.ts';
import { getMaintenance } from './operations/get-maintenance.ts';
import { listGatewayDeadLetters } from './operations/list-gateway-dead-letters.ts';
import { listIdempotencyRecords } from './operations/list-idempotency-records.ts';
import { releaseIdempotencyRecord } from './operations/release-idempotency-record.ts';
import { resolveGatewayDeadLetter } from './operations/resolve-gateway-dead-letter.ts';
import { setMaintenance } from './operations/set-maintenance.ts';
import { settleIdempotencyRecord } from './operations/settle-idempotency-record.ts';
import { pipeline } from './pipeline/index.ts';
import { entities } from './store/entities.ts';
import { migrations } from './store/migrations/index.ts';

const operatorOperations = (kit: Kit<GatewaySettings>, consumers: readonly WorkConsumer[]): AnyHandler[] => {
  const blocked = { ...kit, failureDays: kit.settings.STANZA_IDEMPOTENCY_FAILURE_DAYS };
  return [
    listIdempotencyRecords(kit),
    getIdempotencyRecord(kit),
    settleIdempotencyRecord(blocked),
    releaseIdempotencyRecord(blocked),
    setMaintenance(kit),
    getMaintenance(kit),
    listGatewayDeadLetters(kit),
    resolveGatewayDeadLetter({ database: kit.database, clock: kit.clock, log: kit.log, consumers }),
  ];
};

/** Knows whether the API is closed before the first request, and hears of it from then on. */
const followMaintenance = async ({
  database,
  log,
  metrics,
  events,
}: Kit<GatewaySettings>): Promise<Maintenance> => {
  const maintenance = new Maintenance({ database, log, metrics });
  events.subscribe(maintenanceChanged, () => maintenance.load(), { onGap: () => maintenance.reload() });
  await maintenance.load();
  return maintenance;
};

/** Listens for requests. */
const openDoor = ({ settings: set, condition }: Kit<GatewaySettings>, parts: ServeParts): Promise<Door> => {
  const headers = securityHeaders(set.STANZA_HSTS_SECONDS);
  const server = createHttpServer(createApp(parts, condition, headers), {
    connections: set.STANZA_HTTP_CONNECTIONS,
    onDropped: () => parts.metrics.dropped.inc(),
    headers,
  });
  return listen(server, { port: set.STANZA_PORT, host: set.STANZA_HOST, log: parts.log });
};

await runService({
  name: 'gateway',
  settings,
  entities,
  migrations,
  async start(kit) {
    const { database, rpc, log, clock, tracing } = kit;
    const principals = new PrincipalCache(clock);
    kit.events.subscribe(accessChanged, (event) => principals.forget(event.organization_id), {
      onGap: () => principals.forgetAll(),
    });
    const known = credentials(rpc, principals, sessionVerifier(kit.settings, { clock, log }));
    const confirmations = new Confirmations(rpc, log);
    const metrics = gatewayMetrics(kit.metrics);
    const failureDays = kit.settings.STANZA_IDEMPOTENCY_FAILURE_DAYS;
    const keyed = new KeyedRequests({ database, log, metrics, failureDays });
    const rates = new RateLimits({ database, clock, log, metrics });
    const maintenance = await followMaintenance(kit);
    const finishJobs = startJobs({ database, rpc, clock, log, keyed, maintenance, metrics }, kit.every);
    const places = new Places(kit.settings.STANZA_HTTP_CONCURRENCY, metrics);
    const steps = pipeline({
      forward: kit.forward,
      credentials: known,
      keyed,
      rates,
      maintenance,
      places,
      metrics,
      clock,
    });
    const rules = {
      trusted: kit.settings.STANZA_TRUSTED_PROXIES,
      header: kit.settings.STANZA_FORWARDED_HEADER,
    };
    const door = await openDoor(kit, {
      steps,
      confirmations,
      metrics,
      log,
      clock,
      tracing,
      clientOf: (request) => clientOf(request, rules),
    });
    // The last one first: confirmations are told once nobody is answered any more.
    kit.onClose(() => confirmations.flush());
    kit.onClose(finishJobs);
    kit.onClose(door.close);
    const consumers = [eraseOrganizations('gateway', kit)];
    return {
      operations: operatorOperations(kit, consumers),
      consumers,
      leave: {
        milliseconds: kit.settings.STANZA_DRAIN_SECONDS * 1_000,
        announce: door.announceClosing,
      },
    };
  },
});
